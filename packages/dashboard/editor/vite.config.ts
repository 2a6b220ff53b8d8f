import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { editorColors } from '../editor-colors.ts'

/**
 * The frame of the visual editor: a build of its own, because pages of customers load it and nothing else of the dashboard.
 * Its files stand beside those of the dashboard.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/web/editor/',
  publicDir: false,
  plugins: [react(), editorColors()],
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows files from this origin but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
