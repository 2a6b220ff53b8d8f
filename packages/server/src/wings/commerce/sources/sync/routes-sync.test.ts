import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hourMs, minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { isFull, runsOf } from '../../../../../testing/full.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { leftOversOf, shownItems } from '../../../../../testing/shown-items.ts'
import { csvOf, etagOf, type Offer, offers, openShop, type Shop } from '../../../../../testing/vendors/shop.ts'

const clock = standingClock()
let service: TestService
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  service = await startTestService({
    now: clock.now,
    outbound: shop.outbound,
    settings: { SVC_JOB_RETRY_DELAYS: '1m,5m' },
  })
})
afterAll(async () => {
  await service.close()
  await shop.close()
})

let project: TestProject
let url: string
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/catalog/sources`
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  service.call(service.people.admin, method, path, body)
const read = (path: string) => succeed(service, 'GET', `${project.path}/${path}`)
const connect = (more: object = {}) =>
  succeed(service, 'POST', url, { name: 'Main feed', type: 'PRODUCTS', url: shop.url, defaultCurrency: 'EUR', ...more })

/** Asks for a sync, lets it run, and reads how it ended. */
async function synced(key = 'main-feed') {
  const asked = await call('POST', `${url}/${key}/sync`)
  expect([asked.status, asked.body.error]).toEqual([202, undefined])
  await service.jobs.run()
  return read(`commerce/jobs/${asked.body.data.id}`)
}
const syncedWith = (list: readonly Offer[], key?: string) => {
  shop.serve(csvOf(list))
  return synced(key)
}
const errorsOf = ({ id }: { id: string }) => read(`commerce/jobs/${id}/errors?limit=100`)
const revision = async () => (await read('catalog')).revision
const events = async (name: string) => {
  const { body } = await call('GET', `${project.path}/events?after=0&limit=100`)
  return body.data.filter(({ event }: { event: string }) => event === name)
}
const reasons = async () => (await events('commerce.job_failed')).map(({ reason }: { reason: string }) => reason)
const visible = () => shownItems(service, project.id)
const leftOvers = () => leftOversOf(service, project.id)

describe('a sync', () => {
  test('makes the items of a feed live as one revision, and tells what it has done', async () => {
    const source = await connect()
    const job = await syncedWith([...offers(3, { group: 'G1' }), ...offers(600, {}, 3)])
    const catalog = { revision: 1, added: 603, changed: 0, removed: 0, unchanged: 0 }
    expect(job).toMatchObject({
      ...{ kind: 'feed_sync', status: 'SUCCEEDED', trigger: 'REQUEST', attempt: 1, itemsSkipped: 0, reason: null },
      source: { type: 'commerce', id: source.id, name: 'Main feed' },
      result: { changed: true, rows: 603, rowsSkipped: 0, skipped: {}, catalog },
    })
    expect(await read('catalog')).toMatchObject({ revision: 1, counts: { items: 603, products: 601 } })
    expect((await read('catalog/products/G1')).items[0]).toMatchObject({ sourceId: source.id, price: '10.00' })
    expect(await read('catalog/revisions')).toMatchObject([{ ...catalog, jobId: job.id, sourceId: source.id }])
    expect(await events('catalog.feed_sync.completed')).toMatchObject([
      {
        ...{ kind: 'feed_sync', projectId: project.id, itemsSkipped: 0, changed: true, catalog, triggeredBy: null },
        source: { type: 'commerce', id: source.id, name: 'Main feed' },
        link: `http://svc.test/projects/${project.id}/commerce/jobs/${job.id}`,
        job: { id: job.id, trigger: 'REQUEST' },
      },
    ])
    expect(shop.requests.at(-1)!.headers).toMatchObject({ 'user-agent': 'Svc-Catalog/1.0', 'accept-encoding': 'gzip' })
  })

  test('of a file that has not changed reads no row, by its ETag and by its hash', async () => {
    await connect()
    const content = csvOf(offers(60))
    shop.serve(content, 'WHOLE', { etag: etagOf(content) })
    await synced()
    const unchanged = { changed: false, rows: 0, catalog: { revision: 1, added: 0, removed: 0, unchanged: 60 } }
    expect(await synced()).toMatchObject({ status: 'SUCCEEDED', result: unchanged })
    expect(shop.requests.at(-1)).toMatchObject({ status: 304 })
    shop.serve(content)
    expect(await synced()).toMatchObject({ status: 'SUCCEEDED', result: unchanged })
    expect(shop.requests.at(-1)).toMatchObject({ status: 200 })
    expect((await events('catalog.feed_sync.completed')).map(({ changed }: { changed: boolean }) => changed)).toEqual([
      ...[true, false, false],
    ])
    // With a different mapping, the same file means something else.
    await succeed(service, 'PATCH', `${url}/main-feed`, { mapping: { sku: 'id' } })
    expect(await synced()).toMatchObject({ result: { changed: true, catalog: { changed: 60 } } })
  })

  test('writes only what has changed', async () => {
    await connect()
    await syncedWith(offers(600))
    const before = await read('catalog/products/SKU-7')
    const changed = [...offers(6, { title: 'New title' }), ...offers(591, {}, 6), ...offers(2, {}, 1000)]
    expect(await syncedWith(changed)).toMatchObject({
      result: { changed: true, catalog: { revision: 2, added: 2, changed: 6, removed: 3, unchanged: 591 } },
    })
    expect(await read('catalog')).toMatchObject({ revision: 2, counts: { items: 599, products: 599 } })
    expect(await read('catalog/products/SKU-7')).toEqual(before)
    expect((await read('catalog/products/SKU-0')).items[0]).toMatchObject({ title: 'New title', revision: 2 })
    expect((await call('GET', `${project.path}/catalog/products/SKU-599`)).status).toBe(404)
    // The order of rows is no change.
    expect(await syncedWith(changed.toReversed())).toMatchObject({ result: { changed: false, rows: 599 } })
    expect(await revision()).toBe(2)
  })

  test('of a DELTA source removes only what its rows say', async () => {
    await connect({ mode: 'DELTA' })
    await syncedWith(offers(3))
    await syncedWith([
      { id: 'SKU-0', deleted: true },
      { id: 'SKU-1', price: '11.00 EUR' },
      { id: 'none', deleted: true },
    ])
    expect(await visible()).toEqual({ 'SKU-1': '11.0000', 'SKU-2': '10.0000' })
  })

  test('skips broken rows and tells them by line, and keeps the items that they are about', async () => {
    await connect({ guards: { maxSkippedShare: 1 } })
    await syncedWith(offers(3))
    shop.serve(csvOf([{ id: 'SKU-0', price: 'free' }, { id: 'SKU-1' }, { id: 'SKU-1' }, { id: '', link: 'x' }]))
    const job = await synced()
    expect(job).toMatchObject({
      ...{ status: 'SUCCEEDED', itemsSkipped: 3 },
      result: {
        ...{ rows: 4, rowsSkipped: 3, skipped: { bad_price: 1, duplicate_id: 1, missing_id: 1, bad_url: 1 } },
        catalog: { removed: 1 },
      },
    })
    expect(await errorsOf(job)).toMatchObject([
      { line: 2, itemId: 'SKU-0', code: 'bad_price', isWarning: false },
      { line: 4, itemId: 'SKU-1', code: 'duplicate_id', message: 'An earlier row has this id.' },
      { line: 5, itemId: null, code: 'missing_id' },
      { line: 5, itemId: null, code: 'bad_url' },
    ])
    expect(Object.keys(await visible()).toSorted()).toEqual(['SKU-0', 'SKU-1'])
    expect((await events('catalog.feed_sync.completed')).at(-1)).toMatchObject({ itemsSkipped: 3 })
  })

  test('leaves items of another source as they are, and takes those that nobody owns', async () => {
    const first = await connect()
    await syncedWith(offers(2))
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, {
      upsert: [{ itemId: 'API', title: 'Item API', link: 'https://shop.example/API', price: '1', currency: 'EUR' }],
    })
    const second = await connect({ name: 'Second' })
    const both = [{ id: 'SKU-0', price: '1.00 EUR' }, { id: 'API' }, { id: 'own' }]
    const job = await syncedWith(both, 'second')
    expect(job).toMatchObject({ itemsSkipped: 1, result: { skipped: { owned_by_other_source: 1 } } })
    expect((await read('catalog/products/API')).items[0].sourceId).toBe(second.id)
    expect(await visible()).toMatchObject({ 'SKU-0': '10.0000', API: '10.0000', own: '10.0000' })
    expect((await call('DELETE', `${url}/${first.id}`)).status).toBe(200)
    expect((await read('catalog/products/SKU-1')).items[0].sourceId).toBeNull()
    // The same file has more items now.
    expect(await syncedWith(both, 'second')).toMatchObject({ result: { changed: true, skipped: {} } })
    expect(await visible()).toMatchObject({ 'SKU-0': '1.0000', 'SKU-1': '10.0000' })
  })
})

