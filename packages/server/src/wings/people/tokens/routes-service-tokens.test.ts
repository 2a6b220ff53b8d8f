import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, standingClock } from '../../../../testing/clock.ts'
import { comparableError } from '../../../../testing/comparable-error.ts'
import { auditOf, newPerson } from '../../../../testing/people.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, signIn } from '../../../../testing/sessions.ts'
import { ineffectiveScopes, scopes } from '../../../catalogue/scopes.ts'
import { hashOf } from './secret.ts'
import { lastUses } from './worker.ts'

const url = '/api/dashboard/service-tokens'
const graceMs = 24 * hourMs
const clock = standingClock()
let service: TestService
let owner: Browser

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  owner = await signIn(service, 'owner@svc.test')
})
afterAll(() => service.close())

/** Advances the clock, which also ends the session. */
async function move(byMs: number): Promise<void> {
  clock.move(byMs)
  owner = await signIn(service, 'owner@svc.test')
}

const wanted = { name: 'ci', scopes: ['flags:read'], expiresIn: 'never' }

async function create(more: object = {}) {
  const { status, body, text } = await owner.call('POST', url, { ...wanted, ...more })
  expect(status, text).toBe(201)
  return body.data
}

async function rotate(id: string) {
  const { status, body, text } = await owner.call('POST', `${url}/${id}/rotate`)
  expect(status, text).toBe(200)
  return body.data
}

const revoke = (id: string) => owner.call('DELETE', `${url}/${id}`)

/** The result for a program with the secret: 200 or the code of the refusal. */
async function use(secret: string): Promise<number | string> {
  const { status, body } = await service.call(secret, 'GET', '/api/v1/me')
  return status === 200 ? 200 : `${status} ${body.error.code}`
}

async function listAll(limit = 100) {
  const rows = []
  for (let cursor = ''; ; ) {
    const { body } = await owner.call('GET', `${url}?limit=${limit}${cursor}`)
    rows.push(...body.data)
    if (!body.page.hasMore) return rows
    cursor = `&cursor=${body.page.nextCursor}`
  }
}

const find = async (id: string) => (await listAll()).find((token) => token.id === id)
const rowsOf = async (id: string) => (await listAll()).filter((token) => token.id === id || token.replacedBy === id)

/** A new person who has signed in. */
async function member(as: Parameters<typeof newPerson>[1]): Promise<Browser & { email: string }> {
  const { email } = await newPerson(service, as)
  return { ...(await signIn(service, email)), email }
}

