import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { booleanFlag } from '../../../../../testing/boolean-flag.ts'
import {
  createFlag,
  createProject,
  dataFile,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../../testing/service.ts'

let service: TestService
let project: TestProject
let admin: string
let url: string

beforeAll(async () => {
  service = await startTestService({ now: () => new Date('2026-11-20T10:00:00Z') })
  admin = service.people.admin
  project = await createProject(service)
  url = `${project.path}/environments`
  await createFlag(service, project, 'checkout')
})
afterAll(() => service.close())

const create = (body: unknown) => service.call(admin, 'POST', url, body)
const actionsOf = async (objectId: string) => {
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where object_id = ${objectId} order by id`.execute(service.db)
  return rows.map(({ action }) => action)
}

test('a new environment has its own key, color and SDK key, is not protected and comes last', async () => {
  const { status, body, headers } = await create({ name: 'Staging (EU)', color: '#F59E0B' })
  expect(status).toBe(201)
  expect(headers.etag).toBe('"e1"')
  const { sdkKey } = body.data
  expect(body.data).toEqual({
    id: expect.any(String),
    projectId: project.id,
    name: 'Staging (EU)',
    key: 'staging-eu',
    color: '#F59E0B',
    builtIn: false,
    protected: false,
    ingestKeyRequiredFor: 'NONE',
    ingestKeyMissedAt: null,
    position: 2,
    status: 'ACTIVE',
    sdkKey: expect.stringMatching(/^sdk_[\w-]{32}$/),
    connected: false,
    lastHeartbeatAt: null,
    sdks: [],
    dataFile: {
      url: `http://svc.test/api/sdk/v1/datafile/${sdkKey}.json`,
      revision: 0,
      etag: expect.stringMatching(/^"sha256-[0-9a-f]{64}"$/),
      publishedAt: null,
    },
    hasStagedChanges: false,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
  })
  expect((await service.call(admin, 'GET', `${url}/${body.data.id}`)).body.data).toEqual(body.data)
})

test('the key of a new environment can be chosen, once', async () => {
  const { status, body } = await create({ name: 'Europe', key: 'eu_west' })
  expect([status, body.data.key]).toEqual([201, 'eu_west'])
  expect((await service.call(admin, 'GET', `${url}/eu_west`)).body.data.id).toBe(body.data.id)
  expect(await create({ name: 'West', key: 'eu_west' })).toMatchObject({
    ...{
      status: 409,
      body: { error: { code: 'validation_failed', message: 'key: Another environment of this project has this key.' } },
    },
  })
  expect((await create({ name: 'Number', key: '12' })).status).toBe(400)
})