test('thousands of items go through a thread, and what changes is what changed', async () => {
  await connect()
  const count = isFull ? 20_000 : 4_000
  const all = offers(count)
  const { result } = await syncedWith(all)
  expect(result).toMatchObject({ rows: count, catalog: { revision: 1, added: count } })
  const some = all.map((offer, at) => (at % 100 === 0 ? { ...offer, price: '11.00 EUR' } : offer))
  expect(await syncedWith(some)).toMatchObject({
    result: { catalog: { changed: count / 100, unchanged: count - count / 100 } },
  })
  expect(await read('catalog')).toMatchObject({ revision: 2, counts: { items: count, products: count } })
})

test('the products of a Shopify shop come page by page, until one is empty', async () => {
  const url = shop.url.replace('/feed', '/products.json')
  const source = await connect({ url })
  const productOf = (id: number, variants: number) => ({
    ...{ id, title: `Shirt ${id}`, handle: `shirt-${id}` },
    variants: Array.from({ length: variants }, (_, at) => ({ id: id * 10 + at, price: '5.00', available: true })),
  })
  const pages = [[productOf(1, 2), productOf(2, 1)], [productOf(3, 1)]]
  shop.serve((path) => {
    const asked = new URL(path, url).searchParams
    expect(asked.get('limit')).toBe('250')
    return JSON.stringify({ products: pages[Number(asked.get('page')) - 1] ?? [] })
  })
  const { id } = await succeed(service, 'POST', `${project.path}/catalog/sources/${source.id}/sync`)
  await service.jobs.run()
  expect(await read(`commerce/jobs/${id}`)).toMatchObject({ result: { rows: 4, catalog: { added: 4 } } })
  expect(Object.keys(await visible())).toEqual(['10', '11', '20', '30'])
  // A server that does not know pages would never end.
  shop.serve(JSON.stringify({ products: pages[0] }))
  expect(await synced()).toMatchObject({
    ...{ status: 'FAILED', reason: 'The server answers each page with the same products.' },
  })
})

