import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { minuteMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { switchOnSecondFactor } from '../../../../testing/second-factor.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, openBrowser, signIn } from '../../../../testing/sessions.ts'
import { type MailServer, startMailServer } from '../../../../testing/vendors/mail.ts'
import { startProvider, type TestProvider, visit } from '../../../../testing/vendors/oidc.ts'

let clock: TestClock
let mail: MailServer
let provider: TestProvider
let other: TestProvider
let service: TestService
let person: TestPerson

beforeAll(async () => {
  // The provider's tokens have the time of this machine.
  clock = standingClock(new Date().toISOString())
  mail = await startMailServer()
  provider = await startProvider()
  other = await startProvider({ id: 'other', claimsInToken: true })
  const settings = {
    SVC_OIDC_PROVIDERS: JSON.stringify([provider.settings, other.settings]),
    SVC_SMTP_URL: mail.url,
    SVC_MAIL_FROM: 'svc@svc.test',
  }
  service = await startTestService({ now: clock.now, settings })
})
beforeEach(async () => {
  person = await newPerson(service)
  provider.account = { sub: person.id, email: person.email, email_verified: true, name: 'Pat at Acme' }
})
afterAll(async () => {
  await service.close()
  await Promise.all([provider.close(), other.close(), mail.close()])
})

const start = async (browser: Browser, query = '', id = 'acme') => {
  const answer = await browser.call('GET', `/api/dashboard/oidc/${id}/start${query}`)
  expect(answer.status, answer.text).toBe(303)
  return String(answer.headers.location)
}

/** Simulates a redirect from a different site: the browser does not send strict cookies. */
const comeBack = async (browser: Browser, url: URL | string) => {
  const { pathname, search } = new URL(url)
  const answer = await browser.call('GET', pathname + search, undefined, {
    cookie:
      browser
        .cookie()
        ?.split('; ')
        .find((each) => each.startsWith('svc_detour=')) ?? '',
    'sec-fetch-site': 'cross-site',
  })
  expect(answer.status, answer.text).toBe(303)
  return String(answer.headers.location)
}

const roundTrip = async (browser: Browser, query = '', id = 'acme') =>
  comeBack(browser, await visit(await start(browser, query, id)))

const whoIs = async (browser: Browser) => (await browser.call('GET', '/api/dashboard/session')).body.data
const actions = async (id = person.id) => {
  const { rows } = await sql<{ action: string; after: unknown; before: unknown }>`
    select action, before, after from audit_entries where actor_id = ${id} order by seq`.execute(service.db)
  return rows
}
const invite = async (email: string) => {
  const body = { email, roleId: (await roleIds(service)).EDITOR }
  const { status } = await service.call(service.people.owner, 'POST', '/api/v1/members/invitations', body)
  expect(status).toBe(201)
  const { text } = await mail.next(email)
  return /join#([\w-]{43})/.exec(text)![1]!
}

test('303 to the provider with state, nonce and a PKCE challenge, and a cookie for the way back', async () => {
  const browser = openBrowser(service)
  const answer = await browser.call('GET', '/api/dashboard/oidc/acme/start?returnTo=/account')
  const url = new URL(String(answer.headers.location))
  expect(url.origin).toBe(provider.issuer)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'svc',
    redirect_uri: 'http://svc.test/api/dashboard/oidc/acme/callback',
    response_type: 'code',
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const cookie = String(answer.headers['set-cookie'])
  expect(cookie).toMatch(/^svc_detour=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(cookie).not.toContain(url.searchParams.get('state'))
})

test('303 the account with a verified address is linked and signed in, and found directly afterwards', async () => {
  const browser = openBrowser(service)
  expect(await roundTrip(browser, '?returnTo=/projects/1%3Fpage=2')).toBe('/projects/1?page=2')
  const { session } = await whoIs(browser)
  expect(session.user).toMatchObject({ id: person.id, hasPassword: false })
  expect(await actions()).toMatchObject([
    { action: 'user.identity_link', after: { provider: 'acme ID', email: person.email } },
    { action: 'session.start', after: { method: 'OPENID_CONNECT', provider: 'acme ID' } },
  ])
  expect((await mail.next(person.email)).text).toContain('A sign-in provider was linked')

  provider.account = { sub: person.id, email: 'moved@elsewhere.test', email_verified: false }
  const again = openBrowser(service)
  expect(await roundTrip(again)).toBe('/')
  expect((await whoIs(again)).session.user.id).toBe(person.id)
})

test('303 with the address in the token', async () => {
  other.account = { sub: person.id, email: person.email.toUpperCase(), email_verified: true }
  const browser = openBrowser(service)
  await roundTrip(browser, '', 'other')
  expect((await whoIs(browser)).session.user.id).toBe(person.id)
})

test('303 without a second factor, because the provider decides how to prove an identity', async () => {
  const withPassword = await signIn(service, person.email)
  await switchOnSecondFactor(withPassword, clock.now())
  const browser = openBrowser(service)
  expect(await roundTrip(browser)).toBe('/')
  expect((await whoIs(browser)).stage).toBe('SIGNED_IN')
})

test('303 an invited person joins with an account without a password', async () => {
  const email = `new-${person.email}`
  const link = await invite(email)
  provider.account = { sub: `new-${person.id}`, email, email_verified: true, name: 'Nora New' }
  const browser = openBrowser(service)
  expect(await roundTrip(browser, `?link=${link}`)).toBe('/')
  const { session } = await whoIs(browser)
  expect(session).toMatchObject({
    user: { name: 'Nora New', email, hasPassword: false },
    organizations: [{ name: 'Acme', role: { name: 'EDITOR' } }],
  })
  expect((await actions(session.user.id)).map(({ action }) => action)).toEqual([
    'member.join',
    'user.identity_link',
    'session.start',
  ])
  const check = await browser.call('POST', '/api/dashboard/links/check', { link })
  expect(check.status).toBe(404)
})

test('303 a person with an account accepts an invitation by signing in', async () => {
  const stranger = await newPerson(service, { organization: 'Other' })
  const link = await invite(stranger.email)
  provider.account = { sub: stranger.id, email: stranger.email, email_verified: true }
  const browser = openBrowser(service)
  expect(await roundTrip(browser, `?link=${link}&returnTo=/members`)).toBe('/members')
  const { session } = await whoIs(browser)
  expect(session.user.id).toBe(stranger.id)
  expect(session.organizations.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Other'])
})

test('303 a signed-in person links a second identity, and the session gets a new id', async () => {
  const browser = await signIn(service, person.email)
  const before = (await whoIs(browser)).session.id
  provider.account = { sub: `private-${person.id}`, email: 'private@elsewhere.test', email_verified: true }
  expect(await roundTrip(browser, '?returnTo=/account')).toBe('/account')
  const { session } = await whoIs(browser)
  expect(session.user.id).toBe(person.id)
  expect(session.id).not.toBe(before)
  const list = async () => (await browser.call('GET', '/api/dashboard/me/identities')).body.data
  expect(await list()).toEqual([
    { id: expect.any(String), provider: 'acme ID', email: 'private@elsewhere.test', createdAt: expect.any(String) },
  ])
  // Linking again changes nothing.
  expect(await roundTrip(browser, '?returnTo=/account')).toBe('/account')
  expect(await list()).toHaveLength(1)

  const [{ id }] = await list()
  expect((await browser.call('DELETE', `/api/dashboard/me/identities/${id}`)).status).toBe(200)
  expect(await list()).toEqual([])
  expect((await actions()).at(-1)).toMatchObject({ action: 'user.identity_unlink', before: { provider: 'acme ID' } })
})

test.each([
  ['a verified address without an account', () => ({ email: 'nobody@acme.test', email_verified: true }), 'no_account'],
  [
    'the address of an account, not verified',
    () => ({ email: person.email, email_verified: false }),
    'email_unverified',
  ],
  ['the text true instead of the value', () => ({ email: person.email, email_verified: 'true' }), 'email_unverified'],
  ['an address that may not be verified', () => ({ email: person.email }), 'email_unverified'],
  ['no address', () => ({ email_verified: true }), 'email_unverified'],
])('303 to the sign-in page: %s', async (_what, claims, error) => {
  provider.account = { sub: `x-${person.id}`, ...claims() }
  const browser = openBrowser(service)
  expect(await roundTrip(browser)).toBe(`/sign-in?error=${error}`)
  expect((await whoIs(browser)).stage).toBe('SIGNED_OUT')
  const { rows } = await sql`select from identities where user_id = ${person.id}`.execute(service.db)
  expect(rows).toEqual([])
})

test('303 an invitation for a different address is not accepted', async () => {
  const link = await invite(`invited-${person.email}`)
  provider.account = { sub: `y-${person.id}`, email: `somebody-else-${person.email}`, email_verified: true }
  const browser = openBrowser(service)
  expect(await roundTrip(browser, `?link=${link}`)).toBe('/sign-in?error=no_account')
  expect((await browser.call('POST', '/api/dashboard/links/check', { link })).status).toBe(200)
})

test('303 an identity stays with its account', async () => {
  await roundTrip(openBrowser(service))
  const someone = await newPerson(service)
  const browser = await signIn(service, someone.email)
  expect(await roundTrip(browser, '?returnTo=/account')).toBe('/account?error=identity_taken')
  expect((await whoIs(browser)).session.user.id).toBe(someone.id)
})

test('303 nothing is linked if the session has ended in the meantime', async () => {
  const browser = await signIn(service, person.email)
  const address = await start(browser, '?returnTo=/account')
  await sql`delete from sessions where user_id = ${person.id}`.execute(service.db)
  expect(await comeBack(browser, await visit(address))).toBe('/account?error=expired')
})

test('303 to the sign-in page after a cancelled sign-in', async () => {
  provider.account = null
  expect(await roundTrip(openBrowser(service))).toBe('/sign-in?error=provider_denied')
})

test('303 an answer works once, for ten minutes, in the browser that asked', async () => {
  const browser = openBrowser(service)
  const answer = await visit(await start(browser))
  expect(await comeBack(openBrowser(service), answer)).toBe('/sign-in?error=expired')
  const thief = openBrowser(service)
  await start(thief)
  expect(await comeBack(thief, answer)).toBe('/sign-in?error=provider_failed')
  expect(await comeBack(browser, answer)).toBe('/')
  expect(browser.cookie()).not.toContain('svc_detour')
  expect(await comeBack(browser, answer)).toBe('/sign-in?error=expired')

  const slow = openBrowser(service)
  const late = await visit(await start(slow))
  clock.move(10 * minuteMs)
  expect(await comeBack(slow, late)).toBe('/sign-in?error=expired')
})

test('303 an answer of a different provider and a changed state or code are refused', async () => {
  const browser = openBrowser(service)
  const elsewhere = await visit(await start(browser))
  elsewhere.pathname = '/api/dashboard/oidc/other/callback'
  expect(await comeBack(browser, elsewhere)).toBe('/sign-in?error=expired')
  for (const [name, value] of [
    ['state', 'A'.repeat(43)],
    ['code', 'A'.repeat(43)],
    ['iss', other.issuer],
  ] as const) {
    const another = openBrowser(service)
    const answer = await visit(await start(another))
    answer.searchParams.set(name, value)
    expect(await comeBack(another, answer), name).toBe('/sign-in?error=provider_failed')
    expect((await whoIs(another)).stage).toBe('SIGNED_OUT')
  }
})

test('303 additional parameters of a provider are ignored, and repeated ones are refused', async () => {
  const browser = openBrowser(service)
  const answer = await visit(await start(browser))
  answer.searchParams.set('session_state', 'x')
  answer.searchParams.set('hd', 'acme.test')
  expect(await comeBack(browser, answer)).toBe('/')
  const another = openBrowser(service)
  const twice = await visit(await start(another))
  twice.searchParams.append('state', 'another')
  expect(await comeBack(another, twice)).toBe('/sign-in?error=provider_failed')
})

test.each(['//evil.test', 'https://evil.test', '/\\evil.test', '/..//evil.test'])(
  '303 does not redirect to %s',
  async (returnTo) => {
    const browser = openBrowser(service)
    expect(await roundTrip(browser, `?returnTo=${encodeURIComponent(returnTo)}`)).toBe('/')
  },
)

test('303 two concurrent arrivals with one new identity create one account without a fault', async () => {
  const browsers = [openBrowser(service), openBrowser(service)]
  const answers = await Promise.all(browsers.map(async (browser) => visit(await start(browser))))
  const places = await Promise.all(browsers.map((browser, at) => comeBack(browser, answers[at]!)))
  expect(places).toContain('/')
  const { rows } = await sql`select from identities where user_id = ${person.id}`.execute(service.db)
  expect(rows).toHaveLength(1)
})

test('400 for unknown parameters at the start, 404 for an unknown provider', async () => {
  const browser = openBrowser(service)
  expect((await browser.call('GET', '/api/dashboard/oidc/acme/start?next=/')).status).toBe(400)
  for (const path of ['start', 'callback?code=x&state=y'])
    expect((await browser.call('GET', `/api/dashboard/oidc/none/${path}`)).status).toBe(404)
})

test('404 for an identity of a different person, 409 for the last way to sign in', async () => {
  const browser = openBrowser(service)
  await roundTrip(browser)
  const [{ id }] = (await browser.call('GET', '/api/dashboard/me/identities')).body.data
  const stranger = await newPerson(service)
  expect((await stranger.inSession('DELETE', `/api/dashboard/me/identities/${id}`)).status).toBe(404)
  const refused = await browser.call('DELETE', `/api/dashboard/me/identities/${id}`)
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'invalid_state' } } })
  const set = await browser.call('POST', '/api/dashboard/me/password', { newPassword: 'amber kettle by the 9 gates' })
  expect(set.status).toBe(200)
  expect((await browser.call('DELETE', `/api/dashboard/me/identities/${id}`)).status).toBe(200)
})

test('the session lists the providers without their secrets', async () => {
  const { text, body } = await openBrowser(service).call('GET', '/api/dashboard/session')
  expect(body.data.providers).toEqual([
    { id: 'acme', name: 'acme ID' },
    { id: 'other', name: 'other ID' },
  ])
  expect(text).not.toContain(provider.settings.clientSecret)
})

test('the addresses of a provider are cached, and requested again after a failure', async () => {
  const known = provider.discoveries
  await start(openBrowser(service))
  expect(provider.discoveries).toBe(known)
  clock.move(61 * minuteMs)
  await start(openBrowser(service))
  await start(openBrowser(service))
  expect(provider.discoveries).toBe(known + 1)
})
