import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditOf, newPerson, roleIds } from '../../../../testing/people.ts'
import { type Answer, startTestService, type TestService } from '../../../../testing/service.ts'

let service: TestService
let admin: string
const url = '/api/v1/roles'

beforeAll(async () => {
  service = await startTestService()
  admin = service.people.admin
})
afterAll(() => service.close())

async function newRole(fields: Record<string, unknown> = {}) {
  const wanted = { name: `Role ${crypto.randomUUID()}`, capabilities: [], ...fields }
  const { status, body } = await service.call(admin, 'POST', url, wanted)
  expect(status).toBe(201)
  return body.data
}

describe('200 and 201', () => {
  test('a created role shows its scopes and is in the audit log', async () => {
    const role = await newRole({
      name: 'Release manager',
      description: 'Ships it.',
      capabilities: ['manage_projects', 'view_reports', 'view_reports'],
    })
    expect(role).toEqual({
      id: expect.any(String),
      name: 'Release manager',
      description: 'Ships it.',
      builtIn: false,
      capabilities: ['view_reports', 'manage_projects'],
      scopes: expect.arrayContaining(['projects:write', 'results:read', 'flags:read']),
      memberCount: 0,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: role.createdAt,
    })
    expect(role.scopes).toEqual(role.scopes.toSorted())
    expect((await service.call(admin, 'GET', `${url}/${role.id}`)).body.data).toEqual(role)
    expect(await auditOf(service, role.id)).toEqual([
      {
        action: 'role.create',
        actor: 'service_token',
        name: 'Release manager',
        before: null,
        after: { name: 'Release manager', description: 'Ships it.', capabilities: ['view_reports', 'manage_projects'] },
      },
    ])
  })

  test('built-in roles come first, from owner to viewer, then others by name, with the number of members', async () => {
    await newRole({ name: 'zebra' })
    await newRole({ name: 'Ant' })
    const { body } = await service.call(service.people.viewer, 'GET', url)
    const names = body.data.map(({ name }: { name: string }) => name)
    expect(names.slice(0, 5)).toEqual(['OWNER', 'ADMIN', 'EDITOR', 'ANALYST', 'VIEWER'])
    expect(names.indexOf('Ant')).toBeLessThan(names.indexOf('zebra'))
    expect(body.data[0]).toMatchObject({ builtIn: true, memberCount: 1 })
    expect(body.data[2]).toMatchObject({ name: 'EDITOR', memberCount: 2 })
  })

  test('an edit changes the ETag, and the audit log has both versions', async () => {
    const role = await newRole({ name: 'Before', capabilities: ['view_reports'] })
    const first = await service.call(admin, 'GET', `${url}/${role.id}`)
    const edit = { name: 'After', capabilities: ['export_data'] }
    const { status, body, headers } = await service.call(admin, 'PATCH', `${url}/${role.id}`, edit, {
      'x-svc-if-match': first.headers.etag as string,
    })
    expect([status, body.data]).toEqual([200, { ...role, ...edit, updatedAt: expect.any(String) }])
    expect(headers.etag).not.toBe(first.headers.etag)
    expect((await auditOf(service, role.id)).at(-1)).toMatchObject({
      action: 'role.update',
      before: { name: 'Before', capabilities: ['view_reports'] },
      after: { name: 'After', capabilities: ['export_data'] },
    })
  })

  test('an edit without a difference changes and records nothing', async () => {
    const role = await newRole({ capabilities: ['view_reports'] })
    const first = await service.call(admin, 'GET', `${url}/${role.id}`)
    for (const edit of [{}, { name: role.name }, { capabilities: ['view_reports', 'view_reports'] }])
      expect((await service.call(admin, 'PATCH', `${url}/${role.id}`, edit)).headers.etag).toBe(first.headers.etag)
    expect(await auditOf(service, role.id)).toHaveLength(1)
  })

  test('the name of a role can change its case', async () => {
    const role = await newRole({ name: 'quality' })
    const { status, body } = await service.call(admin, 'PATCH', `${url}/${role.id}`, { name: 'Quality' })
    expect([status, body.data.name]).toEqual([200, 'Quality'])
  })

  test('an unused role can be deleted', async () => {
    const role = await newRole()
    expect((await service.call(admin, 'DELETE', `${url}/${role.id}`)).body).toEqual({ data: null })
    expect((await service.call(admin, 'GET', `${url}/${role.id}`)).status).toBe(404)
    expect((await auditOf(service, role.id)).at(-1)).toMatchObject({ action: 'role.delete', after: null })
  })

  test('a change takes effect with the next request of everyone with the role', async () => {
    const role = await newRole({ name: 'Shifting' })
    const { token, inSession } = await newPerson(service, { role: 'Shifting' })
    const statuses = async () => [
      (await service.call(token, 'POST', '/api/v1/projects', {})).status,
      (await inSession('POST', '/api/v1/projects', {})).status,
    ]
    expect(await statuses()).toEqual([403, 403])
    await service.call(admin, 'PATCH', `${url}/${role.id}`, { capabilities: ['manage_projects'] })
    expect(await statuses()).toEqual([400, 400])
    await service.call(admin, 'PATCH', `${url}/${role.id}`, { capabilities: [] })
    expect(await statuses()).toEqual([403, 403])
  })

  test('every signed-in person can read the capabilities', async () => {
    const { inSession } = await newPerson(service)
    const { status, body } = await inSession('GET', '/api/dashboard/capabilities')
    expect(status).toBe(200)
    expect(body.data).toHaveLength(7)
    expect(body.data[0]).toEqual({
      capability: 'view_reports',
      text: expect.stringMatching(/results/),
      scopes: ['results:read'],
    })
  })
})

