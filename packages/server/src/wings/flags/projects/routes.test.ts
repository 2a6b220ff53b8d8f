import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booleanFlag } from '../../../../testing/boolean-flag.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'

let service: TestService
let admin: string
const url = '/api/v1/projects'

beforeAll(async () => {
  service = await startTestService({ now: () => new Date('2026-11-20T10:00:00Z') })
  admin = service.people.admin
})
afterAll(() => service.close())

test('a new project has a short id and starts with Production and Development', async () => {
  const { status, body } = await service.call(admin, 'POST', url, { name: 'Mobile app' })
  expect(status).toBe(201)
  const me = await service.call(admin, 'GET', '/api/v1/me')
  expect(body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    shortId: 2,
    orgId: me.body.data.organization.id,
    key: 'mobile-app',
    name: 'Mobile app',
    type: 'FEATURE_FLAG',
    samplesVisitors: true,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
  })
  const environments = await service.call(admin, 'GET', `${url}/${body.data.id}/environments`)
  expect(environments.body.data).toMatchObject([
    { name: 'Production', key: 'production', builtIn: true, protected: true, position: 0 },
    { name: 'Development', key: 'development', builtIn: true, protected: false, position: 1 },
  ])
  expect((await service.call(admin, 'GET', `${url}/${body.data.id}`)).body.data).toEqual(body.data)
})

test('the list has only the projects of the organization, newest first', async () => {
  const { body } = await service.call(admin, 'GET', url)
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Mobile app', 'Web shop'])
  expect(body.page).toEqual({ nextCursor: null, hasMore: false })
})

test('two projects can have the same name', async () => {
  const { status, body } = await service.call(admin, 'POST', url, { name: 'Mobile app' })
  expect([status, body.data.shortId]).toEqual([201, 3])
})

test('a project can be renamed, and the audit log has the rename with its author', async () => {
  const { body: created } = await service.call(admin, 'POST', url, { name: 'Old' })
  const path = `${url}/${created.data.id}`
  const { status, body } = await service.call(admin, 'PATCH', path, { name: 'New' }, { 'user-agent': 'test/1' })
  expect([status, body.data.name]).toEqual([200, 'New'])
  const { rows } = await sql`
    select * from audit_entries where project_id = ${created.data.id} order by id`.execute(service.db)
  expect(rows).toMatchObject([
    { action: 'project.create', actor_name: 'admin', actor_type: 'service_token' },
    { action: 'project.update', before: { name: 'Old' }, after: { name: 'New' }, user_agent: 'test/1' },
  ])
})

test('an update with the same name or without a name changes and records nothing', async () => {
  const { body: created } = await service.call(admin, 'POST', url, { name: 'Same' })
  for (const body of [{ name: 'Same' }, {}])
    expect((await service.call(admin, 'PATCH', `${url}/${created.data.id}`, body)).body.data).toEqual(created.data)
})

test.each([
  ['no body', 'POST', undefined, [], 'The body is required.'],
  ['no name', 'POST', {}, ['name'], 'name is required.'],
  ['a blank name', 'POST', { name: '  ' }, ['name'], 'blank'],
  ['a name that is too long', 'POST', { name: 'x'.repeat(201) }, ['name'], '200'],
  ['a name that is not a string', 'POST', { name: 7 }, ['name'], 'string'],
  ['an unknown type', 'POST', { name: 'X', type: 'SHOP' }, ['type'], 'FEATURE_FLAG'],
  ['an unknown field', 'POST', { name: 'X', color: 'red' }, ['color'], 'color is not a known field.'],
] as const)('creating a project with %s is refused', async (_what, method, sent, path, message) => {
  const { status, body } = await service.call(admin, method, url, sent)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toMatchObject([{ path, message: expect.stringContaining(message) }])
})

test.each([
  ['reading projects without the scope', 'flagsRead', 'GET', 403, 'projects:read'],
  ['creating a project without the scope', 'projectsRead', 'POST', 403, 'projects:write'],
] as const)('%s is refused', async (_what, who, method, status, scope) => {
  const answer = await service.call(service.people[who], method, url, method === 'POST' ? { name: 'X' } : undefined)
  expect(answer).toMatchObject({ status, body: { error: { code: 'scope_missing', details: { scope } } } })
})

test('a project of the type WEB has no flags, and its type is fixed', async () => {
  const { status, body } = await service.call(admin, 'POST', url, { name: 'Website', type: 'WEB' })
  expect([status, body.data.type]).toEqual([201, 'WEB'])
  const path = `${url}/${body.data.id}`
  expect((await service.call(admin, 'GET', path)).body.data.type).toBe('WEB')
  const flag = await service.call(admin, 'POST', `${path}/flags`, booleanFlag('checkout'))
  expect(flag).toMatchObject({
    status: 409,
    body: {
      error: {
        code: 'invalid_state',
        message: expect.stringContaining('Create an experiment here'),
        details: { current: 'WEB', allowed: ['FEATURE_FLAG'] },
      },
    },
  })
  const changed = await service.call(admin, 'PATCH', path, { type: 'FEATURE_FLAG' })
  expect(changed).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('is set by the creation') } },
  })
  expect((await service.call(admin, 'DELETE', path, undefined, { 'x-svc-confirm': 'website' })).status).toBe(200)
})
