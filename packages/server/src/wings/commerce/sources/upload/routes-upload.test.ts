import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { newServiceToken } from '../../../../../testing/people.ts'
import { fileSender } from '../../../../../testing/sent-file.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { leftOversOf, shownItems } from '../../../../../testing/shown-items.ts'
import { csvOf, offers, openShop, type Shop } from '../../../../../testing/vendors/shop.ts'
import { waitMs } from '../../../../platform/jobs/index.ts'

const clock = standingClock()
let service: TestService
let shop: Shop
let open: Awaited<ReturnType<typeof fileSender>>
beforeAll(async () => {
  shop = await openShop()
  service = await startTestService({ now: clock.now, outbound: shop.outbound })
  open = await fileSender(service)
})
afterAll(async () => {
  await service.close()
  await shop.close()
})

let project: TestProject
let source: { id: string }
let path: string
beforeEach(async () => {
  project = await createProject(service)
  source = await connect()
  path = `${project.path}/catalog/sources/costs/uploads`
})

const connect = (more: object = {}) =>
  succeed(service, 'POST', `${project.path}/catalog/sources`, { name: 'Costs', type: 'PRODUCTS', ...more })
const read = (of: string) => succeed(service, 'GET', `${project.path}/${of}`)
const call = (method: 'POST' | 'DELETE', of: string, body?: unknown) =>
  service.call(service.people.admin, method, `${project.path}/${of}`, body)
const send = (
  content: string | Buffer,
  { query = '', ...headers }: { query?: string; [name: string]: string } = {},
) => {
  const { request, answer } = open(path + query, headers)
  request.end(content)
  return answer
}
/** Sends a file and reads how its job has ended. */
async function sent(content: string | Buffer, of: Parameters<typeof send>[1] = {}) {
  const { status, body } = await send(content, of)
  expect([status, body.error]).toEqual([202, undefined])
  return ended(body.data.id)
}
async function ended(id: string) {
  const job = () => read(`commerce/jobs/${id}`)
  await expect.poll(async () => (await job()).endedAt).not.toBeNull()
  return job()
}
const events = async (name: string) =>
  (await service.call(service.people.admin, 'GET', `${project.path}/events?after=0&limit=100`)).body.data.filter(
    ({ event }: { event: string }) => event === name,
  )

