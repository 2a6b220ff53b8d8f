import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { themeStylesheet } from './theme-stylesheet.ts'

const service = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:4000'

/**
 * What so many pages and panels use is one script. Left to itself, the bundler makes a script of every part that two of
 * them share, and each request costs the service and the browser more than a kilobyte does. A lower number makes fewer
 * scripts, but each page then loads more that it does not use, and the largest comes near its limit.
 */
const sharedByMost = 30

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeStylesheet()],
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows files from this origin but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles have 28 KB. Split, a first visit has 10 KB less, and each page makes up to ten requests more.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'common', minShareCount: sharedByMost },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/docs', '/openapi.json'].map((path) => [path, service])),
  },
})