test('a new environment contains every flag, paused', async () => {
  const { body } = await create({ name: 'QA' })
  expect(body.data.color).toMatch(/^#[0-9A-F]{6}$/)
  const file = await dataFile(service, body.data.sdkKey)
  expect(file).toMatchObject({ revision: 0, publishedAt: null, flags: { checkout: { enabled: false } } })
  expect(file.flags.checkout).not.toHaveProperty('rules')
})

test('a copied environment starts with the drafts of its source, paused, and nothing is live', async () => {
  const flag = await createFlag(service, project, 'copied')
  const path = `${project.path}/flags/${flag.id}/envs`
  const rule = { type: 'TARGETED_DELIVERY', name: 'All', variationKey: 'on' }
  await service.call(admin, 'POST', `${path}/${project.production.id}/rules`, rule)
  await service.call(admin, 'POST', `${path}/${project.production.id}/run`)
  const { body } = await create({ name: 'Copy', copyFromEnvId: project.production.id })
  expect(body.data.hasStagedChanges).toBe(true)
  const { copied } = (await dataFile(service, body.data.sdkKey)).flags
  expect(copied.enabled).toBe(false)
  expect(copied).not.toHaveProperty('rules')
  const rules = await service.call(admin, 'GET', `${path}/${body.data.id}/rules`)
  expect(rules.body.data).toMatchObject([{ name: 'All', variationKey: 'on', enabled: true, status: 'DRAFT' }])
})

describe('the order of environments', () => {
  type Placed = { id: string; key: string; position: number; protected: boolean }
  const start = async () => {
    const { path } = await createProject(service)
    const call = (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      at: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => service.call(admin, method, `${path}/environments${at}`, body, headers)
    const list = async (): Promise<Placed[]> => (await call('GET', '?limit=100')).body.data
    return { path, call, list, keys: async () => (await list()).map(({ key }) => key) }
  }

  test('begins with Production, which is protected, and positions have no gaps', async () => {
    const { call, list } = await start()
    await call('POST', '', { name: 'Last' })
    await call('POST', '', { name: 'Guarded', protected: true, position: 1 })
    const places = (await list()).map((each) => [each.key, each.position, each.protected])
    expect(places).toEqual([
      ['production', 0, true],
      ['guarded', 1, true],
      ['development', 2, false],
      ['last', 3, false],
    ])
  })

  test('is that of pages, of the index and of the environments of a flag', async () => {
    const { path, call, list } = await start()
    const flag = (await service.call(admin, 'POST', `${path}/flags`, booleanFlag('ordered'))).body.data
    await call('PATCH', '/development', { position: 0 })
    const [first] = await list()
    expect(first!.key).toBe('development')
    const page = (await call('GET', '?limit=1')).body
    expect(page.data).toMatchObject([{ key: 'development' }])
    const next = (await call('GET', `?limit=1&cursor=${page.page.nextCursor}`)).body
    expect(next).toMatchObject({ data: [{ key: 'production' }], page: { hasMore: false } })
    const { body: index } = await service.call(admin, 'GET', `${path}/index`)
    expect(index.data.environments).toMatchObject([
      { key: 'development', protected: false },
      { key: 'production', protected: true },
    ])
    const { body } = await service.call(admin, 'GET', `${path}/flags/${flag.id}`)
    expect(body.data.environments[0].envId).toBe(first!.id)
  })

  test('changes with a PATCH, which leaves the ETags of the others alone', async () => {
    const { call, keys } = await start()
    await call('POST', '', { name: 'Staging' })
    const moved = await call('PATCH', '/staging', { position: 0 }, { 'x-svc-if-match': '"e1"' })
    expect(moved).toMatchObject({ status: 200, headers: { etag: '"e2"' }, body: { data: { position: 0 } } })
    expect(await keys()).toEqual(['staging', 'production', 'development'])
    expect(await call('GET', '/production')).toMatchObject({
      headers: { etag: '"e1"' },
      body: { data: { position: 1, protected: true } },
    })
    const beyond = await call('PATCH', '/staging', { position: 20 })
    expect(beyond.body.data).toMatchObject({ position: 2 })
    expect(await keys()).toEqual(['production', 'development', 'staging'])
    const unchanged = await call('PATCH', '/staging', { position: 2, protected: false })
    expect(unchanged.headers.etag).toBe('"e3"')
    const { rows } = await sql<{ before: unknown; after: unknown }>`
      select before, after from audit_entries
      where object_id = ${moved.body.data.id} and action = 'environment.update' order by id limit 1`.execute(service.db)
    expect(rows).toMatchObject([{ before: { position: 2 }, after: { position: 0, protected: false } }])
  })

  test('closes the gap of a deleted environment', async () => {
    const { call, list } = await start()
    await call('POST', '', { name: 'Staging', position: 0 })
    expect((await call('DELETE', '/staging')).status).toBe(200)
    expect((await list()).map(({ key, position }) => [key, position])).toEqual([
      ['production', 0],
      ['development', 1],
    ])
  })

  test.each([-1, 21, 0.5, '0', null])('refuses the position %j', async (position) => {
    const refused = { status: 400, body: { error: { details: { issues: [{ path: ['position'] }] } } } }
    expect(await create({ name: 'X', position })).toMatchObject(refused)
    expect(await service.call(admin, 'PATCH', `${url}/development`, { position })).toMatchObject(refused)
  })
})

test('name, color and protection can be updated with the current ETag, and the update is recorded', async () => {
  const { body: created } = await create({ name: 'Preview' })
  const path = `${url}/${created.data.id}`
  const edit = { name: 'Previews', color: '#000000', protected: true }
  const updated = await service.call(admin, 'PATCH', path, edit, { 'x-svc-if-match': '"e1"' })
  expect(updated).toMatchObject({ status: 200, headers: { etag: '"e2"' }, body: { data: { ...edit, key: 'preview' } } })
  const stale = await service.call(admin, 'PATCH', path, { name: 'Late' }, { 'x-svc-if-match': '"e1"' })
  expect(stale).toMatchObject({
    status: 412,
    body: { error: { code: 'precondition_failed', details: { expected: '"e2"' } } },
  })
  const again = await service.call(admin, 'PATCH', path, edit)
  expect(again.headers.etag).toBe('"e2"')
  expect(await actionsOf(created.data.id)).toEqual(['environment.create', 'environment.update'])
})

test('a deleted environment and its SDK key stop working before the call returns', async () => {
  const { body: created } = await create({ name: 'Short-lived' })
  const { id, sdkKey } = created.data
  await dataFile(service, sdkKey)
  const deleted = await service.call(admin, 'DELETE', `${url}/${id}`)
  expect(deleted).toMatchObject({ status: 200, body: { data: null } })
  expect((await service.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)).status).toBe(404)
  const beat = { sdkKey, sdkType: 'node', sdkVersion: '1.0.0' }
  expect((await service.call(null, 'POST', '/api/sdk/heartbeat', beat)).status).toBe(401)
  for (const method of ['GET', 'DELETE'] as const)
    expect((await service.call(admin, method, `${url}/${id}`)).status).toBe(404)
  expect(await actionsOf(id)).toEqual(['environment.create', 'environment.delete'])
  expect((await create({ name: 'Short-lived' })).status).toBe(201)
})

test('the built-in environments cannot be deleted', async () => {
  for (const { id } of [project.production, project.development]) {
    const answer = await service.call(admin, 'DELETE', `${url}/${id}`)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'invalid_state', details: { current: 'BUILT_IN' } } },
    })
  }
})

