import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { inProduction, newFlag } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject } from '../../../../testing/service.ts'

const url = '/api/sdk/heartbeat'
const dayMs = 86_400_000
let project: TestProject
let at = Date.parse('2026-11-20T10:00:00Z')

const service = await startTestService({ now: () => new Date(at) })
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
})

const beat = (more: object = {}) => ({
  sdkKey: project.production.sdkKey,
  sdkType: 'node',
  sdkVersion: '1.4.0',
  ...more,
})
const send = (body: unknown, headers: Record<string, string> = {}) => service.call(null, 'POST', url, body, headers)
const environment = async () =>
  (await service.call(service.people.admin, 'GET', `${project.path}/environments/${project.production.id}`)).body.data

test('a heartbeat needs no token and marks the environment as connected', async () => {
  expect(await environment()).toMatchObject({ connected: false, lastHeartbeatAt: null, sdks: [] })
  const { status, text, headers } = await send(beat({ instanceId: 'i-1' }))
  expect([status, text]).toEqual([200, '{"success":true}'])
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(await environment()).toMatchObject({
    connected: true,
    lastHeartbeatAt: new Date(at).toISOString(),
    sdks: [{ type: 'node', version: '1.4.0', lastSeenAt: new Date(at).toISOString(), instances: 1 }],
  })
})

test('live SDKs are counted by type and version', async () => {
  for (const more of [{ instanceId: 'a' }, { instanceId: 'b' }, { instanceId: 'a' }, { sdkType: 'web' }])
    await send(beat(more))
  const counted = async () =>
    (await environment()).sdks.map(({ type, instances }: { type: string; instances: number }) => [type, instances])
  expect(await counted()).toEqual([
    ['node', 2],
    ['web', 1],
  ])
  at += 10 * 60_000 + 1
  await send(beat({ instanceId: 'a' }))
  expect(await counted()).toEqual([['node', 1]])
})

test('an instance that returns after days is counted again', async () => {
  await send(beat({ instanceId: 'a' }))
  at += 2 * dayMs
  expect((await send(beat({ instanceId: 'a' }))).status).toBe(200)
  expect((await environment()).sdks).toMatchObject([{ instances: 1, lastSeenAt: new Date(at).toISOString() }])
})

test('instances without a heartbeat for a day are deleted', async () => {
  await send(beat({ instanceId: 'old' }))
  at += dayMs + 1
  await send(beat({ instanceId: 'new' }))
  const { rows } = await sql`select instance_id from sdk_instances where env_id = ${project.production.id}`.execute(
    service.db,
  )
  expect(rows).toEqual([{ instance_id: 'new' }])
})

test('heartbeats do not change the ETag of the environment', async () => {
  const path = `${project.path}/environments/${project.production.id}`
  const before = await service.call(service.people.admin, 'GET', path)
  await send(beat())
  expect((await service.call(service.people.admin, 'GET', path)).headers.etag).toBe(before.headers.etag)
})

test('a heartbeat can be sent as text/plain and can have unknown fields', async () => {
  const body = JSON.stringify(beat({ futureField: { a: 1 } }))
  for (const type of ['text/plain', 'text/plain;charset=UTF-8'])
    expect((await send(body, { 'content-type': type })).body).toEqual({ success: true })
})

test('preflight requests from any origin are answered', async () => {
  const { status, headers } = await service.call(null, 'OPTIONS', url)
  expect(status).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'Content-Type',
  })
})

test.each([
  ['which does not exist', `sdk_${'A'.repeat(32)}`],
  ['which is malformed', 'production'],
])('an unknown SDK key, %s, gets 401 in the format of heartbeats', async (_what, sdkKey) => {
  const { status, body } = await send(beat({ sdkKey }))
  expect([status, body]).toEqual([401, { error: 'Unknown SDK key' }])
})

