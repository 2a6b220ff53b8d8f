import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import {
  createProject,
  dataFile,
  joinTestService,
  metricsBearer,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { nextEvent, openStream, type TestStream } from '../../../../testing/streams.ts'

let service: TestService
let url: string
let project: TestProject
let flag: TestFlag
const open: TestStream[] = []

beforeAll(async () => {
  service = await startTestService()
  url = await service.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())
beforeEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'live' })
})

const path = (sdkKey = project.production.sdkKey) => `/api/sdk/v1/stream/${sdkKey}`
async function listen(headers: Record<string, string> = {}, node = url) {
  const stream = await openStream(`${node}${path()}`, headers)
  open.push(stream)
  return stream
}
const current = async () =>
  (await succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)).dataFile

test('a stream announces the current file at once, then each newer one', async () => {
  const stream = await listen()
  expect(stream.status).toBe(200)
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/./),
  })
  expect(stream.headers.has('content-encoding')).toBe(false)
  expect(await stream.next()).toMatch(/^retry: [1-5]\d{3}$/)
  const { revision, etag } = await current()
  expect(await nextEvent(stream)).toMatchObject({ id: revision, data: { type: 'refetchEvaluation', etag } })
  const before = await dataFile(service, project.production.sdkKey)
  const { dataFile: published } = await succeed(service, 'POST', `${flag.production}/run`)
  const { publishedAt, flags } = await dataFile(service, project.production.sdkKey)
  const key = Object.keys(flags).find((each) => flags[each].enabled !== before.flags[each].enabled)!
  expect(await nextEvent(stream)).toEqual({
    id: published.revision,
    data: {
      type: 'refetchEvaluation',
      etag: published.etag,
      lastModified: Math.floor(Date.parse(published.publishedAt) / 1000),
      change: { from: etag, publishedAt, flags: { [key]: flags[key] } },
    },
  })
})

test('a change is announced on every stream of its environment, and on no others', async () => {
  const streams = await Promise.all(Array.from({ length: 600 }, () => listen()))
  const elsewhere = await openStream(`${url}${path(project.development.sdkKey)}`)
  open.push(elsewhere)
  await nextEvent(elsewhere)
  await Promise.all(streams.map(nextEvent))
  const { dataFile } = await succeed(service, 'POST', `${flag.production}/run`)
  const heard = await Promise.all(streams.map(nextEvent))
  expect(new Set(heard.map((event) => event?.id))).toEqual(new Set([dataFile.revision]))
  const other = await succeed(service, 'POST', `${flag.development}/run`)
  expect(await nextEvent(elsewhere)).toMatchObject({ id: other.dataFile.revision, data: { etag: other.dataFile.etag } })
})

test('a client that reconnects with the current revision gets no event until there is a newer one', async () => {
  const { revision } = await current()
  const [same, later, older] = [
    await listen({ 'last-event-id': String(revision) }),
    await listen({ 'last-event-id': String(revision + 1) }),
    await listen({ 'last-event-id': String(revision - 1) }),
  ]
  expect(await nextEvent(older)).toMatchObject({ id: revision })
  const { dataFile } = await succeed(service, 'POST', `${flag.production}/run`)
  expect(await nextEvent(same)).toMatchObject({ id: dataFile.revision })
  const next = await succeed(service, 'POST', `${flag.production}/pause`)
  expect(await nextEvent(later)).toMatchObject({ id: next.dataFile.revision })
})

test('the streams of a deleted environment end, and its key becomes unknown', async () => {
  const staging = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging' })
  const stream = await openStream(`${url}${path(staging.sdkKey)}`)
  await nextEvent(stream)
  await succeed(service, 'DELETE', `${project.path}/environments/${staging.id}`)
  expect(await nextEvent(stream)).toBeNull()
  expect((await service.call(null, 'GET', path(staging.sdkKey))).status).toBe(404)
})

