import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
afterAll(() => service.close())

const me = async (who: string, headers?: Record<string, string>) => {
  const { status, body } = await service.call(who, 'GET', '/api/v1/me', undefined, headers)
  expect(status).toBe(200)
  return body.data
}

/** Gives the viewer a role with these capabilities, from the next request on. */
async function giveViewer(capabilities: string[], role = 'Custom') {
  const id = crypto.randomUUID()
  await sql`
    insert into roles (id, org_id, name, built_in, capabilities, created_at)
    select ${id}, org_id, ${`${role} ${id}`}, false, ${capabilities}::text[], now() from roles limit 1`.execute(
    service.db,
  )
  await setRole(id)
}

async function setRole(roleId: string) {
  await sql`
    update memberships set role_id = ${roleId}
    where user_id = (select id from users where email = 'viewer@svc.test')`.execute(service.db)
}

const roleIdOf = async (name: string) => {
  const { rows } = await sql<{ id: string }>`
    select roles.id from roles join organizations org on org.id = org_id
    where roles.name = ${name} and org.name = 'Acme'`.execute(service.db)
  return rows[0]!.id
}

test('a service token has no user and no role, only its own scopes', async () => {
  expect(await me(service.people.flagsRead)).toEqual({
    type: 'SERVICE_TOKEN',
    id: expect.any(String),
    name: 'flags-read',
    organization: { id: expect.any(String), shortId: 1, name: 'Acme' },
    organizations: [{ id: expect.any(String), shortId: 1, name: 'Acme', role: null }],
    user: null,
    role: null,
    scopes: ['flags:read'],
  })
})

test("a personal token stands for its holder, with the holder's role", async () => {
  const answer = await me(service.people.editor)
  expect(answer).toMatchObject({
    type: 'PERSONAL_TOKEN',
    name: 'laptop',
    organization: { name: 'Acme' },
    user: { id: expect.any(String), name: 'editor', email: 'editor@svc.test' },
    role: { id: expect.any(String), name: 'EDITOR' },
  })
  expect(answer.scopes).toEqual(answer.scopes.toSorted())
})

test('the holder of several organizations gets their ids without naming one', async () => {
  const answer = await me(service.people.consultant)
  expect(answer).toMatchObject({ organization: null, role: null, scopes: [] })
  expect(answer.organizations).toEqual([
    { id: expect.any(String), shortId: 1, name: 'Acme', role: { id: expect.any(String), name: expect.any(String) } },
    { id: expect.any(String), shortId: 2, name: 'Other', role: { id: expect.any(String), name: expect.any(String) } },
  ])
  const { id, ...other } = answer.organizations[1]
  expect((await me(service.people.consultant, { 'svc-org-id': id })).organization).toMatchObject({ id, shortId: 2 })
  expect(other).not.toHaveProperty('features')
})

test('404: an organization of others', async () => {
  const { status } = await service.call(service.people.editor, 'GET', '/api/v1/me', undefined, { 'svc-org-id': '2' })
  expect(status).toBe(404)
})

test('any valid credential works, even one without scopes', async () => {
  expect((await me(service.people.noScopes)).scopes).toEqual([])
})

const membership = [
  'audiences:read',
  'catalog:read',
  'datasets:read',
  'experiments:read',
  'flags:read',
  'integrations:read',
  'members:read',
  'metrics:read',
  'orders:read',
  'org:read',
  'projects:read',
  'recommendations:read',
  'roles:read',
  'segments:read',
  'webhooks:read',
]

test.each<[string, string[], string[]]>([
  ['membership alone', [], []],
  ['view reports', ['view_reports'], ['results:read']],
  ['export data', ['export_data'], ['results:read']],
  ['manage projects', ['manage_projects'], ['projects:write']],
  ['edit project settings', ['edit_project_settings'], ['projects:write']],
  [
    'create experiments',
    ['create_experiments'],
    ['audiences:write', 'experiments:write', 'flags:write', 'metrics:write', 'segments:write'],
  ],
  ['edit code variations', ['edit_code_variations'], ['experiments:write']],
  [
    'manage integrations',
    ['manage_integrations'],
    ['catalog:write', 'datasets:write', 'integrations:write', 'recommendations:write', 'webhooks:write'],
  ],
  ['two capabilities', ['view_reports', 'edit_code_variations'], ['experiments:write', 'results:read']],
])('a role with %s gives exactly its scopes', async (_what, capabilities, added) => {
  await giveViewer(capabilities)
  expect((await me(service.people.viewer)).scopes).toEqual([...membership, ...added].sort())
})

const editing = [
  'audiences:write',
  'experiments:write',
  'flags:write',
  'metrics:write',
  'results:read',
  'segments:write',
]
const managing = ['catalog:write', 'datasets:write', 'integrations:write', 'recommendations:write', 'webhooks:write']
const administering = ['audit:read', 'members:write', 'roles:write']

test.each([
  ['OWNER', [...editing, ...managing, ...administering, 'projects:write']],
  ['ADMIN', [...editing, ...managing, ...administering, 'projects:write']],
  ['EDITOR', editing],
  ['ANALYST', ['results:read']],
  ['VIEWER', []],
])('the built-in role %s gives exactly its scopes', async (name, added) => {
  await setRole(await roleIdOf(name))
  expect((await me(service.people.viewer)).scopes).toEqual([...membership, ...added].sort())
})

test('a demotion takes effect with the next request', async () => {
  await setRole(await roleIdOf('ADMIN'))
  const create = () => service.call(service.people.viewer, 'POST', '/api/v1/projects', { name: 'Mine' })
  expect((await create()).status).toBe(201)
  await setRole(await roleIdOf('VIEWER'))
  expect(await create()).toMatchObject({
    status: 403,
    body: { error: { code: 'scope_missing', details: { scope: 'projects:write' } } },
  })
})

test('a person who leaves the organization loses access with the next request', async () => {
  await sql`delete from memberships where user_id = (select id from users where email = 'viewer@svc.test')`.execute(
    service.db,
  )
  const answer = await service.call(service.people.viewer, 'GET', '/api/v1/projects')
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'organization_required' } } })
  expect(await me(service.people.viewer)).toMatchObject({ organization: null, organizations: [], scopes: [] })
})
