import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))

export default defineConfig(({ mode }) => ({
  base: '/guide/',
  plugins: [react(), mode === 'development' && { name: 'only-here' }].filter(Boolean),
  resolve: {
    alias: { '@': path.resolve(here, './src'), '~data': path.resolve(here, 'src/data') },
  },
  define: { __EDITION__: JSON.stringify('spring') },
  server: { proxy: { '/api': { target: 'http://localhost:3001', rewrite: (p) => p.replace(/^\/api/, '') } } },
  build: { outDir: 'site', chunkSizeWarningLimit: 900 },
}))
