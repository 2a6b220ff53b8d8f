import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, minuteMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { rowsOf } from '../../../../testing/full.ts'
import { newPerson } from '../../../../testing/people.ts'
import { startTestService, type TestOptions, type TestService } from '../../../../testing/service.ts'
import { openBrowser } from '../../../../testing/sessions.ts'
import { planFeatures } from '../../../catalogue/scopes.ts'
import { newId, newServiceSecret } from '../../../platform/ids.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { createOrganization } from '../accounts/index.ts'
import { hashOf, insertToken } from '../tokens/index.ts'

let clock: TestClock
let service: TestService

/** Starts without a provisioning file and returns the link from the log. */
async function firstStart(options: TestOptions = {}) {
  const lines: { link?: string }[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const settings = { ...options.settings, SVC_BOOTSTRAP_FILE: '' }
  const started = await startTestService({ ...options, settings, log, now: clock.now })
  const links = lines.flatMap(({ link }) => (link ? [link] : []))
  expect(links.length).toBeLessThan(2)
  return { started, link: /^http:\/\/svc\.test\/sign-up#([\w-]{43})$/.exec(links[0] ?? '')?.[1] ?? '' }
}

const owner = (link: string, edit: object = {}) => ({
  link,
  organizationName: 'Harbour',
  name: 'Olive Owner',
  email: 'Olive@harbour.test',
  password: 'violet lantern over 42 harbours',
  ...edit,
})

const signUp = (body: object) => openBrowser(service).call('POST', '/api/dashboard/sign-up', body)
const standing = async () => (await openBrowser(service).call('GET', '/api/dashboard/session')).body.data
const check = (link: string) => openBrowser(service).call('POST', '/api/dashboard/links/check', { link })

describe('until somebody is the owner', () => {
  let link: string
  beforeAll(async () => {
    clock = standingClock()
    const first = await firstStart()
    service = first.started
    link = first.link
  })
  afterAll(() => service.close())

  test('400 invalid fields are reported, and the link still works', async () => {
    for (const [edit, field] of [
      [{ password: 'password1' }, 'password'],
      [{ password: 'olive@harbour.test' }, 'password'],
      [{ email: 'olive' }, 'email'],
      [{ name: ' ' }, 'name'],
      [{ organizationName: '' }, 'organizationName'],
      [{ role: 'OWNER' }, 'role'],
    ] as const) {
      const answer = await signUp(owner(link, edit))
      expect(answer.status).toBe(400)
      expect(answer.body.error.details.issues[0].path).toEqual([field])
    }
    expect((await check(link)).status).toBe(200)
  })

  test('404 nobody becomes the owner without the link', async () => {
    for (const other of ['', 'A'.repeat(43)]) expect((await signUp(owner(other))).status).toBe(other === '' ? 400 : 404)
  })

  test('404 one of two concurrent uses of the link becomes the owner', async () => {
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => signUp(owner(link, { email: `${name}@harbour.test` }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404])
    const { rows } = await sql`select from memberships`.execute(service.db)
    expect(rows).toHaveLength(1)
  })
})

describe('a first start', () => {
  beforeEach(() => {
    clock = standingClock()
  })
  afterEach(() => service.close())

  test('201 the link of the first start creates the owner, who gets its organization, and then ends', async () => {
    const { started, link } = await firstStart()
    service = started
    expect(await standing()).toMatchObject({ setup: true, stage: 'SIGNED_OUT' })
    expect((await check(link)).body.data).toEqual({
      kind: 'OWNER',
      email: null,
      organization: null,
      invitedBy: null,
      hasAccount: false,
      personalTokens: [],
      initialToken: service.database.kind === 'embedded' ? { name: 'initial', lastUsedAt: null } : null,
      // A day after the start: the link is in the log.
      expiresAt: new Date(clock.now().getTime() + dayMs).toISOString(),
    })
    const organizations = async () =>
      (await sql<{ id: string; name: string }>`select id, name from organizations`.execute(service.db)).rows
    const [ofFirstStart] = await organizations()
    const browser = openBrowser(service)
    const answer = await browser.call('POST', '/api/dashboard/sign-up', owner(link))
    expect(answer).toMatchObject({ status: 201, body: { data: { stage: 'SIGNED_IN', setup: false } } })
    expect(answer.body.data.session).toMatchObject({
      user: { name: 'Olive Owner', email: 'olive@harbour.test', hasPassword: true },
      organizations: [{ shortId: 1, name: 'Harbour', role: { name: 'OWNER' }, administrator: true }],
    })
    const [{ id }] = answer.body.data.session.organizations
    expect(await organizations()).toEqual([{ id: ofFirstStart?.id ?? id, name: 'Harbour' }])
    expect((await browser.call('POST', '/api/v1/projects', { name: 'Web shop' })).status).toBe(201)
    expect((await check(link)).status).toBe(404)
    expect((await signUp(owner(link, { email: 'second@harbour.test' }))).status).toBe(404)

    const { rows } = await sql<{ action: string; actor_name: string; text: string }>`
      select action, actor_name, audit_entries::text as text from audit_entries where action not like 'project.%' order by seq`.execute(
      service.db,
    )
    const isEmbedded = service.database.kind === 'embedded'
    expect(rows.map(({ action }) => action)).toEqual([
      isEmbedded ? 'organization.update' : 'organization.create',
      'member.join',
      'session.start',
    ])
    expect(new Set(rows.map(({ actor_name }) => actor_name))).toEqual(new Set(['Olive Owner']))
    for (const secret of [link, owner(link).password]) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  /**
   * What the first start makes on the embedded database, the organization that nobody has joined, with these tokens. The
   * first one has been rotated.
   */
  async function tokensOfFirstStart(): Promise<Record<'rotated' | 'initial' | 'other', string>> {
    const secrets = { rotated: newServiceSecret(), initial: newServiceSecret(), other: newServiceSecret() }
    await inTransaction(service.db, async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from organizations limit 1`.execute(tx)
      const org = { name: 'My organization', features: planFeatures, notifications: null }
      const orgId = rows[0]?.id ?? (await createOrganization(tx, org, clock.now()))
      await sql`delete from tokens where org_id = ${orgId}`.execute(tx)
      for (const [name, secret] of Object.entries(secrets)) {
        const given = { ...{ id: newId(), orgId, userId: null, name }, secretHash: hashOf(secret), expiresAt: null }
        await insertToken(
          tx,
          { ...given, kind: 'SERVICE', scopes: ['admin:*'], initial: name !== 'other' },
          clock.now(),
        )
      }
      await sql`
        update tokens set replaced_by = (select id from tokens where name = 'other') where name = 'rotated'`.execute(tx)
    })
    return secrets
  }

  const wishes = { yes: true, no: false, 'no answer': undefined }
  test.each(rowsOf(wishes, ['yes', 'no']))(
    '201 the token of the first start is revoked if wanted: %s',
    async (_wish, wanted) => {
      const { started, link } = await firstStart()
      service = started
      const { rotated, initial, other } = await tokensOfFirstStart()
      const offered = async () => (await check(link)).body.data.initialToken
      const use = async (token: string) => (await service.call(token, 'GET', '/api/v1/me')).status
      expect(await offered()).toEqual({ name: 'rotated', lastUsedAt: null })
      expect([await use(rotated), await use(initial), await use(other)]).toEqual([200, 200, 200])
      await expect.poll(async () => (await offered()).lastUsedAt).toBe(clock.now().toISOString())
      expect((await signUp(owner(link, { revokeInitialToken: wanted }))).status).toBe(201)
      // The file of the first start has the secret from before a rotation: it ends as well.
      const [status, revocations] = wanted ? [401, 2] : [200, 0]
      expect([await use(rotated), await use(initial), await use(other)]).toEqual([status, status, 200])
      const { rows } = await sql<{ actor_name: string }>`
      select actor_name from audit_entries where action = 'service_token.revoke'`.execute(service.db)
      expect(rows).toEqual(Array.from({ length: revocations }, () => ({ actor_name: 'Olive Owner' })))
    },
  )

  test('404 the link of the log ends after a day or with a later start, which prints a new one until there is an owner', async () => {
    const first = await firstStart()
    service = first.started
    const { settings, address } = first.started
    const restart = async () => {
      await service.stop()
      const { started, link } = await firstStart({ settings, address })
      service = { ...started, close: () => started.stop().then(first.started.close) }
      return link
    }
    clock.move(dayMs - 1)
    expect((await check(first.link)).status).toBe(200)
    clock.move(1)
    expect((await check(first.link)).status).toBe(404)
    expect((await signUp(owner(first.link))).status).toBe(404)
    expect(await standing()).toMatchObject({ setup: true })

    const second = await restart()
    expect((await check(second)).status).toBe(200)
    clock.move(5 * minuteMs + 1)
    const third = await restart()
    expect(third).not.toBe(second)
    expect((await check(second)).status).toBe(404)
    expect((await signUp(owner(third))).status).toBe(201)

    expect(await restart()).toBe('')
    expect(await standing()).toMatchObject({ setup: false })
  })

  test('404 the link ends when a different person becomes the owner', async () => {
    const { started, link } = await firstStart()
    service = started
    if (service.database.kind === 'server')
      await sql`insert into organizations (id, name, features, created_at) values (gen_random_uuid(), 'O', '{}', now())`.execute(
        service.db,
      )
    await sql`
      insert into roles (id, org_id, name, built_in, capabilities, created_at)
      select gen_random_uuid(), id, 'OWNER', true, '{}', now() from organizations
      on conflict do nothing`.execute(service.db)
    const { rows } = await sql<{ name: string }>`select name from organizations`.execute(service.db)
    await newPerson(service, { organization: rows[0]!.name, role: 'OWNER' })
    expect(await standing()).toMatchObject({ setup: false })
    expect((await check(link)).status).toBe(404)
    expect((await signUp(owner(link))).status).toBe(404)
  })

  test('a provisioned service prints no link', async () => {
    const lines: string[] = []
    service = await startTestService({ log: pino({}, { write: (line) => void lines.push(line) }) })
    expect(lines.join('')).not.toContain('sign-up#')
    expect(await standing()).toMatchObject({ setup: false })
  })
})
