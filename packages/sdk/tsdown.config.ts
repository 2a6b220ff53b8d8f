import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'

const common = {
  target: 'es2022',
  platform: 'neutral' as const,
  deps: { alwaysBundle: ['@svc/core'] },
  inputOptions: { checks: { pluginTimings: false } },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
}
// Declarations take ten times as long as the rest, and running the service needs none.
const dts = process.env.npm_lifecycle_event === 'build:run' ? false : { eager: true }
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
    clean: false,
  },
  ...Object.entries(scripts).map(([name, path]) => ({
    ...common,
    entry: { [name]: path },
    inputOptions: { ...common.inputOptions, resolve: { alias: { './blocks.ts': noBlocks } } },
    dts: false,
    minify: true,
    outputOptions: { comments: { annotation: false } },
    clean: false,
  })),
])
