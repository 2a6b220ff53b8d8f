import { defineConfig } from 'tsdown'
import { pluginsFor } from '../sdk/page-scripts.ts'

// The service puts the content of an environment behind it, and both into one function.
const engine = (name: string, isWhole: boolean) =>
  defineConfig({
    entry: { [name]: 'src/engine/main.ts' },
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    deps: { alwaysBundle: ['@svc/core'] },
    plugins: pluginsFor(['web', 'page'], { isWhole }),
    // Two builds share the folder.
    clean: false,
    dts: false,
    hash: false,
    minify: { compress: true, mangle: true },
    outputOptions: { comments: { annotation: false } },
    outExtensions: () => ({ js: '.js' }),
    inputOptions: { checks: { pluginTimings: false } },
  })

// The second one is for content that uses what few data files need: a visitor never needs a second request for it.
export default [engine('engine', false), engine('engine-rare', true)]
