import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { themeStylesheet } from '../theme-stylesheet.ts'

/** The gallery of components. It is not part of the build that the service serves. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: join(import.meta.dirname, '../public'),
  cacheDir: join(import.meta.dirname, '../node_modules/.vite-gallery'),
  plugins: [react(), themeStylesheet()],
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
})
