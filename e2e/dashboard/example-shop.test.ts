import type { ChildProcess } from 'node:child_process'
import type { Browser, Page } from '@playwright/test'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { incrementalInWords } from '../../packages/dashboard/src/wings/commerce/recommendations/measurement-words.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { openShop, type Shop } from '../../packages/server/testing/vendors/shop.ts'
import { openBrowser } from '../chromium.ts'
import { output } from '../output.ts'
import { end, spawnNode } from '../service.ts'
import { expectGoodPage, seriousFaults, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada } from './people.ts'
import { jobOf } from './recommending.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const project = '/api/v1/projects/1'
const commerce = '/1-acme/1-web-shop/commerce'
// Reached only if the program hangs.
const limitMs = 120_000

/** What stands between the service and the example shop, as a proxy with the certificate of a real shop does. */
let front: Shop
const site = openSite(undefined, {}, undefined, async () => {
  front = await openShop()
  return front.outbound
})
let owner: Visitor
let page: Page
let sdkKey: string
let program: ChildProcess
/** Their browser. One that says that it has no window is a bot for the service. */
let visitors: Browser
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
let shopUrl: string

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `${project}${path}`, body)
const panel = () => page.getByRole('dialog')
const button = (name: string) => panel().getByRole('button', { name, exact: true })
const addressOf = (file: string) => new URL(file, front.url).href

beforeAll(async () => {
  const environments = await call('GET', '/environments')
  sdkKey = environments.find(({ key }: { key: string }) => key === 'production').sdkKey
  program = spawnNode(['examples/shop/server.js'], { SVC_SDK_KEY: sdkKey, SVC_BASE_URL: site.service.url, PORT: '0' })
  const printed = output(program)
  await printed.until('\n', limitMs)
  shopUrl = /listening on (\S+)/.exec(printed.text())![1]!
  front.serve(async (path) => (await fetch(`${shopUrl}${path}`)).text())
  visitors = await openBrowser(undefined, [`--user-agent=${userAgent}`])
  owner = await site.visit(ada)
  page = owner.page
})
afterAll(async () => {
  await visitors?.close()
  if (program) await end(program)
  await front?.close()
})

