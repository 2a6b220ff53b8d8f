import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { succeed } from '../../../../../../testing/flags.ts'
import {
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../../../testing/service.ts'
import { hashOf } from '../../../../people/tokens/index.ts'

let service: TestService
let project: TestProject
let admin: string
let envPath: string
let path: string
const at = Date.parse('2026-11-20T10:00:00Z')

beforeAll(async () => {
  service = await startTestService({ now: () => new Date(at) })
  admin = service.people.admin
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  envPath = `${project.path}/environments/${project.production.id}`
  path = `${envPath}/ingest-keys`
})

const list = () => succeed(service, 'GET', path)
const create = () => service.call(admin, 'POST', path)
const revoke = (id: string, headers: Record<string, string> = {}) =>
  service.call(admin, 'DELETE', `${path}/${id}`, undefined, headers)
const require = (ingestKeyRequiredFor: string) => service.call(admin, 'PATCH', envPath, { ingestKeyRequiredFor })

test('an environment begins without keys and needs none', async () => {
  expect(await list()).toEqual([])
  const environment = await succeed(service, 'GET', envPath)
  expect(environment).toMatchObject({ ingestKeyRequiredFor: 'NONE', ingestKeyMissedAt: null })
})

test('the key is shown once, and the database has only its hash', async () => {
  const { status, body, headers } = await create()
  expect([status, headers.etag]).toEqual([201, '"e2"'])
  const { secret, ...key } = body.data
  expect(secret).toMatch(/^svc_ing_[\w-]{43}$/)
  expect(key).toEqual({
    id: expect.any(String),
    lastCharacters: secret.slice(-4),
    createdAt: new Date(at).toISOString(),
    createdBy: { type: 'service_token', id: expect.any(String), name: expect.any(String) },
    ...{ lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null },
  })
  expect(await list()).toEqual([key])
  const { rows } = await sql<{ hash: Buffer; row: string }>`
    select secret_hash as hash, ingest_keys::text as row from ingest_keys where id = ${key.id}`.execute(service.db)
  expect(Buffer.from(rows[0]!.hash).equals(hashOf(secret))).toBe(true)
  expect(rows[0]!.row).not.toContain(secret.slice(0, -4))
})

test('two keys overlap, and a third is refused with what to do', async () => {
  const [first, second] = [(await create()).body.data, (await create()).body.data]
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  const { status, body } = await create()
  expect([status, body.error.code, body.error.details]).toEqual([409, 'invalid_state', { current: 2 }])
  expect(body.error.message).toBe('Production has 2 ingest keys, which is the maximum. Revoke one of them first.')
})

test.each(['TRACKED_EVENTS', 'ALL'])('%s needs a key, and the last key cannot be revoked then', async (requiredFor) => {
  const without = await require(requiredFor)
  expect([without.status, without.body.error.code, without.body.error.details]).toEqual([
    ...[409, 'invalid_state', { current: 0 }],
  ])
  expect(without.body.error.message).toContain('Create a key, give it to your servers, and then require it.')
  expect((await require('NONE')).status).toBe(200)

  const first = (await create()).body.data
  const required = await require(requiredFor)
  expect([required.status, required.body.data.ingestKeyRequiredFor]).toEqual([200, requiredFor])
  const refused = await revoke(first.id)
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
    ...[409, 'invalid_state', { current: 1 }],
  ])
  expect(refused.body.error.message).toMatch(
    /^This is the only ingest key of Production, and (tracked events|all events) need one\. Create a second key/,
  )

  await create()
  expect((await revoke(first.id)).status).toBe(200)
  const [left] = await list()
  expect((await revoke(left.id)).status).toBe(409)
  await require('NONE')
  expect((await revoke(left.id)).status).toBe(200)
  expect(await list()).toEqual([])
})

