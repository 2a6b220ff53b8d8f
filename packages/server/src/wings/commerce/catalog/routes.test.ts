import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { standingClock } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { runsOf } from '../../../../testing/full.ts'
import {
  type Answer,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import {
  activate,
  beginWriting,
  closeVersions,
  countLiveProducts,
  insertVersions,
  isWriting,
  liveItems,
  versionOf,
} from '../../model/catalog/index.ts'
import { checkBatch } from './batch.ts'
import { catalogSweeps } from './index.ts'

const clock = standingClock()
const dayMs = 86_400_000
let service: TestService
let project: TestProject
let url: string

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/catalog`
})

const call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)

type Raw = Record<string, unknown>

const item = (itemId: string, more: Raw = {}): Raw => ({
  ...{ itemId, title: `Shirt ${itemId}`, link: `https://shop.example/${itemId}`, price: '19.99', currency: 'EUR' },
  ...more,
})
const batch = (body: Raw, at = url) => succeed(service, 'POST', `${at}/items/batch`, body)
const upsert = (...items: Raw[]) => batch({ upsert: items })
const productsOf = (answer: Answer): string[] => answer.body.data.map((each: { productId: string }) => each.productId)
const found = async (query: string) => productsOf(await call('GET', `${url}/products?limit=100&${query}`))

/** All pages of a list. `between` is called after each of them. */
async function pagesOf(path: string, between: () => Promise<unknown> = async () => {}): Promise<Raw[]> {
  const rows: Raw[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await call('GET', `${path}${cursor && `&cursor=${cursor}`}`)
    rows.push(...body.data)
    cursor = body.page.nextCursor
    await between()
  }
  return rows
}

test('the settings of a catalog are read and changed under their ETag', async () => {
  const before = await call('GET', url)
  expect([before.status, before.headers.etag]).toEqual([200, '"q1"'])
  expect(before.body.data).toMatchObject({
    ...{ currency: null, rates: {}, orders: { trust: 'AUTO', confirmedFrom: {} } },
    ...{ counts: { items: 0, products: 0 }, revision: 0 },
  })
  const edit = { currency: 'EUR', rates: { USD: '0.92' }, orders: { trust: 'CONFIRMED' } }
  const changed = await call('PATCH', url, edit, { 'if-match': '"q1"' })
  expect([changed.status, changed.headers.etag]).toEqual([200, '"q2"'])
  expect(changed.body.data).toMatchObject({ ...edit, orders: { trust: 'CONFIRMED', confirmedFrom: {} } })
  expect((await call('PATCH', url, { currency: null }, { 'if-match': '"q1"' })).status).toBe(412)
  const same = await call('PATCH', url, { currency: 'EUR' })
  expect(same.headers.etag).toBe('"q2"')
  expect((await call('GET', url)).body.data).toEqual(changed.body.data)
})

test.each([
  [{ currency: 'EURO' }, 'currency'],
  [{ rates: { USD: '0' }, currency: 'EUR' }, 'rates.USD'],
  [{ rates: { USD: 0.92 }, currency: 'EUR' }, 'rates.USD'],
  [{ rates: { DOLLAR: '1' }, currency: 'EUR' }, 'rates.DOLLAR'],
  [{ rates: { EUR: '1' }, currency: 'EUR' }, 'rates.EUR'],
  [{ rates: { USD: '1' } }, 'currency'],
  [{ orders: { trust: 'ALL' } }, 'orders.trust'],
  [{ revision: 7 }, 'revision'],
])('the settings %j are refused: %s', async (edit, field) => {
  const { status, body } = await call('PATCH', url, edit)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.message).toContain(field)
})

