import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import type { Address } from '../testing/databases/address.ts'
import { endLeases, hold } from '../testing/databases/holding.ts'
import { quiet } from '../testing/databases/templates.ts'
import { isFull } from '../testing/full.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess } from '../testing/processes/provisioned.ts'
import { startWithShop } from '../testing/vendors/process-with-shop.ts'

/**
 * The steps of an import and of a run, with tables that both wait for in this step. New orders are first in each file and
 * fill a portion; only the portions after it change orders, and note whose.
 */
const steps = [
  { written: ['job_errors'], read: ['tracked_events'] },
  { written: ['order_changes', 'model_parts'] },
  { written: ['order_confirmations', 'model_parts'] },
  // What they have done is recorded, and their ends are not.
  { written: ['job_schedules'] },
] as const
const rounds = isFull ? [...steps, ...steps, ...Array.from({ length: 12 }, () => null)] : [steps[1], steps[3]]
const newInRound = 500
const changing = 700
const products = 40
const longestMs = 600

test('after kill -9 in each step of an import and of a run, each order and each list is the old or the new one', {
  timeout: 900_000,
}, async () => {
  const { shop, address, settings, service: first } = await startWithShop()
  let service = first
  const call = async (method: string, path: string, body?: object) =>
    (await callProcess(service, method, path, body)).data
  const { project, sdkKey } = await prepare(call, shop.url)
  const listed = () => listOf(service, sdkKey)
  const ended = (ids: readonly string[]) =>
    expect
      .poll(async () => {
        const jobs = await Promise.all(ids.map((id) => call('GET', `${project}/commerce/jobs/${id}`)))
        return jobs.map(({ status }) => status)
      })
      .toEqual(ids.map(() => 'SUCCEEDED'))

  let before = new Map<string, string>()
  for (const [round, step] of [undefined, ...rounds].entries()) {
    const orders = ordersOf(round)
    const after = new Map([...before, ...orders.map((order) => [order.orderId, textOf(order)] as const)])
    shop.serve(orders.map((order) => JSON.stringify(order)).join('\n'))
    await view(service, sdkKey, round)
    const held = step && (await Promise.all([hold(address, step.written), readsHeld(address, step)]))
    const ids = [
      (await call('POST', `${project}/catalog/sources/orders/sync`)).id,
      (await call('POST', `${project}/recommendations/models/popular/runs`)).id,
    ]
    if (step !== undefined) {
      const [written, read] = held ?? []
      // The embedded database has one user, so the moment of the kill is random there.
      if (written) await Promise.all([written.waitedFor(read ? 1 : 2), read?.waitedFor(1)])
      else await pause(randomInt(1, longestMs))
      await service.kill()
      for (const each of held ?? []) await each?.release()
      await endLeases(address)
      const shown = await stored(address)
      for (const [id, text] of shown.orders) expect([before.get(id), after.get(id)]).toContain(text)
      expect([...before.keys()].filter((id) => !shown.orders.has(id))).toEqual([])
      if (written && step === steps[1]) expect(shown.orders.size).toBe(before.size + newInRound)
      expect([round, round + 1]).toContain(shown.activeRun)
      expect(shown.isWhole).toBe(true)
      service = await startForTest(settings)
      expect([listAfter(round - 1), listAfter(round)]).toContainEqual(await listed())
    }
    await ended(ids)
    await expect.poll(listed).toEqual(listAfter(round))
    before = after
  }
  const { total } = await call('GET', `${project}/orders/summary?from=2026-01-01&to=2026-01-02`)
  expect(await service.stop()).toBe(0)
  const end = await stored(address)
  expect(end).toMatchObject({ orders: before, activeRun: rounds.length + 1, isWhole: true })
  expect(end.completed).toEqual({
    'commerce.import.completed': rounds.length + 1,
    'recommendation.run.completed': rounds.length + 1,
  })
  expect(total).toMatchObject({ orders: before.size, revenue: revenueOf(before) })
})

const readsHeld = (address: Address, step: (typeof steps)[number]) =>
  'read' in step ? hold(address, step.read, { alsoReads: true }) : undefined

type Call = (method: string, path: string, body?: object) => ReturnType<typeof callProcess>

