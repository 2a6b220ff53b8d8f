import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { eventStoreOn } from '../../../../../testing/databases/clickhouse.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { openShop, type Shop } from '../../../../../testing/vendors/shop.ts'
import { JobFailure, NodeStops } from '../../../../platform/jobs/index.ts'
import { authors } from '../../../../platform/outbox.ts'
import { sealWith } from '../../../../platform/seal.ts'
import { orderImport } from './worker.ts'

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
let source: { id: string; envId: string }
beforeEach(async () => {
  project = await createProject(service)
  source = await connect()
})

const connect = (more: object = {}) =>
  succeed(service, 'POST', `${project.path}/catalog/sources`, { name: 'Orders', type: 'ORDERS', ...more })
const read = (path: string) => succeed(service, 'GET', `${project.path}/${path}`)
const call = (method: 'POST' | 'PATCH', path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call(service.people.admin, method, `${project.path}/${path}`, body, headers)
const ended = async (id: string) => {
  await expect.poll(async () => (await read(`commerce/jobs/${id}`)).endedAt).not.toBeNull()
  return read(`commerce/jobs/${id}`)
}
const send = (content: string, key = 'orders', query = '') =>
  call('POST', `catalog/sources/${key}/uploads${query}`, content, { 'content-type': 'text/plain' })
const imported = async (content: string, key?: string, query?: string) => {
  const { status, body } = await send(content, key, query)
  expect([status, body.error]).toEqual([202, undefined])
  return ended(body.data.id)
}
const events = async (name: string) =>
  (await service.call(service.people.admin, 'GET', `${project.path}/events?after=0&limit=100`)).body.data.filter(
    ({ event }: { event: string }) => event === name,
  )

const line = { itemId: 'SKU-17-M', quantity: 3, price: '19.99' }
const placed = {
  ...{ orderId: '100234', placedAt: '2026-11-20T09:00:00.000Z', unit: 'u-17', currency: 'EUR', total: '59.92' },
  ...{ tax: '9.57', shipping: '4.95', discount: '5.00', items: [line] },
}
const jsonl = (...orders: object[]) => orders.map((order) => JSON.stringify(order)).join('\n')
const bySdk = async (more: object = {}, unit = 'u-17', envSdkKey = project.production.sdkKey) => {
  const { placedAt, unit: _, ...order } = placed
  const { body } = await service.call(null, 'POST', '/api/sdk/v1/events', {
    sdkKey: envSdkKey,
    events: [{ type: 'order', id: randomUUID(), ts: placedAt, unit, order: { ...order, ...more } }],
  })
  expect(body.accepted + body.duplicates).toBe(1)
}
const orders = (query = '') => read(`orders${query}`)
const changes = async () => {
  const { rows } = await sql<{ unit: string }>`
    select unit from order_changes where env_id = ${project.production.id} order by batch, unit`.execute(service.db)
  return rows.map(({ unit }) => unit)
}

describe('an import of orders', () => {
  test('stores them, tells what it has done, and the same file changes nothing', async () => {
    const job = await imported(jsonl(placed, { ...placed, orderId: '2', unit: null, refundedAmount: '19.99' }))
    const counts = { added: 2, changed: 0, unchanged: 0 }
    expect(job).toMatchObject({
      ...{ kind: 'order_import', status: 'SUCCEEDED', trigger: 'UPLOAD', itemsSkipped: 0 },
      result: { changed: true, rows: 2, rowsSkipped: 0, orders: counts },
    })
    expect(await orders()).toMatchObject([
      { orderId: '2', unit: null, origin: 'IMPORT', status: 'PARTIALLY_REFUNDED', reporting: { revenue: '29.39' } },
      {
        orderId: '100234',
        unit: 'u-17',
        origin: 'IMPORT',
        counted: true,
        envId: source.envId,
        reporting: { revenue: '46.19' },
      },
    ])
    expect(await events('commerce.import.completed')).toMatchObject([
      { kind: 'order_import', changed: true, itemsSkipped: 0, orders: counts, source: { id: source.id } },
    ])
    const again = await imported(jsonl(placed, { ...placed, orderId: '2', unit: null, refundedAmount: '19.99' }))
    expect(again.result).toMatchObject({ changed: false, rows: 0, orders: { added: 0, changed: 0, unchanged: 0 } })
    const other = await imported(jsonl({ ...placed, orderId: '3' }, placed))
    expect(other.result).toMatchObject({ changed: true, orders: { added: 1, changed: 0, unchanged: 1 } })
    const same = await imported(jsonl(placed))
    expect(same.result).toMatchObject({ changed: false, orders: { added: 0, changed: 0, unchanged: 1 } })
    expect((await events('commerce.import.completed')).map(({ changed }: { changed: boolean }) => changed)).toEqual([
      ...[true, false, true, false],
    ])
    expect(await changes()).toEqual([])
  })

  test('reads the file of the last success again after another file was stored in part', async () => {
    await imported(jsonl(placed))
    const { id } = await imported(jsonl({ ...placed, refundedAmount: '19.99' }))
    await sql`update jobs set status = 'FAILED', result = null where id = ${id}`.execute(service.db)
    expect(await imported(jsonl(placed))).toMatchObject({ result: { changed: true, orders: { changed: 1 } } })
    expect(await orders()).toMatchObject([{ status: 'PLACED', refunded: '0.00' }])
  })

  test('takes an order of the future when its time has come, also from a file that has not changed', async () => {
    const file = jsonl(placed, { ...placed, orderId: 'later', placedAt: '2026-11-23T09:00:00.000Z' })
    const before = await imported(file)
    expect(before).toMatchObject({ itemsSkipped: 1, result: { skipped: { in_future: 1 }, orders: { added: 1 } } })
    const [problem] = await read(`commerce/jobs/${before.id}/errors`)
    expect(problem.message).toContain('import the file once more from 2026-11-22T09:00:00.000Z on')
    // Until then, nobody reads the file again.
    expect(await imported(file)).toMatchObject({ result: { rows: 0, changed: false } })
    clock.move(2 * 24 * 60 * minuteMs)
    expect(await imported(file)).toMatchObject({ itemsSkipped: 0, result: { orders: { added: 1, unchanged: 1 } } })
    expect(await imported(file)).toMatchObject({ result: { rows: 0, changed: false } })
  })

  test('meets the orders of SDKs in either order, however often, in one row with the same revenue', async () => {
    for (let time = 0; time < 25; time += 1) {
      await bySdk()
      if (time % 5 === 0) await imported(jsonl({ ...placed, unit: null }, { ...placed, orderId: `other-${time}` }))
    }
    await imported(jsonl({ ...placed, orderId: 'B', unit: null }))
    for (let time = 0; time < 25; time += 1) await bySdk({ orderId: 'B' })
    for (const orderId of ['100234', 'B'])
      expect(await orders(`?orderId=${orderId}`)).toMatchObject([
        { unit: 'u-17', origin: 'BOTH', counted: true, reporting: { revenue: '46.19' } },
      ])
    expect((await read('orders/summary')).total).toMatchObject({ orders: 7 })
  })

  test('replaces money, lines and status, keeps visitor and stamps, and has results follow', async () => {
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, {
      upsert: [
        {
          itemId: 'SKU-17-M',
          title: 'Shirt',
          link: 'https://shop.example/17',
          price: '19.99',
          currency: 'EUR',
          cost: '7.50',
        },
      ],
    })
    await bySdk()
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, {
      upsert: [
        {
          itemId: 'SKU-17-M',
          title: 'Shirt',
          link: 'https://shop.example/17',
          price: '19.99',
          currency: 'EUR',
          cost: '9.00',
        },
      ],
    })
    const refunded = { ...placed, unit: null, refundedAmount: '19.99', items: [{ ...line, refundedQuantity: 1 }] }
    await imported(jsonl(refunded))
    expect(await orders()).toMatchObject([
      {
        ...{ unit: 'u-17', status: 'PARTIALLY_REFUNDED', refunded: '19.99', origin: 'BOTH' },
        reporting: { revenue: '29.39', margin: '14.39' },
        items: [{ refundedQuantity: 1, cost: '7.50', productId: 'SKU-17-M' }],
      },
    ])
    await imported(jsonl({ ...refunded, unit: 'u-18' }))
    await imported(jsonl({ ...refunded, unit: 'u-18', status: 'CANCELLED' }))
    expect(await orders()).toMatchObject([{ unit: 'u-18', status: 'CANCELLED' }])
    expect(await changes()).toEqual(['u-17', 'u-17', 'u-18', 'u-18'])
  })

  test('skips what it cannot read, is held if that is much, and applied by sending it again', async () => {
    const broken = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...placed, orderId: `x${at}`, total: 'x' }))
    const good = (count: number) => Array.from({ length: count }, (_, at) => ({ ...placed, orderId: `g${at}` }))
    const few = await imported(jsonl(...broken(1), ...good(1)))
    expect(few).toMatchObject({ status: 'SUCCEEDED', itemsSkipped: 1, result: { skipped: { bad_amount: 1 } } })
    expect(await read(`commerce/jobs/${few.id}/errors`)).toMatchObject([{ line: 1, itemId: 'x0', code: 'bad_amount' }])
    const file = jsonl(...broken(10), ...good(50))
    const held = await imported(file)
    expect(held).toMatchObject({
      ...{ status: 'HELD', reason: '17 % of 60 rows would be skipped; the limit is 10 %.' },
      result: { guard: { check: 'SKIPPED_SHARE', count: 10 }, orders: { added: 0 } },
    })
    expect(await orders()).toHaveLength(1)
    expect(await imported(file, 'orders', `?apply=${held.id}`)).toMatchObject({
      ...{ status: 'SUCCEEDED', appliesJobId: held.id, result: { orders: { added: 49, unchanged: 1 } } },
    })
  })

  test('can be fetched on a schedule, and what is fetched and sent are compared', async () => {
    await call('PATCH', 'catalog/sources/orders', { url: shop.url, schedule: { every: 'HOUR', at: '00:15' } })
    shop.serve(jsonl(placed))
    clock.move(60 * minuteMs)
    await service.jobs.run()
    expect(await read(`commerce/jobs?sourceId=${source.id}`)).toMatchObject([
      { kind: 'order_import', trigger: 'SCHEDULE', status: 'SUCCEEDED', result: { orders: { added: 1 } } },
    ])
    expect((await imported(jsonl(placed))).result.changed).toBe(false)
    // In another environment, the same file has other orders.
    await call('PATCH', 'catalog/sources/orders', { envId: project.development.id })
    expect((await imported(jsonl(placed))).result).toMatchObject({ orders: { added: 1 } })
    expect(await orders()).toHaveLength(2)
  })

  test('needs a file that is whole', async () => {
    expect(await imported('<rss/>')).toMatchObject({
      ...{ status: 'FAILED', reason: 'Line 1: The file must be CSV, TSV or JSONL.' },
    })
    expect((await call('POST', 'catalog/sources', { name: 'X', type: 'ORDERS', format: 'GOOGLE_XML' })).status).toBe(
      400,
    )
    const mapping = { title: 'x' }
    expect((await call('POST', 'catalog/sources', { name: 'X', type: 'ORDERS', mapping })).status).toBe(400)
  })
})

