// What the design page opens on the real site, and the people who edit there at once.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const [acme] = twoOrganizations.organizations
const annie = { email: 'annie@example.com', name: 'Annie Easley', password: 'centaur rockets burn' }
const members = [
  { ...ada, role: 'OWNER' },
  { ...grace, role: 'EDITOR' },
  { ...annie, role: 'VIEWER' },
]
const site = openSite({ organizations: [{ ...acme, projects: [{ name: 'Web shop' }], members }] })
const experiment = '/1-acme/2-website/experiments/1'
const design = `${experiment}/design/price`
let owner: Visitor
let page: Page
let server: Server
let address: string
let sdkKey: string
/** The policy of the shop's pages, if they have one. */
let policy = ''
let call: (method: string, path: string, body?: object) => ReturnType<typeof prepare>

beforeAll(async () => {
  const { url } = site.service
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (policy) response.setHeader('content-security-policy', policy)
    const tag = `<script src="${url}/sdk/v1/web/${sdkKey}.js" crossorigin></script>`
    response.end(`<!doctype html><title>Shop</title>${tag}<link rel="icon" href="data:"><h1>Our plans</h1>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://shop.localhost:${(server.address() as AddressInfo).port}`
  const { id } = await prepare(url, 'POST', '/api/v1/projects', { name: 'Website', type: 'WEB' })
  call = (method, path, body) => prepare(url, method, `/api/v1/projects/${id}${path}`, body)
  const environments = await call('GET', '/environments')
  sdkKey = environments.find(({ key }: { key: string }) => key === 'production').sdkKey
  await call('POST', '/experiments', {
    name: 'Price in the headline',
    variations: [
      { key: 'original', name: 'Original', weight: 5000 },
      { key: 'price', name: 'With price', weight: 5000 },
    ],
    pages: [pricing(null)],
  })
  const headline = { id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9', was: 'Our plans' }
  await call('PUT', '/experiments/1/variations/price/changes', { changes: [headline] })
  owner = await site.visit(ada)
  page = owner.page
})
afterAll(() => {
  server?.close()
  server?.closeAllConnections()
})

const pricing = (url: string | null) => ({
  ...{ key: 'pricing', name: 'Pricing', url },
  conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
})
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const opener = (on = page) => on.getByRole('button', { name: 'Open editor' })
const panel = (name: string) => page.getByRole('dialog', { name })

describe('the button that opens the editor', () => {
  it('says what is missing, and where to add it', async () => {
    await openPage(page, design)
    await page.getByText('No page of the experiment has an address.', { exact: false }).waitFor()
    expect(await opener().isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Add one to a page' }).getAttribute('href')).toBe(
      `${experiment}/targeting`,
    )
    await call('PATCH', '/experiments/1', { pages: [pricing(`${address}/pricing`)] })
    await readAgain(page)
    await page.getByText('shop.localhost is not among the hosts of this site.', { exact: false }).waitFor()
    expect(await opener().isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'site settings' }).getAttribute('href')).toBe(
      '/1-acme/2-website/settings/site',
    )
    await expectGoodPage(owner, 'editor-without-host')
    await call('PUT', '/web-settings', { hosts: ['shop.localhost'] })
  })

  if (isFull)
    it('is disabled for a viewer, who reads who can use it', async () => {
      const { page: viewers } = await site.visit(annie, design)
      await viewers.getByText('Editors and admins can open it.').waitFor()
      expect(await opener(viewers).isDisabled()).toBe(true)
      await viewers.context().close()
    })

  it('opens the editor on the page of the site', async () => {
    await openPage(page, design)
    const opened = owner.context.waitForEvent('page')
    await opener().click()
    const shop = await opened
    const isFrame = (each: Frame) => each.url().includes('/web/editor/')
    await expect.poll(() => shop.frames().some(isFrame)).toBe(true)
    const frame = shop.frames().find(isFrame)!
    await frame.getByRole('heading', { name: 'Price in the headline' }).waitFor()
    await shop.getByRole('heading', { name: 'From € 9' }).waitFor()
    expect(new URL(shop.url()).hash).toBe('')
    expect(await shop.evaluate(() => opener)).toBe(null)
    await shop.close()
    expect(await page.getByText('The page has not answered').count()).toBe(0)
    expect(owner.complaints).toEqual([])
  })
})

