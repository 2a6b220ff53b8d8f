// Previews and the door of the visual editor: a real service, and a page with a strict policy on a host of its own.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page, Request } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { sharedBrowser } from '../chromium.ts'
import { type OpenService, openService } from '../service.ts'

let service: OpenService
let browser: Browser
let site: Server
let origin: string
let experiment: string
let context: BrowserContext
let page: Page
/** What the page has asked the service for besides its script. */
let asked: string[]

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await openService()
  const { call } = service
  const { id } = await call('POST', '/api/v1/projects', { name: 'Shop', type: 'WEB' })
  const project = `/api/v1/projects/${id}`
  const environments = await call('GET', `${project}/environments`)
  const { sdkKey } = environments.find(({ key }: { key: string }) => key === 'production')
  const script = `${service.url}/sdk/v1/web/${sdkKey}.js`
  site = createServer((request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${service.url} 'nonce-n'; connect-src ${request.url === '/pricing/closed' ? "'none'" : service.url}; frame-src ${service.url}; require-trusted-types-for 'script'; trusted-types 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-frame-options': 'DENY',
    })
    response.end(
      `<!doctype html><title>Shop</title><script src="${script}" crossorigin></script><script nonce="n">addressSeen = location.href</script><h1>Our plans at ${request.url}</h1>`,
    )
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  origin = `http://shop.localhost:${(site.address() as AddressInfo).port}`
  await call('PUT', `${project}/web-settings`, { hosts: ['shop.localhost'], consent: 'REQUIRED' })
  const made = await call('POST', `${project}/experiments`, {
    name: 'Price in the headline',
    pages: [
      {
        ...{ key: 'pricing', name: 'Pricing', url: `${origin}/pricing#/plans` },
        conditions: { attribute: 'page.path', operator: 'startsWith', value: '/pricing' },
      },
    ],
    // Nobody would get it by chance, and a visitor would keep it.
    ...{ trafficAllocation: 0, sticky: true, bucketBy: 'userId' },
  })
  experiment = `${project}/experiments/${made.id}`
  await call('PUT', `${experiment}/variations/variation-1/changes`, {
    changes: [{ id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9' }],
  })
  await call('PUT', `${experiment}/variations/variation-1/code`, {
    js: 'document.documentElement.lang = svc.variationKey',
  })
})
afterAll(async () => {
  site?.close()
  site?.closeAllConnections()
  await service?.stop()
})