test('with the trust AUTO, orders of an environment need an import since the first one', async () => {
  const day = (date: number) => `2026-11-${date}T09:00:00.000Z`
  await bySdk({ orderId: 'early' })
  await sql`update orders set placed_at = ${day(10)} where project_id = ${project.id}`.execute(service.db)
  await bySdk({ orderId: 'late' }, 'u-2')
  await bySdk({ orderId: 'elsewhere' }, 'u-3', project.development.sdkKey)
  const countedOf = async () =>
    Object.fromEntries(
      (await orders()).map((order: { orderId: string; counted: boolean }) => [order.orderId, order.counted]),
    )
  expect(await countedOf()).toEqual({ early: true, late: true, elsewhere: true })
  await imported(jsonl({ ...placed, orderId: 'A', placedAt: day(15) }, { ...placed, orderId: 'B', placedAt: day(14) }))
  expect(await countedOf()).toEqual({ early: true, late: false, elsewhere: true, A: true, B: true })
  expect(await changes()).toEqual(['u-2'])
  const confirmedFrom = { [project.production.id]: day(14) }
  expect((await read('catalog')).orders).toEqual({ trust: 'AUTO', confirmedFrom })
  await imported(jsonl({ ...placed, orderId: 'early', placedAt: day(11) }, { ...placed, orderId: 'late', unit: null }))
  expect((await read('catalog')).orders).toEqual({ trust: 'AUTO', confirmedFrom })
  expect(await countedOf()).toMatchObject({ early: true, late: true })
  expect(await orders('?orderId=late')).toMatchObject([{ origin: 'BOTH', unit: 'u-2' }])
  const { body } = await call('PATCH', 'catalog', { orders: { trust: 'SDK' } })
  expect(body.data.orders).toEqual({ trust: 'SDK', confirmedFrom })
})