/** A project with products, a source of orders, and a model that a placement serves. */
async function prepare(call: Call, url: string) {
  const { id } = await call('POST', '/api/v1/projects', { name: 'Shop' })
  const project = `/api/v1/projects/${id}`
  const environments: { key: string; sdkKey: string }[] = await call('GET', `${project}/environments`)
  const { sdkKey } = environments.find(({ key }) => key === 'production')!
  const upsert = Array.from({ length: products }, (_, at) => ({
    ...{ itemId: `G${at}`, title: `Item ${at}`, link: `https://shop.example/${at}`, price: '1.00', currency: 'EUR' },
  }))
  await call('POST', `${project}/catalog/items/batch`, { upsert })
  const format = { format: 'JSONL', defaultCurrency: 'EUR' }
  await call('POST', `${project}/catalog/sources`, { name: 'Orders', type: 'ORDERS', url, ...format })
  await call('POST', `${project}/recommendations/models`, { name: 'Popular', strategy: 'POPULAR' })
  const variants = { default: { strategies: ['popular'] } }
  await call('POST', `${project}/recommendations/placements`, { name: 'Home', limit: 50, variants })
  return { project, sdkKey }
}

interface Placed {
  orderId: string
  total: string
  refundedAmount: string
  items: [{ itemId: string; quantity: number; price: string }]
}

/** What the shop says in a round: prices are those of the round, and refunds come and go. */
function ordersOf(round: number): Placed[] {
  const fresh = Array.from({ length: newInRound }, (_, at) => `new-${round}-${at}`)
  const known = Array.from({ length: changing }, (_, at) => `order-${at}`)
  return [...fresh, ...known].map((orderId, at) => {
    const [price, quantity] = [round + 1, 1 + (at % 3)]
    return {
      ...{ orderId, placedAt: '2026-01-01T10:00:00Z', unit: `u-${at}`, total: `${price * quantity}.00` },
      refundedAmount: at % 5 === round % 5 ? '1.00' : '0.00',
      items: [{ itemId: 'G1', quantity, price: `${price}.00` }],
    }
  })
}

const textOf = ({ total, refundedAmount, items: [{ quantity, price }] }: Placed) =>
  [total, refundedAmount, quantity, price].map(Number).join(' ')

function revenueOf(orders: ReadonlyMap<string, string>): string {
  const of = (text: string) => {
    const [total = 0, refunded = 0] = text.split(' ').map(Number)
    return total - refunded
  }
  return [...orders.values()].reduce((sum, text) => sum + of(text), 0).toFixed(2)
}

/** More visitors than in all rounds before view the product of this round, so it becomes the first of the list. */
async function view({ url }: ServiceProcess, sdkKey: string, round: number): Promise<void> {
  const events = Array.from({ length: 2 * (round + 1) }, (_, at) => ({
    ...{ id: randomUUID(), type: 'track', ts: Date.now(), unit: `u-${at}`, eventKey: 'product_viewed' },
    properties: { productId: `G${round}` },
  }))
  const answer = await fetch(`${url}/api/sdk/v1/events`, { method: 'POST', body: JSON.stringify({ sdkKey, events }) })
  expect([answer.status, await answer.json()]).toMatchObject([202, { accepted: events.length }])
}

const listAfter = (round: number): string[] => Array.from({ length: round + 1 }, (_, at) => `G${round - at}`)

async function listOf({ url }: ServiceProcess, sdkKey: string): Promise<string[]> {
  const body = JSON.stringify({ sdkKey, placement: 'home' })
  const answer = await fetch(`${url}/api/sdk/v1/recommendations`, { method: 'POST', body })
  const { items } = (await answer.json()) as { items: { productId: string }[] }
  return items.map(({ productId }) => productId)
}

/** What people see: each order with its line, the run that serves, and the events about what has ended. */
async function stored(address: Address) {
  const { db, close } = await openDatabase({ ...address, log: quiet })
  const { rows: orders } = await sql<{ id: string; numbers: number[] }>`
    select orders.order_id as id, array[total, refunded, quantity, price]::float8[] as numbers
    from orders left join order_items on order_items.order_id = orders.id`.execute(db)
  const { rows: runs } = await sql<{ number: number; isWhole: boolean }>`
    select number, bool_and(sha256(model_parts.bytes) = sha256)
      and sum(length(model_parts.bytes)) = min(model_runs.bytes) as "isWhole"
    from models join model_runs on model_runs.id = active_run_id join model_parts on run_id = model_runs.id
    group by number`.execute(db)
  const { rows: told } = await sql<{ name: string; count: number }>`
    select name, count(*)::integer as count from events
    where name in ('commerce.import.completed', 'recommendation.run.completed') group by name`.execute(db)
  await close()
  return {
    orders: new Map(orders.map(({ id, numbers }) => [id, numbers.join(' ')])),
    ...{ activeRun: runs[0]?.number, isWhole: runs[0]?.isWhole },
    completed: Object.fromEntries(told.map(({ name, count }) => [name, count])),
  }
}
