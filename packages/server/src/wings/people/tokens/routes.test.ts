import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../../testing/service.ts'
import { hashOf } from './secret.ts'

let at = Date.parse('2026-11-20T10:00:00Z')

const service = await startTestService({ now: () => new Date(at) })
afterAll(() => service.close())

const me = (headers: Record<string, string>) => service.call(null, 'GET', '/api/v1/me', undefined, headers)
const bearer = (secret: string) => me({ authorization: `Bearer ${secret}` })
const newSecret = (prefix: string) => prefix + randomBytes(32).toString('base64url')

/** A service token of Acme as the dashboard would create it. */
async function addToken({ name = 'ci', expiresAt = null as Date | null, revokedAt = null as Date | null }) {
  const secret = newSecret('svc_svc_')
  await sql`
    insert into tokens (id, kind, org_id, name, secret_hash, scopes, expires_at, revoked_at, created_at)
    select ${crypto.randomUUID()}, 'SERVICE', id, ${name}, ${hashOf(secret)}, '{flags:read}', ${expiresAt}, ${revokedAt},
      now() from organizations where name = 'Acme'`.execute(service.db)
  return secret
}

test.each([
  ['no header', {}],
  ['an empty header', { authorization: '' }],
  ['a bearer without a token', { authorization: 'Bearer ' }],
  ['a different scheme', { authorization: 'Basic c3ZjOnN2Yw==' }],
  ['a bare secret', { authorization: newSecret('svc_svc_') }],
  ['two tokens', { authorization: `Bearer ${newSecret('svc_svc_')} ${newSecret('svc_svc_')}` }],
  ['an unknown service token', { authorization: `Bearer ${newSecret('svc_svc_')}` }],
  ['an unknown personal token', { authorization: `Bearer ${newSecret('svc_pat_')}` }],
  ['an unknown prefix', { authorization: `Bearer ${newSecret('svc_xyz_')}` }],
  ['a token that is too short', { authorization: 'Bearer svc_svc_abc' }],
  ['a token that is too long', { authorization: `Bearer ${newSecret('svc_svc_')}A` }],
  ['a token with invalid letters', { authorization: `Bearer svc_svc_${'+'.repeat(43)}` }],
])('%s: 401 unauthorized', async (_what, headers) => {
  const { status, body, headers: sent } = await me(headers as Record<string, string>)
  expect([status, body.error.code, sent['www-authenticate']]).toEqual([401, 'unauthorized', 'Bearer'])
})

test('the case of the scheme does not matter', async () => {
  expect((await me({ authorization: `bearer ${service.people.admin}` })).status).toBe(200)
})

test('401 token_expired for an expired token', async () => {
  expect(await bearer(service.people.expired)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    body: { error: { code: 'token_expired' } },
  })
})

test('a token expires at its time and not before', async () => {
  const expiresAt = new Date(at + 60_000)
  const secret = await addToken({ expiresAt })
  at = expiresAt.getTime() - 1
  expect((await bearer(secret)).status).toBe(200)
  at = expiresAt.getTime()
  expect((await bearer(secret)).body.error.code).toBe('token_expired')
})

test('a rotated secret works during its grace and is expired afterwards', async () => {
  const graceEnds = new Date(at + 24 * 3_600_000)
  const current = await addToken({ name: 'ci' })
  const previous = await addToken({ name: 'ci (previous secret)', expiresAt: graceEnds })
  expect([(await bearer(current)).status, (await bearer(previous)).status]).toEqual([200, 200])
  at = graceEnds.getTime()
  expect(await bearer(previous)).toMatchObject({ status: 401, body: { error: { code: 'token_expired' } } })
  expect((await bearer(current)).status).toBe(200)
})

test('a revoked token answers 401 at once, expired or not, and its other secret keeps working', async () => {
  const [current, previous] = [await addToken({}), await addToken({ expiresAt: new Date(at + 1000) })]
  await sql`update tokens set revoked_at = ${new Date(at)} where secret_hash = ${hashOf(previous)}`.execute(service.db)
  const revoked = { status: 401, body: { error: { code: 'token_revoked' } } }
  expect(await bearer(previous)).toMatchObject(revoked)
  at += 2000
  expect(await bearer(previous)).toMatchObject(revoked)
  expect((await bearer(current)).status).toBe(200)
})

test('no secret is stored in plain text', async () => {
  const { rows } = await sql<{ dump: string }>`
    select (select string_agg(tokens::text, ',') from tokens) || (select string_agg(users::text, ',') from users)
      as dump`.execute(service.db)
  for (const secret of Object.values(service.people)) expect(rows[0]!.dump).not.toContain(secret)
})

const consultant = (header?: string) =>
  service.call(
    service.people.consultant,
    'GET',
    '/api/v1/me',
    undefined,
    header === undefined ? {} : { 'svc-org-id': header },
  )

test('a member of two organizations must select one', async () => {
  const { status, body } = await service.call(service.people.consultant, 'GET', '/api/v1/projects')
  expect([status, body.error.code, body.error.details]).toEqual([
    400,
    'organization_required',
    { header: 'Svc-Org-Id' },
  ])
  expect(body.error.message).toContain('Svc-Org-Id')
})

test('the id or short id selects the organization, and its role applies', async () => {
  const { rows } = await sql<{ id: string; short_id: number; name: string }>`
    select id, short_id, name from organizations order by name`.execute(service.db)
  for (const { id, short_id, name } of rows)
    for (const header of [id, String(short_id)]) {
      const { body } = await consultant(header)
      expect(body.data.organization).toEqual({ id, shortId: short_id, name })
      expect(body.data.role.name).toBe(name === 'Acme' ? 'EDITOR' : 'VIEWER')
    }
})

test('an organization without the holder answers like an unknown one', async () => {
  const { body } = await service.call(service.people.stranger, 'GET', '/api/v1/me')
  const { id, shortId } = body.data.organization
  const answers = []
  for (const header of [id, String(shortId), crypto.randomUUID(), '999', 'x'])
    answers.push(await service.call(service.people.owner, 'GET', '/api/v1/me', undefined, { 'svc-org-id': header }))
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    expect(answer.body.error.message).toBe(answers[0]!.body.error.message)
  }
})

test('a service token can name only its own organization', async () => {
  const named = (header: string) =>
    service.call(service.people.admin, 'GET', '/api/v1/me', undefined, { 'svc-org-id': header })
  expect((await named('1')).status).toBe(200)
  expect((await named('2')).status).toBe(404)
})