test('a batch is one revision, which is shown with its items', async () => {
  const variants = [
    item('S', { productId: 'G/17', price: '25', availability: 'OUT_OF_STOCK' }),
    item('M', {
      productId: 'G/17',
      price: '21.5',
      salePrice: '14.99',
      brand: 'Acme',
      categories: ['Clothing', 'Shirts'],
    }),
    item('L', { productId: 'G/17', price: '22', attributes: { size: 'L' } }),
  ]
  const saved = await upsert(...variants)
  const counts = { added: 3, changed: 0, removed: 0, unchanged: 0 }
  expect(saved).toEqual({ revision: 1, ...counts, warnings: [], warningCount: 0 })
  expect((await call('GET', url)).body.data).toMatchObject({ revision: 1, counts: { items: 3, products: 1 } })
  const { body } = await call('GET', `${url}/products`)
  const product = {
    ...{ productId: 'G/17', itemCount: 3, availableCount: 2, availability: 'IN_STOCK', title: 'Shirt M' },
    ...{ link: 'https://shop.example/M', imageLink: null, price: '21.50', salePrice: '14.99', currency: 'EUR' },
    ...{ saleFrom: null, saleUntil: null },
    ...{ brand: 'Acme', categories: ['Clothing', 'Shirts'] },
  }
  expect(body.data).toEqual([product])
  const whole = (await call('GET', `${url}/products/${encodeURIComponent('G/17')}`)).body.data
  expect(whole).toMatchObject(product)
  expect(whole.items.map(({ itemId }: { itemId: string }) => itemId)).toEqual(['L', 'M', 'S'])
  expect(whole.items[0]).toMatchObject({ attributes: { size: 'L' }, price: '22.00', sourceId: null, revision: 1 })
  const [revision] = (await call('GET', `${url}/revisions`)).body.data
  expect(revision).toMatchObject({ revision: 1, ...counts, counts: { items: 3, products: 1 }, jobId: null })
})

test('what is the same makes no revision, and what changes is counted', async () => {
  await call('PATCH', url, { currency: 'SEK' })
  await upsert(item('a'), item('b', { currency: null }), item('c'))
  expect(await upsert(item('a'), item('b', { currency: 'SEK' }))).toMatchObject({ revision: 1, unchanged: 2 })
  expect(await batch({ upsert: [item('a', { stock: -1 }), item('d')], delete: ['b', 'never'] })).toMatchObject({
    ...{ revision: 2, added: 1, changed: 1, removed: 1, unchanged: 1, warningCount: 1 },
    warnings: [{ itemId: 'a', field: 'stock', code: 'replaced' }],
  })
  expect((await call('GET', url)).body.data).toMatchObject({ revision: 2, counts: { items: 3, products: 3 } })
  expect(await found('')).toEqual(['a', 'c', 'd'])
  expect((await call('GET', `${url}/products/b`)).status).toBe(404)
  // A product goes with its last item, and an item can move to a different one.
  await upsert(item('a', { productId: 'P' }), item('c', { productId: 'P' }))
  expect((await call('GET', url)).body.data.counts).toEqual({ items: 3, products: 2 })
  expect(await found('')).toEqual(['P', 'd'])
  expect((await pagesOf(`${url}/revisions?limit=1`)).map(({ revision }) => revision)).toEqual([3, 2, 1])
})

test('a batch with one fault saves nothing, and names each fault', async () => {
  const { status, body } = await call('POST', `${url}/items/batch`, {
    upsert: [item('a'), item('b', { price: 'free', link: 'shop' }), item('a')],
    delete: ['..'],
  })
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toEqual([
    { path: ['upsert', 1, 'link'], message: 'upsert[1].link must be an http or https URL.' },
    { path: ['upsert', 1, 'price'], message: expect.stringContaining('decimal text such as') },
    { path: ['upsert', 2, 'itemId'], message: expect.stringContaining('only once') },
    { path: ['delete', 0], message: expect.stringContaining('dots') },
  ])
  expect((await call('GET', url)).body.data.revision).toBe(0)
})

test.each([
  [{}, 'at least one'],
  [
    {
      upsert: Array.from({ length: 501 }, (_, n) => item(`${n}`)),
      delete: Array.from({ length: 500 }, (_, n) => `x${n}`),
    },
    'up to 1000',
  ],
  [{ upsert: [item('a', { colour: 'blue' })] }, 'upsert[0].colour'],
  [{ upsert: [item('a', { price: 19.99 })] }, 'upsert[0].price'],
])('a batch that is not one is refused (%#)', async (body, message) => {
  const answer = await call('POST', `${url}/items/batch`, body)
  expect(answer.status).toBe(400)
  expect(answer.body.error.message).toContain(message)
})

