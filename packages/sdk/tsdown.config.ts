import { rmSync } from 'node:fs'
import { defineConfig } from 'tsdown'
import { minifying, pluginsFor, rare } from './page-scripts.ts'

// Before a start, only the scripts are built. Declarations take ten times as long, and the service does not need them.
const isForStart = process.env.npm_lifecycle_event === 'build:run'
// Cleared once, here: the builds below run in parallel and would remove the output of each other. Before a start,
// nothing is cleared, because TypeScript programs use the declarations of an earlier build.
if (!isForStart) rmSync(new URL('dist', import.meta.url), { recursive: true, force: true })

const common = {
  clean: false,
  // File names without a hash, so that a build replaces the files of the last one.
  hash: false,
  target: 'es2022',
  platform: 'neutral' as const,
  deps: { alwaysBundle: ['@svc/core'] },
  // The directive of react.ts stays where it is, because each entry is a file of its own.
  inputOptions: { checks: { pluginTimings: false, moduleLevelDirective: false } },
  outExtensions: ({ format }: { format: string }) =>
    format === 'cjs' ? { js: '.cjs', dts: '.d.cts' } : { js: '.js', dts: '.d.ts' },
}
// For programs that `require` it: old Jest, and TypeScript that compiles to CommonJS.
const format: ('esm' | 'cjs')[] = isForStart ? ['esm'] : ['esm', 'cjs']
const dts = isForStart ? false : { eager: true }
// One file each, so that a page loads only what it uses.
const alone = 'svc.min'
const scripts = {
  [alone]: 'src/index.ts',
  'svc-live.min': 'src/live.ts',
  [rare]: '../core/src/rare-parts.ts',
  'svc-commerce': 'src/commerce.ts',
}

export default defineConfig([
  {
    ...common,
    // Built together, so that the client and its parts share code.
    entry: {
      index: 'src/index.ts',
      stream: 'src/stream.ts',
      storage: 'src/storage.ts',
      'file-store': 'src/file-store.ts',
      openfeature: 'src/openfeature.ts',
      react: 'src/react.ts',
    },
    deps: { ...common.deps, neverBundle: [/^node:/, 'react'] },
    format,
    dts,
  },
  {
    ...common,
    // Built separately, because they share no code with the client.
    entry: { webhooks: 'src/webhooks.ts', typed: 'src/typed.ts' },
    format,
    dts,
  },
  // Each by itself, too. Declarations that it shared with `typed` would replace those of the client, and shared code would
  // change the names in the scripts for pages, whose size is limited.
  ...['web-server', 'commerce'].map((name) => ({ ...common, entry: { [name]: `src/${name}.ts` }, format, dts })),
  ...Object.entries(scripts).map(([name, path]) => ({
    ...common,
    entry: { [name]: path },
    // The small client has neither stream nor store.
    plugins: pluginsFor(name === alone ? ['alone', 'page'] : ['page']),
    dts: false,
    minify: minifying,
    outputOptions: { comments: { annotation: false } },
  })),
])
