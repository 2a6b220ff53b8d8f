import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { themeStylesheet } from './theme-stylesheet.ts'

const service = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:4000'

/**
 * What so many pages and panels use is one script. Left to itself, the bundler makes a script of every part that two of
 * them share, and each request costs the service and the browser more than a kilobyte does: on a slow line, a list opens
 * a second later with twice as many. A lower number makes fewer scripts, but each page then loads more that it does not
 * use, and the largest comes near its limit.
 */
const sharedByMost = 12

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeStylesheet()],
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows files from this origin but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // A first visit has the names of all scripts, and words in them would be 1.5 KB of it.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            // The styles of all pages are one file: split, each page makes up to ten requests more.
            { name: 'styles', test: /\.css$/, priority: 1 },
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
