// A web experiment from its draft to its result: a real service, and pages on a host of their own.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../chromium.ts'
import { type OpenService, openService } from '../service.ts'

/**
 * The service ignores bots, and the browser of the tests identifies itself as one. What a page sends when it ends has the
 * name that the browser was started with.
 */
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

let service: OpenService
let browser: Browser
let site: Server
let address: string
let sdkKey: string
let project: string

beforeAll(async () => {
  browser = await openBrowser(undefined, [`--user-agent=${userAgent}`])
  service = await openService()
  const { call } = service
  const { id } = await call('POST', '/api/v1/projects', { name: 'Shop', type: 'WEB' })
  project = `/api/v1/projects/${id}`
  const environments = await call('GET', `${project}/environments`)
  sdkKey = environments.find(({ key }: { key: string }) => key === 'production').sdkKey
  site = createServer((request, response) => {
    const body = request.url === '/goals' ? goalsBody : '<h1>Our plans</h1>'
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>Shop</title><link rel="icon" href="data:"><script>
        const seen = globalThis.seen = new Set()
        const look = () => { const found = document.querySelector('h1'); if (found) seen.add(found.textContent); requestAnimationFrame(look) }
        requestAnimationFrame(look)
      </script><script src="${service.url}/sdk/v1/web/${sdkKey}.js" crossorigin></script>${body}`,
    )
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  address = `http://shop.localhost:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  site?.closeAllConnections()
  await service?.stop()
})

const goalsBody =
  '<a class="cta"><b>Buy</b></a><form onsubmit="return false"><button>Go</button></form><p style="margin-top: 2000px" class="low">Low</p>'

let prices = 0

/** An experiment on a page that no other one has, with its headline as a draft. Everybody gets the variation. */
async function priceExperiment() {
  prices += 1
  const key = `pricing-${prices}`
  const made = await service.call('POST', `${project}/experiments`, {
    name: `Price in the headline ${prices}`,
    pages: [{ key, name: 'Pricing', conditions: { attribute: 'page.path', operator: 'equals', value: `/${key}` } }],
    variations: [
      { key: 'original', weight: 0 },
      { key: 'price', weight: 10_000 },
    ],
  })
  const experiment = `${project}/experiments/${made.id}`
  const headline = (value: string) =>
    service.call('PUT', `${experiment}/variations/price/changes`, {
      changes: [{ id: 'c1', page: key, type: 'TEXT', selector: 'h1', value, was: 'Our plans' }],
      css: 'h1 { color: rgb(0, 85, 255) }',
    })
  await headline('From € 9')
  return { experiment, headline, visit: () => visit(`${address}/${key}`) }
}

/**
 * Opens a page in a browser of its own: it knows no script, which browsers keep for a minute. It stays until the end,
 * because a browser that is closed may drop what its page has sent in its last moment.
 */
async function visiting<Seen>(url: string, look: (page: Page) => Promise<Seen>): Promise<Seen> {
  const context = await browser.newContext()
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }))
  const page = await context.newPage()
  await page.goto(url)
  const seen = await look(page)
  // A page sends what waits when it ends.
  await page.goto('about:blank')
  return seen
}

/** What a new visitor of the page sees: the headline, every text that a frame of it showed, and its color. */
const visit = (url: string) =>
  visiting(url, async (page) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    return page.evaluate(() => {
      const found = document.querySelector('h1')!
      const { seen } = globalThis as unknown as { seen: Set<string> }
      return { text: found.textContent, seen: [...seen], color: getComputedStyle(found).color }
    })
  })

const etag = async () => (await fetch(`${service.url}/sdk/v1/web/${sdkKey}.js`)).headers.get('etag')

/** How many visitors the result counts; undefined before there is one. */
async function counted(experiment: string): Promise<number | undefined> {
  await service.call('POST', `${experiment}/results/refresh`).catch(() => undefined)
  const results = await service.call('GET', `${experiment}/results`).catch(() => undefined)
  return results?.units.total
}

test('a launched change is on the page in every frame, its visitors are counted, and a pause ends it', async () => {
  const original = { text: 'Our plans', seen: ['Our plans'], color: 'rgb(0, 0, 0)' }
  const { experiment, headline, visit } = await priceExperiment()
  expect(await visit()).toEqual(original)
  await service.call('POST', `${experiment}/launch`)
  const launched = await etag()
  expect(await visit()).toEqual({ text: 'From € 9', seen: ['From € 9'], color: 'rgb(0, 85, 255)' })
  await expect.poll(() => counted(experiment), { timeout: 20_000 }).toBe(1)
  await headline('From € 8')
  await service.call('POST', `${experiment}/publish`)
  expect(await etag()).not.toBe(launched)
  expect(await visit()).toMatchObject({ text: 'From € 8' })
  await service.call('POST', `${experiment}/pause`)
  expect(await visit()).toEqual(original)
})

test('a click, a form, an element that is seen and a page view are counted once each, in the results', async () => {
  const { call } = service
  const triggers = {
    clicked: { on: 'CLICK', selector: 'a.cta' },
    sent: { on: 'FORM_SUBMIT', selector: 'form' },
    seen: { on: 'SEEN', selector: '.low' },
    viewed: { on: 'PAGE_VIEW', conditions: { attribute: 'page.path', operator: 'equals', value: '/goals' } },
    elsewhere: { on: 'PAGE_VIEW', conditions: { attribute: 'page.path', operator: 'equals', value: '/other' } },
  }
  const keys = Object.keys(triggers)
  for (const [key, trigger] of Object.entries(triggers))
    await call('POST', `${project}/metrics`, { key, name: key, type: 'MEAN', eventKey: key, trigger })
  const { id } = await call('POST', `${project}/experiments`, {
    name: 'Goals',
    pages: [{ key: 'goals', name: 'Goals', conditions: triggers.viewed.conditions }],
    metrics: { primary: ['clicked'], secondary: keys.slice(1) },
    statistics: { inProgressConversions: 'INCLUDE' },
  })
  const one = `${project}/experiments/${id}`
  await call('PUT', `${one}/variations/variation-1/changes`, { changes: [], css: 'b { color: blue }' })
  await call('POST', `${one}/launch`)
  await visiting(`${address}/goals`, async (page) => {
    for (const selector of ['b', 'button']) await page.click(selector)
    await page.locator('.low').scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate('svc.variations')).toHaveProperty('x2')
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  })
  const sums = async () => {
    const results = await call('POST', `${one}/results/refresh`).catch(() => undefined)
    const found = await call('GET', `${one}/results`).catch(() => results)
    return Object.fromEntries(
      (found?.metrics ?? []).map(({ key, variations }: { key: string; variations: { sum: number }[] }) => [
        key,
        variations.reduce((total, { sum }) => total + sum, 0),
      ]),
    )
  }
  await expect.poll(sums, { timeout: 60_000 }).toEqual({ clicked: 1, sent: 1, seen: 1, viewed: 1, elsewhere: 0 })
})