test('of a requirement and a revocation of the only key at once, one is refused', async () => {
  for (let times = 0; times < 5; times += 1) {
    const { id } = (await create()).body.data
    const answers = await Promise.all([require('ALL'), revoke(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { ingestKeyRequiredFor } = await succeed(service, 'GET', envPath)
    expect(ingestKeyRequiredFor === 'ALL').toBe((await list()).length === 1)
    await require('NONE')
    for (const key of await list()) await revoke(key.id)
  }
})

test('an unknown requirement is refused by its field', async () => {
  const { status, body } = await require('CONVERSIONS')
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toMatchObject([{ path: ['ingestKeyRequiredFor'] }])
})

test('keys of other environments, other organizations and unknown keys are not found', async () => {
  const { id } = (await create()).body.data
  const elsewhere = `${project.path}/environments/${project.development.id}/ingest-keys`
  expect((await service.call(admin, 'DELETE', `${elsewhere}/${id}`)).status).toBe(404)
  for (const unknown of [randomUUID(), 'none']) expect((await revoke(unknown)).status).toBe(404)
  const stranger = service.people.stranger
  for (const [method, url] of [
    ['GET', path],
    ['POST', path],
    ['DELETE', `${path}/${id}`],
  ] as const)
    expect((await service.call(stranger, method, url)).status).toBe(404)
  expect(await list()).toHaveLength(1)
})

test('both writes accept the ETag of the environment, which the list has', async () => {
  const stale = { 'x-svc-if-match': '"e9"' }
  expect((await service.call(admin, 'POST', path, undefined, stale)).status).toBe(412)
  const { headers } = await service.call(admin, 'GET', path)
  const made = await service.call(admin, 'POST', path, undefined, { 'x-svc-if-match': String(headers.etag) })
  expect(made.status).toBe(201)
  const { id } = made.body.data
  expect((await revoke(id, { 'x-svc-if-match': String(headers.etag) })).status).toBe(412)
  expect((await revoke(id, { 'x-svc-if-match': String(made.headers.etag) })).status).toBe(200)
})

test('a repeated create with the same idempotency key makes one key, and does not show it again', async () => {
  const send = () => service.call(admin, 'POST', path, undefined, { 'idempotency-key': 'renewal' })
  const [first, again] = [await send(), await send()]
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect(again.body.data).toEqual({ ...first.body.data, secret: null })
  expect(await list()).toHaveLength(1)
})

test('of three creates at once, two make a key', async () => {
  const answers = await Promise.all([create(), create(), create()])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409])
  expect(await list()).toHaveLength(2)
})

test('each change writes an audit entry and an event, and none has the key', async () => {
  const { secret, id, lastCharacters } = (await create()).body.data
  await require('ALL')
  await require('NONE')
  await revoke(id)
  const entries = await service.call(admin, 'GET', `/api/v1/audit?objectId=${project.production.id}`)
  const ingestKey = { id, lastCharacters }
  expect(entries.body.data.slice(0, 4)).toMatchObject([
    { action: 'environment.revoke_ingest_key', before: { ingestKey } },
    { action: 'environment.update', after: { ingestKeyRequiredFor: 'NONE' } },
    { action: 'environment.update', before: { ingestKeyRequiredFor: 'NONE' }, after: { ingestKeyRequiredFor: 'ALL' } },
    { action: 'environment.create_ingest_key', after: { ingestKey } },
  ])
  const events = await service.call(admin, 'GET', `${project.path}/events?limit=100`)
  const about = { environment: { id: project.production.id } }
  const told = events.body.data.filter(({ event }: { event: string }) => event.startsWith('environment.'))
  expect(told).toMatchObject([
    { event: 'environment.ingest_key_created', ...about, ingestKey },
    { event: 'environment.updated', ...about },
    { event: 'environment.updated', ...about },
    { event: 'environment.ingest_key_revoked', ...about, ingestKey },
  ])
  for (const { text } of [entries, events]) expect(text).not.toContain(secret.slice(8, -4))
})

test('a copy of an environment has no keys, and needs none', async () => {
  await create()
  await require('ALL')
  const body = { name: 'Staging', copyFromEnvId: project.production.id }
  const made = await succeed(service, 'POST', `${project.path}/environments`, body)
  expect(made.ingestKeyRequiredFor).toBe('NONE')
  expect(await succeed(service, 'GET', `${project.path}/environments/${made.id}/ingest-keys`)).toEqual([])
})

test('deleting an environment deletes its keys', async () => {
  const made = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging' })
  const { id } = await succeed(service, 'POST', `${project.path}/environments/${made.id}/ingest-keys`)
  await succeed(service, 'DELETE', `${project.path}/environments/${made.id}`)
  const { rows } = await sql`select from ingest_keys where id = ${id}`.execute(service.db)
  expect(rows).toEqual([])
})

/** Lets the next inserts into the table, or the commits after them, fail. */
async function broken(table: string, when: 'at once' | 'at the commit', work: () => Promise<void>): Promise<void> {
  await sql`
    create or replace function fail_for_test() returns trigger language plpgsql as 'begin raise ''broken''; end'
  `.execute(service.db)
  const timing = sql.raw(when === 'at once' ? 'immediate' : 'deferred')
  await sql`
    create constraint trigger broken after insert on ${sql.table(table)}
    deferrable initially ${timing} for each row execute function fail_for_test()
  `.execute(service.db)
  await work().finally(() => sql`drop trigger broken on ${sql.table(table)}`.execute(service.db))
}

test.each(['at once', 'at the commit'] as const)(
  'a change whose audit entry fails %s leaves the memory of the node as it was',
  async (when) => {
    const { id, secret } = (await create()).body.data
    const { sdkKey } = project.production
    const event = { type: 'track', ts: at, unit: 'u-17', eventKey: 'order_paid' }
    const send = async (headers?: Record<string, string>) => {
      const body = { sdkKey, events: [{ ...event, id: randomUUID() }] }
      const answer = await service.call(null, 'POST', '/api/sdk/v1/events', body, headers)
      return [answer.status, answer.body.accepted]
    }
    const withKey = { authorization: `Bearer ${secret}` }
    const sdkKeys = `${envPath}/sdk-keys`
    await succeed(service, 'POST', sdkKeys)

    await broken('audit_entries', when, async () => {
      expect((await require('ALL')).status).toBe(500)
      expect((await revoke(id)).status).toBe(500)
      expect((await service.call(admin, 'DELETE', `${sdkKeys}/${sdkKey}`)).status).toBe(500)
    })
    expect([await send(), await send(withKey)]).toEqual([
      [202, 1],
      [202, 1],
    ])

    // The next change has the version that the failed ones would have had.
    expect((await require('ALL')).status).toBe(200)
    expect([await send(), await send(withKey)]).toEqual([
      [202, 0],
      [202, 1],
    ])
    expect((await require('NONE')).status).toBe(200)
    expect((await revoke(id)).status).toBe(200)
    expect(await send(withKey)).toEqual([401, undefined])
    expect(await send()).toEqual([202, 1])
  },
)
