import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { dayMs, standingClock } from '../../../../testing/clock.ts'
import { addToOrganization, auditOf, newPerson } from '../../../../testing/people.ts'
import { startTestService } from '../../../../testing/service.ts'
import { type Browser, signIn } from '../../../../testing/sessions.ts'
import { hashOf } from './secret.ts'

const url = '/api/dashboard/personal-tokens'
const clock = standingClock()

const service = await startTestService({ now: clock.now })
afterAll(() => service.close())

type Member = Browser & { id: string; name: string; email: string }

async function member(as: Parameters<typeof newPerson>[1] = {}): Promise<Member> {
  const { id, name, email } = await newPerson(service, as)
  return { ...(await signIn(service, email)), id, name, email }
}

async function create(who: Browser, more: object = {}) {
  const { status, body, text } = await who.call('POST', url, { name: 'laptop', expiresIn: 'never', ...more })
  expect(status, text).toBe(201)
  return body.data
}

const me = (secret: string, headers?: Record<string, string>) =>
  service.call(secret, 'GET', '/api/v1/me', undefined, headers)

test("201: a token with the rights of its holder's role and no stored scopes", async () => {
  const editor = await member({ role: 'EDITOR' })
  const { secret, ...token } = await create(editor)
  expect(token).toEqual({
    id: expect.any(String),
    name: 'laptop',
    createdAt: clock.now().toISOString(),
    expiresAt: null,
    expired: false,
    revokedAt: null,
    lastUsedAt: null,
    lastUsedIp: null,
    lastUsedUserAgent: null,
  })
  expect((await editor.call('GET', url)).body.data).toMatchObject([token, { name: 'laptop' }])
  expect(secret).toMatch(/^svc_pat_[\w-]{43}$/)
  const { body } = await me(secret)
  expect(body.data).toMatchObject({
    type: 'PERSONAL_TOKEN',
    id: token.id,
    user: { id: editor.id },
    role: { name: 'EDITOR' },
  })
  const { rows } = await sql<{ scopes: unknown; hash: Buffer; text: string }>`
    select scopes, secret_hash as hash, tokens::text as text from tokens where id = ${token.id}`.execute(service.db)
  expect(rows[0]).toMatchObject({ scopes: null, hash: hashOf(secret) })
  expect(rows[0]!.text).not.toContain(secret.slice(8))
})

test('a new role of its holder takes effect with the next request', async () => {
  const admin = await member({ role: 'ADMIN' })
  const { secret } = await create(admin)
  const audit = async () => (await service.call(secret, 'GET', '/api/v1/audit')).status
  expect(await audit()).toBe(200)
  await sql`
    update memberships set role_id = (select id from roles where org_id = memberships.org_id and name = 'VIEWER')
    where user_id = ${admin.id}`.execute(service.db)
  expect(await audit()).toBe(403)
})

