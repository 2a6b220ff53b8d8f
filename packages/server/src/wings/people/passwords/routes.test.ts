import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { inFull } from '../../../../testing/in-full.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { switchOnSecondFactor } from '../../../../testing/second-factor.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { givePassword, openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'
import { type MailServer, startMailServer } from '../../../../testing/vendors/mail.ts'

const newPassword = 'amber kettle by the 9 gates'

let clock: TestClock
let mail: MailServer
let service: TestService
let person: TestPerson

beforeAll(async () => {
  clock = standingClock()
  mail = await startMailServer()
  const settings = { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' }
  service = await startTestService({ now: clock.now, settings })
})
beforeEach(async () => {
  person = await newPerson(service)
  await givePassword(service, person.email)
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

const post = (path: string, body?: unknown) => openBrowser(service).call('POST', `/api/dashboard${path}`, body)
const signInStatus = async (password: string) => (await post('/sign-in', { email: person.email, password })).status
const complete = (link: string, password: string) => post('/password-reset/complete', { link, password })

/** Requests a new password and returns the link's secret from the mail. */
async function askForLink(email = person.email): Promise<string> {
  expect(await post('/password-reset', { email })).toMatchObject({ status: 200, body: { data: null } })
  const { text } = await mail.next(person.email)
  return /http:\/\/svc\.test\/reset#([\w-]{43})\n/.exec(text)![1]!
}

const entries = async () => {
  const { rows } = await sql<{ action: string; actor_type: string; after: unknown }>`
    select action, actor_type, after from audit_entries where object_id = ${person.id} order by seq`.execute(service.db)
  return rows
}

test('200 the link from the mail sets the password, ends every session and signs nobody in', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const link = await askForLink(person.email.toUpperCase())
  const check = await post('/links/check', { link })
  expect(check.body.data).toEqual({
    kind: 'PASSWORD_RESET',
    email: person.email,
    organization: null,
    invitedBy: null,
    hasAccount: true,
    expiresAt: new Date(clock.now().getTime() + hourMs).toISOString(),
    personalTokens: [{ name: 'laptop', createdAt: expect.any(String), lastUsedAt: null }],
    initialToken: null,
  })
  const done = await complete(link, newPassword)
  expect(done).toMatchObject({ status: 200, body: { data: null } })
  expect(done.headers['set-cookie']).toBeUndefined()
  expect((await browser.call('GET', '/api/v1/me')).status).toBe(401)
  expect((await person.inSession('GET', '/api/v1/me')).status).toBe(401)
  expect([await signInStatus(testPassword), await signInStatus(newPassword)]).toEqual([401, 200])
  expect(await entries()).toMatchObject([
    { action: 'user.password_reset_request', actor_type: 'system' },
    { action: 'user.password_reset', actor_type: 'user', after: { sessionsEnded: 2 } },
  ])
  expect((await mail.next(person.email)).text).toContain('The password of your account was changed')
})

test('200 a reset keeps the second factor', async () => {
  const browser = await signIn(service, person.email, testPassword)
  await switchOnSecondFactor(browser, clock.now())
  expect((await mail.next(person.email)).text).toContain('A second factor was turned on')
  await complete(await askForLink(), newPassword)
  const { body } = await post('/sign-in', { email: person.email, password: newPassword })
  expect(body.data.stage).toBe('SECOND_FACTOR')
})

test('200 signing in with a recovery code sends a mail', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const { recoveryCodes } = await switchOnSecondFactor(browser, clock.now())
  await mail.next(person.email)
  const credentials = { email: person.email, password: testPassword }
  await browser.call('POST', '/api/dashboard/sign-in', credentials)
  await browser.call('POST', '/api/dashboard/sign-in/second-factor', { recoveryCode: recoveryCodes[0] })
  expect((await mail.next(person.email)).text).toContain('A recovery code was used to sign in')
})

test('200 an account without a password gets one', async () => {
  await sql`update users set password_hash = null where id = ${person.id}`.execute(service.db)
  expect(await signInStatus(newPassword)).toBe(401)
  await complete(await askForLink(), newPassword)
  expect(await signInStatus(newPassword)).toBe(200)
})

test('200 a changed password ends other sessions and gives this one a new id', async () => {
  const other = await signIn(service, person.email, testPassword)
  const browser = await signIn(service, person.email, testPassword)
  const before = browser.cookie()!
  const link = await askForLink()
  const body = { currentPassword: testPassword, newPassword }
  expect((await browser.call('POST', '/api/dashboard/me/password', body)).status).toBe(200)
  expect(browser.cookie()).not.toBe(before)
  expect((await browser.call('GET', '/api/v1/me')).status).toBe(200)
  expect((await other.call('GET', '/api/v1/me')).status).toBe(401)
  expect((await service.call(null, 'GET', '/api/v1/me', undefined, { cookie: before })).status).toBe(401)
  expect([await signInStatus(testPassword), await signInStatus(newPassword)]).toEqual([401, 200])
  expect((await complete(link, 'yet another 55 lanterns')).status).toBe(404)
  expect((await entries()).at(-1)).toMatchObject({ action: 'user.password_change', after: { sessionsEnded: 2 } })
})

test('200 an account without a password sets its first one', async () => {
  await sql`update users set password_hash = null where id = ${person.id}`.execute(service.db)
  const answer = await person.inSession('POST', '/api/dashboard/me/password', { newPassword })
  expect(answer.status).toBe(200)
  expect(await signInStatus(newPassword)).toBe(200)
})

test.each([
  ['short', 'kzq7wvx', /at least 8/],
  ['long', `ab3 ${'x'.repeat(256)}`, /at most 256/],
  ['common', 'password1', /most common/],
])('400 a new password that is too %s', async (_what, password, message) => {
  const refused = { status: 400, body: { error: { message: expect.stringMatching(message) } } }
  const link = await askForLink()
  expect(await complete(link, password)).toMatchObject(refused)
  // The link still works for a better password.
  expect((await complete(link, newPassword)).status).toBe(200)
  const browser = await signIn(service, person.email, newPassword)
  const body = { currentPassword: newPassword, newPassword: password }
  expect(await browser.call('POST', '/api/dashboard/me/password', body)).toMatchObject(refused)
})

test('400 the new password must not be the own address', async () => {
  const [local = ''] = person.email.split('@')
  const answer = await complete(await askForLink(), `${local}-1`)
  expect(answer.body.error.details.issues).toMatchObject([
    { path: ['password'], message: expect.stringMatching(/e-mail/) },
  ])
})

test.each([
  ['wrong', 'not the password'],
  ['left out', undefined],
])('400 the current password is %s', async (_what, currentPassword) => {
  const browser = await signIn(service, person.email, testPassword)
  const answer = await browser.call('POST', '/api/dashboard/me/password', { currentPassword, newPassword })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: ['currentPassword'] }] } } },
  })
  expect(await signInStatus(testPassword)).toBe(200)
})

