import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, minuteMs, standingClock } from '../../../../testing/clock.ts'
import { clickHouseForTest } from '../../../../testing/databases/clickhouse.ts'
import { succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { databaseStore } from '../events/index.ts'
import { followSettings } from './actions.ts'
import { withOrders } from './store.ts'

const clock = standingClock()
let service: TestService
let project: TestProject

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  service = await startTestService({
    now: clock.now,
    ...(clickHouseUrl && { settings: { SVC_CLICKHOUSE_URL: clickHouseUrl } }),
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
})

const item = { itemId: 'SKU-17-M', quantity: 3, price: '19.99' }
const placed = (more: Record<string, unknown> = {}) => ({
  ...{ orderId: '100234', currency: 'EUR', total: '59.92', tax: '9.57', shipping: '4.95', discount: '5.00' },
  items: [item],
  ...more,
})
const event = (order: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...{ type: 'order', id: randomUUID(), ts: clock.now().toISOString(), unit: 'u-17', order },
  ...more,
})

async function send(...events: object[]) {
  const { status, body } = await service.call(null, 'POST', '/api/sdk/v1/events', {
    sdkKey: project.production.sdkKey,
    events,
  })
  expect(status).toBe(202)
  return body
}
const list = (query = '') => succeed(service, 'GET', `${project.path}/orders${query}`)

describe('an order', () => {
  test('is listed with what it is worth, without taxes and shipping', async () => {
    expect(await send(event(placed()))).toEqual({ accepted: 1, duplicates: 0, rejected: [] })
    const [order] = await list()
    expect(order).toEqual({
      ...{ id: order.id, orderId: '100234', unit: 'u-17', envId: project.production.id },
      ...{ placedAt: clock.now().toISOString(), status: 'PLACED', origin: 'SDK', counted: true, currency: 'EUR' },
      ...{ total: '59.92', tax: '9.57', shipping: '4.95', discount: '5.00', refunded: '0.00' },
      reporting: { currency: 'EUR', rate: '1', revenue: '46.19', margin: null },
      items: [{ ...item, productId: null, refundedQuantity: 0, cost: null }],
    })
    expect(await succeed(service, 'GET', `${project.path}/orders/${order.id}`)).toEqual(order)
  })

  test('counts once, however often it is sent and at once', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => send(event(placed()), event(placed({ orderId: '2' })))),
      send(event(placed()), event(placed()), { ...event({}), type: 'track', eventKey: 'order', properties: placed() }),
    ])
    const sum = (field: 'accepted' | 'duplicates') => answers.reduce((all, answer) => all + answer[field], 0)
    expect([sum('accepted'), sum('duplicates')]).toEqual([2, 17])
    expect(await list()).toHaveLength(2)
    // The first counts, also if a later one says something else.
    expect(await send(event(placed({ total: '1000' }), { unit: 'other' }))).toMatchObject({ duplicates: 1 })
    expect((await list('?orderId=100234')).map((each: { total: string }) => each.total)).toEqual(['59.92'])
  })

  test('tells what was bought', async () => {
    await send(event(placed()), event(placed({ orderId: '2', items: [{ ...item, itemId: 'SKU-1' }, item] })))
    const asked = {
      envId: project.production.id,
      eventKeys: ['order'],
      from: new Date(0),
      until: new Date(clock.now().getTime() + 1),
    }
    const store = withOrders(databaseStore(service.database), service.db)
    const bought = (await Array.fromAsync(store.happened({ ...asked, through: Number.MAX_SAFE_INTEGER }))).flat()
    const happening = { unit: 'u-17', eventKey: 'order', at: clock.now().getTime() }
    expect(bought).toEqual([
      { ...happening, productId: item.itemId, orderId: '100234' },
      { ...happening, productId: 'SKU-1', orderId: '2' },
      { ...happening, productId: item.itemId, orderId: '2' },
    ])
  })

  test('has its own id in each environment', async () => {
    await send(event(placed()))
    const body = { sdkKey: project.development.sdkKey, events: [event(placed({ total: '70' }))] }
    await service.call(null, 'POST', '/api/sdk/v1/events', body)
    expect(await list()).toHaveLength(2)
    expect(await list(`?envId=${project.development.id}`)).toMatchObject([{ total: '70.00' }])
    expect(await list('?envId=production')).toMatchObject([{ total: '59.92' }])
    expect(await list('?envId=nowhere')).toEqual([])
  })

  test('with a fault is rejected with the field, and the others of its batch are stored', async () => {
    const wrong = event(placed({ items: [item, { ...item, price: '19,99' }] }))
    expect(await send(event(placed()), wrong)).toEqual({
      ...{ accepted: 1, duplicates: 0 },
      rejected: [
        { index: 1, code: 'validation_failed', message: expect.stringContaining('order.items[1].price must be') },
      ],
    })
  })

  test('in a currency without a rate counts, but not as money', async () => {
    await send(event(placed()))
    await send(event(placed({ orderId: '2', currency: 'USD' })))
    expect(await list('?orderId=2')).toMatchObject([{ counted: true, reporting: null }])
    expect(await succeed(service, 'GET', `${project.path}/orders/summary`)).toMatchObject({
      currency: 'EUR',
      total: { orders: 2, revenue: '46.19', averageOrder: '46.19', unconverted: 1, withoutMargin: 2 },
    })
  })

  test.each([
    ['rounds half up to the cent', { total: '10', tax: '0', shipping: '0.005' }, '10.00'],
    ['is 0 if shipping is all of it', { total: '4.95', tax: '0.79' }, '0.00'],
    ['is 0 for a total of 0', { total: 0, tax: 0, shipping: 0 }, '0.00'],
    ['has no decimals in a currency without', { currency: 'JPY', total: '1999', tax: '181', shipping: '0' }, '1818.00'],
    ['has three in a currency with three', { currency: 'KWD', total: '1.2345', tax: '0', shipping: '0' }, '1.235'],
    ['is exact where floats are not', { total: '0.3', tax: '0', shipping: '0.1' }, '0.20'],
  ])('%s', async (_name, more, revenue) => {
    await send(event(placed(more)))
    expect(await list()).toMatchObject([{ reporting: { revenue } }])
  })
})

