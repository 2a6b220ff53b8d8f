// What orders give to results, against brute force: before and after refunds, cancellations and late visitors.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, standingClock } from '../../../../testing/clock.ts'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { abTest, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refresh, type WatchedRule, watchedRule } from '../../../../testing/watching.ts'
import { haveOrdersChanged } from '../counting/index.ts'
import type { MeasuredEvents, NewEvent } from '../events/index.ts'
import { storeOrders } from './actions.ts'
import { importOrders } from './import/actions.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
let events: MeasuredEvents
let rule: WatchedRule
const windowHours = 48

const metrics = [
  { key: 'purchase', type: 'PROPORTION', eventKey: 'order' },
  { key: 'revenue', type: 'MEAN', eventKey: 'order', valueFrom: 'value' },
  { key: 'pieces', type: 'MEAN', eventKey: 'order.items', valueFrom: 'value' },
  { key: 'average', type: 'RATIO', eventKey: 'order', valueFrom: 'value', denominator: { eventKey: 'order' } },
  // Two sources in one metric.
  { key: 'by_visit', type: 'RATIO', eventKey: 'order', valueFrom: 'value', denominator: { eventKey: 'visit' } },
  { key: 'refunds', type: 'MEAN', eventKey: 'order.refund', valueFrom: 'value', direction: 'DECREASE' },
]

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  const settings = clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {}
  service = await startTestService({ now: clock.now, settings })
  events = eventStoreOn(service.database, clickHouseUrl)
  project = await createProject(service)
  for (const { key, ...metric } of metrics)
    await succeed(service, 'POST', `${project.path}/metrics`, {
      ...{ key, name: key, direction: 'INCREASE', conversionWindowHours: windowHours },
      ...metric,
    })
  const roles = { primary: ['revenue'], secondary: metrics.map(({ key }) => key).filter((key) => key !== 'revenue') }
  rule = await watchedRule(
    { service, project },
    'checkout',
    abTest('Copy', {
      metrics: { ...roles, guardrails: [] },
      statistics: { inProgressConversions: 'INCLUDE' },
    }),
  )
})
afterAll(() => service.close())

interface Bought {
  orderId: string
  unit: string | null
  /** When it was placed. */
  at: number
  total: number
  pieces: number
  refunded: number
  cancelled: boolean
}

interface Visitor {
  unit: string
  arm: 'on' | 'off'
  at: number
  visits: number[]
}

const visitors: Visitor[] = []
const bought: Bought[] = []