test('products are found by words, category, brand and availability', async () => {
  await upsert(
    item('1', { title: 'Blue Shirt', brand: 'Acme', categories: ['Clothing', 'Shirts'], stock: 0 }),
    item('2', { title: 'Crème trousers', brand: 'Acme', categories: ['Clothing', 'Trousers'] }),
    item('3', { title: 'Blue mug', categories: ['Kitchen'], availability: 'PREORDER', sku: 'MUG-3' }),
    item('4', { title: 'Mug, blue', productId: '3', availability: 'OUT_OF_STOCK' }),
  )
  for (const [query, expected] of [
    ['', ['1', '2', '3']],
    ['q=blue', ['1', '3']],
    ['q=SHI%20blu', ['1']],
    ['q=creme', ['2']],
    ['q=mug-3', ['3']],
    ['q=%21', []],
    ['q=green', []],
    ['category=Clothing', ['1', '2']],
    ['category=Clothing%20%3E%20Shirts', ['1']],
    ['category=Shirts', []],
    ['brand=Acme&q=shirt', ['1']],
    ['availability=IN_STOCK', ['2']],
    ['availability=OUT_OF_STOCK', ['1', '3']],
    ['availability=PREORDER', ['3']],
    ['availability=PREORDER&brand=Acme', []],
  ] as const)
    expect(await found(query), query).toEqual(expected)
  expect((await call('GET', `${url}/products?availability=SOON`)).status).toBe(400)
  expect((await call('GET', `${url}/products/1`)).body.data).toMatchObject({
    availability: 'OUT_OF_STOCK',
    items: [{ stock: 0 }],
  })
  expect(await pagesOf(`${url}/categories?limit=2`)).toEqual([
    { category: 'Clothing > Shirts', items: 1 },
    { category: 'Clothing > Trousers', items: 1 },
    { category: 'Kitchen', items: 1 },
  ])
})

test('products are counted by brand and category, without the filter of the field itself', async () => {
  await upsert(
    item('1', { title: 'Blue Shirt', brand: 'Acme', categories: ['Clothing', 'Shirts'], stock: 0 }),
    item('2', { title: 'Trousers', brand: 'Acme', categories: ['Clothing', 'Trousers'] }),
    item('2b', { title: 'Trousers', productId: '2', brand: 'Acme', categories: ['Clothing', 'Shirts'] }),
    item('3', { title: 'Blue mug', brand: 'Mugs & Co', categories: ['Kitchen'] }),
    item('4', { title: 'Lamp' }),
  )
  const facet = async (query: string) => {
    const { values, hasMore, isWhole } = (await call('GET', `${url}/facets?${query}`)).body.data
    const words = values.map(({ value, products }: { value: string; products: number }) => `${value} ${products}`)
    return [...words, ...(hasMore ? ['more'] : []), ...(isWhole ? [] : ['in part'])]
  }
  for (const [query, expected] of [
    ['', ['Acme 2', 'Mugs & Co 1']],
    ['limit=1', ['Acme 2', 'more']],
    ['find=MUGS', ['Mugs & Co 1']],
    ['find=%25', []],
    ['q=blue', ['Acme 1', 'Mugs & Co 1']],
    ['brand=Acme', ['Acme 2', 'Mugs & Co 1']],
    ['category=Clothing', ['Acme 2']],
    ['availability=OUT_OF_STOCK', ['Acme 1']],
    ['q=%21', []],
    ['field=category', ['Clothing 2', 'Clothing > Shirts 2', 'Clothing > Trousers 1', 'Kitchen 1']],
    ['field=category&category=Kitchen&brand=Acme&find=shirt', ['Clothing > Shirts 2']],
  ] as const)
    expect(await facet(query), query).toEqual(expected)
  for (const query of ['field=price', 'find=a%00'])
    expect((await call('GET', `${url}/facets?${query}`)).status, query).toBe(400)
})

test.each(['a b', 'ä/?#%', '0198F2C6-9C02-7D1B-8E46-6A7F0C3D2B55', '😀'.repeat(50), '...', "'; drop"])(
  'the id %s is found as it was sent',
  async (id) => {
    await upsert(item(id))
    expect(await found('')).toEqual([id])
    const { status, body } = await call('GET', `${url}/products/${encodeURIComponent(id)}`)
    expect([status, body.data?.items[0].itemId]).toEqual([200, id])
    expect(await batch({ delete: [id] })).toMatchObject({ removed: 1 })
  },
)