test('orders are paged by the time at which they were placed, and filtered', async () => {
  const at = (days: number) => new Date(clock.now().getTime() - days * dayMs).toISOString()
  const days = [3, 1, 4, 2, 0]
  await send(...days.map((day) => event(placed({ orderId: `${day}` }), { ts: at(day), unit: `u-${day % 2}` })))
  const ids = async (query: string) => (await list(query)).map(({ orderId }: { orderId: string }) => orderId)
  expect(await ids('')).toEqual(['0', '1', '2', '3', '4'])
  const { body } = await service.call(service.people.admin, 'GET', `${project.path}/orders?limit=3`)
  expect(await ids(`?limit=3&cursor=${body.page.nextCursor}`)).toEqual(['3', '4'])
  expect(await ids(`?since=${at(3)}&until=${at(1)}`)).toEqual(['2', '3'])
  expect(await ids('?unit=u-1')).toEqual(['1', '3'])
  expect(await ids('?status=REFUNDED')).toEqual([])
  expect(await ids('?since=2026-01-01T00:00:00%2B23:59&until=9999-12-31T23:59:59-23:59')).toHaveLength(5)
  expect(await ids('?since=0000-01-01T00:00:00Z')).toHaveLength(5)
  for (const query of ['unit=a%00', 'orderId=a%00'])
    expect(await service.call(service.people.admin, 'GET', `${project.path}/orders?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_failed', message: expect.stringContaining('NUL') } },
    })
})

describe('the summary', () => {
  const summary = (query = '') => succeed(service, 'GET', `${project.path}/orders/summary${query}`)
  const dayOf = (days: number) => new Date(clock.now().getTime() - days * dayMs).toISOString().slice(0, 10)

  test('has each of the last 30 days, and none lacks', async () => {
    expect(await summary()).toMatchObject({ currency: null, total: { orders: 0, revenue: '0.00', averageOrder: null } })
    await send(event(placed()), event(placed({ orderId: '2', total: '19.99', tax: '0', shipping: '0' })))
    const { days, total } = await summary()
    expect([days.length, days[0].date, days.at(-1).date]).toEqual([30, dayOf(29), dayOf(0)])
    const figures = { orders: 2, revenue: '66.18', margin: '0.00', averageOrder: '33.09', refunded: '0.00' }
    expect(days.at(-1)).toMatchObject(figures)
    expect(total).toMatchObject({ ...figures, unattributed: 0, unconfirmed: 0, withoutMargin: 2 })
  })

  test.each([
    ['?from=2026-11-20&to=2026-11-19', 'from must not be after `to`.'],
    ['?from=2025-01-01&to=2026-11-19', 'from must be at most 365 days before `to`.'],
    ['?from=0000-01-01&to=2026-11-19', 'from must be 1970-01-01 or later.'],
  ])('of %s is refused', async (query, message) => {
    const { status, body } = await service.call(service.people.admin, 'GET', `${project.path}/orders/summary${query}`)
    expect([status, body.error.details.issues]).toEqual([400, [expect.objectContaining({ path: ['from'], message })]])
  })
})

test('an order that only an import knows gets its visitor from the SDK', async () => {
  await sql`
    insert into orders (id, project_id, env_id, order_id, batch, placed_at, received_at, status, by_sdk, by_import, currency,
      total, tax, shipping, discount, pieces, updated_at)
    values (${randomUUID()}, ${project.id}, ${project.production.id}, '100234', 0, ${clock.now()}, ${clock.now()}, 'PLACED',
      false, true, 'EUR', 70, 0, 0, 0, 1, ${clock.now()})`.execute(service.db)
  expect(await list()).toMatchObject([{ unit: null, origin: 'IMPORT' }])
  clock.move(minuteMs)
  expect(await send(event(placed()))).toMatchObject({ accepted: 1, duplicates: 0 })
  expect(await list()).toMatchObject([{ unit: 'u-17', origin: 'BOTH', total: '70.00' }])
  const { rows } = await sql`select unit from order_changes where env_id = ${project.production.id}`.execute(service.db)
  expect(rows).toEqual([{ unit: 'u-17' }])
  expect(await send(event(placed(), { unit: 'other' }))).toMatchObject({ duplicates: 1 })
})

test('orders of a deleted environment are swept', async () => {
  await send(event(placed()))
  const staging = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging' })
  await sql`update orders set env_id = ${staging.id} where project_id = ${project.id}`.execute(service.db)
  const { status } = await service.call(service.people.admin, 'DELETE', `${project.path}/environments/${staging.id}`)
  expect(status).toBe(200)
  clock.move(dayMs)
  await service.retention.run()
  expect(await list()).toEqual([])
})

describe('the settings of the catalog', () => {
  const catalog = () => `${project.path}/catalog`
  const edit = (settings: object) => succeed(service, 'PATCH', catalog(), settings)
  const changes = async () => {
    const { rows } = await sql<{ unit: string }>`
      select unit from order_changes where env_id = ${project.production.id} order by batch, unit`.execute(service.db)
    return rows.map(({ unit }) => unit)
  }

  test('get the currency of the first order, which then stays', async () => {
    await send(event(placed({ currency: 'CHF' })))
    expect(await succeed(service, 'GET', catalog())).toMatchObject({ currency: 'CHF' })
    const { status, body } = await service.call(service.people.admin, 'PATCH', catalog(), { currency: 'EUR' })
    expect([status, body.error.details.issues]).toEqual([
      400,
      [{ path: ['currency'], message: 'currency must stay CHF: the orders of the project are counted in it.' }],
    ])
  })

  test('with a new rate make money of orders that had none, and results follow', async () => {
    await send(event(placed()), event(placed({ orderId: '2', currency: 'USD' }), { unit: 'u-2' }))
    expect(await list('?orderId=2')).toMatchObject([{ reporting: null }])
    await edit({ rates: { USD: '0.9' } })
    expect(await list('?orderId=2')).toMatchObject([{ reporting: { currency: 'EUR', rate: '0.9', revenue: '41.57' } }])
    expect(await changes()).toEqual(['u-2'])
    // A later rate does not move what is stamped.
    await edit({ rates: { USD: '0.8' } })
    await send(event(placed({ orderId: '3', currency: 'USD' })))
    const rates = (await list()).map((each: { reporting: { rate: string } }) => each.reporting.rate)
    expect(rates.toSorted()).toEqual(['0.8', '0.9', '1'])
  })

  test('can change rates and trust at once', async () => {
    await send(event(placed()), event(placed({ orderId: '2', currency: 'USD' })))
    await edit({ rates: { USD: '0.9' }, orders: { trust: 'CONFIRMED' } })
    expect(await list('?orderId=2')).toMatchObject([{ counted: false, reporting: { rate: '0.9' } }])
    expect(await changes()).toEqual(['u-17'])
  })

  test('take their locks as orders do: first that of the currency, and that of batches when orders are filled', async () => {
    await send(event(placed()), event(placed({ orderId: '2', currency: 'USD' })))
    const money = { currency: 'EUR', rates: {}, orderTrust: 'AUTO' as const }
    await service.db.transaction().execute(async (tx) => {
      const isHeld = async () => {
        const { rows } = await sql<{ held: boolean }>`
          select xmax::text = pg_current_xact_id()::text as held from catalogs
          where project_id = ${project.id}`.execute(tx)
        return rows[0]!.held
      }
      let isNumbered = false
      const numberIn = async () => {
        expect(await isHeld()).toBe(true)
        const { rows } = await sql`select from orders where project_id = ${project.id} and rate is null`.execute(tx)
        expect(rows).toEqual([])
        isNumbered = true
        return 1
      }
      const change = {
        projectId: project.id,
        before: money,
        after: { ...money, rates: { USD: '0.9' } },
        now: clock.now(),
      }
      expect(await followSettings(tx, { numberIn }, change)).toBe(undefined)
      expect(isNumbered).toBe(true)
    })
  })

  test('say whether orders count that no import knows', async () => {
    await send(event(placed()))
    await edit({ orders: { trust: 'CONFIRMED' } })
    expect(await list()).toMatchObject([{ counted: false }])
    expect((await succeed(service, 'GET', `${project.path}/orders/summary`)).total).toMatchObject({
      ...{ orders: 0, revenue: '0.00', unconfirmed: 1 },
    })
    await edit({ orders: { trust: 'SDK' } })
    expect(await list()).toMatchObject([{ counted: true }])
    expect(await changes()).toEqual(['u-17', 'u-17'])
  })

  test('and its items give orders their products and costs, which then stay', async () => {
    const sold = {
      itemId: 'SKU-17-M',
      productId: 'G17',
      title: 'Shirt',
      link: 'https://shop.example/17',
      price: '19.99',
    }
    const save = (cost: string) =>
      succeed(service, 'POST', `${catalog()}/items/batch`, { upsert: [{ ...sold, currency: 'EUR', cost }] })
    await save('7.50')
    await send(event(placed()))
    await save('9.00')
    await send(event(placed({ orderId: '2' })))
    await send(event(placed({ orderId: '3', items: [item, { ...item, itemId: 'unknown' }] })))
    expect(await list()).toMatchObject([
      { orderId: '3', reporting: { margin: null }, items: [{ cost: '9.00' }, { cost: null, productId: null }] },
      { orderId: '2', reporting: { margin: '19.19' }, items: [{ productId: 'G17', cost: '9.00' }] },
      { orderId: '100234', reporting: { margin: '23.69' }, items: [{ productId: 'G17', cost: '7.50' }] },
    ])
  })

  test('with a rate that cannot be right do not keep other orders from being stored', async () => {
    const shirt = {
      itemId: 'A',
      title: 'Shirt',
      link: 'https://shop.example/a',
      price: '99',
      currency: 'EUR',
      cost: '9999',
    }
    await succeed(service, 'POST', `${catalog()}/items/batch`, { upsert: [shirt] })
    await edit({ currency: 'EUR', rates: { VND: '0.0000000001', KWD: '999999999.9999999999' } })
    const most = { total: '99999999999.9999', tax: '0', shipping: '99999999999.9999', discount: '99999999999.9999' }
    const items = Array.from({ length: 200 }, () => ({ itemId: 'A', quantity: 1_000_000, price: '99999999999.9999' }))
    const odd = (orderId: string, currency: string, more: object = {}) => event(placed({ orderId, currency, ...more }))
    expect(
      await send(
        odd('1', 'VND', { items }),
        odd('2', 'VND', { ...most, items }),
        odd('3', 'KWD', { ...most, shipping: '0', items }),
        odd('4', 'EUR'),
      ),
    ).toMatchObject({ accepted: 4 })
    expect(await list('?orderId=4')).toMatchObject([{ reporting: { revenue: '46.19' } }])
    expect(await list()).toHaveLength(4)
    await succeed(service, 'GET', `${project.path}/orders/summary`)
  })
})