test('the list is paged in its own order', async () => {
  const whole = await service.call(admin, 'GET', url)
  expect(whole.body.page).toEqual({ nextCursor: null, hasMore: false })
  const seen: unknown[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = `limit=2${cursor && `&cursor=${cursor}`}`
    const { data, page }: Answer['body'] = (await service.call(admin, 'GET', `${url}?${query}`)).body
    seen.push(...data)
    cursor = page.nextCursor
  }
  expect(seen).toEqual(whole.body.data)
})

test.each([
  ['no name', { capabilities: [] }, ['name'], 'name is required.'],
  ['a blank name', { name: ' ', capabilities: [] }, ['name'], 'blank'],
  ['no capabilities', { name: 'X' }, ['capabilities'], 'capabilities is required.'],
  ['an unknown capability', { name: 'X', capabilities: ['fly'] }, ['capabilities', 0], 'view_reports'],
  ['scopes', { name: 'X', capabilities: [], scopes: ['admin:*'] }, ['scopes'], 'is not a known field.'],
  ['builtIn', { name: 'X', capabilities: [], builtIn: true }, ['builtIn'], 'is not a known field.'],
])('400: creating with %s', async (_what, sent, path, message) => {
  const { status, body } = await service.call(admin, 'POST', url, sent)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toMatchObject([{ path, message: expect.stringContaining(message) }])
})

describe('403', () => {
  test.each([
    ['viewer', 'GET', undefined],
    ['viewer', 'POST', 'roles:write'],
    ['editor', 'POST', 'roles:write'],
    ['flagsRead', 'GET', 'roles:read'],
  ] as const)('a request of %s to %s roles requires its scope', async (who, method, scope) => {
    const { status, body } = await service.call(service.people[who], method, url, method === 'POST' ? {} : undefined)
    expect([status, body.error?.details.scope]).toEqual(scope ? [403, scope] : [200, undefined])
  })

  test('a service token can put only its own scopes into a role', async () => {
    const token = await tokenWith(['roles:write', 'results:read'])
    const create = (capabilities: string[]) =>
      service.call(token, 'POST', url, { name: `By token ${capabilities}`, capabilities })
    expect(await create(['manage_projects'])).toMatchObject({
      status: 403,
      body: { error: { code: 'scope_missing', details: { scope: 'projects:write' } } },
    })
    expect((await create(['view_reports'])).status).toBe(201)
    const { id } = await newRole({ capabilities: ['manage_projects'] })
    const update = (capabilities: string[]) => service.call(token, 'PATCH', `${url}/${id}`, { capabilities })
    expect((await update(['manage_projects', 'create_experiments'])).status).toBe(403)
    expect((await update(['manage_projects', 'view_reports'])).status).toBe(200)
    expect((await update([])).status).toBe(200)
  })
})

