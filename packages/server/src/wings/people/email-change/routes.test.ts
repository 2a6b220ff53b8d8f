import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { switchOnSecondFactor } from '../../../../testing/second-factor.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'
import { type MailServer, startMailServer } from '../../../../testing/vendors/mail.ts'

let clock: TestClock
let mail: MailServer
let service: TestService
let person: TestPerson
let browser: Browser

beforeAll(async () => {
  clock = standingClock()
  mail = await startMailServer()
  const settings = { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' }
  service = await startTestService({ now: clock.now, settings })
})
beforeEach(async () => {
  person = await newPerson(service)
  browser = await signIn(service, person.email)
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

const newAddress = () => `new-${crypto.randomUUID()}@svc.test`
const proof = { currentPassword: testPassword }
const ask = (body: object, who = browser) => who.call('POST', '/api/dashboard/me/email', body)
const confirm = (link: string) => openBrowser(service).call('POST', '/api/dashboard/email/confirm', { link })
const signInStatus = async (email: string) =>
  (await openBrowser(service).call('POST', '/api/dashboard/sign-in', { email, password: testPassword })).status

const linkIn = (text: string) => /http:\/\/svc\.test\/confirm-email#([\w-]{43})/.exec(text)![1]!

/** Asks for a new address and returns the link's secret from the mail. */
async function askForLink(email: string, who = browser): Promise<string> {
  const { status, text } = await ask({ email, ...proof }, who)
  expect(status, text).toBe(200)
  return linkIn((await mail.next(email.toLowerCase())).text)
}

const entries = async () => {
  const { rows } = await sql<{ action: string; before: unknown; after: unknown }>`
    select action, before, after from audit_entries
    where object_id = ${person.id} and action like 'user.email%' order by seq`.execute(service.db)
  return rows
}
const address = async () => (await browser.call('GET', '/api/v1/me')).body.data.user.email

test('200 the address changes with the link, and sessions continue', async () => {
  const email = newAddress()
  const link = await askForLink(email.toUpperCase())
  const warning = await mail.next(person.email)
  expect(warning.text).toContain(`change the address of your account to ${email}`)
  expect(warning.text).not.toContain(link)
  expect(await address()).toBe(person.email)
  const check = await openBrowser(service).call('POST', '/api/dashboard/links/check', { link })
  expect(check.body.data).toMatchObject({ kind: 'EMAIL_CHANGE', email, hasAccount: true })

  expect(await confirm(link)).toMatchObject({ status: 200, body: { data: { email } } })
  expect(await address()).toBe(email)
  expect([await signInStatus(person.email), await signInStatus(email)]).toEqual([401, 200])
  expect((await service.call(person.token, 'GET', '/api/v1/me')).body.data.user.email).toBe(email)
  expect((await mail.next(person.email)).text).toContain(`The address of your account is now ${email}.`)
  expect(await entries()).toEqual([
    { action: 'user.email_change_request', before: null, after: { email } },
    { action: 'user.email_change', before: { email: person.email }, after: { email } },
  ])
})

test('200 a code of the second factor proves the person too, once', async () => {
  const { app } = await switchOnSecondFactor(browser, clock.now())
  clock.move(60_000)
  const code = app.codeAt(clock.now())
  expect((await ask({ email: newAddress(), code })).status).toBe(200)
  expect((await ask({ email: newAddress(), code })).body.error.details.issues).toMatchObject([{ path: ['code'] }])
})

test('a link works once, also for two who use it at once', async () => {
  const link = await askForLink(newAddress())
  const answers = await Promise.all([confirm(link), confirm(link)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await confirm(link)).status).toBe(404)
})

test('of several requests, also at once, only the last link works', async () => {
  const first = await askForLink(newAddress())
  const addresses = [newAddress(), newAddress()]
  const links = await Promise.all(addresses.map((email) => askForLink(email)))
  expect((await confirm(first)).status).toBe(404)
  const statuses = []
  for (const link of links) statuses.push((await confirm(link)).status)
  expect(statuses.sort()).toEqual([200, 404])
})

test('409 if a different account has got the address meanwhile; the link stays open', async () => {
  const email = newAddress()
  const link = await askForLink(email)
  const other = await newPerson(service)
  await sql`update users set email = ${email} where id = ${other.id}`.execute(service.db)
  const refused = await confirm(link)
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([409, ['email']])
  expect(await address()).toBe(person.email)
  await sql`update users set email = ${newAddress()} where id = ${other.id}`.execute(service.db)
  expect((await confirm(link)).status).toBe(200)
})

test('of two accounts that confirm the same address at once, one gets it', async () => {
  const email = newAddress()
  const other = await newPerson(service)
  const links = [await askForLink(email), await askForLink(email, await signIn(service, other.email))]
  const statuses = (await Promise.all(links.map(confirm))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 409])
})

test('a new password cancels the change, and the change ends reset links to the old address', async () => {
  const cancelled = await askForLink(newAddress())
  const newPassword = 'amber kettle by the 9 gates'
  await browser.call('POST', '/api/dashboard/me/password', { ...proof, newPassword })
  expect((await confirm(cancelled)).status).toBe(404)

  const other = await newPerson(service)
  await openBrowser(service).call('POST', '/api/dashboard/password-reset', { email: other.email })
  const reset = /reset#([\w-]{43})\n/.exec((await mail.next(other.email)).text)![1]!
  const link = await askForLink(newAddress(), await signIn(service, other.email))
  expect((await confirm(link)).status).toBe(200)
  const body = { link: reset, password: newPassword }
  expect((await openBrowser(service).call('POST', '/api/dashboard/password-reset/complete', body)).status).toBe(404)
})

test('a link expires after a day, and no other kind of link confirms an address', async () => {
  const link = await askForLink(newAddress())
  clock.move(24 * hourMs)
  expect((await confirm(link)).status).toBe(404)
  const other = await newPerson(service)
  await openBrowser(service).call('POST', '/api/dashboard/password-reset', { email: other.email })
  const reset = /reset#([\w-]{43})\n/.exec((await mail.next(other.email)).text)![1]!
  expect((await confirm(reset)).status).toBe(404)
})

test.each([
  ['a wrong password', () => ({ email: newAddress(), currentPassword: 'wrong' }), 'currentPassword'],
  ['a code without a second factor', () => ({ email: newAddress(), code: '123456' }), 'code'],
  ['no address', () => ({ email: 'new', ...proof }), 'email'],
  ['the address that the account has', () => ({ email: person.email.toUpperCase(), ...proof }), 'email'],
])('400 %s', async (_case, body, field) => {
  const { status, body: answer } = await ask(body())
  expect([status, answer.error.code]).toEqual([400, 'validation_failed'])
  expect(answer.error.details.issues).toMatchObject([{ path: [field] }])
  expect(await entries()).toEqual([])
})

test('400 without a proof, 401 without a session', async () => {
  expect((await ask({ email: newAddress() })).status).toBe(400)
  expect((await ask({ email: newAddress(), ...proof }, openBrowser(service))).status).toBe(401)
})

test('429 after five requests in an hour', async () => {
  for (let count = 0; count < 5; count++) expect((await ask({ email: newAddress(), ...proof })).status).toBe(200)
  expect((await ask({ email: newAddress(), ...proof })).status).toBe(429)
})

test('without mail, the log has the link', async () => {
  const lines: { link?: string }[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const silent = await startTestService({ log })
  try {
    const { email } = await newPerson(silent)
    const wanted = newAddress()
    expect((await ask({ email: wanted, ...proof }, await signIn(silent, email))).status).toBe(200)
    const link = linkIn(lines.find((line) => line.link)!.link!)
    const confirmed = await openBrowser(silent).call('POST', '/api/dashboard/email/confirm', { link })
    expect(confirmed.body.data).toEqual({ email: wanted })
  } finally {
    await silent.close()
  }
})
