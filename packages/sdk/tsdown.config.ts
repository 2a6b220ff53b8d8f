import { defineConfig } from 'tsdown'

const outExtensions = () => ({ js: '.js', dts: '.d.ts' })
const deps = { alwaysBundle: ['@svc/core'] }
const inputOptions = { checks: { pluginTimings: false } }
// Declarations take ten times as long as the rest, and running the service needs none.
const declarations = process.env.npm_lifecycle_event === 'build:run' ? false : { eager: true }

export default defineConfig([
  {
    entry: { index: 'src/index.ts' },
    target: 'es2022',
    platform: 'neutral',
    deps,
    inputOptions,
    outExtensions,
    dts: declarations,
  },
  {
    // Apart from the client, so that neither carries the other.
    entry: { webhooks: 'src/webhooks.ts' },
    target: 'es2022',
    platform: 'neutral',
    deps,
    inputOptions,
    outExtensions,
    dts: declarations,
    clean: false,
  },
  {
    // One file for a script tag; the server hands it out as /sdk/v1/svc.js.
    entry: { 'svc.min': 'src/index.ts' },
    target: 'es2022',
    platform: 'neutral',
    deps,
    inputOptions,
    outExtensions,
    dts: false,
    minify: true,
    clean: false,
  },
])
