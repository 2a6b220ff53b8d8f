import { defineConfig } from 'tsdown'

const outExtensions = () => ({ js: '.js', dts: '.d.ts' })
const deps = { alwaysBundle: ['@svc/core'] }

export default defineConfig([
  {
    entry: { index: 'src/index.ts' },
    target: 'es2022',
    platform: 'neutral',
    deps,
    outExtensions,
    dts: { eager: true },
  },
  {
    // Apart from the client, so that neither carries the other.
    entry: { webhooks: 'src/webhooks.ts' },
    target: 'es2022',
    platform: 'neutral',
    deps,
    outExtensions,
    dts: { eager: true },
    clean: false,
  },
  {
    // One file for a script tag; the server hands it out as /sdk/v1/svc.js.
    entry: { 'svc.min': 'src/index.ts' },
    target: 'es2022',
    platform: 'neutral',
    deps,
    outExtensions,
    dts: false,
    minify: true,
    clean: false,
  },
])