test.each([
  ['is cancelled', { orderId: 'X', status: 'CANCELLED' }],
  ['has no visitor', { orderId: 'X', unit: null }],
  ['does not count after all, because its lines stand apart', null],
])('an order of the first import that %s does not decide from when on others need one', async (_which, order) => {
  const day = (date: number) => `2026-11-${date}T09:00:00.000Z`
  const csv = ['order_id,placed_at,unit,currency,total,item_id,quantity,price']
  const lineOf = (id: string, at: string, itemId = 'A') => `${id},${at},u-1,EUR,5,${itemId},1,5`
  const file = (...more: string[]) =>
    order
      ? jsonl(
          { ...placed, placedAt: day(11), ...order },
          ...more.map((id) => ({ ...placed, orderId: id, placedAt: day(18) })),
        )
      : [
          ...csv,
          lineOf('X', day(11)),
          ...more.map((id) => lineOf(id, day(18))),
          lineOf('Y', day(19)),
          lineOf('X', day(11), 'B'),
        ].join('\n')
  const isCounted = async () => (await orders('?orderId=known'))[0].counted
  await bySdk({ orderId: 'known' }, 'u-2')
  await sql`update orders set placed_at = ${day(15)} where project_id = ${project.id}`.execute(service.db)
  if (order) {
    await imported(file())
    expect([(await read('catalog')).orders.confirmedFrom, await isCounted()]).toEqual([{}, true])
  }
  await imported(file('B'))
  expect((await read('catalog')).orders.confirmedFrom).toEqual({ [project.production.id]: day(18) })
  expect(await isCounted()).toBe(true)
})

