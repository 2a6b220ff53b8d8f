import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, minuteMs, standingClock } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { csvOf, offers, openShop, type Shop } from '../../../../testing/vendors/shop.ts'

const clock = standingClock()
let service: TestService
let shop: Shop
let project: TestProject
beforeAll(async () => {
  shop = await openShop()
  service = await startTestService({ now: clock.now, outbound: shop.outbound })
})
afterAll(async () => {
  await service.close()
  await shop.close()
})
beforeEach(async () => {
  project = await createProject(service)
})

const post = (path: string, body?: unknown) => succeed(service, 'POST', `${project.path}/${path}`, body)
const readJob = (id: string) => succeed(service, 'GET', `${project.path}/commerce/jobs/${id}`)

interface Asked {
  id: string
}

async function sync(): Promise<Asked> {
  await post('catalog/sources', { name: 'Feed', type: 'PRODUCTS', url: shop.url })
  shop.serve(csvOf(offers(3)))
  return post('catalog/sources/feed/sync')
}

async function restore(): Promise<Asked> {
  await post('catalog/items/batch', { upsert: [item('A')], delete: [] })
  await post('catalog/items/batch', { upsert: [item('B')], delete: [] })
  return post('catalog/revisions/1/restore')
}
const item = (itemId: string) => ({
  ...{ itemId, title: itemId, link: `https://shop.example/${itemId}`, price: '1.00', currency: 'EUR' },
})

async function orders(): Promise<Asked> {
  await post('catalog/sources', { name: 'Orders', type: 'ORDERS', url: shop.url })
  shop.serve(
    '{"orderId":"1","placedAt":"2026-01-01T10:00Z","currency":"EUR","total":1,"items":[{"itemId":"A","quantity":1,"price":1}]}',
  )
  return post('catalog/sources/orders/sync')
}

async function viewed(): Promise<void> {
  const [id, ts] = [randomUUID(), clock.now().getTime() - hourMs]
  const event = { type: 'track', id, ts, unit: 'u', eventKey: 'product_viewed', properties: { productId: 'A' } }
  const body = { sdkKey: project.production.sdkKey, events: [event] }
  expect((await service.call(null, 'POST', '/api/sdk/v1/events', body)).body.rejected).toEqual([])
}

async function version(): Promise<Asked> {
  await viewed()
  await post('datasets', { name: 'Behaviour', kind: 'INTERACTIONS' })
  return post('datasets/behaviour/versions')
}

async function model(): Promise<Asked> {
  await viewed()
  await post('recommendations/models', { name: 'Popular', strategy: 'POPULAR' })
  return post('recommendations/models/popular/runs')
}

/** Its node has died after it had made the change, and before it wrote how the job ended. */
const unended = (id: string, status: 'RUNNING' | 'QUEUED') =>
  sql`
  update jobs set status = ${status}, ended_at = null, due_at = ${clock.now()}, leased_until = null,
    input = jsonb_build_object('revision', 1, 'activated', result, 'ended', result), result = null
  where id = ${id}`.execute(service.db)

test.each([
  ['a sync', sync],
  ['a restore', restore],
  ['an import of orders', orders],
  ['a version of a dataset', version],
  ['a run of a model', model],
])('%s whose change is visible cannot be cancelled any more, and says what it has done', async (_what, ask) => {
  const { id } = await ask()
  await service.jobs.run()
  const { status, result } = await readJob(id)
  expect([status, result]).toEqual(['SUCCEEDED', expect.anything()])
  for (const before of ['RUNNING', 'QUEUED'] as const) {
    await unended(id, before)
    expect(await post(`commerce/jobs/${id}/cancel`)).toMatchObject({ status: before, isCancelling: true })
    clock.move(2 * minuteMs)
    await service.jobs.run()
    expect(await readJob(id)).toMatchObject({ status: 'SUCCEEDED', reason: null, result })
  }
})

test.each(['RUNNING', 'QUEUED'] as const)(
  'an erasure that is cancelled while it is %s says what is deleted',
  async (status) => {
    const { id } = await post('erasures', { units: ['u-1'] })
    const input = { units: ['u-1'], ruleIds: [], hasBegun: true }
    await sql`update jobs set status = ${status}, input = ${JSON.stringify(input)}::jsonb where id = ${id}`.execute(
      service.db,
    )
    await post(`commerce/jobs/${id}/cancel`)
    await service.jobs.run()
    const reason = expect.stringContaining('Events of the visitors are deleted')
    expect(await readJob(id)).toMatchObject({ status: 'CANCELLED', reason })
    const again = await post(`commerce/jobs/${id}/retry`)
    await service.jobs.run()
    expect(await readJob(again.id)).toMatchObject({ status: 'SUCCEEDED', reason: null })
  },
)