test('the streams of a revoked key end, and those with the other key of the environment go on', async () => {
  const keys = `${project.path}/environments/${project.production.id}/sdk-keys`
  const second = await succeed(service, 'POST', keys)
  const streams = [await listen(), await openStream(`${url}${path(second.key)}`)]
  open.push(streams[1]!)
  for (const stream of streams) await nextEvent(stream)
  await succeed(service, 'DELETE', `${keys}/${project.production.sdkKey}`)
  expect(await nextEvent(streams[0]!)).toBeNull()
  expect((await service.call(null, 'GET', path())).status).toBe(404)
  const { dataFile } = await succeed(service, 'POST', `${flag.production}/run`)
  expect(await nextEvent(streams[1]!)).toMatchObject({ id: dataFile.revision })
})

test('the streams of a deleted project end, and its SDK keys get 404', async () => {
  const streams = [await listen(), await openStream(`${url}${path(project.development.sdkKey)}`)]
  for (const stream of streams) await nextEvent(stream)
  const { key } = await succeed(service, 'GET', project.path)
  const deletion = await service.call(service.people.admin, 'DELETE', project.path, undefined, { 'x-svc-confirm': key })
  expect(deletion.status).toBe(200)
  for (const stream of streams) expect(await nextEvent(stream)).toBeNull()
  for (const { sdkKey } of [project.production, project.development])
    expect((await service.call(null, 'GET', path(sdkKey))).status).toBe(404)
})

test.each([['GET'], ['HEAD']] as const)('%s with an unknown key gets 404', async (method) => {
  const { status, headers, body } = await service.call(null, method, path(`sdk_${'A'.repeat(32)}`))
  expect([status, headers['access-control-allow-origin']]).toEqual([404, '*'])
  if (method === 'GET') expect(body.error.code).toBe('not_found')
})

test('HEAD gets only the headers, and preflight requests from any origin are answered', async () => {
  const head = await service.call(null, 'HEAD', path())
  expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
  const { status, headers } = await service.call(null, 'OPTIONS', path())
  expect(status).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'Last-Event-ID, Cache-Control',
  })
  expect(await service.call(null, 'POST', path())).toMatchObject({ status: 405 })
})

test('the metrics have the number of open streams', async () => {
  await listen()
  expect((await service.call(null, 'GET', '/metrics', undefined, metricsBearer)).text).toMatch(/^svc_streams [1-9]/m)
})

test('a change on a different node reaches the streams of this one', async () => {
  if (service.database.kind === 'embedded') return
  const other = await joinTestService(service)
  const stream = await listen()
  await nextEvent(stream)
  const run = await other.call(service.people.admin, 'POST', `${flag.production}/run`)
  expect(await nextEvent(stream)).toMatchObject({ id: run.body.data.dataFile.revision })
  await other.close()
})

test('streams and data files keep working without the database, and streams end with the node', async () => {
  const node = await startTestService()
  const address = await node.app.listen({ host: '127.0.0.1', port: 0 })
  const { production } = await createProject(node)
  const stream = await openStream(`${address}${path(production.sdkKey)}`)
  await nextEvent(stream)
  await node.database.close()
  const late = await openStream(`${address}${path(production.sdkKey)}`)
  expect(await nextEvent(late)).toMatchObject({ id: expect.any(Number) })
  expect((await node.call(null, 'GET', `/api/sdk/v1/datafile/${production.sdkKey}.json`)).status).toBe(200)
  // The second one fails too: a heartbeat that was not stored must not count as known.
  const beat = { sdkKey: production.sdkKey, sdkType: 'node', sdkVersion: '1', instanceId: 'a', revision: 1 }
  for (const _twice of [1, 2]) expect((await node.call(null, 'POST', '/api/sdk/heartbeat', beat)).status).toBe(503)
  const closed = node.close()
  expect([await nextEvent(stream), await nextEvent(late)]).toEqual([null, null])
  await closed
})
