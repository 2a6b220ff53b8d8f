import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newFlag, succeed } from '../../../../../../testing/flags.ts'
import { allOpen, allShut, beatOf, sdkDoors, statusesOf } from '../../../../../../testing/sdk-doors.ts'
import {
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../../../testing/service.ts'
import { newSdkKey } from '../../../../../platform/ids.ts'

let service: TestService
let project: TestProject
let admin: string
let path: string
let at = Date.parse('2026-11-20T10:00:00Z')

beforeAll(async () => {
  service = await startTestService({ now: () => new Date(at) })
  admin = service.people.admin
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  await newFlag(service, project, { key: 'checkout' })
  path = `${project.path}/environments/${project.production.id}/sdk-keys`
})

const list = () => succeed(service, 'GET', path)
const create = () => service.call(admin, 'POST', path)
const revoke = (named: string, headers: Record<string, string> = {}) =>
  service.call(admin, 'DELETE', `${path}/${named}`, undefined, headers)
const environment = () => succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)

const statuses = (sdkKey: string) => statusesOf(service, sdkKey)

test('a new environment has one key, made by its author', async () => {
  const made = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging' })
  const keys = await succeed(service, 'GET', `${project.path}/environments/${made.id}/sdk-keys`)
  expect(keys).toEqual([
    {
      id: expect.any(String),
      key: made.sdkKey,
      newest: true,
      createdAt: new Date(at).toISOString(),
      createdBy: { type: 'service_token', id: expect.any(String), name: expect.any(String) },
      lastUsedAt: null,
      uses: [],
      clients: [],
    },
  ])
})

test('the second key is the newest, which the environment shows, and both work', async () => {
  const before = await environment()
  at += 1000
  const { status, body, headers } = await create()
  expect([status, headers.etag]).toEqual([201, '"e2"'])
  const first = project.production.sdkKey
  expect(body.data).toMatchObject({ key: expect.stringMatching(/^sdk_[\w-]{32}$/), newest: true, uses: [] })
  expect((await list()).map(({ key, newest }: { key: string; newest: boolean }) => [key, newest])).toEqual([
    [body.data.key, true],
    [first, false],
  ])
  const after = await environment()
  expect(after).toEqual({
    ...before,
    sdkKey: body.data.key,
    dataFile: { ...before.dataFile, url: `http://svc.test/api/sdk/v1/datafile/${body.data.key}.json` },
    updatedAt: new Date(at).toISOString(),
  })
  expect(await statuses(first)).toEqual(allOpen)
  expect(await statuses(body.data.key)).toEqual(allOpen)
  const files = await Promise.all(
    [first, body.data.key].map((key) => service.call(null, 'GET', `/api/sdk/v1/datafile/${key}.json`)),
  )
  expect(files[0]!.text).toBe(files[1]!.text)
})

test('the key that was made last is the newest, also if the clock of its node is behind', async () => {
  const { id, key } = (await create()).body.data
  const early = `00000000${id.slice(8)}`
  await sql`update sdk_keys set id = ${early}, created_at = '2000-01-01' where id = ${id}`.execute(service.db)
  expect(await list()).toMatchObject([{ id: early, key, newest: true }, { newest: false }])
  expect((await environment()).sdkKey).toBe(key)
})

test('a third key is refused, and the message says what to do', async () => {
  await create()
  const { status, body } = await create()
  expect([status, body.error.code, body.error.details]).toEqual([409, 'invalid_state', { current: 2 }])
  expect(body.error.message).toBe('Production has 2 SDK keys, which is the maximum. Revoke one of them first.')
})

test('the only key cannot be revoked, and the message says what to do', async () => {
  const { status, body } = await revoke(project.production.sdkKey)
  expect([status, body.error.code, body.error.details]).toEqual([409, 'invalid_state', { current: 1 }])
  expect(body.error.message).toBe(
    'This is the only SDK key of Production. Create a second one, move your clients to it, and then revoke this one.',
  )
})

