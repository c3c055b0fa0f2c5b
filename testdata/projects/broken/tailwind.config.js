/** @type {import('tailwindcss').Config} */
export default {
  content: ['./index.html', './src/**/*.{js,ts,jsx,tsx}'],
  theme: {
    extend: {
      colors: {
        brand: { 50: '#eef6ff', 500: '#2f6fed', 700: '#1d4fb8' },
      },
    },
  },
  corePlugins: { preflight: true },
  plugins: [],
}
