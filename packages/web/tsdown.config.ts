import { defineConfig } from 'tsdown'
import { pluginsFor } from '../sdk/page-scripts.ts'
import { partNames } from './src/parts.ts'

// The service puts the content of an environment behind it, and all of it into one function.
const script = (name: string, path: string, isWhole: boolean) =>
  defineConfig({
    entry: { [name]: path },
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    deps: { alwaysBundle: ['@svc/core'] },
    plugins: pluginsFor(['web', 'page'], { isWhole }),
    // The builds share the folder.
    clean: false,
    dts: false,
    hash: false,
    minify: { compress: true, mangle: true },
    outputOptions: { comments: { annotation: false } },
    outExtensions: () => ({ js: '.js' }),
    inputOptions: { checks: { pluginTimings: false } },
  })

const main = 'src/engine/main.ts'

// The second one is for data files that use what few need. The parts stand before an engine, where the content uses them.
export default [
  script('engine', main, false),
  script('engine-rare', main, true),
  ...partNames.map((name) => script(name, `src/engine/parts/${name}.ts`, false)),
]
