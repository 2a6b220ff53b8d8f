import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { csvOf, offers, openShop, type Shop } from '../../packages/server/testing/vendors/shop.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada } from './people.ts'
import { openSite } from './site.ts'

const path = '/1-acme/1-web-shop/commerce/sources'
const source = '/api/v1/projects/1/catalog/sources/main-feed'

let shop: Shop
const site = openSite(undefined, {}, undefined, async () => {
  shop = await openShop()
  return shop.outbound
})
let owner: Visitor
const panel = () => owner.page.getByRole('dialog')
const button = (name: string) => panel().getByRole('button', { name, exact: true })
const runs = () => owner.page.getByRole('region', { name: 'Runs' })
const heading = (name: string) => owner.page.getByRole('heading', { name, exact: true })

beforeAll(async () => {
  owner = await site.visit(ada)
})
afterAll(() => shop.close())

it('a person connects a feed: where from, a preview with errors by line, limits, a schedule, the first sync', async () => {
  const { page } = owner
  shop.serve(csvOf([...offers(60, { price: '10.00' }), { id: 'broken', price: 'free' }]))
  await page.goto(path)
  await page.getByRole('button', { name: 'Create catalog source' }).click()
  await button('Create and preview').click()
  await panel().getByText('2 fields need your attention').waitFor()
  await panel().getByLabel('Name', { exact: true }).fill('Main feed')
  await panel().getByLabel('Address of the file').fill(shop.url)
  await expectGoodPage(owner, 'source-create')
  await button('Create and preview').click()

  await heading('Preview').waitFor()
  await button('Read the first rows').click()
  await panel().getByText('61 rows give 0 items, and 61 rows would be skipped.').waitFor()
  await panel().getByLabel('Currency of prices without one').fill('EUR')
  await button('Read the first rows again').click()
  await panel().getByText('61 rows give 60 items, and 1 row would be skipped.').waitFor()
  await panel()
    .getByText(/^Line 62, broken: /)
    .waitFor()
  await expectGoodPage(owner, 'source-preview')
  await panel().getByText('Format and columns').click()
  await button('Add a column').click()
  await button('Next').click()
  await panel().getByText('Choose a field.').first().waitFor()
  await panel().getByLabel('Field 1', { exact: true }).selectOption('sku')
  await panel().getByLabel('Column of SKU', { exact: true }).fill('item_group_id')
  await button('Next').click()

  await heading('Guards').waitFor()
  await panel().getByLabel('Items that a sync can remove', { exact: true }).fill('40')
  await expectGoodPage(owner, 'source-guards')
  await button('Next').click()
  await heading('Schedule').waitFor()
  await panel().getByLabel('Every hour').check()
  await panel().getByLabel('Minutes past the hour').fill('7')
  await panel()
    .getByText(/^Next: in/)
    .waitFor()
  await expectGoodPage(owner, 'source-schedule')
  await button('Save and sync now').click()
  await panel().waitFor({ state: 'detached' })
  await runs().getByText('60 items added.').waitFor()
  await page.getByText('Every hour at 7 minutes past').waitFor()
  await expectGoodPage(owner, 'source')
  expect(await prepare(site.service.url, 'GET', source)).toMatchObject({
    ...{ defaultCurrency: 'EUR', mapping: { sku: 'item_group_id' }, schedule: { every: 'HOUR', at: '00:07' } },
    guards: { maxRemovedShare: 0.4, maxSkippedShare: 0.1, minItems: 1 },
  })
})

it('a sync that would empty the shop is held with both numbers, and goes live when a person applies it', async () => {
  const { page } = owner
  shop.serve(csvOf([...offers(20), { id: '=1', price: 'free' }]))
  await page.getByRole('button', { name: 'Sync now' }).click()
  await runs().getByText('40 of 60 items would be removed: 67 %, and the limit is 40 %.').waitFor()
  await expectGoodPage(owner, 'source-held')
  await runs().getByRole('row').nth(1).getByRole('link').click()
  await heading('Sync: Main feed').waitFor()
  await page.getByText('Held for you: nothing of it went live').waitFor()
  const table = page.getByRole('table', { name: 'Errors by line' })
  await table.getByRole('row').filter({ hasText: 'Skipped' }).waitFor()
  await expectGoodPage(owner, 'job-held')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(/\r\n22,"'=1","bad_price",/)

  await page.getByRole('button', { name: 'Apply…' }).click()
  await panel().getByText('This time it can remove up to 40 items.').waitFor()
  await expectGoodPage(owner, 'job-apply')
  await button('Apply').click()
  await page.getByText('40 items removed and 20 unchanged.').first().waitFor()
  await page.getByText('Applies').waitFor()
  await expectGoodPage(owner, 'job-sync')
  await page.getByRole('link', { name: 'a job that was held' }).click()
  await page.getByText('Was held, and then applied').waitFor()
})