describe('a file that is sent', () => {
  test('becomes one revision, and tells what it has done', async () => {
    const job = await sent(csvOf(offers(1200)))
    const catalog = { revision: 1, added: 1200, changed: 0, removed: 0, unchanged: 0 }
    expect(job).toMatchObject({
      ...{ kind: 'catalog_import', trigger: 'UPLOAD', status: 'SUCCEEDED', attempt: 1, itemsSkipped: 0 },
      source: { id: source.id, name: 'Costs' },
      result: { changed: true, rows: 1200, catalog },
    })
    expect(await events('commerce.import.completed')).toMatchObject([
      { kind: 'catalog_import', itemsSkipped: 0, changed: true, catalog, job: { id: job.id, trigger: 'UPLOAD' } },
    ])
    expect(await events('job.updated')).toMatchObject([{ job: { id: job.id, status: 'QUEUED', trigger: 'UPLOAD' } }])
    expect(await read('catalog/revisions')).toMatchObject([{ jobId: job.id, sourceId: source.id }])
  })

  test('can be packed, and the same once more changes nothing', async () => {
    const packed = gzipSync(csvOf(offers(60)))
    expect(await sent(packed, { 'content-type': 'application/gzip' })).toMatchObject({ result: { changed: true } })
    const again = await sent(packed, { 'content-encoding': 'gzip' })
    expect(again).toMatchObject({ status: 'SUCCEEDED', result: { changed: false, catalog: { unchanged: 60 } } })
    expect((await events('commerce.import.completed')).map(({ changed }: { changed: boolean }) => changed)).toEqual([
      ...[true, false],
    ])
    const bomb = await sent(gzipSync(Buffer.concat([packed, Buffer.alloc(1000)]).subarray(0, packed.length - 9)))
    expect(bomb).toMatchObject({ status: 'FAILED', reason: 'The file ends early: its gzip data is not complete.' })
  })

  test('and one that is fetched are compared with the last one of both', async () => {
    await succeed(service, 'PATCH', `${project.path}/catalog/sources/costs`, { url: shop.url })
    shop.serve(csvOf(offers(3)))
    const sync = async () => {
      const { id } = (await call('POST', 'catalog/sources/costs/sync')).body.data
      await service.jobs.run()
      return read(`commerce/jobs/${id}`)
    }
    await sync()
    expect(await sent(csvOf(offers(3, { price: '11 EUR' })))).toMatchObject({ result: { changed: true } })
    expect(await sync()).toMatchObject({ result: { changed: true, catalog: { changed: 3 } } })
    expect(await sync()).toMatchObject({ result: { changed: false } })
  })

  test('is held by the guards, and applied by sending it again', async () => {
    await sent(csvOf(offers(60)))
    const fewer = csvOf(offers(20))
    const held = await sent(fewer)
    expect(held).toMatchObject({ status: 'HELD', result: { guard: { check: 'REMOVED_SHARE', count: 40 } } })
    const applied = await call('POST', `commerce/jobs/${held.id}/apply`)
    expect([applied.status, applied.body.error.message]).toEqual([
      409,
      `The file of this job was sent. Send it again with ?apply=${held.id}.`,
    ])
    const worse = await sent(csvOf(offers(19)), { query: `?apply=${held.id}` })
    expect(worse).toMatchObject({ status: 'HELD', appliesJobId: held.id })
    expect(await sent(fewer, { query: `?apply=${held.id}` })).toMatchObject({ status: 'SUCCEEDED' })
    for (const [id, status] of [[held.id, 409] as const, [randomUUID(), 404] as const, ['x', 400] as const])
      expect((await send(fewer, { query: `?apply=${id}` })).status).toBe(status)
  })

  test('is refused while the source has a job, which a request for a sync gets', async () => {
    await succeed(service, 'PATCH', `${project.path}/catalog/sources/costs`, { url: shop.url })
    const first = open(`${path}?sending=first`)
    first.request.write(csvOf(offers(1)))
    await expect.poll(() => read('commerce/jobs')).toMatchObject([{ status: 'RUNNING', sending: 'first' }])
    const [{ id }] = await read('commerce/jobs')
    const second = await send(csvOf(offers(1)), { query: '?sending=second' })
    expect([second.status, second.body.error.code, second.body.error.details.references]).toEqual([
      ...[409, 'invalid_state', [{ type: 'job', id }]],
    ])
    const sync = await call('POST', 'catalog/sources/costs/sync')
    expect([sync.status, sync.body.data.id]).toEqual([200, id])
    expect((await call('DELETE', 'catalog/sources/costs')).status).toBe(409)
    first.request.end()
    expect((await first.answer).body.data.id).toBe(id)
    expect(await ended(id)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('that is cut off fails, leaves nothing behind, and cannot be retried', async () => {
    const cut = open(path)
    cut.request.on('error', () => {})
    cut.request.write(csvOf(offers(2000)))
    await expect.poll(() => leftOversOf(service, project.id)).toBeGreaterThan(0)
    cut.request.destroy()
    const [{ id }] = await read('commerce/jobs')
    expect(await ended(id)).toMatchObject({
      status: 'FAILED',
      reason: 'The body ended before all of it had arrived. Send the file again.',
    })
    expect([await leftOversOf(service, project.id), await shownItems(service, project.id)]).toEqual([0, {}])
    expect((await call('POST', `commerce/jobs/${id}/retry`)).body.error.message).toContain('Send the file again.')
    expect((await events('commerce.job_failed')).length).toBe(1)
  })

  test('fails at once if it is no feed, also before all of it has come', async () => {
    const page = open(path)
    page.request.write(`<!doctype html><html>${' '.repeat(5000)}`)
    await expect.poll(() => read('commerce/jobs')).toMatchObject([{ status: 'FAILED' }])
    page.request.end()
    expect((await page.answer).body.data).toMatchObject({
      ...{ status: 'FAILED', reason: 'Line 1: The file is a web page, not a feed.' },
    })
  })

  test('whose node has died is not repeated by another one', async () => {
    const job = await service.db.transaction().execute((tx) =>
      service.jobs.createReceived(tx, {
        ...{ id: randomUUID(), projectId: project.id, kind: 'catalog_import', trigger: 'UPLOAD', input: {} },
        ...{ source: { id: source.id, name: 'Costs' }, now: clock.now() },
      }),
    )
    clock.move(2 * minuteMs)
    await service.jobs.run()
    expect(await read(`commerce/jobs/${job!.id}`)).toMatchObject({
      ...{ status: 'FAILED', reason: 'The service was stopped. Send the file again.' },
    })
  })
})

test('jobs wait for the catalog without keeping others from their turn, and without a failed attempt', async () => {
  const other = await createProject(service)
  await sent(csvOf(offers(1)))
  const { id: sourceId } = await connect({ name: 'Feed', url: shop.url })
  const file = open(path)
  file.request.write(csvOf(offers(2000)))
  await expect.poll(() => leftOversOf(service, project.id)).toBeGreaterThan(0)
  const asked = shop.requests.length
  const ids = [
    (await call('POST', 'catalog/revisions/1/restore')).body.data.id,
    (await call('POST', `catalog/sources/${sourceId}/sync`)).body.data.id,
  ]
  const { id: free } = await succeed(service, 'POST', `${other.path}/erasures`, { units: ['u-1'] })
  await service.jobs.run()
  expect(await succeed(service, 'GET', `${other.path}/commerce/jobs/${free}`)).toMatchObject({ status: 'SUCCEEDED' })
  const dueAt = new Date(clock.now().getTime() + waitMs).toISOString()
  const waiting = { status: 'QUEUED', attempt: 0, reason: null, dueAt, progress: { step: 'WAIT' } }
  for (const id of ids) expect(await read(`commerce/jobs/${id}`)).toMatchObject(waiting)
  expect(shop.requests.length).toBe(asked)
  file.request.end()
  await ended((await file.answer).body.data.id)
  shop.serve(csvOf(offers(1, {}, 5000)))
  // Whichever is looked at first, the one that was made first has the catalog first.
  await sql`update jobs set due_at = due_at - interval '1 second' where id = ${ids[1]}`.execute(service.db)
  for (const _round of ids) {
    clock.move(waitMs)
    await service.jobs.run()
  }
  const revisions = await read('catalog/revisions')
  expect(revisions.slice(0, 2).map(({ jobId }: { jobId: string }) => jobId)).toEqual(ids.toReversed())
  for (const id of ids) expect(await read(`commerce/jobs/${id}`)).toMatchObject({ status: 'SUCCEEDED', attempt: 1 })
})

test('a job whose project is deleted ends with its next step, and nobody is told', async () => {
  const file = open(path)
  file.request.on('error', () => {})
  file.request.write(csvOf(offers(2)))
  await expect.poll(() => read('commerce/jobs')).toMatchObject([{ status: 'RUNNING' }])
  const [{ id }] = await read('commerce/jobs')
  const confirm = { 'x-svc-confirm': (await succeed(service, 'GET', project.path)).key }
  await service.call(service.people.admin, 'DELETE', project.path, undefined, confirm)
  file.request.end(csvOf(offers(2000)))
  const job = async () => {
    const { rows } = await sql`select status, reason from jobs where id = ${id}`.execute(service.db)
    return rows
  }
  await expect.poll(job).toEqual([{ status: 'CANCELLED', reason: 'The project was deleted.' }])
})

test.each([
  ['was deleted', sql`delete from tokens where id in`],
  ['has lost the scope', sql`update tokens set scopes = '{catalog:read}' where id in`],
])('a file ends when its token %s', async (_what, change) => {
  const token = await newServiceToken(service, ['catalog:write'])
  const file = open(path, { authorization: `Bearer ${token}` })
  file.request.write(csvOf(offers(2)))
  await expect.poll(() => read('commerce/jobs')).toMatchObject([{ status: 'RUNNING' }])
  await sql`${change} (select id from tokens where scopes = '{catalog:write}')`.execute(service.db)
  clock.move(11_000)
  file.request.write(csvOf(offers(2, {}, 10)))
  const { status, body } = await file.answer
  expect([status, body.data.status]).toEqual([202, 'FAILED'])
  expect(body.data.reason).toMatch(/^.*(token|scope).* Send the file again\.$/)
  expect(await shownItems(service, project.id)).toEqual({})
  file.request.on('error', () => {})
  file.request.destroy()
})

test('the limit for whole requests does not hold while a file is read, and for other requests it does', async () => {
  const accepted: Socket[] = []
  service.app.server.on('connection', (socket: Socket) => accepted.push(socket))
  const late = (socket: Socket) =>
    service.app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  const file = open(path)
  file.request.write(csvOf(offers(2)))
  await expect.poll(() => read('commerce/jobs')).toMatchObject([{ status: 'RUNNING' }])
  late(accepted.at(-1)!)
  file.request.end()
  expect((await file.answer).status).toBe(202)
  const forbidden = open(path, { authorization: `Bearer ${service.people.viewer}`, connection: 'close' })
  forbidden.request.flushHeaders()
  expect((await forbidden.answer).status).toBe(403)
  const other = open(`${project.path}/metrics`, { 'content-type': 'application/json', connection: 'close' })
  other.request.write('{')
  await once(service.app.server, 'request')
  late(accepted.at(-1)!)
  expect((await other.answer).status).toBe(408)
})

test('a project can send three files at once, and has their places until their jobs have ended', async () => {
  const files = await Promise.all(
    ['Costs 1', 'Costs 2', 'Costs 3', 'Costs 4'].map(async (name) => {
      const { key } = await connect({ name })
      return open(`${project.path}/catalog/sources/${key}/uploads`)
    }),
  )
  const last = files.pop()!
  for (const { request } of files) request.write(csvOf(offers(1)))
  await expect.poll(async () => (await read('commerce/jobs')).length).toBe(3)
  last.request.end(csvOf(offers(1)))
  const refused = await last.answer
  expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable'])
  for (const { request } of files) request.end()
  for (const { answer } of files) await ended((await answer).body.data.id)
  await expect.poll(async () => (await send(csvOf(offers(1)))).status).toBe(202)
})

test('an upload needs a file, a right to write, and no idempotency key', async () => {
  expect((await send('')).body.error.details.issues).toMatchObject([{ message: 'The body is required.' }])
  expect((await send('x', { 'idempotency-key': 'k' })).status).toBe(400)
  expect((await send('x', { 'content-type': 'image/png' })).status).toBe(415)
  expect((await send('x', { 'content-length': String(2 ** 31) })).status).toBe(413)
})

test('a file of a supplement that is sent sets its fields', async () => {
  await sent(csvOf(offers(2)))
  await connect({ name: 'Stock', type: 'SUPPLEMENT', fields: ['stock'] })
  path = path.replace('costs', 'stock')
  const [{ productId }] = await read('catalog/products')
  const {
    items: [{ itemId }],
  } = await read(`catalog/products/${productId}`)
  expect(await sent(`id,stock\n${itemId},5`)).toMatchObject({
    ...{ kind: 'stock_sync', trigger: 'UPLOAD', status: 'SUCCEEDED' },
    result: { changed: true, catalog: { changed: 1 } },
  })
})

test('a node that stops ends what it receives, also if its sender sends nothing more', async () => {
  const slow = open(path)
  slow.request.write(csvOf(offers(2)))
  await expect.poll(() => read('commerce/jobs')).toMatchObject([{ status: 'RUNNING' }])
  await service.jobs.leave()
  await expect
    .poll(() => read('commerce/jobs'))
    .toMatchObject([{ status: 'FAILED', reason: 'The service was stopped. Send the file again.' }])
  slow.request.on('error', () => {})
  slow.request.destroy()
})
