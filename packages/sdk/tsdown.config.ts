import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'

// Before a start only the scripts are built: declarations take ten times as long, and running the service needs none.
const isForStart = process.env.npm_lifecycle_event === 'build:run'
// Cleared here, once: each of the builds below runs beside the others and would clear what they have made. Before a
// start nothing is cleared: programs in TypeScript use the declarations that an earlier build made.
if (!isForStart) rmSync(new URL('dist', import.meta.url), { recursive: true, force: true })

const common = {
  clean: false,
  // Names without a hash: a build replaces the files of the one before.
  hash: false,
  target: 'es2022',
  platform: 'neutral' as const,
  deps: { alwaysBundle: ['@svc/core'] },
  inputOptions: { checks: { pluginTimings: false } },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
}
const dts = isForStart ? false : { eager: true }
// The operator `inCidr` is for servers.
const noBlocks = fileURLToPath(new URL('../core/src/no-blocks.ts', import.meta.url))
// One file each, for a script tag: nothing but what the page imports is loaded.
const scripts = { 'svc.min': 'src/index.ts', 'svc-live.min': 'src/live.ts' }

export default defineConfig([
  {
    ...common,
    // Together, so that what the client and its parts share is there once.
    entry: {
      index: 'src/index.ts',
      stream: 'src/stream.ts',
      storage: 'src/storage.ts',
      'file-store': 'src/file-store.ts',
    },
    deps: { ...common.deps, neverBundle: [/^node:/] },
    dts,
  },
  {
    ...common,
    // Apart from the client, so that neither carries the other.
    entry: { webhooks: 'src/webhooks.ts' },
    dts,
  },
  ...Object.entries(scripts).map(([name, path]) => ({
    ...common,
    entry: { [name]: path },
    inputOptions: { ...common.inputOptions, resolve: { alias: { './blocks.ts': noBlocks } } },
    dts: false,
    minify: true,
    outputOptions: { comments: { annotation: false } },
  })),
])