describe('create', () => {
  test('201: a token that works at once with exactly the chosen scopes', async () => {
    const { secret, ...token } = await create({
      description: 'For the pipeline',
      scopes: ['org:write', 'flags:read', 'org:write'],
    })
    expect(token).toEqual({
      id: expect.any(String),
      name: 'ci',
      description: 'For the pipeline',
      scopes: ['org:write', 'flags:read'],
      ineffectiveScopes: ['org:write'],
      createdAt: clock.now().toISOString(),
      createdBy: 'owner',
      initial: false,
      expiresAt: null,
      status: 'ACTIVE',
      replacedBy: null,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedIp: null,
      lastUsedUserAgent: null,
    })
    expect(secret).toMatch(/^svc_svc_[\w-]{43}$/)
    expect(await find(token.id)).toEqual(token)
    const { body } = await service.call(secret, 'GET', '/api/v1/me')
    expect(body.data).toMatchObject({ type: 'SERVICE_TOKEN', id: token.id, scopes: ['flags:read', 'org:write'] })
  })

  test('any scopes can be chosen, or none', async () => {
    expect((await create({ scopes: [...scopes] })).ineffectiveScopes).toEqual([...ineffectiveScopes])
    expect(await create({ scopes: [] })).toMatchObject({ scopes: [], status: 'ACTIVE' })
  })

  test.each([
    ['never', null],
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
    ['1y', 365],
  ])('a token for %s works until its last moment', async (expiresIn, days) => {
    const { id, secret, expiresAt } = await create({ expiresIn })
    if (days === null) return expect(expiresAt).toBeNull()
    expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(days * dayMs)
    await move(days * dayMs - 1)
    expect([await use(secret), (await find(id)).status]).toEqual([200, 'EXPIRING'])
    await move(1)
    expect([await use(secret), (await find(id)).status]).toEqual(['401 token_expired', 'EXPIRED'])
  })

  test('only the hash of a secret is stored, and the audit log has neither', async () => {
    const { id, secret } = await create()
    const { rows } = await sql<{ text: string; hash: Buffer }>`
      select tokens::text as text, secret_hash as hash from tokens where id = ${id}`.execute(service.db)
    expect(rows[0]!.hash).toEqual(hashOf(secret))
    expect(rows[0]!.text).not.toContain(secret.slice(8))
    const entries = await auditOf(service, id)
    expect(entries).toEqual([
      {
        action: 'service_token.create',
        actor: 'user',
        name: 'ci',
        before: null,
        after: { name: 'ci', description: null, scopes: ['flags:read'], expiresAt: null },
      },
    ])
  })

  test.each<[object, (string | number)[], string]>([
    [{ name: undefined }, ['name'], 'name is required.'],
    [{ name: '  ' }, ['name'], 'name must not be blank.'],
    [{ name: 'n'.repeat(201) }, ['name'], 'name must have at most 200 characters.'],
    [{ description: 'd'.repeat(2001) }, ['description'], 'description must have at most 2000 characters.'],
    [{ scopes: undefined }, ['scopes'], 'scopes is required.'],
    [{ scopes: ['flags:read', 'flags:delete'] }, ['scopes', 1], 'scopes[1] must be one of '],
    [{ expiresIn: undefined }, ['expiresIn'], 'expiresIn is required.'],
    [{ expiresIn: '2y' }, ['expiresIn'], '(got "2y")'],
    [{ expiresAt: '2099-01-01T00:00:00Z' }, ['expiresAt'], 'expiresAt is not a known field.'],
    [{ secret: 'svc_svc_mine' }, ['secret'], 'secret is not a known field.'],
  ])('400: %o', async (more, path, message) => {
    const { status, body } = await owner.call('POST', url, { ...wanted, ...more })
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
    expect(body.error.details.issues).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe('list', () => {
  test('lists the newest first, each followed by its previous secrets, on pages of any size', async () => {
    const one = await create({ name: 'one' })
    const two = await create({ name: 'two' })
    await rotate(one.id)
    await rotate(two.id)
    await rotate(one.id)
    const all = await listAll()
    expect(all.slice(0, 5).map(({ name, replacedBy }) => [name, replacedBy])).toEqual([
      ['two', null],
      ['two (previous secret)', two.id],
      ['one', null],
      ['one (previous secret)', one.id],
      ['one (previous secret)', one.id],
    ])
    const idsOf = (tokens: { id: string }[]) => tokens.map(({ id }) => id)
    for (const limit of [1, 2, 3]) expect(idsOf(await listAll(limit))).toEqual(idsOf(all))
  })

  test('refuses a cursor of a different list', async () => {
    const { body } = await owner.call('GET', '/api/v1/projects?limit=1')
    expect(body.page.nextCursor).toBeNull()
    const answer = await owner.call('GET', `${url}?cursor=abc`)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, ['cursor']])
  })

  test('shows when, from where and with what each secret was last used', async () => {
    const { id, secret } = await create()
    const uses = lastUses(service.db, (error) => expect.unreachable(String(error)))
    const note = (of: string, agent: string) =>
      uses.note({ secretHash: hashOf(of).toString('hex'), at: clock.now(), ip: '192.0.2.7', userAgent: agent })
    note(secret, 'before/1')
    const rotated = await rotate(id)
    note(rotated.secret, 'after/1')
    await uses.stop()
    const used = { lastUsedAt: clock.now().toISOString(), lastUsedIp: '192.0.2.7' }
    expect(await rowsOf(id)).toMatchObject([
      { ...used, id, lastUsedUserAgent: 'after/1' },
      { ...used, id: rotated.previous.id, lastUsedUserAgent: 'before/1' },
    ])
    const again = await rotate(id)
    expect(again.token).toMatchObject({ lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null })
    expect(again.previous).toMatchObject({ ...used, lastUsedUserAgent: 'after/1' })
  })
})

describe('rotate', () => {
  test('keeps the token, and the old secret works during its grace as a separate row', async () => {
    const { secret: old, ...token } = await create({ description: 'd' })
    const { token: kept, secret, previous } = await rotate(token.id)
    expect(kept).toEqual(token)
    expect(previous).toEqual({
      ...token,
      id: expect.not.stringContaining(token.id),
      name: 'ci (previous secret)',
      status: 'PREVIOUS_SECRET',
      expiresAt: new Date(clock.now().getTime() + graceMs).toISOString(),
      replacedBy: token.id,
    })
    expect(await rowsOf(token.id)).toEqual([kept, previous])
    expect([await use(old), await use(secret)]).toEqual([200, 200])
    await move(graceMs - 1)
    expect([await use(old), await use(secret)]).toEqual([200, 200])
    await move(1)
    expect([await use(old), await use(secret)]).toEqual(['401 token_expired', 200])
    expect((await find(previous.id)).status).toBe('EXPIRED')
  })

  test('leaves the secret that the service wrote to a file behind', async () => {
    const { id } = await create()
    await sql`update tokens set initial = true where id = ${id}`.execute(service.db)
    expect((await find(id)).initial).toBe(true)
    const { token, previous } = await rotate(id)
    expect([token.initial, previous.initial]).toEqual([false, true])
    expect(await rowsOf(id)).toEqual([token, previous])
  })

  test('never extends the old secret beyond the expiry of the token', async () => {
    const { id, secret: old, expiresAt } = await create({ expiresIn: '7d' })
    await move(7 * dayMs - hourMs)
    const { token, secret, previous } = await rotate(id)
    expect([token.expiresAt, previous.expiresAt]).toEqual([expiresAt, expiresAt])
    await move(hourMs)
    expect([await use(old), await use(secret)]).toEqual(['401 token_expired', '401 token_expired'])
  })

  test('gives each previous secret its own grace when repeated', async () => {
    const { id, secret: first } = await create()
    const { secret: second } = await rotate(id)
    await move(graceMs / 2)
    const { secret: third } = await rotate(id)
    const uses = async () => [await use(first), await use(second), await use(third)]
    expect(await uses()).toEqual([200, 200, 200])
    await move(graceMs / 2)
    expect(await uses()).toEqual(['401 token_expired', 200, 200])
    await move(graceMs / 2)
    expect(await uses()).toEqual(['401 token_expired', '401 token_expired', 200])
  })

  test('both secrets are the same token, so their requests are counted together', async () => {
    const { id, secret: old } = await create()
    const { secret } = await rotate(id)
    const me = async (who: string) => (await service.call(who, 'GET', '/api/v1/me')).body.data
    expect([await me(old), await me(secret)]).toMatchObject([
      { id, name: 'ci (previous secret)' },
      { id, name: 'ci' },
    ])
  })

  test('is recorded without any secret', async () => {
    const { id, secret: old } = await create()
    const { secret, previous } = await rotate(id)
    const entries = await auditOf(service, id)
    expect(entries.slice(1)).toMatchObject([
      {
        action: 'service_token.rotate',
        actor: 'user',
        name: 'ci',
        after: { previousSecret: { id: previous.id, expiresAt: previous.expiresAt } },
      },
    ])
    for (const each of [old, secret]) expect(JSON.stringify(entries)).not.toContain(each.slice(8))
  })

  test.each([
    ['EXPIRED', async () => (await create({ expiresIn: '7d' })).id, 7 * dayMs],
    ['EXPIRED', async () => (await rotate((await create()).id)).previous.id, graceMs],
    ['PREVIOUS_SECRET', async () => (await rotate((await create()).id)).previous.id, graceMs - 1],
    ['REVOKED', async () => (await revoke((await create()).id)).body.data.id, 0],
  ])('409: a token that is %s', async (current, make, afterMs) => {
    const id = await make()
    await move(afterMs)
    const rows = (await listAll()).length
    const { status, body } = await owner.call('POST', `${url}/${id}/rotate`)
    expect([status, body.error.code, body.error.details]).toEqual([
      409,
      'invalid_state',
      { current, allowed: ['ACTIVE', 'EXPIRING'] },
    ])
    expect((await listAll()).length).toBe(rows)
  })

  test('runs ten at once one after another: one secret is current, the others are in their grace', async () => {
    const { id, secret: first } = await create()
    const rotated = await Promise.all(Array.from({ length: 10 }, () => rotate(id)))
    const secrets = [first, ...rotated.map(({ secret }) => secret)]
    expect(new Set(secrets).size).toBe(11)
    const rows = await rowsOf(id)
    expect(rows.map(({ status }) => status)).toEqual(['ACTIVE', ...Array(10).fill('PREVIOUS_SECRET')])
    for (const secret of secrets) expect(await use(secret)).toBe(200)
    await move(graceMs)
    const uses = await Promise.all(secrets.map(use))
    expect(uses.filter((answer) => answer === 200)).toHaveLength(1)
    expect(uses[0]).toBe('401 token_expired')
    expect((await auditOf(service, id)).map(({ action }) => action)).toEqual([
      'service_token.create',
      ...Array(10).fill('service_token.rotate'),
    ])
  })

  test('uses the grace that the operator has set', async () => {
    const short = await startTestService({ now: clock.now, settings: { SVC_TOKEN_ROTATION_GRACE: '5m' } })
    const browser = await signIn(short, 'owner@svc.test')
    const { body: created } = await browser.call('POST', url, wanted)
    const { body } = await browser.call('POST', `${url}/${created.data.id}/rotate`)
    expect(Date.parse(body.data.previous.expiresAt) - clock.now().getTime()).toBe(300_000)
    await short.close()
  })
})

describe('revoke', () => {
  test('takes effect at once and for good, and can be repeated', async () => {
    const { id, secret } = await create()
    const first = await revoke(id)
    expect(first).toMatchObject({
      status: 200,
      body: { data: { status: 'REVOKED', revokedAt: clock.now().toISOString() } },
    })
    expect(await use(secret)).toBe('401 token_revoked')
    clock.move(1000)
    const second = await revoke(id)
    expect([second.status, second.body]).toEqual([200, first.body])
    expect((await auditOf(service, id)).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['service_token.create', null, expect.anything()],
      ['service_token.revoke', { revokedAt: null }, { revokedAt: first.body.data.revokedAt }],
    ])
    expect((await find(id)).status).toBe('REVOKED')
  })

  test.each(['the token', 'the previous secret'])('revokes only %s and not the other secret', async (which) => {
    const { id, secret: old } = await create()
    const { secret, previous } = await rotate(id)
    const current = which === 'the token'
    expect((await revoke(current ? id : previous.id)).status).toBe(200)
    expect([await use(secret), await use(old)]).toEqual(
      current ? ['401 token_revoked', 200] : [200, '401 token_revoked'],
    )
  })

  test('always wins against a concurrent rotation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await create()
      const [rotated, revoked] = await Promise.all([owner.call('POST', `${url}/${id}/rotate`), revoke(id)])
      expect(revoked.status).toBe(200)
      expect([200, 409]).toContain(rotated.status)
      expect((await find(id)).status).toBe('REVOKED')
      if (rotated.status === 200) expect(await use(rotated.body.data.secret)).toBe('401 token_revoked')
    }
  })
})