test('the token of a removed member gives no access to any organization', async () => {
  const leaving = await member()
  const { secret } = await create(leaving)
  const { body } = await me(secret)
  await sql`delete from memberships where user_id = ${leaving.id}`.execute(service.db)
  expect((await me(secret)).body.data).toMatchObject({ organization: null, organizations: [], scopes: [] })
  expect(await service.call(secret, 'GET', '/api/v1/projects')).toMatchObject({ status: 400 })
  const named = { 'svc-org-id': body.data.organization.id }
  expect(await me(secret, named)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect(await service.call(secret, 'GET', '/api/v1/projects', undefined, named)).toMatchObject({ status: 404 })
})

test('the token of a deleted account is unknown', async () => {
  const gone = await member()
  const { secret } = await create(gone)
  await sql`delete from users where id = ${gone.id}`.execute(service.db)
  expect(await me(secret)).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
})

test('it expires on time and is listed as expired', async () => {
  let holder = await member()
  const { id, secret } = await create(holder, { expiresIn: '30d' })
  clock.move(30 * dayMs - 1)
  expect((await me(secret)).status).toBe(200)
  clock.move(1)
  expect((await me(secret)).body.error.code).toBe('token_expired')
  holder = { ...holder, ...(await signIn(service, holder.email)) }
  const { body } = await holder.call('GET', url)
  expect(body.data.find((token: { id: string }) => token.id === id)).toMatchObject({ expired: true, revokedAt: null })
})

test('revoking takes effect at once and for good, and can be repeated', async () => {
  const holder = await member()
  const { id, secret } = await create(holder)
  const first = await holder.call('DELETE', `${url}/${id}`)
  expect(first).toMatchObject({ status: 200, body: { data: { id, revokedAt: clock.now().toISOString() } } })
  expect((await me(secret)).body.error.code).toBe('token_revoked')
  clock.move(1000)
  const second = await holder.call('DELETE', `${url}/${id}`)
  expect([second.status, second.body]).toEqual([200, first.body])
  expect((await auditOf(service, id)).map(({ action }) => action)).toEqual([
    'personal_token.create',
    'personal_token.revoke',
  ])
})

test('nobody can see or revoke the tokens of others, not even owners', async () => {
  const holder = await member()
  const { id, secret } = await create(holder)
  const owner = await member({ role: 'OWNER' })
  expect((await owner.call('GET', url)).body.data.map((token: { id: string }) => token.id)).not.toContain(id)
  for (const other of [id, crypto.randomUUID(), 'nonsense'])
    expect(await owner.call('DELETE', `${url}/${other}`)).toMatchObject({ status: 404 })
  expect((await me(secret)).status).toBe(200)
})

test('it is recorded in every organization of its holder, without the secret', async () => {
  const person = await newPerson(service)
  await addToOrganization(service, person.id, { organization: 'Other', role: 'VIEWER' })
  const browser = await signIn(service, person.email)
  const { id, secret } = await create(browser, { name: 'both', expiresIn: '7d' })
  const { rows } = await sql<{ organization: string; action: string; actor_id: string; after: object }>`
    select org.name as organization, action, actor_id, after from audit_entries
    join organizations org on org.id = org_id where object_id = ${id} order by org.name`.execute(service.db)
  const expiresAt = new Date(clock.now().getTime() + 7 * dayMs).toISOString()
  const entry = { action: 'personal_token.create', actor_id: person.id, after: { name: 'both', expiresAt } }
  expect(rows).toEqual([
    { organization: 'Acme', ...entry },
    { organization: 'Other', ...entry },
  ])
  expect(JSON.stringify(rows)).not.toContain(secret.slice(8))
})

test('the list is paged', async () => {
  const holder = await member()
  for (const name of ['one', 'two', 'three']) await create(holder, { name })
  const names = []
  for (let cursor = ''; ; ) {
    const { body } = await holder.call('GET', `${url}?limit=2${cursor}`)
    names.push(...body.data.map(({ name }: { name: string }) => name))
    if (!body.page.hasMore) break
    cursor = `&cursor=${body.page.nextCursor}`
  }
  expect(names).toEqual(['three', 'two', 'one', 'laptop'])
})

test('401: a token cannot call the token routes', async () => {
  const holder = await member({ role: 'OWNER' })
  const { id, secret } = await create(holder)
  for (const who of [secret, service.people.admin, null])
    for (const [method, path, body] of [
      ['GET', url, undefined],
      ['POST', url, { name: 'x', expiresIn: 'never' }],
      ['DELETE', `${url}/${id}`, undefined],
    ] as const)
      expect(await service.call(who, method, path, body)).toMatchObject({ status: 401 })
})

test.each<[object, string]>([
  [{ name: '' }, 'name'],
  [{ expiresIn: '10y' }, 'expiresIn'],
  [{ scopes: ['admin:*'] }, 'scopes'],
  [{ userId: crypto.randomUUID() }, 'userId'],
])('400: %o', async (more, field) => {
  const holder = await member()
  const { status, body } = await holder.call('POST', url, { name: 'laptop', expiresIn: 'never', ...more })
  expect([status, body.error.details.issues[0].path]).toEqual([400, [field]])
})
