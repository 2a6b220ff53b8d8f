import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { auditOf, newPerson } from '../../../../testing/people.ts'
import { startTestService } from '../../../../testing/service.ts'
import { openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'

const service = await startTestService()
afterAll(() => service.close())

const sessionRows = async (email: string) => {
  const { rows } = await sql<{ id: string; secret_hash: Buffer }>`
    select sessions.id, secret_hash from sessions join users on users.id = user_id where email = ${email}`.execute(
    service.db,
  )
  return rows
}

test('200 after signing in, the session has the person, the organizations and their permissions', async () => {
  const browser = await signIn(service, 'consultant@svc.test')
  const { body } = await browser.call('GET', '/api/dashboard/session')
  expect(body.data).toMatchObject({
    stage: 'SIGNED_IN',
    setup: false,
    providers: [],
    mail: false,
    session: {
      user: { name: 'consultant', email: 'consultant@svc.test', hasPassword: true, secondFactor: false },
      organizations: [
        { name: 'Acme', shortId: 1, role: { name: 'EDITOR' }, administrator: false, projects: null },
        { name: 'Other', shortId: 2, role: { name: 'VIEWER' }, administrator: false },
      ],
    },
  })
  const { organizations, authenticatedAt, expiresAt } = body.data.session
  expect(organizations[0].scopes).toContain('flags:write')
  expect(organizations[1].scopes).not.toContain('flags:write')
  expect(Date.parse(expiresAt) - Date.parse(authenticatedAt)).toBe(7 * 24 * 60 * 60 * 1000)
})

test('200 without a cookie nobody is signed in, and an invalid cookie is cleared', async () => {
  const browser = openBrowser(service)
  expect((await browser.call('GET', '/api/dashboard/session')).body.data).toMatchObject({
    session: null,
    stage: 'SIGNED_OUT',
  })
  const cookie = `svc_session=${'A'.repeat(43)}`
  const answer = await browser.call('GET', '/api/dashboard/session', undefined, { cookie })
  expect(answer.body.data.stage).toBe('SIGNED_OUT')
  expect(answer.headers['set-cookie']).toMatch(/^svc_session=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
})

test('200 the case of the address does not matter', async () => {
  await signIn(service, 'viewer@svc.test')
  await signIn(service, 'VIEWER@svc.test', testPassword)
})

test('200 a session works for the public API and selects an organization with the header', async () => {
  const browser = await signIn(service, 'consultant@svc.test')
  expect((await browser.call('GET', '/api/v1/projects')).body.error.code).toBe('organization_required')
  const { body } = await browser.call('GET', '/api/v1/me', undefined, { 'svc-org-id': '2' })
  expect(body.data).toMatchObject({ type: 'SESSION', organization: { name: 'Other' }, role: { name: 'VIEWER' } })
})

test('200 the database has only the hash of the cookie', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  const secret = browser.cookie()!.split('=')[1]!
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(s::text, ' ') from sessions s) || (select string_agg(a::text, ' ') from audit_entries a)
      as text`.execute(service.db)
  expect(rows[0]!.text).not.toContain(secret)
  expect(rows[0]!.text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  expect((await sessionRows('owner@svc.test')).every(({ secret_hash }) => secret_hash.length === 32)).toBe(true)
})

test('200 signing in never uses an id from the browser, and ends the previous session', async () => {
  const person = await newPerson(service)
  const browser = await signIn(service, person.email)
  const [before] = [browser.cookie()]
  const planted = await browser.call('POST', '/api/dashboard/sign-in', { email: person.email, password: testPassword })
  expect(planted.status).toBe(200)
  expect(browser.cookie()).not.toBe(before)
  const old = await service.call(null, 'GET', '/api/v1/me', undefined, { cookie: before! })
  expect(old.status).toBe(401)

  const fixed = `svc_session=${'F'.repeat(43)}`
  const victim = openBrowser(service)
  const credentials = { email: person.email, password: testPassword }
  await victim.call('POST', '/api/dashboard/sign-in', credentials, { cookie: fixed })
  expect(victim.cookie()).toMatch(/^svc_session=[\w-]{43}$/)
  expect(victim.cookie()).not.toBe(fixed)
  expect((await service.call(null, 'GET', '/api/v1/me', undefined, { cookie: fixed })).status).toBe(401)
})

test('200 sessions can be listed, ended one by one and ended all at once', async () => {
  const person = await newPerson(service)
  const phone = await signIn(service, person.email)
  const laptop = await signIn(service, person.email)
  const desk = await signIn(service, person.email)
  const list = async () => (await desk.call('GET', '/api/dashboard/sessions')).body.data
  const listed = await list()
  // newPerson has also started one.
  expect(listed).toHaveLength(4)
  expect(listed.filter(({ current }: { current: boolean }) => current)).toMatchObject([
    { ip: desk.ip, userAgent: 'test browser' },
  ])

  const { id } = listed.find(({ ip }: { ip: string }) => ip === phone.ip)
  expect((await desk.call('DELETE', `/api/dashboard/sessions/${id}`)).status).toBe(200)
  expect((await phone.call('GET', '/api/v1/me')).status).toBe(401)
  expect((await laptop.call('GET', '/api/v1/me')).status).toBe(200)
  expect(await auditOf(service, id)).toMatchObject([
    { action: 'session.start', actor: 'user', after: { method: 'PASSWORD' } },
    { action: 'session.end', actor: 'user' },
  ])

  expect((await desk.call('POST', '/api/dashboard/sessions/end-others')).body.data).toEqual({ ended: 2 })
  expect((await laptop.call('GET', '/api/v1/me')).status).toBe(401)
  expect(await list()).toMatchObject([{ current: true }])
})

test('200 signing out ends the session and clears the cookie, even without a session', async () => {
  const browser = await signIn(service, 'editor@svc.test')
  const cookie = browser.cookie()!
  expect(await browser.call('POST', '/api/dashboard/sign-out')).toMatchObject({ status: 200, body: { data: null } })
  expect(browser.cookie()).toBeUndefined()
  expect((await service.call(null, 'GET', '/api/v1/me', undefined, { cookie })).status).toBe(401)
  expect((await openBrowser(service).call('POST', '/api/dashboard/sign-out')).status).toBe(200)
})

test('200 a person keeps the 50 most recent sessions', async () => {
  const person = await newPerson(service)
  await sql`
    insert into sessions (id, user_id, secret_hash, stage, created_at, authenticated_at, last_seen_at, expires_at)
    select gen_random_uuid(), ${person.id}, decode(md5(n::text) || md5(n::text || 'x'), 'hex'), 'SIGNED_IN',
      now() - n * interval '1 minute', now(), now(), now() + interval '1 day'
    from generate_series(1, 60) n`.execute(service.db)
  const browser = await signIn(service, person.email)
  expect(await sessionRows(person.email)).toHaveLength(50)
  expect((await browser.call('GET', '/api/v1/me')).status).toBe(200)
})

test.each([
  ['no address', { password: 'x' }, 'email'],
  ['an invalid address', { email: 'olive', password: 'x' }, 'email'],
  ['an empty password', { email: 'a@b.test', password: '' }, 'password'],
  ['a number', { email: 'a@b.test', password: 12345678 }, 'password'],
  ['a password of 2,000 characters', { email: 'a@b.test', password: 'x'.repeat(2000) }, 'password'],
  ['an unknown field', { email: 'a@b.test', password: 'x', role: 'OWNER' }, 'role'],
])('400 %s', async (_what, body, field) => {
  const answer = await openBrowser(service).call('POST', '/api/dashboard/sign-in', body)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } })
  expect(answer.body.error.details.issues[0].path).toEqual([field])
})

test('400 the body of the second step has a code or a recovery code, not both', async () => {
  for (const body of [{}, { code: '123456', recoveryCode: 'x' }, { code: '' }])
    expect((await openBrowser(service).call('POST', '/api/dashboard/sign-in/second-factor', body)).status).toBe(400)
})

test('401 the second step requires the first', async () => {
  const browser = openBrowser(service)
  const step = () => browser.call('POST', '/api/dashboard/sign-in/second-factor', { code: '123456' })
  expect(await step()).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
  const signedIn = await signIn(service, 'owner@svc.test')
  const again = await signedIn.call('POST', '/api/dashboard/sign-in/second-factor', { code: '123456' })
  expect(again.status).toBe(401)
})

test('401 a route that requires a session refuses a token, even with an invalid cookie', async () => {
  const { owner, admin } = service.people
  for (const [method, path] of [
    ['GET', '/api/dashboard/sessions'],
    ['PATCH', '/api/dashboard/me'],
    ['POST', '/api/dashboard/me/password'],
  ] as const)
    for (const token of [owner, admin]) {
      const body =
        method === 'PATCH' ? { name: 'X' } : method === 'POST' ? { newPassword: 'violet lantern' } : undefined
      const answer = await service.call(token, method, path, body, { 'sec-fetch-site': 'same-origin' })
      expect(answer, path).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    }
})

test('401 an invalid token is refused even if the browser is signed in', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  const me = (token: string) => browser.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${token}` })
  expect((await me(service.people.flagsRead)).body.data).toMatchObject({ type: 'SERVICE_TOKEN', name: 'flags-read' })
  expect((await me(`svc_pat_${'A'.repeat(43)}`)).status).toBe(401)
  const secret = browser.cookie()!.split('=')[1]!
  expect((await service.call(secret, 'GET', '/api/v1/me')).status).toBe(401)
})