describe('permissions', () => {
  const calls = (id: string) =>
    [
      ['GET', url, undefined],
      ['POST', url, wanted],
      ['POST', `${url}/${id}/rotate`, undefined],
      ['DELETE', `${url}/${id}`, undefined],
    ] as const

  test('401: no token can call dashboard routes, not even admin:*', async () => {
    const { id, secret } = await create({ scopes: ['admin:*', 'tokens:write'] })
    for (const who of [secret, service.people.admin, service.people.owner, null])
      for (const [method, path, body] of [...calls(id), ['GET', '/api/dashboard/scopes', undefined] as const]) {
        const answer = await service.call(who, method, path, body)
        expect([answer.status, answer.body.error.code], `${method} ${path}`).toEqual([401, 'unauthorized'])
      }
    expect(await use(secret)).toBe(200)
  })

  test('a token next to a session cookie is ignored', async () => {
    const { status, body } = await owner.call('GET', url, undefined, {
      authorization: `Bearer ${service.people.stranger}`,
    })
    expect(status).toBe(200)
    // The last use of a token is written up to two seconds later.
    const lastUse = { lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }
    const lasting = (tokens: object[]) => tokens.map((token) => ({ ...token, ...lastUse }))
    expect(lasting(body.data)).toEqual(lasting((await owner.call('GET', url)).body.data))
  })

  test.each(['EDITOR', 'ANALYST', 'VIEWER'])('403 role_missing: %s', async (role) => {
    const person = await member({ role })
    const { id } = await create()
    for (const [method, path, body] of calls(id)) {
      const answer = await person.call(method, path, body)
      expect([answer.status, answer.body.error.code], `${method} ${path}`).toEqual([403, 'role_missing'])
    }
    expect((await find(id)).status).toBe('ACTIVE')
  })

  test('an administrator can manage tokens until a demotion takes effect with the next request', async () => {
    const admin = await member({ role: 'ADMIN' })
    const { status, body } = await admin.call('POST', url, wanted)
    expect([status, body.data.createdBy]).toEqual([201, expect.stringMatching(/^ADMIN /)])
    expect((await admin.call('POST', `${url}/${body.data.id}/rotate`)).status).toBe(200)
    await sql`
      update memberships set role_id = (select id from roles where org_id = memberships.org_id and name = 'EDITOR')
      where user_id = (select id from users where email = ${admin.email})`.execute(service.db)
    expect((await admin.call('DELETE', `${url}/${body.data.id}`)).body.error.code).toBe('role_missing')
  })

  test('404: a token of another organization', async () => {
    const { id } = await create()
    const elsewhere = await member({ organization: 'Other', role: 'OWNER' })
    const errors: object[] = []
    for (const tokenId of [id, crypto.randomUUID(), 'nonsense'])
      for (const [method, path] of calls(tokenId).slice(2)) {
        const answer = await elsewhere.call(method, path)
        expect(answer.status).toBe(404)
        errors.push(comparableError(answer, { tokenId }))
      }
    expect(errors).toEqual(errors.map(() => errors[0]))
    const { body } = await elsewhere.call('GET', url)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['stranger'])
  })

  test('404: a personal token does not belong to the organization', async () => {
    const mine = await owner.call('POST', '/api/dashboard/personal-tokens', { name: 'mine', expiresIn: 'never' })
    expect((await revoke(mine.body.data.id)).status).toBe(404)
    expect((await owner.call('POST', `${url}/${mine.body.data.id}/rotate`)).status).toBe(404)
  })

  test('403 cross_site: a write that does not come from the dashboard', async () => {
    const { id } = await create()
    for (const [method, path, body] of calls(id).slice(1)) {
      const answer = await owner.call(method, path, body, { 'sec-fetch-site': 'cross-site' })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'cross_site'])
    }
  })
})

test('every signed-in person can read what the scopes mean', async () => {
  const viewer = await member({ role: 'VIEWER' })
  const { body } = await viewer.call('GET', '/api/dashboard/scopes')
  expect(body.data.map(({ scope }: { scope: string }) => scope)).toEqual(scopes)
  for (const { scope, text, ineffective } of body.data) {
    expect(text).toMatch(/^[A-Z].+\.$/)
    expect(ineffective).toBe(ineffectiveScopes.has(scope))
  }
})
