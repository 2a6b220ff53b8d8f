import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { minuteMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { authenticatorApp, switchOnSecondFactor } from '../../../../testing/second-factor.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, givePassword, openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'

const stepMs = 30_000

let clock: TestClock
let service: TestService
let person: TestPerson

beforeAll(async () => {
  clock = standingClock()
  service = await startTestService({ now: clock.now })
})
beforeEach(async () => {
  person = await newPerson(service)
  await givePassword(service, person.email)
})
afterAll(() => service.close())

/** Signs in with the password in a new browser, up to the second step. */
async function firstStep(): Promise<Browser> {
  const browser = openBrowser(service)
  const credentials = { email: person.email, password: testPassword }
  const { body } = await browser.call('POST', '/api/dashboard/sign-in', credentials)
  expect(body.data).toMatchObject({ stage: 'SECOND_FACTOR', session: null })
  return browser
}

const secondStep = (browser: Browser, body: object) =>
  browser.call('POST', '/api/dashboard/sign-in/second-factor', body)

async function withSecondFactor() {
  const browser = await signIn(service, person.email, testPassword)
  const factor = await switchOnSecondFactor(browser, clock.now())
  clock.move(stepMs)
  return { browser, ...factor }
}

const actions = async () => {
  const { rows } = await sql<{ action: string; after: unknown }>`
    select action, after from audit_entries where actor_id = ${person.id} order by seq`.execute(service.db)
  return rows
}

test('200 turning on with a first code gives ten recovery codes, a new session id and an audit entry', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const before = browser.cookie()!
  const { secret, recoveryCodes } = await switchOnSecondFactor(browser, clock.now())
  expect(recoveryCodes).toHaveLength(10)
  expect(browser.cookie()).not.toBe(before)
  expect((await service.call(null, 'GET', '/api/v1/me', undefined, { cookie: before })).status).toBe(401)
  const { body } = await browser.call('GET', '/api/dashboard/session')
  expect(body.data.session.user.secondFactor).toBe(true)
  expect((await actions()).at(-1)).toMatchObject({ action: 'user.second_factor_enable' })
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(u::text, ' ') from users u) || (select string_agg(r::text, ' ') from recovery_codes r) ||
      (select string_agg(a::text, ' ') from audit_entries a) as text`.execute(service.db)
  for (const kept of [secret, ...recoveryCodes]) {
    expect(rows[0]!.text).not.toContain(kept)
    expect(rows[0]!.text).not.toContain(Buffer.from(kept).toString('hex'))
  }
})

test('200 the QR code names the service and the account', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const { body } = await browser.call('POST', '/api/dashboard/me/second-factor')
  const uri = new URL(body.data.uri)
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    `/svc.test:${person.email}`,
  ])
  expect(uri.searchParams.get('secret')).toBe(body.data.secret)
})

test('200 an unconfirmed secret changes nothing, and the next one replaces it', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const begin = async () => (await browser.call('POST', '/api/dashboard/me/second-factor')).body.data.secret
  const [first, second] = [await begin(), await begin()]
  await signIn(service, person.email, testPassword)
  const confirm = (secret: string) =>
    browser.call('POST', '/api/dashboard/me/second-factor/confirm', {
      code: authenticatorApp(secret).codeAt(clock.now()),
    })
  expect((await confirm(first)).status).toBe(400)
  expect((await confirm(second)).status).toBe(200)
})

test('200 signing in requires the password and a code, and gives the session a new id', async () => {
  const { app } = await withSecondFactor()
  const browser = await firstStep()
  const waiting = browser.cookie()!
  for (const path of ['/api/v1/me', '/api/dashboard/sessions'])
    expect((await browser.call('GET', path)).status, path).toBe(401)
  expect((await browser.call('GET', '/api/dashboard/session')).body.data).toMatchObject({ stage: 'SECOND_FACTOR' })

  const { status, body } = await secondStep(browser, { code: app.codeAt(clock.now()) })
  expect([status, body.data.stage]).toEqual([200, 'SIGNED_IN'])
  expect(browser.cookie()).not.toBe(waiting)
  expect((await service.call(null, 'GET', '/api/v1/me', undefined, { cookie: waiting })).status).toBe(401)
  expect((await actions()).at(-1)).toEqual({
    action: 'session.start',
    after: { method: 'PASSWORD', secondFactor: 'TOTP' },
  })
})

test('200 a recovery code replaces a code once', async () => {
  const { recoveryCodes } = await withSecondFactor()
  const [recoveryCode = ''] = recoveryCodes
  const first = await secondStep(await firstStep(), { recoveryCode: recoveryCode.toUpperCase() })
  expect(first.body.data.stage).toBe('SIGNED_IN')
  expect((await actions()).at(-1)).toMatchObject({ after: { secondFactor: 'RECOVERY_CODE', recoveryCodesLeft: 9 } })
  expect((await secondStep(await firstStep(), { recoveryCode })).status).toBe(401)
})

test('200 new recovery codes replace the old ones', async () => {
  const { browser, app, recoveryCodes } = await withSecondFactor()
  const renew = (code: string) => browser.call('POST', '/api/dashboard/me/second-factor/recovery-codes', { code })
  expect((await renew('000000')).status).toBe(400)
  const { body } = await renew(app.codeAt(clock.now()))
  expect(body.data.recoveryCodes).toHaveLength(10)
  expect((await secondStep(await firstStep(), { recoveryCode: recoveryCodes[1] })).status).toBe(401)
  expect((await secondStep(await firstStep(), { recoveryCode: body.data.recoveryCodes[1] })).status).toBe(200)
})

test.each(['password', 'code'] as const)(
  '200 turning off with %s gives a new session id and an audit entry',
  async (proof) => {
    const { browser, app } = await withSecondFactor()
    const before = browser.cookie()
    const disable = (body: object) => browser.call('POST', '/api/dashboard/me/second-factor/disable', body)
    expect(await disable({ [proof]: 'wrong' })).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path: [proof] }] } } },
    })
    const right = proof === 'password' ? testPassword : app.codeAt(clock.now())
    expect((await disable({ [proof]: right })).status).toBe(200)
    expect(browser.cookie()).not.toBe(before)
    expect((await actions()).at(-1)).toMatchObject({ action: 'user.second_factor_disable' })
    await signIn(service, person.email, testPassword)
    const { rows } = await sql`select from recovery_codes where user_id = ${person.id}`.execute(service.db)
    expect(rows).toEqual([])
  },
)

test('400 turning off requires a proof', async () => {
  const { browser, app } = await withSecondFactor()
  const disable = (body: object) => browser.call('POST', '/api/dashboard/me/second-factor/disable', body)
  for (const body of [{}, { password: testPassword, code: app.codeAt(clock.now()) }, { password: '' }])
    expect((await disable(body)).status).toBe(400)
})

test('401 a wrong code, a code of a different time, and a used code', async () => {
  const { app } = await withSecondFactor()
  const browser = await firstStep()
  const refused = { status: 401, body: { error: { code: 'sign_in_failed' } } }
  const at = (ms: number) => app.codeAt(new Date(clock.now().getTime() + ms))
  expect(await secondStep(browser, { code: '000000' })).toMatchObject(refused)
  expect(await secondStep(browser, { code: at(-2 * stepMs) })).toMatchObject(refused)
  expect(await secondStep(browser, { code: at(2 * stepMs) })).toMatchObject(refused)
  // The wrong codes have not ended the sign-in.
  expect((await secondStep(browser, { code: at(0) })).status).toBe(200)
  expect(await secondStep(await firstStep(), { code: at(0) })).toMatchObject(refused)
  expect(await secondStep(await firstStep(), { code: at(-stepMs) })).toMatchObject(refused)
})

test('401 the code that turned on the second factor cannot be used to sign in', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const { app } = await switchOnSecondFactor(browser, clock.now())
  expect((await secondStep(await firstStep(), { code: app.codeAt(clock.now()) })).status).toBe(401)
})

test('401 the second step must follow within ten minutes', async () => {
  const { app } = await withSecondFactor()
  const browser = await firstStep()
  clock.move(10 * minuteMs)
  const late = await secondStep(browser, { code: app.codeAt(clock.now()) })
  expect(late).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
})

test('401 one code in two browsers at once signs in once', async () => {
  const { app } = await withSecondFactor()
  const browsers = [await firstStep(), await firstStep(), await firstStep()]
  const code = app.codeAt(clock.now())
  const answers = await Promise.all(browsers.map((browser) => secondStep(browser, { code })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
})

test('401 one recovery code in two browsers at once signs in once', async () => {
  const { recoveryCodes } = await withSecondFactor()
  const browsers = [await firstStep(), await firstStep()]
  const answers = await Promise.all(browsers.map((browser) => secondStep(browser, { recoveryCode: recoveryCodes[3] })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('401 two codes at once for one waiting session sign in once', async () => {
  const { app, recoveryCodes } = await withSecondFactor()
  const browser = await firstStep()
  const answers = await Promise.all([
    secondStep(browser, { code: app.codeAt(clock.now()) }),
    secondStep(browser, { recoveryCode: recoveryCodes[0] }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('409 it cannot be turned on twice or turned off twice', async () => {
  const browser = await signIn(service, person.email, testPassword)
  const post = (path: string, body?: object) => browser.call('POST', `/api/dashboard/me/second-factor${path}`, body)
  expect((await post('/disable', { password: testPassword })).status).toBe(409)
  expect((await post('/recovery-codes', { code: '000000' })).status).toBe(409)
  await switchOnSecondFactor(browser, clock.now())
  expect((await post('')).status).toBe(409)
  expect((await post('/confirm', { code: '000000' })).status).toBe(409)
})

test('429 after six wrong codes, from any browser and address', async () => {
  const { app } = await withSecondFactor()
  for (let tried = 0; tried < 5; tried++)
    expect((await secondStep(await firstStep(), { code: '000000' })).status).toBe(401)
  const answer = await secondStep(await firstStep(), { code: app.codeAt(clock.now()) })
  expect(answer).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^(900|89\d)$/) },
    body: { error: { code: 'rate_limited', details: { limit: 5, windowSeconds: 900 } } },
  })
})
