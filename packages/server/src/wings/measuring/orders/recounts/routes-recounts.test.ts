// What a setting changes about many orders is done in portions.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { eventStoreOn } from '../../../../../testing/databases/clickhouse.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { portions } from './actions.ts'
import { recounting } from './worker.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
let worker: ReturnType<typeof recounting>
beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  // What is left is done when the test says so.
  await service.recounts.stop()
  const events = eventStoreOn(service.database, undefined)
  worker = recounting({ db: service.db, events, now: clock.now }, (error) => expect.fail(String(error)))
})
afterAll(() => service.close())

beforeEach(async () => {
  project = await createProject(service)
  await edit({ currency: 'EUR' })
})

const edit = (settings: object) => succeed(service, 'PATCH', `${project.path}/catalog`, settings)

/** Orders in dollars, each of its own visitor. */
const store = (count: number) =>
  sql`
    insert into orders (id, project_id, env_id, order_id, batch, unit, placed_at, received_at, status, by_sdk, by_import,
      currency, total, tax, shipping, discount, pieces, costs, updated_at)
    select gen_random_uuid(), ${project.id}, ${project.production.id}, 'o-' || n, 1, 'u-' || n, ${clock.now()}, ${clock.now()},
      'PLACED', true, false, 'USD', 10, 0, 0, 0, 1, null, ${clock.now()} from generate_series(1, ${count}::integer) n`.execute(
    service.db,
  )

const count = async (rows: ReturnType<typeof sql>) => {
  const { rows: found } = await sql<{ count: number }>`select count(*)::integer as count from ${rows}`.execute(
    service.db,
  )
  return found[0]!.count
}
const unrated = () => count(sql`orders where project_id = ${project.id} and rate is null`)
const left = () => count(sql`order_recounts where project_id = ${project.id}`)
/** How many visitors each batch has. */
const noted = async () => {
  const { rows } = await sql<{ visitors: number }>`
    select count(*)::integer as visitors from order_changes where env_id = ${project.production.id}
    group by batch order by batch`.execute(service.db)
  return rows.map(({ visitors }) => visitors)
}

test('a new rate fills the first orders at once and the others in portions, also after a node has died', async () => {
  await store(2 * portions.filled + 300)
  await edit({ rates: { USD: '0.9' } })
  expect([await unrated(), await left(), await noted()]).toEqual([portions.filled + 300, 1, [portions.filled]])
  const died = new Date(clock.now().getTime() + minuteMs)
  await sql`update order_recounts set leased_until = ${died} where project_id = ${project.id}`.execute(service.db)
  await worker.run()
  expect(await left()).toBe(1)
  clock.move(2 * minuteMs)
  await worker.run()
  expect([await unrated(), await left()]).toEqual([0, 0])
  // Each order once, and no batch has more than a snapshot can take.
  expect(await noted()).toEqual([portions.filled, portions.filled, 300])
  const { rows } =
    await sql`select distinct rate::text, revenue::text from orders where project_id = ${project.id}`.execute(
      service.db,
    )
  expect(rows).toEqual([{ rate: '0.9000000000', revenue: '9.00' }])
})

test('a rate that is taken back meanwhile ends the filling', async () => {
  await store(portions.filled + 1)
  await edit({ rates: { USD: '0.9' } })
  await edit({ rates: {} })
  await worker.run()
  expect([await unrated(), await left()]).toEqual([1, 0])
})

test('another trust has all visitors counted again, some thousand in a batch', async () => {
  await store(2 * portions.looked)
  await edit({ orders: { trust: 'CONFIRMED' } })
  expect([await left(), await noted()]).toEqual([1, [portions.looked]])
  await Promise.all([worker.run(), worker.run()])
  expect([await left(), await noted()]).toEqual([0, [portions.looked, portions.looked]])
})