test('a product whose id no product can have is not found', async () => {
  expect((await call('GET', `${url}/products/%00`)).status).toBe(404)
})

test('a sale without an end is shown, in each time zone', async () => {
  await upsert(item('A', { saleUntil: '9999-12-31T23:59:59-05:00', saleFrom: '0000-01-01T00:00+05:00' }))
  const sale = { saleFrom: '0001-01-01T00:00:00.000Z', saleUntil: '9999-12-31T23:59:59.999Z' }
  expect((await call('GET', `${url}/products/A`)).body.data).toMatchObject({ ...sale, items: [sale] })
  expect((await call('GET', `${url}/products`)).body.data).toMatchObject([sale])
})

test('what supplements say wins over the item, the newest of them first', async () => {
  await upsert(item('a', { stock: 5, labels: ['own'] }), item('b', { stock: 5 }))
  const [older, newer] = [newId(), newId()]
  for (const [source, from, to, fields] of [
    [older, 1, null, { stock: 3, cost: 75_000 }],
    [newer, 1, null, { stock: 0 }],
    [newer, 2, null, { labels: ['later'] }],
    [older, 0, 1, { labels: ['earlier'] }],
  ] as const)
    await sql`
      insert into catalog_values (project_id, item_id, source_id, from_rev, to_rev, fields)
      values (${project.id}, 'a', ${source}, ${from}, ${to}, ${JSON.stringify(fields)}::jsonb)`.execute(service.db)
  const { availability, items } = (await call('GET', `${url}/products/a`)).body.data
  expect([availability, items[0]]).toEqual([
    'OUT_OF_STOCK',
    expect.objectContaining({ stock: 0, cost: '7.50', labels: ['own'] }),
  ])
  expect(await found('availability=OUT_OF_STOCK')).toEqual(['a'])
  expect(await found('availability=IN_STOCK')).toEqual(['b'])
})

/** As a sync does: versions of the next revision, which nobody sees before it is activated. */
async function writingJob(status: string): Promise<string> {
  const [id, source] = [newId(), newId()]
  await sql`
    insert into jobs (id, project_id, kind, source_id, source_name, queues, status, trigger, due_at, leased_until, created_at, updated_at)
    values (${id}, ${project.id}, 'feed_sync', ${source}, 'Main feed', false, ${status}, 'SCHEDULE', now(),
      now() + interval '1 minute', now(), now())`.execute(service.db)
  await sql`
    update catalogs set writing_job_id = ${id}, writing_claims = 1 where project_id = ${project.id}`.execute(service.db)
  await sql`
    insert into catalog_items select project_id, item_id || 'new', revision + 1, null, product_id, ${source}, hash, category,
      price, availability, words, doc
    from catalog_items join catalogs using (project_id) where project_id = ${project.id} and to_rev is null`.execute(
    service.db,
  )
  await sql`
    update catalog_items set to_rev = 2 where project_id = ${project.id} and from_rev = 1`.execute(service.db)
  return id
}

