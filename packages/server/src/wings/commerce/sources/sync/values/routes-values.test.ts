import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { standingClock } from '../../../../../../testing/clock.ts'
import { succeed } from '../../../../../../testing/flags.ts'
import {
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../../../testing/service.ts'
import { csvOf, offers, openShop, type Shop } from '../../../../../../testing/vendors/shop.ts'
import { findKnownItems } from '../../../../model/catalog/index.ts'

const clock = standingClock()
let service: TestService
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  service = await startTestService({ now: clock.now, outbound: shop.outbound })
})
afterAll(async () => {
  await service.close()
  await shop.close()
})

let project: TestProject
beforeEach(async () => {
  project = await createProject(service)
})

const read = (path: string) => succeed(service, 'GET', `${project.path}/${path}`)
const connect = (more: object) =>
  succeed(service, 'POST', `${project.path}/catalog/sources`, { url: shop.url, defaultCurrency: 'EUR', ...more })
const feed = () => connect({ name: 'Main feed', type: 'PRODUCTS' })
const supplement = (fields: string[], more: object = {}) =>
  connect({ name: 'Values', type: 'SUPPLEMENT', fields, ...more })

async function synced(key: string, content: string) {
  shop.serve(content)
  const { id } = await succeed(service, 'POST', `${project.path}/catalog/sources/${key}/sync`)
  await service.jobs.run()
  return read(`commerce/jobs/${id}`)
}

const itemOf = async (id: string) => (await read(`catalog/products/${id}`)).items[0]
const known = () => findKnownItems(service.db, project.id, ['SKU-0', 'SKU-1'])

test('a supplement sets its fields, survives syncs of products, and wins over the feed', async () => {
  await feed()
  const { id } = await supplement(['cost', 'stock'])
  await synced('main-feed', csvOf(offers(3)))
  const job = await synced('values', 'id,cost,stock,title\nSKU-0,7.50,0,Other\nSKU-1,2 EUR,,\nnone,1,1,\n')
  const catalog = { revision: 2, added: 0, changed: 2, removed: 0, unchanged: 0 }
  expect(job).toMatchObject({
    ...{ kind: 'cost_sync', status: 'SUCCEEDED', itemsSkipped: 1 },
    result: { changed: true, rows: 3, skipped: { unknown_item: 1 }, catalog },
  })
  expect(await itemOf('SKU-0')).toMatchObject({
    ...{ cost: '7.50', stock: 0, availability: 'OUT_OF_STOCK', title: 'Item SKU-0', revision: 1 },
  })
  expect(await known()).toMatchObject([
    { itemId: 'SKU-0', cost: 75_000 },
    { itemId: 'SKU-1', cost: 20_000 },
  ])
  const sold = await read('catalog/products?availability=OUT_OF_STOCK')
  expect(sold.map(({ productId }: { productId: string }) => productId)).toEqual(['SKU-0'])
  expect(await read('catalog')).toMatchObject({ revision: 2, counts: { items: 3, products: 3 } })
  await synced('main-feed', csvOf(offers(3, { title: 'New' })))
  expect(await itemOf('SKU-0')).toMatchObject({ title: 'New', cost: '7.50', stock: 0 })
  // The same file again: the row without an item is looked at anew, and nothing has changed.
  const again = await synced('values', 'id,cost,stock,title\nSKU-0,7.50,0,Other\nSKU-1,2 EUR,,\nnone,1,1,\n')
  expect(again).toMatchObject({ result: { changed: false, catalog: { revision: 3, unchanged: 2 } } })
  const events = (await read('events?after=0&limit=100')).filter(
    ({ event }: { event: string }) => event === 'commerce.import.completed',
  )
  expect(events).toMatchObject([
    { kind: 'cost_sync', changed: true, itemsSkipped: 1, catalog, source: { id, name: 'Values' } },
    { kind: 'cost_sync', changed: false, itemsSkipped: 1 },
  ])
  const entries = await succeed(service, 'GET', `/api/v1/audit?projectId=${project.id}&limit=50`)
  expect(entries).toContainEqual(expect.objectContaining({ action: 'catalog.import' }))
  // What it says about items that have gone is no part of a count of items.
  for (const source of ['main-feed?items=remove', 'values'])
    await succeed(service, 'DELETE', `${project.path}/catalog/sources/${source}`)
  await service.jobs.run()
  expect((await read('catalog/revisions'))[0]).toMatchObject({ changed: 2, unchanged: 0, counts: { items: 0 } })
})

