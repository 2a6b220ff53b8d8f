import { defineConfig } from 'tsdown'
import { pluginsFor } from '../sdk/page-scripts.ts'
import { partNames } from './src/parts.ts'

/**
 * Properties that only the core of the engine uses. The minifier shortens them. A name that parts, pages, content, requests
 * or browsers use must not be here.
 */
const internal =
  'answered applied aspect begin bytes claim claims dimensions dropped evaluate evaluatedKeys expose folded given guard hashId ' +
  'heartbeatUrl isMade isNew isPermitted leaving limitOf nextFrame offline onRest onVisibility owner release ' +
  'requestTimeoutMs rests retryAfterMs setChanges setTracking shown takePart turn waits wishes'

// The service puts the content of an environment behind it, and all of it into one function.
const script = (name: string, path: string, isWhole: boolean, format: 'iife' | 'esm' = 'iife') =>
  defineConfig({
    entry: { [name]: path },
    format,
    target: 'es2022',
    platform: 'browser',
    deps: { alwaysBundle: ['@svc/core'] },
    plugins: pluginsFor(['web', 'page'], { isWhole }),
    // The builds share the folder.
    clean: false,
    dts: false,
    hash: false,
    minify: {
      compress: true,
      mangle: true,
      mangleProps: { include: new RegExp(`^(?:${internal.replaceAll(' ', '|')})$`) },
    },
    outputOptions: { comments: { annotation: false } },
    outExtensions: () => ({ js: '.js' }),
    inputOptions: { checks: { pluginTimings: false } },
  })

const main = 'src/engine/main.ts'

// The second one is for data files that use what few need. The parts stand before an engine, where the content uses them.
export default [
  script('engine', main, false),
  script('engine-rare', main, true),
  script('preview', 'src/engine/preview.ts', true),
  // A module that the engine loads.
  script('bridge', 'src/bridge/main.ts', false, 'esm'),
  ...partNames.map((name) => script(name, `src/engine/parts/${name}.ts`, false)),
]