test('a job writes a revision in several transactions, and nobody sees it before it is activated', async () => {
  await upsert(item('a'), item('b'))
  const projectId = project.id
  const next = { projectId, revision: 2, sourceId: newId() }
  const job = { jobId: newId(), claims: 1 }
  const inStep = (work: (tx: Tx) => Promise<unknown>) => service.db.transaction().execute(work)
  const rowsOf = (...raws: Raw[]) => {
    const checked = checkBatch({ upsert: raws, delete: [] }, null)
    if ('issues' in checked) throw new Error(JSON.stringify(checked.issues))
    return checked.items.map((row) => versionOf(projectId, row.item))
  }
  await inStep((tx) => beginWriting(tx, projectId, job))
  await inStep(async (tx) => {
    expect(await isWriting(tx, projectId, job)).toBe(true)
    expect(await isWriting(tx, projectId, { ...job, claims: 2 })).toBe(false)
    await closeVersions(tx, next, ['a'])
    await insertVersions(tx, next, rowsOf(item('a', { title: 'Changed' })))
  })
  await inStep((tx) => insertVersions(tx, next, rowsOf(item('c'))))
  await inStep((tx) => closeVersions(tx, next, ['b']))
  // The writer itself sees what it has written.
  const live = await liveItems(service.db, projectId, ['a', 'b', 'c'])
  expect(live.map(({ itemId }) => itemId).toSorted()).toEqual(['a', 'c'])
  expect(await countLiveProducts(service.db, projectId, ['a', 'b', 'c', 'c'])).toBe(2)
  expect([await found(''), await found('q=changed')]).toEqual([['a', 'b'], []])
  const counts = { added: 1, changed: 1, removed: 1, unchanged: 0, moreProducts: 0 }
  const madeBy = { type: 'system', id: null, name: 'feeds' }
  const made = { ...next, ...counts, madeBy, jobId: job.jobId, now: clock.now() }
  await inStep((tx) => activate(tx, made))
  expect([await found(''), await found('q=changed')]).toEqual([['a', 'c'], ['a']])
  await expect(inStep((tx) => activate(tx, made))).rejects.toThrow('is not at revision 1')
  const [revision] = (await call('GET', `${url}/revisions`)).body.data
  expect(revision).toMatchObject({
    revision: 2,
    jobId: job.jobId,
    createdBy: madeBy,
    counts: { items: 2, products: 2 },
  })
})

test('while a job writes the next revision, nobody sees it, and a batch is told to wait', async () => {
  await upsert(item('a'))
  const id = await writingJob('RUNNING')
  expect(await found('')).toEqual(['a'])
  const { status, headers, body } = await call('POST', `${url}/items/batch`, { upsert: [item('b')] })
  expect([status, headers['retry-after'], body.error.code]).toEqual([409, '5', 'invalid_state'])
  expect(body.error.details.references).toEqual([{ type: 'job', id }])
  expect((await call('PATCH', url, { currency: 'EUR' })).status).toBe(200)
})

test('what a dead job has left is undone by the next batch', async () => {
  await upsert(item('a'))
  await writingJob('FAILED')
  expect(await upsert(item('a', { title: 'Changed' }))).toMatchObject({ revision: 2, changed: 1 })
  expect(await found('')).toEqual(['a'])
  const { items } = (await call('GET', `${url}/products/a`)).body.data
  expect(items.map(({ itemId, title }: Raw) => [itemId, title])).toEqual([['a', 'Changed']])
})

test('an item of a source is refused, and stays', async () => {
  await upsert(item('a'), item('b'))
  const { id } = await succeed(service, 'POST', `${url}/sources`, { name: 'Main feed', type: 'PRODUCTS' })
  await sql`update catalog_items set source_id = ${id} where project_id = ${project.id} and item_id = 'a'`.execute(
    service.db,
  )
  const { status, body } = await call('POST', `${url}/items/batch`, {
    upsert: [item('a', { title: 'Mine' })],
    delete: ['b'],
  })
  expect([status, body.error.details.issues.length]).toEqual([400, 1])
  expect(body.error.message).toContain('a source keeps')
  expect(await found('')).toEqual(['a', 'b'])
})

test('batches at once are saved one after the other, and none is lost', async () => {
  const sent = Array.from({ length: 6 }, (_, n) => ({ upsert: [item('shared', { title: `${n}` }), item(`own-${n}`)] }))
  const revisions = (await Promise.all(sent.map((body) => batch(body)))).map(({ revision }: Raw) => revision)
  expect(revisions.toSorted()).toEqual([1, 2, 3, 4, 5, 6])
  expect((await call('GET', url)).body.data).toMatchObject({ revision: 6, counts: { items: 7, products: 7 } })
  const last = revisions.indexOf(6)
  expect((await call('GET', `${url}/products/shared`)).body.data.title).toBe(`${last}`)
})

test('a repeated batch with its key is saved once', async () => {
  const key = { 'idempotency-key': newId() }
  const [once, again] = [
    await call('POST', `${url}/items/batch`, { upsert: [item('a')] }, key),
    await call('POST', `${url}/items/batch`, { upsert: [item('a')] }, key),
  ]
  expect(again.body).toEqual(once.body)
  expect((await call('GET', url)).body.data.revision).toBe(1)
})