test('rows name items by SKU or GTIN, and what the file does not say any more ends', async () => {
  await feed()
  await supplement(['salePrice', 'labels'])
  const products = [
    'id,title,link,price,sku,gtin',
    'A,A,https://shop.example/A,5 EUR,S1,',
    'B,B,https://shop.example/B,5 EUR,,G1',
  ]
  await synced('main-feed', products.join('\n'))
  expect(
    await synced('values', 'sku,gtin,sale_price,labels\nS1,,4 EUR,"new,red"\n,G1,3 USD,\nS1,,1 EUR,\n,,1 EUR,\n'),
  ).toMatchObject({
    ...{ kind: 'stock_sync', itemsSkipped: 3 },
    result: { skipped: { bad_price: 1, duplicate_id: 1, missing_id: 1 }, catalog: { changed: 1 } },
  })
  expect(await itemOf('A')).toMatchObject({ salePrice: '4.00', labels: ['new', 'red'] })
  expect(await synced('values', 'gtin,sale_price\nG1,3 EUR\n')).toMatchObject({ result: { catalog: { changed: 2 } } })
  expect([await itemOf('A'), await itemOf('B')]).toMatchObject([{ salePrice: null, labels: [] }, { salePrice: '3.00' }])
  await succeed(service, 'DELETE', `${project.path}/catalog/sources/values`)
  await service.jobs.run()
  expect(await itemOf('B')).toMatchObject({ salePrice: null })
  expect((await read('catalog/revisions'))[0]).toMatchObject({ changed: 1, removed: 0, counts: { items: 2 } })
})

test('the same file is read again when other items have its SKU, and not when it names items by their ids', async () => {
  await feed()
  await supplement(['cost'], { guards: { maxRemovedShare: 1 } })
  const items = (...skus: string[]) =>
    ['id,title,link,price,sku', ...skus.map((sku, at) => `I${at},T,https://shop.example/${at},5 EUR,${sku}`)].join('\n')
  const costs = 'sku,cost\nS1,2.00\nS2,3.00'
  await synced('main-feed', items('S1', 'S2'))
  expect(await synced('values', costs)).toMatchObject({ result: { rows: 2, catalog: { changed: 2 } } })
  expect(await synced('values', costs)).toMatchObject({ result: { rows: 0, changed: false } })
  await synced('main-feed', items('S2', 'S1', 'S1'))
  expect(await synced('values', costs)).toMatchObject({ result: { rows: 2, catalog: { changed: 3 } } })
  expect([(await itemOf('I0')).cost, (await itemOf('I2')).cost]).toEqual(['3.00', '2.00'])
  const byId = 'id,cost\nI0,1.00\nI1,1.00\nI2,1.00'
  await synced('values', byId)
  await synced('main-feed', items('S9', 'S9', 'S9'))
  expect(await synced('values', byId)).toMatchObject({ result: { rows: 0, changed: false } })
})

test('a SKU of more than 100 items names none of them, and their values stay', async () => {
  await feed()
  await supplement(['cost'], { guards: { maxSkippedShare: 1, minItems: 0 } })
  const shared = (count: number) =>
    ['id,title,link,price,sku', ...offers(count).map(({ id }) => `${id},T,https://shop.example/${id},5 EUR,S`)].join(
      '\n',
    )
  await synced('main-feed', shared(100))
  const named = 'sku,cost\nS,2.00'
  expect(await synced('values', named)).toMatchObject({ result: { catalog: { changed: 100 } } })
  await synced('main-feed', shared(101))
  const job = await synced('values', `${named}\n`)
  expect(job).toMatchObject({
    ...{ status: 'SUCCEEDED', itemsSkipped: 1 },
    result: { changed: false, skipped: { too_many_items: 1 } },
  })
  const [problem] = await read(`commerce/jobs/${job.id}/errors?limit=10`)
  expect(problem.message).toBe('More than 100 items have this sku. Name each of them by its itemId.')
  expect([(await itemOf('SKU-7')).cost, (await itemOf('SKU-100')).cost]).toEqual(['2.00', null])
  // With fewer items, the name counts again.
  await synced('main-feed', shared(99))
  expect(await synced('values', named.replace('2', '3'))).toMatchObject({ result: { catalog: { changed: 100 } } })
})

test('guards hold a supplement that would lose most of its values', async () => {
  await feed()
  await supplement(['cost'])
  const costs = (count: number) => ['id,cost', ...offers(count).map(({ id }) => `${id},1.00`)].join('\n')
  await synced('main-feed', csvOf(offers(60)))
  await synced('values', costs(60))
  const held = await synced('values', costs(10))
  expect(held).toMatchObject({ status: 'HELD', result: { guard: { check: 'REMOVED_SHARE', count: 50, of: 60 } } })
  expect((await itemOf('SKU-59')).cost).toBe('1.00')
  await succeed(service, 'POST', `${project.path}/commerce/jobs/${held.id}/apply`)
  await service.jobs.run()
  expect([(await itemOf('SKU-59')).cost, (await itemOf('SKU-9')).cost]).toEqual([null, '1.00'])
})
