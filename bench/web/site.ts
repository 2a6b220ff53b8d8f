import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from '@playwright/test'

/** What the site answers: texts by path, and how long each takes. */
export interface Content {
  texts: Record<string, string>
  delaysMs?: Record<string, number>
}

export interface BenchSite {
  address: string
  /** What the site answers from now on. */
  content: Content
  /** Which paths browsers have asked for, in order. */
  asked: string[]
  close(): void
}

const typeOf = (path: string): string =>
  path.endsWith('.js') ? 'text/javascript' : path.startsWith('/api/') ? 'application/json' : 'text/html'

/** A site on loopback that answers what the benchmark says. All that it does not know is an empty answer. */
export async function openBenchSite(): Promise<BenchSite> {
  const server: Server = createServer(async ({ url = '' }, response) => {
    const path = url.replace(/\?.*/, '')
    site.asked.push(path)
    await pause(site.content.delaysMs?.[path] ?? 0)
    response.writeHead(200, {
      'content-type': `${typeOf(path)}; charset=utf-8`,
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    })
    response.end(site.content.texts[path] ?? '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const site: BenchSite = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    content: { texts: {} },
    asked: [],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return site
}

/** A page with this head and body. */
export const pageOf = (head: string, body: string): string =>
  `<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:">${head}</head><body>${body}</body></html>`

export const scriptsOf = (texts: readonly string[]): string =>
  texts.map((text) => `<script>${text.replaceAll('</script', '<\\/script')}</script>`).join('')

/** Does something in a new visitor's page, whose processor may be slowed down. */
export async function inNewPage<Found>(
  browser: Browser,
  slowdown: number,
  act: (page: Page, devtools: CDPSession) => Promise<Found>,
): Promise<Found> {
  const context = await browser.newContext()
  // Programs are not counted, so nobody would measure what visitors get.
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }))
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    if (slowdown > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    return await act(page, devtools)
  } finally {
    await context.close()
  }
}
