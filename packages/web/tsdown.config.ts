import { defineConfig } from 'tsdown'
import { pluginsFor } from '../sdk/page-scripts.ts'

export default defineConfig({
  // The service puts the content of an environment behind it, and both into one function.
  entry: { engine: 'src/engine/main.ts' },
  format: 'iife',
  target: 'es2022',
  platform: 'browser',
  deps: { alwaysBundle: ['@svc/core'] },
  plugins: pluginsFor(['web', 'page']),
  dts: false,
  hash: false,
  minify: { compress: true, mangle: true },
  outputOptions: { comments: { annotation: false } },
  outExtensions: () => ({ js: '.js' }),
  inputOptions: { checks: { pluginTimings: false } },
})