test.each([
  ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ['from a sibling domain', { 'sec-fetch-site': 'same-site' }],
  ['from the address bar', { 'sec-fetch-site': 'none' }],
  ['from a different origin, without Sec-Fetch-Site', { 'sec-fetch-site': undefined, origin: 'http://evil.test' }],
  ['without any origin', { 'sec-fetch-site': undefined }],
  ['from an opaque origin', { 'sec-fetch-site': undefined, origin: 'null' }],
])('403 a write %s', async (_what, headers) => {
  const browser = await signIn(service, 'owner@svc.test')
  const sent = JSON.parse(JSON.stringify(headers))
  const calls = [
    ['POST', '/api/v1/projects', { name: 'Not mine' }],
    ['POST', '/api/dashboard/sessions/end-others', undefined],
    ['POST', '/api/dashboard/sign-out', undefined],
    ['POST', '/api/dashboard/sign-in', { email: 'viewer@svc.test', password: testPassword }],
  ] as const
  for (const [method, path, body] of calls) {
    const { response } = await raw(method, path, body, { cookie: browser.cookie()!, ...sent })
    expect(response, path).toMatchObject({ statusCode: 403 })
    expect(response.json().error.code).toBe('cross_site')
  }
  expect((await browser.call('GET', '/api/v1/me')).status).toBe(200)
})

