import { createClient } from '@svc/sdk'
import { readBootstrap } from '@svc/sdk/react'
import { StrictMode, version } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { counts, gate, Shop } from './shop.tsx'

/** What a test reads and does in the page. */
export interface ShopPage {
  client: ReturnType<typeof createClient>
  counts: typeof counts
  version: string
  /** Texts that changed in the page after the server's HTML. */
  mutations: string[]
  faults: string[]
  openGate(): void
  /** Renders again, for this visitor. */
  render(visitor: string): void
}

const query = new URLSearchParams(location.search)
const bootstrap = readBootstrap()
const client = createClient({
  ...{ sdkKey: 'sdk_1', baseUrl: location.origin, pollIntervalMs: 600_000 },
  ...(bootstrap !== undefined && { bootstrap }),
})
const faults: string[] = []
const mutations: string[] = []
const { open, wait } = gate()
const container = document.getElementById('shop')!
const settings = {
  client,
  ...(query.has('suspense') && { suspense: true, readyTimeoutMs: Number(query.get('suspense')) }),
  ...(query.has('late') && { wait }),
}
const element = (visitor: string) => <Shop {...settings} visitor={visitor} />
new MutationObserver((records) => {
  for (const { target } of records) mutations.push(target.textContent ?? '')
}).observe(container, { subtree: true, characterData: true, childList: true })
const options = { onRecoverableError: (fault: unknown) => faults.push(String(fault)) }
const root = query.has('hydrate') ? hydrateRoot(container, element('u-17'), options) : createRoot(container, options)
if (!query.has('hydrate'))
  root.render(query.has('strict') ? <StrictMode>{element('u-17')}</StrictMode> : element('u-17'))
const shopPage: ShopPage = {
  ...{ client, counts, version, mutations, faults, openGate: open },
  render: (visitor) => root.render(element(visitor)),
}
Object.assign(globalThis, { shopPage })
