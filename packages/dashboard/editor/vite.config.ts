import { defineConfig } from 'vite'

/** The page of the visual editor, which sites have in a frame. It is small, so it shares nothing with the dashboard. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/web/editor/',
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows files from this origin but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