test('the catalogs of two projects share nothing, also not the words', async () => {
  const other = await createProject(service)
  await upsert(item('a', { brand: 'Acme', categories: ['Clothing'] }))
  await batch({ upsert: [item('a', { title: 'Theirs', brand: 'Acme' }), item('b')] }, `${other.path}/catalog`)
  expect(await found('q=shirt')).toEqual(['a'])
  expect(await found('brand=Acme')).toEqual(['a'])
  expect((await call('GET', `${url}/products/a`)).body.data.title).toBe('Shirt a')
  expect((await call('GET', `${url}/products/b`)).status).toBe(404)
  await batch({ delete: ['a'] }, `${other.path}/catalog`)
  expect(await found('')).toEqual(['a'])
})

test('pages go on after a batch has landed between them', async () => {
  await upsert(...Array.from({ length: 10 }, (_, n) => item(`p${n}`)))
  let round = 0
  const rows = await pagesOf(`${url}/products?limit=3`, async () => {
    round += 1
    // Behind the page, on the next page, and at the end.
    await batch({ upsert: [item('a'), item(`z${round}`)], delete: [`p${round}`, 'p8'] })
  })
  expect(rows.map(({ productId }) => productId)).toEqual([
    ...['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p9', 'z1', 'z2', 'z3'],
  ])
})

test('random batches leave the same products as a map', async () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const anyItem = fc.record({
    itemId: id,
    productId: id,
    title: fc.constantFrom('One', 'Two'),
    stock: fc.constantFrom(0, 1),
  })
  const anyBatch = fc.record({
    upsert: fc.uniqueArray(anyItem, { maxLength: 4, selector: ({ itemId }) => itemId }),
    delete: fc.uniqueArray(id, { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyBatch, { minLength: 1, maxLength: 6 }), async (batches) => {
      const { path } = await createProject(service)
      const expected = new Map<string, Raw>()
      for (const { upsert: items, delete: asked } of batches) {
        const removed = asked.filter((each) => !items.some(({ itemId }) => itemId === each))
        if (items.length + removed.length === 0) continue
        await batch({ upsert: items.map((raw) => item(raw.itemId, raw)), delete: removed }, `${path}/catalog`)
        for (const raw of items) expected.set(raw.itemId, raw)
        for (const each of removed) expected.delete(each)
      }
      const products = [...new Set([...expected.values()].map(({ productId }) => productId as string))].toSorted()
      const { data } = (await call('GET', `${path}/catalog/products`)).body
      expect(
        data.map(({ productId, itemCount, availableCount }: Raw) => [productId, itemCount, availableCount]),
      ).toEqual(
        products.map((productId) => {
          const items = [...expected.values()].filter((raw) => raw.productId === productId)
          return [productId, items.length, items.filter(({ stock }) => stock === 1).length]
        }),
      )
      const { counts } = (await call('GET', `${path}/catalog`)).body.data
      expect(counts).toEqual({ items: expected.size, products: products.length })
    }),
    { numRuns: runsOf(15) },
  )
})

test('versions that no kept revision shows are deleted', async () => {
  const sweep = async () => {
    for (const each of catalogSweeps)
      await each.sweep(service.db, new Date(clock.now().getTime() - each.keepForMs), 10_000)
    const { rows } = await sql<{ items: number; revisions: number }>`
      select (select count(*) from catalog_items where project_id = ${project.id})::integer as items,
        (select count(*) from catalog_revisions where project_id = ${project.id})::integer as revisions`.execute(
      service.db,
    )
    return rows[0]
  }
  for (let n = 1; n <= 12; n += 1) await upsert(item('a', { title: `Title ${n}` }))
  expect(await sweep()).toEqual({ items: 12, revisions: 12 })
  clock.move(7 * dayMs + 1)
  // The newest ten stay, whatever their age.
  expect(await sweep()).toEqual({ items: 10, revisions: 10 })
  await upsert(item('a', { title: 'Newest' }))
  expect(await sweep()).toEqual({ items: 10, revisions: 10 })
  expect((await call('GET', `${url}/products/a`)).body.data.title).toBe('Newest')
})