it('a secret is shown by its end and stays if it is not typed again, and the browser does not keep it', async () => {
  const { page } = owner
  await page.goto(`${path}/main-feed?panel=from`)
  await panel().getByLabel('Sign-in').selectOption('BEARER')
  await panel().getByLabel('Token').fill('feed-token-of-the-shop-WxYz')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('feed-token')
  await button('Next').click()
  await heading('Preview').waitFor()
  await page.getByText('With a bearer token (…WxYz)').waitFor()
  await panel().getByRole('button', { name: '1 Where from' }).click()
  await panel().getByText('Leave this empty to keep the one that ends in WxYz.').waitFor()
  await panel().getByLabel('Name', { exact: true }).fill('Feed of the shop')
  await button('Next').click()
  await heading('Feed of the shop').waitFor()
  expect((await prepare(site.service.url, 'GET', source)).auth).toEqual({ type: 'BEARER', secret: '…WxYz' })
})

it('a failed sync says why and runs again, and a deleted source leaves its items', async () => {
  const { page } = owner
  await page.goto(`${path}/main-feed`)
  shop.serve('<rss><channel><item>')
  await page.getByRole('button', { name: 'Sync now' }).click()
  await runs().getByText('The last run failed').waitFor()
  await runs().getByRole('row').nth(1).getByRole('link').click()
  shop.serve(csvOf(offers(20)))
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByText('Repeats').waitFor()
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Feed of the shop' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await panel().getByLabel('Type Feed of the shop to confirm').fill('Feed of the shop')
  await button('Delete catalog source').click()
  await page.getByRole('heading', { name: 'No catalog sources yet' }).waitFor()
  expect((await prepare(site.service.url, 'GET', '/api/v1/projects/1/catalog')).counts).toMatchObject({ items: 20 })
})

const choose = (content: string | Buffer, name = 'warehouse.csv') =>
  owner.page
    .getByLabel('Choose a file')
    .last()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const send = () => owner.page.getByRole('button', { name: 'Send file' }).click()
const ofWarehouse = (count: number) => csvOf(offers(count).map((offer) => ({ ...offer, id: `W-${offer.id}` })))

it('a person sends files: one that is refused, and one that becomes items', async () => {
  const { page } = owner
  const sources = '/api/v1/projects/1/catalog/sources'
  await prepare(site.service.url, 'POST', sources, { name: 'Warehouse', type: 'PRODUCTS', defaultCurrency: 'EUR' })
  await page.goto(`${path}/warehouse`)
  await choose('x', 'picture.png')
  await page.getByText('picture.png is not one of').waitFor()
  await choose(ofWarehouse(60))
  await page.getByText('Items of this source that it does not have are removed.').waitFor()
  await expectGoodPage(owner, 'source-send')
  await send()
  await heading('Import of products: Warehouse').waitFor()
  await page.getByText('60 items added.').first().waitFor()
  await page.getByRole('link', { name: 'Warehouse' }).click()
})

inFull('sources/upload/routes-upload')('a file that is held is applied by sending it again', async () => {
  const { page } = owner
  await choose(ofWarehouse(20))
  await send()
  await page.getByText('Held for you: nothing of it went live').waitFor()
  await choose(ofWarehouse(20))
  await page.getByText('This time it can remove up to 40 items.').waitFor()
  await send()
  await page.getByText('40 items removed and 20 unchanged.').first().waitFor()
  await page.getByRole('link', { name: 'Warehouse' }).click()
})

it('a person cancels the sending of a file, and reads why one was not taken', async () => {
  const { page } = owner
  const uploads = '**/catalog/sources/*/uploads*'
  await page.route(uploads, () => new Promise(() => {}))
  await choose(csvOf(offers(3)))
  await send()
  await page.getByRole('progressbar', { name: 'How much of warehouse.csv is sent' }).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText('Cancelled. Nothing of the file went to Warehouse.').first().waitFor()
  await page.unroute(uploads)
  await page.route(uploads, (route) => route.fulfill({ status: 413, json: tooLarge }))
  await send()
  await page.getByText('warehouse.csv was not taken').waitFor()
  await page.getByText('The body is larger than 1024 MiB.').waitFor()
  await page.getByRole('button', { name: 'Send it again' }).waitFor()
  await page.unroute(uploads)
})
const tooLarge = { error: { code: 'payload_too_large', message: 'The body is larger than 1024 MiB.', requestId: 'r' } }

it('the address of an unknown source says so, and leads to the others', async () => {
  const { page } = owner
  await page.goto(`${path}/none`)
  await page.getByRole('heading', { level: 1, name: 'Catalog source not found' }).waitFor()
  await page.getByRole('link', { name: 'All catalog sources' }).waitFor()
})
