export default function App() {
  return <main className="min-h-screen grid place-items-center">The site goes here.</main>;
}