/** Numbers that look random and are the same in each run. */
function chances(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const chance = chances(11)

async function newVisitors(count: number): Promise<void> {
  const envId = project.production.id
  const told: NewEvent[] = []
  for (let i = 0; i < count; i++) {
    const unit = `u-${visitors.length}`
    const arm = chance() < 0.5 ? ('on' as const) : ('off' as const)
    // Whole milliseconds, as each event that arrives.
    const at = Math.floor(clock.now().getTime() - hourMs * chance())
    const common = { envId, unit, clamped: false, kind: 0 } as const
    const exposure = { ruleId: rule.id, variationId: rule.flag.ids[arm]!, dimensions: null }
    told.push({ type: 'exposure', ...common, id: randomUUID(), at, ...exposure })
    const visits = Array.from({ length: Math.floor(chance() * 3) }, () => at + Math.floor(hourMs * chance() * 0.5))
    for (const seen of visits)
      told.push({ type: 'track', ...common, id: randomUUID(), at: seen, eventKey: 'visit', value: null })
    visitors.push({ unit, arm, at, visits })
  }
  await events.append(told, clock.now())
}

const orderOf = ({ orderId, total, pieces }: Bought) => ({
  ...{ orderId, currency: 'EUR', total: total.toFixed(2) },
  items: [{ itemId: 'A', quantity: pieces, price: '1.00' }],
})

/** Half of the visitors buy now, some of them twice, and somebody whom the test does not know. */
async function newOrders(): Promise<void> {
  const at = clock.now().getTime()
  const buyers = [...visitors.filter(() => chance() < 0.5), ...visitors.filter(() => chance() < 0.1)]
  const orders = [...buyers.map(({ unit }) => unit), 'nobody'].map((unit) => {
    const total = Math.round(chance() * 10_000) / 100
    return {
      ...{ orderId: `${bought.length + Math.random()}`, unit, at, total, pieces: 1 + Math.floor(chance() * 5) },
      ...{ refunded: 0, cancelled: false },
    }
  })
  bought.push(...orders)
  // An import knows some of them first, with or without their visitors.
  await change(orders.filter((_, at) => at % 4 === 1))
  await change(
    orders.filter(({ unit }, at) => at % 4 === 2 && unit !== 'nobody'),
    true,
  )
  for (let from = 0; from < orders.length; from += 100)
    await succeedSending(orders.slice(from, from + 100).map((order) => [order, order.unit] as const))
  await change(orders.filter((_, at) => at % 4 === 3))
}

async function succeedSending(orders: readonly (readonly [Bought, string])[]): Promise<void> {
  const { status, body } = await service.call(null, 'POST', '/api/sdk/v1/events', {
    sdkKey: project.production.sdkKey,
    events: orders.map(([order, unit]) => ({
      ...{ type: 'order', id: randomUUID(), ts: new Date(order.at).toISOString(), unit, order: orderOf(order) },
    })),
  })
  expect([status, body]).toEqual([202, { accepted: orders.length, duplicates: 0, rejected: [] }])
}

/** Imports orders with their figures of now. Without `names`, the import does not know their visitors. */
async function change(orders: readonly Bought[], names = false, currency = 'EUR'): Promise<void> {
  const place = { projectId: project.id, envId: project.production.id, now: clock.now() }
  const told = orders.map(({ orderId, unit, at, total, pieces, refunded, cancelled }) => {
    const status = cancelled
      ? 'CANCELLED'
      : refunded === 0
        ? 'PLACED'
        : refunded >= total
          ? 'REFUNDED'
          : 'PARTIALLY_REFUNDED'
    return {
      ...{
        orderId,
        unit: names ? unit : null,
        placedAt: new Date(at),
        currency,
        tax: 0,
        shipping: 0,
        discount: 0,
      },
      ...{ total: Math.round(total * 10_000), refunded: Math.round(refunded * 10_000), status: status as 'PLACED' },
      items: [{ itemId: 'A', quantity: pieces, refundedQuantity: 0, price: 10_000, cost: null }],
    }
  })
  await service.db.transaction().execute((tx) => importOrders(tx, events, told, place))
}

/** What each arm has, counted by hand. */
function expected(arm: 'on' | 'off') {
  const members = visitors.filter((visitor) => visitor.arm === arm)
  const ofMembers = members.flatMap(({ unit, at }) =>
    bought
      .filter((order) => order.unit === unit && !order.cancelled)
      .filter((order) => order.at >= at && order.at < at + windowHours * hourMs),
  )
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const revenue = sum(ofMembers.map(({ total, refunded }) => Math.max(0, total - refunded)))
  return {
    units: members.length,
    purchase: new Set(ofMembers.map(({ unit }) => unit)).size,
    revenue,
    pieces: sum(ofMembers.map(({ pieces }) => pieces)),
    orders: ofMembers.length,
    refunds: sum(ofMembers.map(({ refunded }) => refunded)),
    visits: sum(members.map(({ visits }) => visits.length)),
  }
}

async function expectResults(): Promise<void> {
  const results = await refresh({ service, project } as never, rule)
  for (const arm of ['on', 'off'] as const) {
    const figures = (key: string) => {
      const metric = results.metrics.find((each: { key: string }) => each.key === key)
      return metric.variations.find((each: { variationId: string }) => each.variationId === rule.flag.ids[arm])
    }
    const wanted = expected(arm)
    expect(figures('purchase')).toMatchObject({ units: wanted.units, sum: wanted.purchase })
    expect(figures('revenue').sum).toBeCloseTo(wanted.revenue, 6)
    expect(figures('pieces').sum).toBe(wanted.pieces)
    expect(figures('refunds').sum).toBeCloseTo(wanted.refunds, 6)
    expect(figures('average').sum).toBeCloseTo(wanted.revenue, 6)
    expect(figures('average').denominatorSum).toBe(wanted.orders)
    expect(figures('by_visit').sum).toBeCloseTo(wanted.revenue, 6)
    expect(figures('by_visit').denominatorSum).toBe(wanted.visits)
  }
}

describe('results over orders', () => {
  test('equal a sum by hand, with visitors and orders that come between snapshots', async () => {
    clock.move(2 * hourMs)
    await newVisitors(60)
    clock.move(hourMs)
    await newOrders()
    await expectResults()
    expect(expected('on').revenue).toBeGreaterThan(0)
    clock.move(hourMs)
    await newVisitors(40)
    await newOrders()
    await expectResults()
  })

  test('follow refunds and cancellations, also of orders that came since the last snapshot', async () => {
    clock.move(hourMs)
    await newOrders()
    const some = bought.filter(() => chance() < 0.3)
    for (const order of some) {
      order.cancelled = chance() < 0.3
      order.refunded = order.cancelled ? 0 : Math.round(order.total * (chance() < 0.5 ? 1 : 0.4) * 100) / 100
    }
    await change(some)
    await expectResults()
    expect(expected('on').refunds).toBeGreaterThan(0)
  })

  test('take a refund back that was a mistake', async () => {
    const refunded = bought.filter((order) => order.refunded > 0)
    for (const order of refunded) order.refunded = 0
    await change(refunded)
    await expectResults()
  })

  test('count an order for a visitor who is named later', async () => {
    const at = clock.now().getTime()
    const late = { orderId: 'late', unit: visitors[0]!.unit, at, total: 5, pieces: 1, refunded: 0, cancelled: false }
    await sql`
      insert into orders (id, project_id, env_id, order_id, batch, placed_at, received_at, status, by_sdk, by_import,
        currency, total, tax, shipping, discount, pieces, costs, reporting_currency, reporting_digits, rate, updated_at)
      values (${randomUUID()}, ${project.id}, ${project.production.id}, 'late', nextval('event_batches'), ${clock.now()},
        ${clock.now()}, 'PLACED', false, true, 'EUR', 5, 0, 0, 0, 1, null, 'EUR', 2, 1, ${clock.now()})`.execute(
      service.db,
    )
    await expectResults()
    bought.push(late)
    await succeedSending([[late, late.unit]])
    await expectResults()
  })

  test('move by a refund after the last window has closed, and are not computed again for other visitors', async () => {
    await succeed(service, 'POST', `${rule.flag.production}/pause`)
    clock.move(40 * dayMs)
    await service.snapshots.run()
    await expectResults()
    const computedAt = async () => {
      const { rows } = await sql<{ at: Date }>`
        select max(as_of) as at from snapshots where rule_id = ${rule.id}`.execute(service.db)
      return rows[0]!.at
    }
    const before = await computedAt()
    const nobody = bought.find(({ unit }) => unit === 'nobody')!
    nobody.refunded = nobody.total
    await change([nobody])
    clock.move(2 * hourMs)
    await service.snapshots.run()
    expect(await computedAt()).toEqual(before)
    const known =
      bought.find(({ unit, cancelled, total }) => unit === visitors[1]!.unit && !cancelled && total > 0) ??
      bought.find(({ unit, cancelled, total }) => unit !== 'nobody' && !cancelled && total > 0)!
    known.refunded = known.total
    await change([known])
    clock.move(2 * hourMs)
    await service.snapshots.run()
    expect(await computedAt()).not.toEqual(before)
    await expectResults()
  })

  test('of a rule that was deleted meanwhile have no changes', async () => {
    const deleted = { ruleId: randomUUID(), envId: project.production.id }
    expect(await haveOrdersChanged({ db: service.db, events }, deleted)).toBe(false)
  })

  test('do not make ingestion wait if no order has changed', async () => {
    const { rows } = await sql<{ last: number }>`select last_value as last from event_batches`.execute(service.db)
    await sql`update measured_rules set changes_batch = ${rows[0]!.last} where rule_id = ${rule.id}`.execute(service.db)
    const waiting = { ...events, position: () => expect.fail('ingestion waits') }
    const asked = { ruleId: rule.id, envId: project.production.id }
    expect(await haveOrdersChanged({ db: service.db, events: waiting }, asked)).toBe(false)
  })

  test('stay as they are when visitors are erased, and so do the amounts of their orders', async () => {
    const { rows: before } = await sql`
      select order_id, revenue from orders where unit = 'u-2' order by order_id`.execute(service.db)
    expect(before.length).toBeGreaterThan(0)
    await succeed(service, 'POST', `${project.path}/erasures`, { units: ['u-2'] })
    await service.jobs.run()
    await expectResults()
    const ids = before.map((row) => (row as { order_id: string }).order_id)
    const { rows: after } = await sql<{ unit: string }>`
      select order_id, revenue, unit from orders where order_id = any(${ids}::text[]) order by order_id`.execute(
      service.db,
    )
    expect(after).toMatchObject(before)
    expect(new Set(after.map(({ unit }) => unit)).size).toBe(1)
    expect(after[0]!.unit).toMatch(/^[\da-f-]{36}$/)
    // A refund of such an order does not count the visitor again: the events are gone.
    const [order] = bought.filter(({ orderId }) => ids.includes(orderId))
    await change([{ ...order!, unit: after[0]!.unit, refunded: order!.total }])
    await expectResults()
  })
})

test('an order of more than a million millions counts', async () => {
  const revenueOf = async (arm: 'on' | 'off') => {
    const { metrics: all } = await refresh({ service, project } as never, rule)
    const { variations } = all.find(({ key }: { key: string }) => key === 'revenue')
    return variations.find((each: { variationId: string }) => each.variationId === rule.flag.ids[arm]).sum
  }
  const { unit, at, arm } = visitors[3]!
  const before = await revenueOf(arm)
  await succeed(service, 'PATCH', `${project.path}/catalog`, { rates: { VND: '1000' } })
  const placed = { orderId: 'large', unit, at: at + hourMs, pieces: 1, refunded: 0, cancelled: false }
  await change([{ ...placed, total: 90_000_000_000 }], true, 'VND')
  expect((await revenueOf(arm)) - before).toBeCloseTo(9e13, 0)
})

test('portions of any size have each event of both sources once', async () => {
  const envId = project.development.id
  const at = clock.now().getTime()
  const told: string[] = []
  for (let count = 0; count < 30; count += 1) {
    const units = Array.from({ length: 1 + Math.floor(chance() * 3) }, (_, n) => `${count}-${n}`)
    const common = { envId, at, clamped: false, kind: 0 } as const
    if (chance() < 0.5) {
      const visits = units.map(
        (unit) => ({ type: 'track', ...common, id: randomUUID(), unit, eventKey: 'visit' }) as const,
      )
      await events.append(
        visits.map((visit) => ({ ...visit, value: null })),
        clock.now(),
      )
      told.push(...units.map((unit) => `${unit} visit`))
    } else {
      const money = { currency: 'EUR', total: 10_000, tax: 0, shipping: 0, discount: 0 }
      const items = [{ itemId: 'A', quantity: 1, price: 10_000 }]
      const orders = units.map((unit) => ({ type: 'order', envId, at, unit, orderId: unit, ...money, items }) as const)
      await storeOrders({ db: service.db, events }, orders, clock.now())
      told.push(...units.flatMap((unit) => [`${unit} order`, `${unit} order.items`]))
    }
  }
  const through = await events.position()
  // A share of a portion is one order or event at least, and a portion ends with its batch.
  for (const eventKeys of [['order', 'visit'], ['order'], ['visit', 'order.items', 'order.margin'], ['visit']])
    for (const share of [1e-6, 2e-4, 1]) {
      const read: string[] = []
      let after = 0
      for (;;) {
        const portion = await events.trackedAfter({ envId, eventKeys }, { after, through }, share)
        if (!portion) break
        expect(portion.last).toBeGreaterThan(after)
        const { rows } = await sql<{ unit: string; event_key: string }>`
          select unit, event_key from (${portion.rows}) portion`.execute(service.db)
        read.push(...rows.map(({ unit, event_key: key }) => `${unit} ${key}`))
        after = portion.last
      }
      const wanted = told.filter((each) => eventKeys.includes(each.split(' ')[1]!))
      expect(read.toSorted(), `${eventKeys} ${share}`).toEqual(wanted.toSorted())
    }
})