async function openTab(): Promise<void> {
  context = await browser.newContext()
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }))
  page = await context.newPage()
  asked = []
  page.on('request', (request: Request) => {
    if (request.url().startsWith(service.url)) asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
}
afterEach(() => context.close())

const preview = (body: object = {}) =>
  service.call('POST', `${experiment}/previews`, { variationKey: 'variation-1', pageKey: 'pricing', ...body })
const headline = () => page.locator('h1')
/** The badge is in a closed root, which only the browser itself can read. */
const badge = async () => (await page.locator('svc-preview').count()) > 0
const stored = () => page.evaluate(() => Object.keys(sessionStorage))

describe('a preview', () => {
  test('shows the draft on its pages in this tab, until it is revoked', async () => {
    await openTab()
    const { id, url } = await preview()
    await page.goto(url)
    await expect.poll(() => headline().textContent()).toBe('From € 9')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('variation-1')
    // The rest of the page has never seen the secret, and the route of the router is still there.
    expect(await page.evaluate('addressSeen')).toBe(`${origin}/pricing#/plans`)
    await expect.poll(badge).toBe(true)
    await page.goto(`${origin}/other`)
    await expect.poll(badge).toBe(true)
    expect(await headline().textContent()).toBe('Our plans at /other')
    await page.goto(`${origin}/pricing/year`)
    await expect.poll(() => headline().textContent()).toBe('From € 9')
    await service.call('DELETE', `${experiment}/previews/${id}`)
    await page.goto(`${origin}/pricing`)
    await expect.poll(badge).toBe(true)
    expect(await headline().textContent()).toBe('Our plans at /pricing')
    expect(await stored()).toEqual([])
    // It is what visitors get, with the calls of the script.
    expect(await page.evaluate('typeof svc.track')).toBe('function')
  })

  test('stores no visitor and sends nothing, whatever the page calls', async () => {
    await openTab()
    await page.goto((await preview()).url)
    await expect.poll(() => headline().textContent()).toBe('From € 9')
    await page.evaluate(() => {
      const { svc } = globalThis as unknown as { svc: { track(key: string): void; consent(isGiven: boolean): void } }
      svc.consent(true)
      svc.track('sign_up')
      svc.consent(false)
    })
    await page.goto('about:blank')
    expect(asked.filter((each) => each.startsWith('POST'))).toEqual(['POST /api/web/v1/previews/ticket'])
    expect(await context.cookies()).toEqual([])
  })

  test('says what the policy of a page must name that does not reach the service', async () => {
    await openTab()
    const { url } = await preview()
    await context.addInitScript(() => {
      const { attachShadow } = Element.prototype
      Element.prototype.attachShadow = function () {
        return attachShadow.call(this, { mode: 'open' })
      }
    })
    await page.goto(`${origin}/pricing/closed${new URL(url).hash}`)
    await page.getByText(`must name ${service.url} in connect-src`).waitFor()
    expect(await headline().textContent()).toBe('Our plans at /pricing/closed')
  })

  test('switches between variations with its badge', async () => {
    await openTab()
    await page.goto((await preview()).url)
    await expect.poll(badge).toBe(true)
    await page.evaluate(() => sessionStorage.setItem('svc-preview-variation', 'original'))
    await page.reload()
    await expect.poll(badge).toBe(true)
    expect(await headline().textContent()).toBe('Our plans at /pricing')
  })
})

describe('the script', () => {
  test('is as it is for all visitors where the end of the address opens nothing', async () => {
    await openTab()
    const ends = ['#svc-preview', '?svc-preview=x', '#svc-other=x']
    for (const end of isFull ? ends : ends.slice(0, 1)) {
      // A page of its own: with another hash alone, a browser stays on the page.
      await page.goto('about:blank')
      await page.goto(`${origin}/pricing${end}`)
      await page.waitForFunction(() => 'svc' in globalThis)
      expect([await badge(), await page.evaluate(() => location.href)]).toEqual([false, `${origin}/pricing${end}`])
    }
  })

  test('starts all the same where the end of the address is a preview that there is not', async () => {
    await openTab()
    await page.goto(`${origin}/pricing#svc-preview=made-up`)
    await page.waitForFunction(() => 'svc' in globalThis)
    await expect.poll(badge).toBe(true)
    expect([await page.evaluate('addressSeen'), await stored()]).toEqual([`${origin}/pricing`, []])
  })

  test('opens a frame of the service for a code, which leaves the address and the tab', async () => {
    await openTab()
    const code = `${crypto.randomUUID()}.${'A'.repeat(43)}`
    await page.clock.install()
    await page.goto(`${origin}/pricing#svc-editor=${code}`)
    await expect.poll(() => page.locator('svc-editor').count()).toBe(1)
    await expect.poll(() => asked).toContain(`GET /web/editor/${code.split('.')[0]}`)
    expect([await page.evaluate('addressSeen'), await stored()]).toEqual([`${origin}/pricing`, []])
    expect(asked.some((each) => each.includes('A'.repeat(43)))).toBe(false)
    // Nobody knows the code, so no editor comes, and the page is what visitors get.
    const isStarted = () => page.evaluate(() => 'svc' in globalThis)
    expect(await isStarted()).toBe(false)
    await page.clock.runFor(15_000)
    await expect.poll(isStarted).toBe(true)
  })
})
