// Actions of visitors are acknowledged and counted, or the SDK counts them as dropped, when tabs close, networks fail
// and budgets are used up. A full run does it with 4,000 visitors, `npm test` with a quarter of them.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { BrowserContext, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { booleanFlag } from '../packages/server/testing/boolean-flag.ts'
import { abTest } from '../packages/server/testing/flags.ts'
import { isFull } from '../packages/server/testing/full.ts'
import { sharedBrowser } from './chromium.ts'
import { type OpenService, openService, root } from './service.ts'

interface Sent {
  id: string
  type: 'exposure' | 'track'
  unit: string
}

const shop = `<!doctype html><title>a shop</title><script type="module">
  import { createClient } from '/svc.min.js'
  globalThis.client = createClient({ sdkKey: new URLSearchParams(location.search).get('key'), baseUrl: location.origin })
</script>`
const soon = { interval: 20, timeout: 120_000 }
/** The service ignores bots, and the browser of the tests identifies itself as one. */
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
/** The length of the properties of an event. */
const text4k = 4_000

let service: OpenService
let results: string
let sdkKey: string
let site: Server
let siteUrl: string
/** What the service has confirmed, by the id of the event. */
const acknowledged = new Map<string, Sent>()
let rejected = 0
const mostBytesAtFirst = 1_048_576
/** The proxy in front of the service takes this many bytes. */
let mostBytes = mostBytesAtFirst

beforeAll(async () => {
  acknowledged.clear()
  rejected = 0
  mostBytes = mostBytesAtFirst
  service = await openService()
  await makeTest()
  const script = await readFile(`${root}packages/sdk/dist/svc.min.js`, 'utf8')
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site')
    if (pathname.startsWith('/api/sdk/')) return void forward(request, response)
    if (pathname === '/svc.min.js') return response.setHeader('content-type', 'text/javascript').end(script)
    response.setHeader('content-type', 'text/html').end(shop)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site?.close()
  site?.closeAllConnections()
  await service?.stop()
})

/** A test of two variations, with a metric of those who have seen something. */
async function makeTest(): Promise<void> {
  const { call } = service
  const { id } = await call('POST', '/api/v1/projects', { name: 'Shop' })
  const project = `/api/v1/projects/${id}`
  const environments = await call('GET', `${project}/environments`)
  const production = environments.find(({ key }: { key: string }) => key === 'production')
  sdkKey = production.sdkKey
  await call('POST', `${project}/metrics`, { name: 'Seen', key: 'seen', type: 'PROPORTION', eventKey: 'seen' })
  const flag = await call('POST', `${project}/flags`, booleanFlag('copy'))
  const url = `${project}/flags/${flag.id}`
  const rule = await call('POST', `${url}/envs/${production.id}/rules`, {
    ...abTest('Copy', { metrics: { primary: ['seen'] }, statistics: { inProgressConversions: 'INCLUDE' } }),
  })
  await call('POST', `${url}/envs/${production.id}/run?wait=5s`)
  results = `${url}/rules/${rule.id}/results`
}

/** The proxy: it notes what the service confirms. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === 'POST' ? await text(request).catch(() => undefined) : null
  if (body === undefined) return void response.destroy()
  if (body && body.length > mostBytes) return void response.writeHead(413).end()
  const answer = await fetch(`${service.url}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { 'user-agent': userAgent, 'content-type': request.headers['content-type'] ?? 'text/plain' },
    body,
  })
  const content = await answer.text()
  if (body && answer.status === 202) {
    for (const each of JSON.parse(body).events as Sent[]) acknowledged.set(each.id, each)
    rejected += JSON.parse(content).rejected.length
  }
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(content)
}

interface Tab {
  page: Page
  context: BrowserContext
  name: string
}

let tabs = 0

/** A tab whose client is ready. */
async function open(before = ''): Promise<Tab> {
  const context = await (await sharedBrowser()).newContext({ userAgent })
  const page = await context.newPage()
  await page.goto(`${siteUrl}/?key=${sdkKey}`)
  await page.evaluate(before)
  await page.waitForFunction('globalThis.client?.status === "ready"')
  return { page, context, name: `tab ${++tabs}` }
}

/** Visitors get the flag, and do something with properties of this length. */
async function visit({ page, name }: Tab, count: number, characters = text4k): Promise<void> {
  await page.evaluate(`for (let i = 0; i < ${count}; i++) {
    const context = { targetingKey: '${name}, visitor ' + i }
    client.getBoolean('copy', false, context)
    client.track('seen', { context, properties: { text: 'x'.repeat(${characters}) } })
  }`)
}