describe('a guard', () => {
  test('holds a feed that would empty the shop, and a person can apply what they have seen', async () => {
    await connect()
    await syncedWith(offers(60))
    const held = await syncedWith(offers(20))
    const guard = { check: 'REMOVED_SHARE', value: 40 / 60, limit: 0.2, count: 40, of: 60 }
    expect(held).toMatchObject({ status: 'HELD', result: { changed: false, guard, guards: [guard] } })
    const reason = '67 % of 60 items would be removed; the limit is 20 %.'
    expect([held.reason, await reasons(), await leftOvers()]).toEqual([reason, [reason], 0])
    expect(Object.keys(await visible())).toHaveLength(60)
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, { upsert: [], delete: ['none'] })
    // Meanwhile, the file has lost even more.
    shop.serve(csvOf(offers(19)))
    const apply = async (id: string) => {
      const asked = await call('POST', `${project.path}/commerce/jobs/${id}/apply`)
      await service.jobs.run()
      return asked.status === 202 ? read(`commerce/jobs/${asked.body.data.id}`) : asked
    }
    const worse = await apply(held.id)
    expect(worse).toMatchObject({ status: 'HELD', appliesJobId: held.id, result: { guard: { count: 41 } } })
    const applied = await apply(worse.id)
    expect(applied).toMatchObject({ status: 'SUCCEEDED', result: { changed: true, catalog: { removed: 41 } } })
    expect(Object.keys(await visible())).toHaveLength(19)
    for (const id of [worse.id, applied.id]) expect((await apply(id)).body.error.code).toBe('invalid_state')
  })

  const sixty = offers(60)
  const twenty = csvOf(offers(20))
  const actOn = (id: string, verb: 'apply' | 'cancel' | 'retry') =>
    call('POST', `${project.path}/commerce/jobs/${id}/${verb}`)
  /** A held sync, and a job that applies it and was cancelled. */
  async function cancelledApply() {
    await connect()
    await syncedWith(sixty)
    const held = await syncedWith(offers(20))
    const { id } = (await actOn(held.id, 'apply')).body.data
    await actOn(id, 'cancel')
    return { held: held.id as string, id: id as string }
  }

  test.each([
    [
      'it was applied by another job',
      async (held: string) => {
        await actOn(held, 'apply')
        await service.jobs.run()
        await syncedWith(sixty)
      },
      'The held job was already applied.',
    ],
    [
      'a newer sync has succeeded',
      async () => void (await syncedWith(sixty)),
      'The held job is out of date: a newer job of its source has succeeded.',
    ],
  ])('is not passed by a retry of what applies a held sync, when %s', async (_when, meanwhile, message) => {
    const { held, id } = await cancelledApply()
    await meanwhile(held)
    shop.serve(twenty)
    for (const [job, verb] of [[id, 'retry'] as const, [held, 'apply'] as const]) {
      const { status, body } = await actOn(job, verb)
      expect([status, body.error.message]).toEqual([409, message])
    }
    expect(Object.keys(await visible())).toHaveLength(60)
  })

  test('is passed by the first retry of what applies a held sync, which applies it then', async () => {
    const { held, id } = await cancelledApply()
    // Its node had made a revision visible and died before it wrote how the job ended.
    await sql`update jobs set input = input || '{"activated":{"changed":false}}' where id = ${id}`.execute(service.db)
    const again = (await actOn(id, 'retry')).body.data
    expect(again).toMatchObject({ appliesJobId: held, retriesJobId: id })
    await service.jobs.run()
    expect(await read(`commerce/jobs/${again.id}`)).toMatchObject({
      ...{ status: 'SUCCEEDED', result: { changed: true, catalog: { removed: 40 } } },
    })
    expect((await actOn(held, 'apply')).body.error.message).toBe('The held job was already applied.')
  })

  test('holds prices that shift, and files that are mostly broken or empty', async () => {
    await connect()
    await syncedWith(offers(60, { price: '10.00 EUR' }))
    const cents = [...offers(13, { price: '1000 EUR' }), ...offers(47, { price: '10.00 EUR' }, 13)]
    expect(await syncedWith(cents)).toMatchObject({ status: 'HELD', result: { guard: { check: 'PRICE_SHIFT_SHARE' } } })
    const broken = [...offers(7, { price: 'free' }), ...offers(53, {}, 7)]
    const held = await syncedWith(broken)
    expect(held).toMatchObject({ status: 'HELD', itemsSkipped: 7, result: { guard: { check: 'SKIPPED_SHARE' } } })
    expect(await errorsOf(held)).toHaveLength(7)
    expect(await syncedWith([])).toMatchObject({
      status: 'HELD',
      reason: '100 % of 60 items would be removed; the limit is 20 %. The file has 0 items; there must be at least 1.',
    })
    expect([await revision(), await leftOvers()]).toEqual([1, 0])
  })
})