const tokenWith = async (scopes: string[]) => {
  const { inSession } = await newPerson(service, { role: 'OWNER' })
  const wanted = { name: scopes.join(' '), scopes, expiresIn: 'never' }
  const { body } = await inSession('POST', '/api/dashboard/service-tokens', wanted)
  return body.data.secret as string
}

describe('404', () => {
  test('an unknown role, one of another organization and an invalid id', async () => {
    const others = await roleIds(service, 'Other')
    for (const id of [others.VIEWER!, crypto.randomUUID(), 'x'])
      for (const method of ['GET', 'PATCH', 'DELETE'] as const)
        expect((await service.call(admin, method, `${url}/${id}`)).status).toBe(404)
  })
})

describe('409', () => {
  test.each(['Taken', 'taken', 'viewer'])('the name %s is taken', async (name) => {
    await service.call(admin, 'POST', url, { name: 'Taken', capabilities: [] })
    const role = await newRole()
    for (const answer of [
      await service.call(admin, 'POST', url, { name, capabilities: [] }),
      await service.call(admin, 'PATCH', `${url}/${role.id}`, { name }),
    ])
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { code: 'validation_failed', details: { issues: [{ path: ['name'] }] } } },
      })
  })

  test('built-in roles cannot change', async () => {
    for (const id of Object.values(await roleIds(service, 'Acme'))) {
      const { body } = await service.call(admin, 'GET', `${url}/${id}`)
      if (!body.data.builtIn) continue
      for (const answer of [
        await service.call(admin, 'PATCH', `${url}/${id}`, { name: 'Boss' }),
        await service.call(admin, 'PATCH', `${url}/${id}`, { capabilities: [] }),
        await service.call(admin, 'DELETE', `${url}/${id}`),
      ])
        expect(answer).toMatchObject({ status: 409, body: { error: { code: 'invalid_state' } } })
    }
  })

  test('a role with members or open invitations cannot be deleted', async () => {
    const role = await newRole({ name: 'In use' })
    const { id } = await newPerson(service, { role: 'In use' })
    const wanted = { email: 'soon@svc.test', roleId: role.id }
    const invitation = await service.call(admin, 'POST', '/api/v1/members/invitations', wanted)
    expect(await service.call(admin, 'DELETE', `${url}/${role.id}`)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'invalid_state',
          details: {
            references: [
              { type: 'member', count: 1 },
              { type: 'invitation', count: 1 },
            ],
          },
        },
      },
    })
    await service.call(admin, 'DELETE', `/api/v1/members/invitations/${invitation.body.data.id}`)
    await service.call(admin, 'DELETE', `/api/v1/members/${id}`)
    expect((await service.call(admin, 'DELETE', `${url}/${role.id}`)).status).toBe(200)
  })

  test('one of several concurrent creates gets a name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service.call(admin, 'POST', url, { name: 'Wanted', capabilities: [] })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  })
})

test('412: a different request was faster', async () => {
  const role = await newRole()
  const { headers } = await service.call(admin, 'GET', `${url}/${role.id}`)
  const stale = { 'x-svc-if-match': headers.etag as string }
  const patch = (name: string) => service.call(admin, 'PATCH', `${url}/${role.id}`, { name }, stale)
  expect((await patch('First of two')).status).toBe(200)
  expect(await patch('Second of two')).toMatchObject({
    status: 412,
    body: { error: { code: 'precondition_failed', details: { expected: '"l2"' } } },
  })
})