test('a revoked key is unknown at every door, and the other key works', async () => {
  const { key: second } = (await create()).body.data
  const first = project.production.sdkKey
  expect(await statuses(first)).toEqual(allOpen)
  const { status, body } = await revoke(first)
  expect([status, body]).toEqual([200, { data: null }])
  expect(await statuses(first)).toEqual(allShut)
  expect(await statuses(newSdkKey())).toEqual(allShut)
  expect(await statuses(second)).toEqual(allOpen)
  expect((await list()).map(({ key }: { key: string }) => key)).toEqual([second])
})

test('the newest key can be revoked too, by its id, and the environment shows the other one again', async () => {
  const { id, key } = (await create()).body.data
  expect((await revoke(id.toUpperCase())).status).toBe(200)
  expect(await statuses(key)).toEqual(allShut)
  expect((await environment()).sdkKey).toBe(project.production.sdkKey)
  expect(await statuses(project.production.sdkKey)).toEqual(allOpen)
})

test('a publish that follows does not bring a revoked key back', async () => {
  await create()
  await revoke(project.production.sdkKey)
  const { id } = await newFlag(service, project, { key: 'later' })
  await succeed(service, 'POST', `${project.path}/flags/${id}/envs/${project.production.id}/run`)
  expect(await statuses(project.production.sdkKey)).toEqual(allShut)
})

test('keys of other environments and unknown keys are not found', async () => {
  await create()
  const { id } = (await list())[0]
  const elsewhere = `${project.path}/environments/${project.development.id}/sdk-keys`
  for (const named of [newSdkKey(), randomUUID(), project.development.sdkKey])
    expect((await revoke(named)).status).toBe(404)
  expect((await service.call(admin, 'DELETE', `${elsewhere}/${id}`)).status).toBe(404)
  expect(await list()).toHaveLength(2)
})

test('both writes accept the ETag of the environment, which the list has', async () => {
  const stale = { 'x-svc-if-match': '"e9"' }
  expect((await service.call(admin, 'POST', path, undefined, stale)).status).toBe(412)
  const { headers } = await service.call(admin, 'GET', path)
  const made = await service.call(admin, 'POST', path, undefined, { 'x-svc-if-match': String(headers.etag) })
  expect(made.status).toBe(201)
  expect((await revoke(project.production.sdkKey, { 'x-svc-if-match': String(headers.etag) })).status).toBe(412)
  expect((await revoke(project.production.sdkKey, { 'x-svc-if-match': String(made.headers.etag) })).status).toBe(200)
})

test('a repeated create with the same idempotency key makes one key', async () => {
  const send = () => service.call(admin, 'POST', path, undefined, { 'idempotency-key': 'renewal' })
  const [first, again] = [await send(), await send()]
  expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([201, 'true', first.body])
  expect(await list()).toHaveLength(2)
})

test('of two creates at once, one makes the second key', async () => {
  const answers = await Promise.all([create(), create()])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(await list()).toHaveLength(2)
})

test('of two revocations of both keys at once, one leaves a key, which the environment shows', async () => {
  for (let times = 0; times < 5; times += 1) {
    await create()
    const keys: { id: string; key: string }[] = await list()
    const answers = await Promise.all(keys.map(({ id }) => revoke(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const left = await list()
    expect(left).toHaveLength(1)
    expect((await environment()).sdkKey).toBe(left[0].key)
    expect(await statuses(left[0].key)).toEqual(allOpen)
  }
})

test('a change writes an audit entry and an event with the key', async () => {
  const { id, key } = (await create()).body.data
  await revoke(key)
  const entries = await succeed(service, 'GET', `/api/v1/audit?objectId=${project.production.id}`)
  const sdkKey = { id, key }
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'environment.revoke_sdk_key', before: { sdkKey } },
    { action: 'environment.create_sdk_key', after: { sdkKey } },
  ])
  const events = await succeed(service, 'GET', `${project.path}/events?limit=100`)
  const told = events.filter(({ event }: { event: string }) => event.startsWith('environment.sdk_key'))
  expect(told).toMatchObject([
    { event: 'environment.sdk_key_created', environment: { id: project.production.id }, sdkKey },
    { event: 'environment.sdk_key_revoked', environment: { id: project.production.id }, sdkKey },
  ])
})

