import { createClient } from '@svc/sdk'
import { order } from '@svc/sdk/commerce'
import { beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'

const path = '/1-acme/1-web-shop/commerce/orders'
const site = openSite()
let owner: Visitor

beforeAll(async () => {
  owner = await site.visit(ada, '/1-acme/1-web-shop/flags')
})

it('the row of the sidebar leads to the orders, and the empty page says how to report one', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'Commerce' }).click()
  await page.getByRole('navigation', { name: 'Commerce' }).getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await page.getByText("import { order } from '@svc/sdk/commerce'").waitFor()
  await expectGoodPage(owner, 'orders-empty')
})

it('the page adds orders up, says what is missing, and adds the metrics that shops use', async () => {
  const { url } = site.service
  const [{ sdkKey }] = await prepare(url, 'GET', '/api/v1/projects/1/environments')
  const client = createClient({ sdkKey, baseUrl: url })
  const items = [{ itemId: 'SKU-17-M', quantity: 3, price: '19.99' }]
  const placed = { orderId: '100234', currency: 'EUR', total: '59.92', tax: '9.57', shipping: '4.95', items }
  order(client, placed, { targetingKey: 'u-17' })
  order(client, { ...placed, orderId: '100235', currency: 'USD' }, { targetingKey: 'u-18' })
  await client.close()

  const { page } = owner
  await page.reload()
  const figures = page.getByRole('region', { name: 'Last 30 days' })
  await figures.getByText('€46.19').first().waitFor()
  await figures.getByText('1 order in a currency without a rate: it counts, but not as money.').waitFor()
  await expectGoodPage(owner, 'orders')
  await page.getByRole('button', { name: 'Add 7 metrics' }).click()
  await page.getByText('The metrics are added.').waitFor()
  const metrics = await prepare(url, 'GET', '/api/v1/projects/1/metrics')
  expect(metrics.find(({ key }: { key: string }) => key === 'revenue_per_visitor')).toMatchObject({
    ...{ type: 'MEAN', eventKey: 'order', valueFrom: 'value', unit: 'EUR', winsorizeAt: 0.999 },
  })
  expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0)
})

it('an order shows what it is worth and its items', async () => {
  const { page } = owner
  await page.getByRole('link', { name: '100234' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order 100234' }).waitFor()
  await page.getByText('An SDK has sent it.').waitFor()
  await page.getByRole('row').filter({ hasText: 'SKU-17-M' }).getByText('Not in the catalog').waitFor()
  await expectGoodPage(owner, 'order')
})

it('the address of an unknown order says so, and leads to the others', async () => {
  const { page } = owner
  await page.goto(`${path}/0190aaaa-0000-7000-8000-000000000000`)
  await page.getByRole('heading', { level: 1, name: 'Order not found' }).waitFor()
  await page.getByRole('link', { name: 'All orders' }).click()
  await page.getByRole('row').filter({ hasText: '100235' }).waitFor()
})

inFull('dashboard/offered')('a person who cannot add metrics sees the orders, and no button', async () => {
  const viewer = await site.visit(grace, path)
  await viewer.page.getByRole('row').filter({ hasText: '100234' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: /^Add/ }).count()).toBe(0)
})