test.each<[string, unknown, string, number, RegExp]>([
  ['no body', undefined, 'application/json', 400, /^The body is required/],
  ['malformed JSON', '{', 'application/json', 400, /must be well-formed JSON/],
  ['malformed JSON as text', '{', 'text/plain', 400, /must be well-formed JSON/],
  ['no key', { sdkType: 'node', sdkVersion: '1' }, 'application/json', 400, /^sdkKey is required/],
  ['no type', { sdkKey: 'k', sdkVersion: '1' }, 'application/json', 400, /^sdkType is required/],
  ['no version', { sdkKey: 'k', sdkType: 'node' }, 'application/json', 400, /^sdkVersion is required/],
  [
    'a key that is not a string',
    { sdkKey: 7, sdkType: 'node', sdkVersion: '1' },
    'application/json',
    400,
    /^sdkKey must be /,
  ],
  ['an empty type', { sdkKey: 'k', sdkType: '', sdkVersion: '1' }, 'application/json', 400, /^sdkType must /],
  [
    'a type that is too long',
    { sdkKey: 'k', sdkType: 'x'.repeat(129), sdkVersion: '1' },
    'application/json',
    400,
    /^sdkType must /,
  ],
  ['control characters', { sdkKey: 'k', sdkType: 'a\nb', sdkVersion: '1' }, 'application/json', 400, /^sdkType must /],
  ['a NUL', { sdkKey: 'k', sdkType: 'a\0b', sdkVersion: '1' }, 'application/json', 400, /NUL/],
  ['a list', [], 'application/json', 400, /^The body must be an object/],
  ['a different content type', 'sdkKey=k', 'application/x-www-form-urlencoded', 415, /./],
  ['more than 64 KiB', { sdkKey: 'x'.repeat(65_536) }, 'application/json', 413, /./],
])('a heartbeat with %s is refused in the format of heartbeats', async (_what, body, type, status, message) => {
  const answer = await send(body, { 'content-type': type })
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: expect.stringMatching(message) })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
})

test('evaluated flags are stored to the hour, and unknown keys are ignored', async () => {
  const flag = await newFlag(service, project, { key: 'evaluated' })
  const evaluatedAt = async () => (await inProduction(service, flag)).lastEvaluatedAt
  expect(await evaluatedAt()).toBe(null)
  const first = new Date(at).toISOString()
  const tell = () => send(beat({ instanceId: 'teller', evaluatedFlags: ['evaluated', 'unknown', '__proto__'] }))
  expect((await tell()).status).toBe(200)
  expect(await evaluatedAt()).toBe(first)
  at += 3_599_999
  await tell()
  expect(await evaluatedAt()).toBe(first)
  at += 1
  await tell()
  expect(await evaluatedAt()).toBe(new Date(at).toISOString())
})

test('at most 1,000 instances are stored, and known ones still count', async () => {
  const rows = Array.from({ length: 999 }, (_, index) => index)
  await sql`
    insert into sdk_instances (env_id, sdk_type, sdk_version, instance_id, last_seen_at)
    select ${project.production.id}::uuid, 'node', '1.4.0', 'i-' || value, ${new Date(at)}::timestamptz
    from jsonb_array_elements_text(${JSON.stringify(rows)}::jsonb) value`.execute(service.db)
  for (const instanceId of ['last', 'one-too-many', 'two-too-many'])
    expect((await send(beat({ instanceId }))).status).toBe(200)
  expect((await environment()).sdks).toMatchObject([{ instances: 1000 }])
  at += 20_000
  await send(beat({ instanceId: 'last' }))
  expect((await environment()).sdks).toMatchObject([{ lastSeenAt: new Date(at).toISOString() }])
})

test('an instance that sends too many heartbeats is stored once in 10 s', async () => {
  await send(beat({ instanceId: 'chatty' }))
  const first = new Date(at).toISOString()
  at += 9_999
  await send(beat({ instanceId: 'chatty' }))
  expect((await environment()).lastHeartbeatAt).toBe(first)
  at += 1
  await send(beat({ instanceId: 'chatty' }))
  expect((await environment()).lastHeartbeatAt).toBe(new Date(at).toISOString())
})
