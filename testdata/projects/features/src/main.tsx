import React, { Suspense, lazy } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom'
import '@/styles/index.css'
import Home from '@/pages/Home'
import { note, type Note } from './note'

const Trails = lazy(() => import('./pages/Trails'))
const Sign = lazy(() => import('@/pages/Sign').then((m) => ({ default: m.Sign })))
const first: Note = note('main')[0]

createRoot(document.getElementById('root') as HTMLElement).render(
  <BrowserRouter basename={import.meta.env.BASE_URL}>
    <nav className="flex gap-6 bg-moss-900 px-8 py-4 text-moss-100">
      <Link to="/">Home</Link>
      <Link to="/trails">Trails</Link>
      <Link to="/sign">Sign up</Link>
      <span className="ml-auto">{first}</span>
    </nav>
    <Suspense fallback={<p>Loading</p>}>
      <Routes>
        <Route path="/" element={<Home />} />
        <Route path="/trails" element={<Trails />} />
        <Route path="/sign" element={<Sign />} />
      </Routes>
    </Suspense>
  </BrowserRouter>,
)