const kindOnNode = () =>
  orderImport({
    ...{ db: service.db, outbound: shop.outbound, now: clock.now, baseUrl: service.baseUrl },
    events: eventStoreOn(service.database, undefined),
    ...{ seal: sealWith(randomBytes(32)), authorOf: authors([], clock.now) },
  })

describe('orders that come from several sides', () => {
  test('at once are stored once each, and nobody waits in a circle', async () => {
    await connect({ name: 'Second' })
    for (let round = 0; round < 4; round += 1) {
      const ids = Array.from({ length: 40 }, (_, at) => `${round}-${at}`)
      const some = (step: number) => ids.filter((_, at) => at % step !== 0).toSorted(() => Math.random() - 0.5)
      const sdk = (step: number) =>
        service.call(null, 'POST', '/api/sdk/v1/events', {
          sdkKey: project.production.sdkKey,
          events: some(step).map((orderId) => {
            const { placedAt, unit, ...order } = placed
            return { type: 'order', id: randomUUID(), ts: placedAt, unit, order: { ...order, orderId } }
          }),
        })
      const file = (step: number) => jsonl(...some(step).map((orderId) => ({ ...placed, orderId, unit: null })))
      const [jobs] = await Promise.all([
        Promise.all([imported(file(2), 'orders'), imported(file(3), 'second')]),
        ...[2, 3, 5, 7].map(sdk),
      ])
      expect(jobs.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
    }
    // Six in each round are known to SDKs alone.
    const { total } = await read('orders/summary')
    expect([total.orders, total.unattributed]).toEqual([4 * 33, 0])
  })

  test('are the same after a node that dies at any step of an import and another one that repeats it', async () => {
    await call('PATCH', 'catalog/sources/orders', { url: shop.url })
    const kind = kindOnNode()
    let hasDied = true
    for (let at = 1; hasDied; at += 1) {
      hasDied = false
      const file = Array.from({ length: 700 }, (_, n) => ({ ...placed, orderId: `o-${n}`, refundedAmount: at }))
      shop.serve(jsonl(...file))
      let writes = 0
      const dies = <Result>(result: Result): Result => {
        writes += 1
        if (writes !== at) return result
        hasDied = true
        throw new JobFailure('The node has died.', { isTransient: true })
      }
      service.jobs.add({
        ...kind,
        run: (run) => kind.run({ ...run, write: async (work) => dies(await run.write(work)) }),
      })
      const { id } = (await call('POST', 'catalog/sources/orders/sync')).body.data
      await service.jobs.run()
      service.jobs.add(kind)
      clock.move(minuteMs)
      await service.jobs.run()
      expect(await read(`commerce/jobs/${id}`)).toMatchObject({ status: 'SUCCEEDED' })
      expect((await read('orders/summary')).total).toMatchObject({ orders: 700, refunded: (700 * at).toFixed(2) })
      expect((await events('commerce.import.completed')).length).toBe(at)
    }
  })

  test('that are stored when an import is cancelled are counted in its reason, and stay', async () => {
    const kind = kindOnNode()
    const file = (refundedAmount: string) =>
      jsonl(...Array.from({ length: 700 }, (_, n) => ({ ...placed, orderId: `${n}`, refundedAmount })))
    await call('PATCH', 'catalog/sources/orders', { url: shop.url })
    const stored = async (refunded: string) => {
      const { rows } = await sql`select from orders where refunded = ${refunded} and env_id = ${source.envId}`.execute(
        service.db,
      )
      return rows.length
    }
    const found = new Set<string>()
    for (let at = 1; ; at += 1) {
      shop.serve(file(`${at}.00`))
      const { id } = (await call('POST', 'catalog/sources/orders/sync')).body.data
      let writes = 0
      service.jobs.add({
        ...kind,
        run: (run) =>
          kind.run({
            ...run,
            async write(work) {
              const result = await run.write(work)
              writes += 1
              if (writes === at) await call('POST', `commerce/jobs/${id}/cancel`)
              return result
            },
          }),
      })
      await service.jobs.run()
      service.jobs.add(kind)
      const { status, reason } = await read(`commerce/jobs/${id}`)
      const count = await stored(`${at}.00`)
      const told = count === 0 ? null : `${count} of 700 orders are as the file has them, and stay so.`
      expect([status, reason]).toEqual(writes > at || count < 700 ? ['CANCELLED', told] : [status, reason])
      found.add(`${status} ${count}`)
      if (status === 'SUCCEEDED') break
    }
    // Before the first portion, after each, and after the end was recorded.
    expect([...found]).toEqual(['CANCELLED 0', 'CANCELLED 500', 'CANCELLED 700', 'SUCCEEDED 700'])
  })

  test('are those of the file that is there after a node that stopped while it stored another one', async () => {
    await call('PATCH', 'catalog/sources/orders', { url: shop.url })
    shop.serve(jsonl(placed))
    await call('POST', 'catalog/sources/orders/sync')
    await service.jobs.run()
    const kind = kindOnNode()
    const stops = async () => {
      if ((await orders())[0].refunded === '0.00') return
      service.jobs.add(kind)
      shop.serve(jsonl(placed))
      throw new NodeStops()
    }
    service.jobs.add({
      ...kind,
      run: (run) =>
        kind.run({
          ...run,
          async write(work) {
            const result = await run.write(work)
            await stops()
            return result
          },
        }),
    })
    shop.serve(jsonl({ ...placed, refundedAmount: '19.99' }))
    const { id } = (await call('POST', 'catalog/sources/orders/sync')).body.data
    await service.jobs.run()
    expect(await read(`commerce/jobs/${id}`)).toMatchObject({ status: 'SUCCEEDED', attempt: 1 })
    expect(await orders()).toMatchObject([{ status: 'PLACED', refunded: '0.00' }])
  })
})