it('names the directives of a page whose policy lets no script of the service in', async () => {
  policy = "default-src 'self'"
  await openPage(page, design)
  const opened = owner.context.waitForEvent('page')
  await opener().click()
  const shop = await opened
  await page.getByText('The page has not answered').waitFor()
  const { url } = site.service
  await page.getByText(`script-src ${url}; connect-src ${url}; frame-src ${url}`).waitFor()
  await expectGoodPage(owner, 'editor-not-answered')
  policy = ''
  await shop.close()
})

it('a preview is made with a QR code, shows the draft on the site, is listed, and is revoked', async () => {
  await openPage(page, design)
  await page.getByText('No preview is open.').waitFor()
  await page.getByRole('button', { name: 'Create a preview' }).click()
  await panel('Preview').getByRole('button', { name: 'Create preview' }).click()
  await panel('Preview').getByRole('img', { name: 'QR code of the address, for a phone' }).waitFor()
  await expectGoodPage(owner, 'preview-created')
  const url = await panel('Preview').getByLabel('Address of the preview').inputValue()
  expect(url).toMatch(new RegExp(`^${address}/pricing#svc-preview=`))
  await panel('Preview').getByRole('button', { name: 'Close' }).last().click()
  const list = page.getByRole('list', { name: 'Open previews' })
  await list.getByText('Pricing, the draft').waitFor()
  await list.getByText('by Ada Lovelace', { exact: false }).waitFor()

  const phone = await site.browser.newContext()
  const shop = await phone.newPage()
  await shop.goto(url)
  await shop.getByRole('heading', { name: 'From € 9' }).waitFor()

  await list.getByRole('button', { name: 'Revoke…' }).click()
  await panel('Revoke the preview').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No preview is open.').waitFor()
  const later = await phone.newPage()
  await later.goto(url)
  await later.getByRole('heading', { name: 'Our plans' }).waitFor()
  expect((await call('GET', '/experiments/1/previews')).map(({ status }: { status: string }) => status)).toEqual([
    'REVOKED',
  ])
  await phone.close()
})

it('two people see each other edit, and see when the other has left', async () => {
  const other = await site.visit(grace, design)
  await openPage(page, design)
  await page.getByText('Grace Hopper is editing With price.').waitFor()
  await other.page.getByText('Ada Lovelace is editing With price.').waitFor()
  await expectGoodPage(owner, 'design-with-another')
  await openPage(page, experiment)
  await page.getByText('Grace Hopper is editing With price.').waitFor()
  await other.page.getByText('Ada Lovelace is editing With price.').waitFor({ state: 'detached' })
  await openPage(other.page, '/1-acme/2-website/experiments')
  await page.getByText('Grace Hopper is editing').waitFor({ state: 'detached' })
})

it('an error of the code is on the overview, with its line and the way to the code', async () => {
  const js = "const plans = document.querySelector('.plans')\nplans.remove()"
  await call('PUT', '/web-settings', { hosts: ['shop.localhost'], codeVariations: true })
  await call('PATCH', '/experiments/1', { pages: [pricing(`${address}/pricing`)] })
  await call('PUT', '/experiments/1/variations/price/code', { js })
  await call('POST', '/experiments/1/launch')
  await openPage(page, experiment)
  await page.getByText('The code has thrown no errors.').waitFor()
  for (let isTreated = false; !isTreated; ) {
    // Errors of bots do not count, so this browser does not say that a program drives it.
    const context = await site.browser.newContext({ userAgent })
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }))
    const shop = await context.newPage()
    await shop.goto(`${address}/pricing`)
    isTreated = (await shop.getByRole('heading').innerText()) === 'From € 9'
    // The browser stays: one that is closed may drop what its page has sent in its last moment.
    await shop.goto('about:blank')
  }
  const errors = () => call('GET', '/experiments/1/errors')
  await expect.poll(async () => (await errors()).length, { timeout: 20_000 }).toBe(1)
  await openPage(page, experiment)
  const table = page.getByRole('table', { name: 'Errors of code' })
  await table.getByText('plans.remove()').waitFor()
  await expectGoodPage(owner, 'web-experiment-errors')
  await table.getByRole('link', { name: 'With price, line 2' }).click()
  await page.getByRole('heading', { level: 1, name: 'Price in the headline: With price' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/\/design\/price$/)
})