test('404 a link that is used, expired or for a different purpose', async () => {
  const used = await askForLink()
  await complete(used, newPassword)
  expect((await complete(used, newPassword)).status).toBe(404)
  await mail.next(person.email)
  const late = await askForLink()
  clock.move(hourMs)
  expect((await complete(late, newPassword)).status).toBe(404)
  expect((await post('/links/check', { link: late })).status).toBe(404)
})

test('404 a used link ends all others of the account', async () => {
  const [one, other] = [await askForLink(), await askForLink()]
  expect((await complete(other, newPassword)).status).toBe(200)
  expect((await complete(one, newPassword)).status).toBe(404)
})

test('404 one link used twice at once sets one password', async () => {
  const link = await askForLink()
  const answers = await Promise.all([complete(link, newPassword), complete(link, 'yet another 55 lanterns')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('429 after eleven wrong passwords; a right one in between resets the count', async () => {
  for (let tried = 0; tried < 9; tried++) expect(await signInStatus('not the password')).toBe(401)
  expect(await signInStatus(testPassword)).toBe(200)
  for (let tried = 0; tried < 10; tried++) expect(await signInStatus('not the password')).toBe(401)
  expect(await signInStatus(testPassword)).toBe(429)
  // The owner of the mailbox can still get in.
  await complete(await askForLink(), newPassword)
  expect(await signInStatus(newPassword)).toBe(200)
})

inFull('limits/routes-rate-limit-evasion')(
  '429 after 31 sign-ins in a minute from one address, for any accounts',
  async () => {
    const browser = openBrowser(service)
    const statuses: number[] = []
    for (let tried = 0; tried < 31; tried++) {
      const credentials = { email: `nobody-${tried}@svc.test`, password: 'not the password' }
      statuses.push((await browser.call('POST', '/api/dashboard/sign-in', credentials)).status)
    }
    expect(statuses.slice(0, 30).every((status) => status === 401)).toBe(true)
    expect(statuses[30]).toBe(429)
  },
)

test.each([
  ['keep working', {}, 200, []],
  ['are revoked if requested', { revokeTokens: true }, 401, ['personal_token.revoke']],
] as const)('200 with a new password, personal tokens %s', async (_what, body, status, recorded) => {
  const link = await askForLink()
  expect((await post('/password-reset/complete', { link, password: newPassword, ...body })).status).toBe(200)
  expect((await service.call(person.token, 'GET', '/api/v1/me')).status).toBe(status)
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where actor_id = ${person.id} and object_type = 'personal_token'`.execute(
    service.db,
  )
  expect(rows.map(({ action }) => action)).toEqual(recorded)
})

test("403 cross_site: writes of a different site do not use up its visitor's sign-ins", async () => {
  const browser = openBrowser(service)
  const wanted = { currentPassword: 'not the password', newPassword: 'of the other site' }
  for (let tried = 0; tried < 31; tried++) {
    const from = { 'sec-fetch-site': 'cross-site', cookie: '' }
    const answer = await browser.call('POST', '/api/dashboard/me/password', wanted, from)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'cross_site'])
  }
  const credentials = { email: 'nobody@svc.test', password: 'not the password' }
  expect((await browser.call('POST', '/api/dashboard/sign-in', credentials)).status).toBe(401)
})

test('an unreachable mail server changes no answer, and the service closes', async () => {
  await mail.close()
  expect(await post('/password-reset', { email: person.email })).toMatchObject({ status: 200, body: { data: null } })
})
