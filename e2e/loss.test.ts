// What visitors do is received, or counted as dropped, when tabs close, networks fail and budgets are used up.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './chromium.ts'
import { root } from './service.ts'

interface Sent {
  id: string
  unit: string
  properties?: { text?: string }
}

const file = { schemaVersion: 1, revision: 1, environment: { id: 'e', key: 'e' }, publishedAt: null, flags: {} }
const shop = `<!doctype html><title>a shop</title><script type="module">
  import { createClient } from '/svc.min.js'
  globalThis.client = createClient({ sdkKey: 'sdk_1', baseUrl: location.origin })
</script>`
const soon = { interval: 20, timeout: 30_000 }
let site: Server
let siteUrl: string
let browser: Browser
let received: Sent[] = []
/** A proxy in front of the service takes this many bytes. */
let mostBytes = 1_048_576

beforeAll(async () => {
  const script = await readFile(`${root}packages/sdk/dist/svc.min.js`, 'utf8')
  site = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site')
    if (pathname === '/svc.min.js') return response.setHeader('content-type', 'text/javascript').end(script)
    if (pathname.includes('/datafile/')) return response.end(JSON.stringify(file))
    const body = await text(request)
    if (pathname === '/api/sdk/v1/events') {
      if (body.length > mostBytes) return response.writeHead(413).end()
      const { events } = JSON.parse(body) as { events: Sent[] }
      received.push(...events)
      return response.writeHead(202).end(JSON.stringify({ accepted: events.length, duplicates: 0, rejected: [] }))
    }
    response.setHeader('content-type', 'text/html').end(shop)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  site?.closeAllConnections()
})

/** A page with a client. It has tracked what `count` visitors did, with properties of this length. */
async function visit(count: number, characters: number, before = ''): Promise<Page> {
  received = []
  const page = await (await browser.newContext()).newPage()
  await page.goto(siteUrl)
  await page.evaluate(before)
  await page.waitForFunction('globalThis.client?.status === "ready"')
  await page.evaluate(`for (let i = 0; i < ${count}; i++)
    client.track('seen', { context: { targetingKey: 'u-' + i }, properties: { text: 'x'.repeat(${characters}) } })`)
  return page
}

const visitors = () => new Set(received.map(({ unit }) => unit)).size
const droppedIn = (page: Page): Promise<number> => page.evaluate('client.droppedEvents')

describe('what visitors did', () => {
  it.each([
    ['1 KB each', 49, 900, 40],
    ['4 KB each', 12, 4_000, 12],
  ])('arrives when the tab goes elsewhere, with %s', async (_name, count, characters, least) => {
    const page = await visit(count, characters)
    await page.goto('about:blank')
    await expect.poll(visitors, soon).toBeGreaterThanOrEqual(least)
    await page.context().close()
  })

  it('arrives as far as another script has left room for it', async () => {
    const other = `document.addEventListener('visibilitychange', () =>
      fetch('/other', { method: 'POST', keepalive: true, body: 'y'.repeat(50000) }), true)`
    const page = await visit(20, 900, other)
    await page.goto('about:blank')
    await expect.poll(visitors, soon).toBeGreaterThanOrEqual(10)
    await page.context().close()
  })

  it('arrives once the network is back', async () => {
    const page = await visit(0, 0)
    await page.context().setOffline(true)
    await page.evaluate(`for (let i = 0; i < 60; i++) client.track('seen', { context: { targetingKey: 'u-' + i } })`)
    await page.evaluate('client.flush()')
    await page.context().setOffline(false)
    await expect.poll(visitors, soon).toBe(60)
    expect(await droppedIn(page)).toBe(0)
    await page.context().close()
  })

  it.each([
    [400, 1_048_576],
    [400, 100_000],
    [20, 10_000],
    [20, 3_000],
  ])('arrives from %i visitors through a limit of %i bytes, or is counted', async (count, limit) => {
    mostBytes = limit
    const page = await visit(count, 4_000)
    await page.evaluate('client.flush()')
    expect(visitors() + (await droppedIn(page))).toBe(count)
    expect(received).toHaveLength(visitors())
    mostBytes = 1_048_576
    await page.context().close()
  })
})