test('at least two environments must remain', async () => {
  const small = await createProject(service)
  await sql`update environments set built_in = false where id = ${small.development.id}`.execute(service.db)
  const answer = await service.call(admin, 'DELETE', `${small.path}/environments/${small.development.id}`)
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'invalid_state', details: { current: 2 } } } })
  expect((await service.call(admin, 'GET', `${small.path}/environments/${small.development.id}`)).status).toBe(200)
})

test('creating or renaming with a taken name gets 409', async () => {
  const { body: other } = await create({ name: 'Mine' })
  const answers = [
    await create({ name: 'Production' }),
    await service.call(admin, 'PATCH', `${url}/${other.data.id}`, { name: 'Production' }),
  ]
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'validation_failed', details: { issues: [{ path: ['name'] }] } } },
    })
  expect(await actionsOf(other.data.id)).toEqual(['environment.create'])
})

test.each([
  ['no name', {}, ['name']],
  ['a blank name', { name: ' ' }, ['name']],
  ['a name that is too long', { name: 'x'.repeat(201) }, ['name']],
  ['a color by name', { name: 'X', color: 'red' }, ['color']],
  ['a short color', { name: 'X', color: '#fff' }, ['color']],
  ['a protection that is not a boolean', { name: 'X', protected: 'yes' }, ['protected']],
  ['an unknown field', { name: 'X', sdkKey: 'sdk_mine' }, ['sdkKey']],
  [
    'a source that does not exist',
    { name: 'X', copyFromEnvId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11' },
    ['copyFromEnvId'],
  ],
  ['a source whose key does not exist', { name: 'X', copyFromEnvId: 'no-environment' }, ['copyFromEnvId']],
])('creating an environment with %s is refused', async (_what, body, path) => {
  expect(await create(body)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_failed', details: { issues: [{ path }] } } },
  })
})

test('an environment of a different project cannot be the source', async () => {
  const other = await createProject(service)
  expect((await create({ name: 'X', copyFromEnvId: other.production.id })).status).toBe(400)
})

test('a token with only flags:write cannot create, update, publish or delete an environment', async () => {
  const one = `${url}/${project.development.id}`
  for (const [method, path] of [
    ['POST', url],
    ['PATCH', one],
    ['DELETE', one],
    ['POST', `${one}/publish`],
  ] as const)
    expect(await service.call(service.people.flagsWrite, method, path, {})).toMatchObject({
      status: 403,
      body: { error: { code: 'scope_missing', details: { scope: 'projects:write' } } },
    })
})

test('a project can have up to 20 environments', async () => {
  const full = await createProject(service)
  const add = (name: string) => service.call(admin, 'POST', `${full.path}/environments`, { name })
  for (let count = 3; count <= 20; count += 1) expect((await add(`E${count}`)).status).toBe(201)
  expect((await add('E21')).body.error).toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('20'),
  })
})