test('200 a browser without Sec-Fetch-Site is checked by its origin', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  const headers = { cookie: browser.cookie()!, origin: 'http://svc.test' }
  const { response } = await raw('POST', '/api/v1/projects', { name: 'Mine' }, headers)
  expect(response.statusCode).toBe(201)
})

const raw = async (method: 'POST', path: string, body: unknown, headers: Record<string, string>) => {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  return {
    response: await service.app.inject({
      method,
      url: path,
      headers: { ...sent, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    }),
  }
}

test('404 for a session of a different person or an unknown one', async () => {
  const browser = await signIn(service, 'owner@svc.test')
  const stranger = await newPerson(service)
  const [{ id } = { id: '' }] = await sessionRows(stranger.email)
  for (const sessionId of [id, crypto.randomUUID(), 'x', '%27'])
    expect((await browser.call('DELETE', `/api/dashboard/sessions/${sessionId}`)).status, sessionId).toBe(404)
  expect((await stranger.inSession('GET', '/api/v1/me')).status).toBe(200)
})

test('415 a form cannot sign in', async () => {
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/dashboard/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: 'email=owner%40svc.test&password=x',
  })
  expect(response.statusCode).toBe(415)
})

test('a demotion and a removal take effect with the next request of a session', async () => {
  const person = await newPerson(service, { role: 'ADMIN' })
  const create = () => person.inSession('POST', '/api/v1/projects', { name: 'Mine' })
  expect((await create()).status).toBe(201)
  await sql`
    update memberships set role_id = (select id from roles where name = 'VIEWER' and org_id = memberships.org_id)
    where user_id = ${person.id}`.execute(service.db)
  expect((await create()).body.error.code).toBe('scope_missing')
  await sql`delete from memberships where user_id = ${person.id}`.execute(service.db)
  expect((await create()).body.error.code).toBe('organization_required')
  await sql`delete from users where id = ${person.id}`.execute(service.db)
  expect((await create()).status).toBe(401)
})