/** The events of a tab that the service has confirmed. */
const confirmed = ({ name }: Tab): number => all().filter(({ unit }) => unit.startsWith(`${name},`)).length
const all = (): Sent[] => [...acknowledged.values()]
const droppedIn = ({ page }: Tab): Promise<number> => page.evaluate('client.droppedEvents')

async function inTabs(count: number, act: (tab: Tab) => Promise<unknown>, before?: string): Promise<void> {
  for (let each = 0; each < count; each++) {
    const tab = await open(before)
    await act(tab)
    await tab.context.close()
  }
}

/** Another script that uses this much of what a page can send while it ends. */
const other = (bytes: number) => `document.addEventListener('visibilitychange', () =>
  fetch('/other', { method: 'POST', keepalive: true, body: 'y'.repeat(${bytes}) }), true)`

/** Hides the page, as when a visitor goes to another tab. */
const goAway = `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))`

describe('what visitors did', () => {
  it('is confirmed when the tab is closed', async () => {
    await inTabs(isFull ? 100 : 3, async (tab) => {
      await visit(tab, 12)
      const closed = tab.page.waitForEvent('close')
      await tab.page.close({ runBeforeUnload: true })
      await closed
      await expect.poll(() => confirmed(tab), soon).toBe(24)
    })
  })

  it('is confirmed when the tab goes elsewhere', async () => {
    await inTabs(isFull ? 10 : 1, async (tab) => {
      await visit(tab, 40, 900)
      await tab.page.goto('about:blank')
      await expect.poll(() => confirmed(tab), soon).toBeGreaterThanOrEqual(70)
    })
  })

  it('is confirmed as far as another script has left room, if the tab ends', async () => {
    await inTabs(
      isFull ? 10 : 1,
      async (tab) => {
        await visit(tab, 10, 900)
        await tab.page.goto('about:blank')
        await expect.poll(() => confirmed(tab), soon).toBeGreaterThanOrEqual(10)
      },
      other(50_000),
    )
  })

  it('is confirmed later if another script has left no room, and the tab stays', async () => {
    const count = isFull ? 25 : 5
    await inTabs(
      isFull ? 4 : 1,
      async (tab) => {
        await visit(tab, count)
        await tab.page.evaluate(goAway)
        await expect.poll(() => confirmed(tab), soon).toBe(2 * count)
        expect(await droppedIn(tab)).toBe(0)
      },
      other(64_000),
    )
  })

  it('is confirmed once the network is back', async () => {
    const count = isFull ? 450 : 100
    await inTabs(isFull ? 2 : 1, async (tab) => {
      await tab.context.setOffline(true)
      await visit(tab, count)
      await tab.page.evaluate('client.flush()')
      expect(confirmed(tab)).toBe(0)
      await tab.context.setOffline(false)
      await expect.poll(() => confirmed(tab), soon).toBe(2 * count)
      expect(await droppedIn(tab)).toBe(0)
    })
  })

  it('is confirmed or counted as dropped if more comes at once than a client keeps', async () => {
    await inTabs(1, async (tab) => {
      await visit(tab, 700)
      await tab.page.evaluate('client.flush()')
      expect(confirmed(tab) + (await droppedIn(tab))).toBe(1_400)
      expect(await droppedIn(tab)).toBe(400)
    })
  })

  it.each([
    [isFull ? 400 : 200, 1_048_576],
    [isFull ? 400 : 100, 100_000],
    [10, 10_000],
    [10, 3_000],
  ])('is confirmed or counted as dropped, of %i visitors through a limit of %i bytes', async (count, limit) => {
    mostBytes = limit
    await inTabs(1, async (tab) => {
      await visit(tab, count)
      await tab.page.evaluate('client.flush()')
      expect(confirmed(tab) + (await droppedIn(tab))).toBe(2 * count)
    })
    mostBytes = mostBytesAtFirst
  })
})

it('results count each visitor whom the service has confirmed exactly once', async () => {
  const units = (type: Sent['type']) => new Set(all().flatMap((each) => (each.type === type ? [each.unit] : [])))
  const [exposed, seen] = [units('exposure'), units('track')]
  // What is done at the very moment of a snapshot counts in the next one.
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API
  let told: any
  do told = await service.call('POST', `${results}/refresh`)
  while (told.refreshing)
  expect(rejected).toBe(0)
  expect(told.units.total).toBe(exposed.size)
  expect(told.units.excluded).toEqual({ crossover: 0, bot: 0, override: 0, paused: 0 })
  const converted = told.metrics[0].variations.map((each: { converted: number }) => each.converted)
  expect(converted.reduce((sum: number, each: number) => sum + each)).toBe(exposed.intersection(seen).size)
  expect(exposed.size).toBeGreaterThan(isFull ? 3_800 : 800)
})