describe('the last use of a key', () => {
  const [dataFile, , , , events] = sdkDoors
  const enter = (door = dataFile) => door!.enter(service, project.production.sdkKey)
  const uses = async () => (await list())[0].uses
  const isoNow = () => new Date(at).toISOString()

  // A stream is used by listening to it, see the tests of streams.
  test.each(sdkDoors.filter(({ name }) => name !== 'stream'))('is recorded by the $name', async (door) => {
    expect((await enter(door)).status).toBe(door.open)
    expect((await list())[0]).toMatchObject({ lastUsedAt: isoNow(), uses: [{ lastUsedAt: isoNow() }] })
  })

  test('is shown to the minute, with the last use first', async () => {
    const first = isoNow()
    await enter()
    at += 59_999
    await enter()
    await enter(events)
    expect(await uses()).toEqual([
      { use: 'EVENTS', lastUsedAt: isoNow() },
      { use: 'DATA_FILE', lastUsedAt: first },
    ])
    at += 1
    await enter()
    expect((await uses())[0]).toEqual({ use: 'DATA_FILE', lastUsedAt: isoNow() })
  })

  test('of an unknown or a revoked key leaves no trace', async () => {
    await create()
    await revoke(project.production.sdkKey)
    await statuses(project.production.sdkKey)
    await statuses(newSdkKey())
    expect((await list())[0]).toMatchObject({ lastUsedAt: null, clients: [] })
  })
})

describe('the clients of a key', () => {
  const send = (sdkKey: string, instanceId: string | undefined, more = {}) =>
    service.call(null, 'POST', '/api/sdk/heartbeat', beatOf(sdkKey, { instanceId, ...more }))
  const clientsOf = async (sdkKey: string) => (await list()).find(({ key }: { key: string }) => key === sdkKey).clients

  test('are the instances that used it in the last day, by SDK and version', async () => {
    const first = project.production.sdkKey
    const { key: second } = (await create()).body.data
    for (const instanceId of ['a', 'b']) await send(first, instanceId)
    await send(second, 'c', { sdkVersion: '2.0.0' })
    const lastSeenAt = new Date(at).toISOString()
    expect(await clientsOf(first)).toEqual([{ type: 'node', version: '1.4.0', instances: 2, lastSeenAt }])
    expect(await clientsOf(second)).toEqual([{ type: 'node', version: '2.0.0', instances: 1, lastSeenAt }])
    at += 3_600_000
    await send(second, 'a')
    expect(await clientsOf(second)).toEqual([
      { type: 'node', version: '1.4.0', instances: 1, lastSeenAt: new Date(at).toISOString() },
      { type: 'node', version: '2.0.0', instances: 1, lastSeenAt },
    ])
    at += 86_400_000 - 3_600_000 + 1
    expect(await clientsOf(first)).toEqual([])
  })

  test('are all shown, although instances without an id have one row', async () => {
    const first = project.production.sdkKey
    const { key: second } = (await create()).body.data
    await Promise.all([first, second, first, second].map((key) => send(key, undefined)))
    for (const key of [first, second]) expect(await clientsOf(key)).toMatchObject([{ type: 'node', instances: 1 }])
  })

  test('no longer have a key that was revoked', async () => {
    const first = project.production.sdkKey
    await create()
    await send(first, 'a')
    await revoke(first)
    const { rows } = await sql<{ keys: object }>`
      select sdk_keys as keys from sdk_instances where env_id = ${project.production.id}`.execute(service.db)
    expect(rows).toEqual([{ keys: {} }])
  })
})

test('deleting an environment deletes both of its keys', async () => {
  const made = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging' })
  const second = await succeed(service, 'POST', `${project.path}/environments/${made.id}/sdk-keys`)
  await succeed(service, 'DELETE', `${project.path}/environments/${made.id}`)
  for (const key of [made.sdkKey, second.key]) expect((await statuses(key))[0]).toBe(404)
})