describe('a file that does not come whole', () => {
  test('never becomes visible: a cut one and a busy shop are tried again', async () => {
    await connect()
    shop.serve(csvOf(offers(2000)), 'CUT')
    const waiting = await synced()
    expect(waiting).toMatchObject({ status: 'QUEUED', attempt: 1 })
    expect(waiting.reason).toContain('cut off')
    shop.serve('', 'BUSY')
    clock.move(minuteMs)
    await service.jobs.run()
    expect(await read(`commerce/jobs/${waiting.id}`)).toMatchObject({
      reason: 'The endpoint answered 503.',
      attempt: 2,
    })
    shop.serve(csvOf(offers(2)))
    clock.move(5 * minuteMs)
    await service.jobs.run()
    expect(await read(`commerce/jobs/${waiting.id}`)).toMatchObject({ status: 'SUCCEEDED', attempt: 3 })
    expect(Object.keys(await visible())).toHaveLength(2)
  })

  test('fails at once if its markup ends early, and leaves nothing behind', async () => {
    await connect({ guards: { maxRemovedShare: 1 } })
    await syncedWith(offers(3))
    const item = (id: number) =>
      `<item><g:id>x${id}</g:id><title>x</title><link>https://shop.example/x</link><g:price>1 EUR</g:price></item>\n`
    const xml = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>\n${Array.from({ length: 1200 }, (_, id) => item(id)).join('')}`
    shop.serve(xml)
    const job = await synced()
    expect(job).toMatchObject({ status: 'FAILED', attempt: 1 })
    expect(job.reason).toMatch(/^Line 120\d: /)
    expect([await revision(), await leftOvers()]).toEqual([1, 0])
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, { upsert: [], delete: ['none'] })
  })
})

describe('a request for a sync', () => {
  test('gets the job that is open, also if two come at once', async () => {
    await connect()
    shop.serve(csvOf(offers(1)))
    const asked = await Promise.all([1, 2, 3].map(() => call('POST', `${url}/main-feed/sync`)))
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 200, 202])
    expect(new Set(asked.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await events('job.updated')).toHaveLength(1)
    const deletion = await call('DELETE', `${url}/main-feed`)
    expect([deletion.status, deletion.body.error.details.references]).toEqual([
      409,
      [{ type: 'job', id: asked[0]!.body.data.id }],
    ])
    await service.jobs.run()
    expect((await call('DELETE', `${url}/main-feed`)).status).toBe(200)
  })

  test('is refused for a source without an address, and of a different type', async () => {
    await connect({ url: null })
    await succeed(service, 'POST', url, { name: 'Orders', type: 'ORDERS' })
    for (const key of ['main-feed', 'orders'])
      expect((await call('POST', `${url}/${key}/sync`)).body.error.code).toBe('invalid_state')
  })

  test('and a retry are refused while the source has an open job', async () => {
    await connect()
    const { id } = (await call('POST', `${url}/main-feed/sync`)).body.data
    await call('POST', `${project.path}/commerce/jobs/${id}/cancel`)
    await call('POST', `${url}/main-feed/sync`)
    expect((await call('POST', `${project.path}/commerce/jobs/${id}/retry`)).status).toBe(409)
    shop.serve(csvOf(offers(1)))
    await service.jobs.run()
    expect((await call('POST', `${project.path}/commerce/jobs/${id}/retry`)).status).toBe(202)
  })
})

test('a schedule fetches the feed by itself, moves with an edit, and ends with the source', async () => {
  const { id } = await connect({ schedule: { every: 'HOUR', at: '00:15' } })
  shop.serve(csvOf(offers(1)))
  const jobs = () => read(`commerce/jobs?sourceId=${id}`)
  clock.move(hourMs)
  await service.jobs.run()
  expect(await jobs()).toMatchObject([{ trigger: 'SCHEDULE', status: 'SUCCEEDED' }])
  await succeed(service, 'PATCH', `${url}/main-feed`, { schedule: null })
  clock.move(2 * hourMs)
  await service.jobs.run()
  expect(await jobs()).toHaveLength(1)
  await succeed(service, 'PATCH', `${url}/main-feed`, { schedule: { cron: '0 * * * *' } })
  expect((await call('DELETE', `${url}/main-feed`)).status).toBe(200)
  clock.move(2 * hourMs)
  await service.jobs.run()
  expect(await jobs()).toHaveLength(1)
})

test('the items and products of a catalog are counted, whatever syncs of two sources bring, move and take', async () => {
  const file = fc.dictionary(fc.integer({ min: 0, max: 7 }).map(String), fc.constantFrom('A', 'B', 'C', 'D'))
  const steps = fc.array(fc.tuple(fc.constantFrom('one', 'two'), file), { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, async (syncs) => {
      project = await createProject(service)
      url = `${project.path}/catalog/sources`
      for (const name of ['One', 'Two']) await connect({ name })
      for (const [key, groups] of syncs) {
        const list = Object.entries(groups).flatMap(([at, group]) => offers(1, { group }, Number(at)))
        // A sync that brings no item of its own would be held.
        const own = offers(1, { group: 'A' }, key === 'one' ? 8 : 9)
        expect(await syncedWith([...list, ...own], key)).toMatchObject({ status: 'SUCCEEDED' })
        const { rows } = await sql`
          select count(*)::integer as items, count(distinct product_id)::integer as products
          from catalog_items where project_id = ${project.id} and to_rev is null`.execute(service.db)
        expect((await read('catalog')).counts).toMatchObject(rows[0] as object)
      }
    }),
    { numRuns: runsOf(20) },
  )
})
