import { defineConfig } from 'tsdown'

/** One file without dependencies, so that `npx` fetches one package and a start reads one file. */
export default defineConfig({
  entry: { svc: 'src/main.ts' },
  platform: 'node',
  target: 'node20',
  hash: false,
  dts: false,
  // The sources of the SDK, so that no build has to come first.
  alias: { '@svc/sdk/webhooks': new URL('../sdk/src/webhooks.ts', import.meta.url).pathname },
  deps: { alwaysBundle: [/./], neverBundle: [/^node:/] },
  inputOptions: { checks: { pluginTimings: false } },
  outExtensions: () => ({ js: '.js' }),
})
