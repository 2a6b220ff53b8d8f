import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addToOrganization, auditOf, newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'

let service: TestService
let owner: TestPerson
let admin: TestPerson
let roles: Record<string, string>
const url = '/api/v1/members'

beforeAll(async () => {
  service = await startTestService()
  owner = await newPerson(service, { role: 'OWNER' })
  admin = await newPerson(service, { role: 'ADMIN' })
  roles = await roleIds(service)
})
afterAll(() => service.close())

const get = async (id: string) => (await service.call(owner.token, 'GET', `${url}/${id}`)).body.data
const patch = (who: string, id: string, edit: object) => service.call(who, 'PATCH', `${url}/${id}`, edit)

describe('200', () => {
  test('every member sees the members', async () => {
    const person = await newPerson(service, { role: 'ANALYST' })
    const { status, body } = await service.call(service.people.viewer, 'GET', `${url}/${person.id}`)
    expect([status, body.data]).toEqual([
      200,
      {
        userId: person.id,
        name: person.name,
        email: person.email,
        role: { id: roles.ANALYST, name: 'ANALYST' },
        projectIds: null,
        secondFactor: false,
        lastSeenAt: expect.any(String),
        createdAt: expect.any(String),
      },
    ])
  })

  test('a member has second factor and last use, in the dashboard and with a token', async () => {
    const { id } = await newPerson(service)
    await sql`update users set totp_confirmed_at = now() where id = ${id}`.execute(service.db)
    await sql`update sessions set last_seen_at = '2030-01-01T00:00:00Z' where user_id = ${id}`.execute(service.db)
    expect(await get(id)).toMatchObject({ secondFactor: true, lastSeenAt: '2030-01-01T00:00:00.000Z' })
    await sql`update tokens set last_used_at = '2030-01-02T00:00:00Z' where user_id = ${id}`.execute(service.db)
    expect(await get(id)).toMatchObject({ lastSeenAt: '2030-01-02T00:00:00.000Z' })
    await sql`delete from sessions where user_id = ${id}`.execute(service.db)
    await sql`update tokens set last_used_at = null where user_id = ${id}`.execute(service.db)
    expect(await get(id)).toMatchObject({ lastSeenAt: null })
  })

  test('members are paged and belong to the organization', async () => {
    const outsider = await newPerson(service, { organization: 'Other' })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await service.call(owner.token, 'GET', `${url}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      expect(body.data.length).toBeLessThanOrEqual(2)
      seen.push(...body.data.map(({ userId }: { userId: string }) => userId))
      cursor = body.page.nextCursor
    } while (cursor)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
    expect(seen).toContain(admin.id)
    expect(seen).not.toContain(outsider.id)
    const { body } = await service.call(service.people.stranger, 'GET', url)
    expect(body.data.map(({ email }: { email: string }) => email).sort()).toEqual(
      [outsider.email, 'consultant@svc.test'].sort(),
    )
  })

  test('a new role takes effect with the next request, and the audit log has both roles', async () => {
    const { id, name, token, inSession } = await newPerson(service)
    const statuses = async () => [
      (await service.call(token, 'POST', '/api/v1/roles', {})).status,
      (await inSession('POST', '/api/v1/roles', {})).status,
    ]
    expect(await statuses()).toEqual([403, 403])
    const { status, body } = await patch(admin.token, id, { roleId: roles.ADMIN })
    expect([status, body.data]).toMatchObject([200, { userId: id, role: { name: 'ADMIN' } }])
    expect(await statuses()).toEqual([400, 400])
    await admin.inSession('PATCH', `${url}/${id}`, { roleId: roles.VIEWER })
    expect(await statuses()).toEqual([403, 403])
    const viewer = { role: { id: roles.VIEWER, name: 'VIEWER' }, projectIds: null }
    const administrator = { role: { id: roles.ADMIN, name: 'ADMIN' }, projectIds: null }
    expect(await auditOf(service, id)).toEqual([
      { action: 'member.update', actor: 'personal_token', name, before: viewer, after: administrator },
      { action: 'member.update', actor: 'user', name, before: administrator, after: viewer },
    ])
  })

  test('a change without a difference records nothing', async () => {
    const { id } = await newPerson(service)
    for (const edit of [{}, { roleId: roles.VIEWER }, { projectIds: null }, { roleId: roles.VIEWER, projectIds: null }])
      expect((await patch(owner.token, id, edit)).status).toBe(200)
    expect(await auditOf(service, id)).toEqual([])
  })

  test('a removed member loses access with the next request; the account and other organizations remain', async () => {
    const { id, name, token, inSession } = await newPerson(service, { role: 'EDITOR' })
    await addToOrganization(service, id, { organization: 'Other', role: 'VIEWER' })
    const inAcme = { 'svc-org-id': '1' }
    expect((await service.call(token, 'GET', '/api/v1/me', undefined, inAcme)).status).toBe(200)
    expect((await service.call(admin.token, 'DELETE', `${url}/${id}`)).body).toEqual({ data: null })
    expect((await service.call(token, 'GET', '/api/v1/me', undefined, inAcme)).status).toBe(404)
    expect((await inSession('GET', '/api/v1/me', undefined, inAcme)).status).toBe(404)
    expect((await service.call(token, 'GET', '/api/v1/me')).body.data.organization.name).toBe('Other')
    expect(await auditOf(service, id)).toMatchObject([
      { action: 'member.remove', name, before: { role: { name: 'EDITOR' }, projectIds: null }, after: null },
    ])
  })

  test('everyone can leave', async () => {
    const { id, inSession } = await newPerson(service)
    expect((await inSession('POST', '/api/dashboard/organization/leave')).body).toEqual({ data: null })
    expect((await service.call(owner.token, 'GET', `${url}/${id}`)).status).toBe(404)
    expect(await auditOf(service, id)).toMatchObject([{ action: 'member.leave', actor: 'user' }])
  })
})

test.each<[string, object, string]>([
  ['a role of another organization', { roleId: 'other' }, 'roleId'],
  ['an unknown role', { roleId: crypto.randomUUID() }, 'roleId'],
  ['an invalid role id', { roleId: 'VIEWER' }, 'roleId'],
  ['unknown projects', { projectIds: [crypto.randomUUID()] }, 'projectIds'],
  ['chosen projects for an administrator', { roleId: 'admin', projectIds: [] }, 'projectIds'],
  ['an unknown field', { role: 'ADMIN' }, 'role'],
])('400: %s', async (_what, edit, field) => {
  const { id } = await newPerson(service)
  const ids = { other: (await roleIds(service, 'Other')).VIEWER, admin: roles.ADMIN }
  const sent = { ...edit, ...('roleId' in edit && { roleId: ids[edit.roleId as 'other'] ?? edit.roleId }) }
  const { status, body } = await patch(owner.token, id, sent)
  expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([400, 'validation_failed', [field]])
  expect(await get(id)).toMatchObject({ role: { name: 'VIEWER' }, projectIds: null })
})

describe('403', () => {
  test('an administrator cannot make, change or remove an owner', async () => {
    const { id } = await newPerson(service)
    const other = await newPerson(service, { role: 'OWNER' })
    for (const answer of [
      await patch(admin.token, id, { roleId: roles.OWNER }),
      await patch(admin.token, admin.id, { roleId: roles.OWNER }),
      await patch(admin.token, other.id, { roleId: roles.VIEWER }),
      await service.call(admin.token, 'DELETE', `${url}/${other.id}`),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'role_missing' } } })
    expect([(await get(id)).role.name, (await get(other.id)).role.name]).toEqual(['VIEWER', 'OWNER'])
  })

  test('an owner can make, change and remove owners', async () => {
    const { id } = await newPerson(service)
    expect((await patch(owner.token, id, { roleId: roles.OWNER })).status).toBe(200)
    expect((await patch(owner.token, id, { roleId: roles.ADMIN })).status).toBe(200)
    expect((await patch(service.people.admin, id, { roleId: roles.OWNER })).status).toBe(200)
    expect((await service.call(owner.token, 'DELETE', `${url}/${id}`)).status).toBe(200)
  })

  test('a service token with members:write can give only scopes that it holds', async () => {
    const wanted = { name: 'onboarding', scopes: ['members:write'], expiresIn: 'never' }
    const { body } = await owner.inSession('POST', '/api/dashboard/service-tokens', wanted)
    const { id } = await newPerson(service, { role: 'EDITOR' })
    const as = (name: string) => patch(body.data.secret, id, { roleId: roles[name] })
    expect((await as('VIEWER')).status).toBe(200)
    expect((await as('EDITOR')).body.error).toMatchObject({ code: 'scope_missing' })
    expect((await as('ADMIN')).body.error).toMatchObject({ code: 'role_missing' })
    expect((await patch(body.data.secret, admin.id, { roleId: roles.VIEWER })).status).toBe(403)
  })

  test.each(['EDITOR', 'ANALYST', 'VIEWER'])('%s can change nobody, not even themselves', async (role) => {
    const person = await newPerson(service, { role })
    for (const method of ['PATCH', 'DELETE'] as const)
      expect(await service.call(person.token, method, `${url}/${person.id}`)).toMatchObject({
        status: 403,
        body: { error: { details: { scope: 'members:write' } } },
      })
  })
})

test('404: a person of another organization', async () => {
  const outsider = await newPerson(service, { organization: 'Other' })
  for (const id of [outsider.id, crypto.randomUUID(), 'x'])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await service.call(owner.token, method, `${url}/${id}`)).status).toBe(404)
})

describe('a link for a member who lost the password', () => {
  const linkFor = (who: TestPerson, id: string) =>
    who.inSession('POST', `/api/dashboard/members/${id}/password-reset-link`)

  test('leads to the page for a new password, with the secret only in its fragment', async () => {
    const { id } = await newPerson(service)
    const { status, body } = await linkFor(admin, id)
    const link = expect.stringMatching(/^http:\/\/svc\.test\/reset#[\w-]{43}$/)
    expect([status, body.data]).toEqual([201, { link, expiresAt: expect.any(String) }])
    const [entry] = await auditOf(service, id)
    expect(entry).toMatchObject({ action: 'member.password_reset_link', after: { expiresAt: body.data.expiresAt } })
    expect(JSON.stringify(entry)).not.toContain(body.data.link.split('#')[1])
    const check = await service.call(
      null,
      'POST',
      '/api/dashboard/links/check',
      { link: body.data.link.split('#')[1] },
      {
        'sec-fetch-site': 'same-origin',
      },
    )
    expect(check.body.data).toMatchObject({ kind: 'PASSWORD_RESET', organization: null, hasAccount: true })
  })

  test('for an owner can be created only by an owner', async () => {
    const other = await newPerson(service, { role: 'OWNER' })
    expect((await linkFor(admin, other.id)).body.error.code).toBe('role_missing')
    expect((await linkFor(owner, other.id)).status).toBe(201)
  })

  test('cannot be created for a member of another organization', async () => {
    const { id } = await newPerson(service)
    await addToOrganization(service, id, { organization: 'Other', role: 'VIEWER' })
    expect(await linkFor(owner, id)).toMatchObject({ status: 409, body: { error: { code: 'invalid_state' } } })
    expect((await linkFor(owner, (await newPerson(service, { organization: 'Other' })).id)).status).toBe(404)
  })

  test('cannot be created by other roles or by a token', async () => {
    const { id } = await newPerson(service)
    const editor = await newPerson(service, { role: 'EDITOR' })
    expect((await linkFor(editor, id)).body.error.code).toBe('role_missing')
    const path = `/api/dashboard/members/${id}/password-reset-link`
    for (const token of [service.people.admin, owner.token])
      expect((await service.call(token, 'POST', path)).status).toBe(401)
  })
})