it('a person connects the feed of the shop and sees which two rows are broken', async () => {
  await page.goto(`${commerce}/sources`)
  await page.getByRole('button', { name: 'Create catalog source' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('Main feed')
  await panel().getByLabel('Address of the file').fill(addressOf('/feed.xml'))
  await button('Create and preview').click()
  await button('Read the first rows').click()
  await panel().getByText('100 rows give 98 items, and 2 rows would be skipped.').waitFor()
  await panel()
    .getByText(/^Line 826, POTS-04: .*An item needs a title/)
    .waitFor()
  await button('Next').click()
  await button('Next').click()
  await button('Save and sync now').click()
  await panel().waitFor({ state: 'detached' })
  const runs = page.getByRole('region', { name: 'Runs' })
  await runs.getByText('118 items added.').waitFor()
  await runs.getByRole('row').nth(1).getByRole('link').click()
  const table = page.getByRole('table', { name: 'Errors by line' })
  await table.getByRole('row').filter({ hasText: 'CUPS-07' }).getByText('1,060').waitFor()
  const [job] = await call('GET', '/commerce/jobs?kind=feed_sync')
  expect(await call('GET', `/commerce/jobs/${job.id}/errors`)).toMatchObject([
    { line: 826, itemId: 'POTS-04', code: 'missing_title', isWarning: false },
    { line: 1060, itemId: 'CUPS-07', code: 'bad_price', isWarning: false },
  ])
})

inFull('e2e/example-shop')('the shopkeeper mends both rows, and the next sync takes them', async () => {
  const shop = await visitors.newPage()
  await shop.goto(`${shopUrl}/shopkeeper`)
  expect(await seriousFaults(shop, true)).toEqual([])
  const row = (id: string) => shop.getByRole('listitem').filter({ hasText: id })
  await row('CUPS-07').getByText('“14.9O” is no price').waitFor()
  await row('CUPS-07').getByLabel('Price in euros').fill('14.90')
  await row('CUPS-07').getByRole('button', { name: 'Save' }).click()
  await row('POTS-04').getByLabel('Name').fill('Cascais teapot')
  await row('POTS-04').getByRole('button', { name: 'Save' }).click()
  await shop.getByText('All products are for sale.').waitFor()
  await shop.close()
  await openPage(page, `${commerce}/sources/main-feed`)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByText('2 items added and 118 unchanged.').waitFor()
})

it('a placement made in the dashboard fills the pages of the shop', async () => {
  await come(40, 1)
  await openPage(page, `${commerce}/placements`)
  await page.getByRole('button', { name: 'Create placement' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('Product page')
  await panel().getByLabel('Add what fills the list').selectOption('SIMILAR')
  await button('Move Similar up').click()
  await button('Create placement').click()
  await page.getByText('Similar, then Popular').waitFor()
  await page.getByLabel('Products on the page or in the cart').fill('CUPS-01')
  const cards = page.getByRole('list', { name: 'The list' }).getByRole('listitem')
  await expect
    .poll(async () => {
      await readAgain(page)
      return cards.count()
    })
    .toBe(8)

  const shop = await visitors.newPage()
  await shop.goto(`${shopUrl}/p/CUPS-01`)
  const beside = shop.getByRole('region', { name: 'Goes well with it' })
  await beside.getByRole('link').nth(7).waitFor()
  expect(await beside.getByText(/ cup$/).count()).toBeGreaterThan(4)
  expect(await seriousFaults(shop, true)).toEqual([])
  await shop.close()
  await buyInBrowser('first', 'default')
})

/** Those of the browser: two who get the list, and one who does not. */
let units: string[]
const cameLater = 90

inFull('e2e/example-shop')('one click measures it: some visitors get no list, and all can buy', async () => {
  await page.getByRole('button', { name: 'Measure it…' }).click()
  await panel().getByRole('textbox', { name: 'Visitors without the list' }).fill('50')
  await button('Measure it').click()
  await page.getByText('The test runs. The interval appears here').waitFor()
  const armOf = await arms()
  expect(await come(cameLater, 2)).toContain('90 visitors looked at 360 products')
  const candidates = Array.from({ length: 100 }, (_, at) => `b-${at}`)
  const [shown, none] = ['default', 'none'].map((arm) => candidates.filter((unit) => armOf(unit) === arm))
  units = [...shown!.slice(0, 2), none![0]!]
  for (const unit of units) await buyInBrowser(unit, armOf(unit))
})

/** A visitor with this id opens the page of a product, puts it into the cart and buys it. */
async function buyInBrowser(unit: string, arm: string): Promise<void> {
  const context = await visitors.newContext()
  await context.addCookies([{ name: 'visitor', value: unit, url: shopUrl }])
  const shop = await context.newPage()
  let asked = 0
  shop.on('request', (request) => {
    if (request.url().endsWith('/sdk/v1/recommendations')) asked += 1
  })
  await shop.goto(`${shopUrl}/p/PLATES-01`)
  await shop.locator(`[data-placement=product-page][data-variant=${arm}]`).waitFor({ state: 'attached' })
  const cards = shop.getByRole('region', { name: 'Goes well with it' }).getByRole('link')
  expect([asked, await cards.count()], unit).toEqual(arm === 'default' ? [1, 8] : [0, 0])
  await shop.getByRole('button', { name: 'Add to cart' }).click()
  await shop.getByRole('button', { name: 'Buy' }).click()
  await shop.getByRole('heading', { name: 'Thank you' }).waitFor()
  await shop.locator('body[data-svc=told]').waitFor()
  await shop.getByRole('link', { name: 'Back to the shop' }).click()
  await expect.poll(async () => (await call('GET', `/orders?unit=${unit}`)).length).toBe(1)
  await context.close()
}

inFull('measuring/orders/routes-results')(
  'orders with refunds come from the shop, and revenue and margin of both groups are net of them',
  async () => {
    const shop = await visitors.newPage()
    await shop.goto(`${shopUrl}/shopkeeper`)
    await shop.getByRole('button', { name: 'Refund order' }).first().click()
    await shop.getByRole('row').nth(1).getByText('€ 14.90').waitFor()
    expect(await seriousFaults(shop, true)).toEqual([])
    await shop.close()
    const source = { name: 'Shop orders', type: 'ORDERS', url: addressOf('/orders.csv') }
    await call('POST', '/catalog/sources', source)
    await jobOf(site.service.url, '/catalog/sources/shop-orders/sync')

    const orders = await ordersOfShop()
    const refunded = orders.reduce((sum, order) => sum + order.refunded, 0)
    await openPage(page, `${commerce}/orders`)
    await page.getByText(euros(refunded)).first().waitFor()

    // Pages send what waits when they are left, so the last exposures can come after the orders.
    const results = await vi.waitUntil(
      async () => {
        const newest = await call('POST', '/experiments/1/results/refresh')
        return newest.units.total === cameLater + units.length && newest
      },
      { timeout: limitMs, interval: 500 },
    )
    const shown = idOf(results, 'default')
    const none = idOf(results, 'none')
    const expected = await expectedOf(orders)
    for (const key of ['revenue', 'margin'] as const) {
      const metric = results.metrics.find((each: { key: string }) => each.key === `${key}_per_visitor`)
      const of = (id: string) => metric.variations.find((each: { variationId: string }) => each.variationId === id)
      const arms = { default: of(shown), none: of(none) }
      for (const arm of ['default', 'none'] as const) {
        expect(arms[arm].units, `${key} ${arm}`).toBe(expected[arm].units)
        expect(arms[arm].sum, `${key} ${arm}`).toBeCloseTo(expected[arm][key] / 100, 4)
      }
      const difference = meanOf(expected.default, key) - meanOf(expected.none, key)
      expect(arms.default.comparison.difference.estimate, key).toBeCloseTo(difference / 100, 6)
    }
    const { measurement } = await call('GET', '/recommendations/placements/product-page')
    const { estimate, ciLow, ciHigh } = measurement.incrementalRevenue
    const brought = (meanOf(expected.default, 'revenue') - meanOf(expected.none, 'revenue')) * expected.default.units
    expect(estimate).toBeCloseTo(brought / 100, 4)
    expect(ciLow).toBeLessThan(estimate)
    expect(ciHigh).toBeGreaterThan(estimate)

    await openPage(page, `${commerce}/placements/product-page`)
    await page.getByText(incrementalInWords(measurement)).waitFor()
    await expectGoodPage(owner, 'placement-measured')
    await page.getByRole('link', { name: 'See the test' }).click()
    const metrics = page.getByRole('table', { name: 'All metrics' })
    for (const name of ['Revenue per visitor', 'Margin per visitor']) await metrics.getByText(name).first().waitFor()
  },
)

/** Visitors without a browser. Answers what they have printed. */
async function come(count: number, seed: number): Promise<string> {
  const settings = { SVC_SDK_KEY: sdkKey, SVC_BASE_URL: site.service.url, SHOP_URL: shopUrl }
  const printed = output(spawnNode(['examples/shop/visitors.js', String(count), '--seed', String(seed)], settings))
  await printed.until('The recommendations brought', limitMs)
  return printed.text()
}

/** Which variant a visitor gets. */
async function arms(): Promise<(unit: string) => 'default' | 'none'> {
  const client = createClient({ sdkKey, baseUrl: site.service.url, tracking: false, pollIntervalMs: 1_000 })
  await vi.waitUntil(() => client.dataFile?.flags['recommend-product-page'], { timeout: limitMs, interval: 100 })
  await client.close()
  return (unit) => client.peekString('recommend-product-page', '', { targetingKey: unit }) as 'default' | 'none'
}

/** What the file of the shop says, in cents. */
async function ordersOfShop() {
  const [, ...rows] = (await (await fetch(`${shopUrl}/orders.csv`)).text()).trim().split('\n')
  const orders = Map.groupBy(
    rows.map((row) => row.split(',')),
    ([orderId]) => orderId,
  )
  return [...orders.values()].map((lines) => {
    const [first] = lines
    const [total, tax, shipping] = first!.slice(4, 7).map(cents) as [number, number, number]
    const refunded = cents(first![12]!)
    const revenue = Math.round(((total - shipping - refunded) * (total - tax)) / total)
    const costs = lines.map((line) => cents(line[10]!) * (Number(line[8]) - Number(line[11])))
    return { unit: first![2]!, refunded, revenue, margin: revenue - sumOf(costs) }
  })
}

/** What the results must be: the sums of all visitors who came after the launch, with the largest ones cut. */
async function expectedOf(orders: Awaited<ReturnType<typeof ordersOfShop>>) {
  const armOf = await arms()
  const all = [...Array.from({ length: cameLater }, (_, at) => `v-2-${at + 1}`), ...units]
  const sums = all.map((unit) => {
    const own = orders.filter((order) => order.unit === unit)
    return {
      arm: armOf(unit),
      ...{ revenue: sumOf(own.map(({ revenue }) => revenue)), margin: sumOf(own.map(({ margin }) => margin)) },
    }
  })
  const cap = {
    revenue: quantile(sums.map(({ revenue }) => revenue)),
    margin: quantile(sums.map(({ margin }) => margin)),
  }
  const of = (arm: string) => {
    const own = sums.filter((each) => each.arm === arm)
    const cut = (key: 'revenue' | 'margin') =>
      sumOf(own.map((each) => Math.sign(each[key]) * Math.min(Math.abs(each[key]), cap[key])))
    return { units: own.length, revenue: cut('revenue'), margin: cut('margin') }
  }
  return { default: of('default'), none: of('none') }
}

const cents = (text: string) => Math.round(Number(text) * 100)
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const euros = (amount: number) => `€${(amount / 100).toFixed(2)}`
const meanOf = (of: { units: number; revenue: number; margin: number }, key: 'revenue' | 'margin') => of[key] / of.units

/** The 99.9th percentile of the sizes other than 0, as docs/statistics.md defines it. */
function quantile(sums: readonly number[]): number {
  const sizes = sums
    .map(Math.abs)
    .filter((size) => size > 0)
    .toSorted((one, other) => one - other)
  const at = (sizes.length - 1) * 0.999
  const below = sizes[Math.floor(at)]!
  return below + (at % 1) * (sizes[Math.ceil(at)]! - below)
}

const idOf = (results: { units: { variations: { key: string; variationId: string }[] } }, key: string): string =>
  results.units.variations.find((each) => each.key === key)!.variationId
