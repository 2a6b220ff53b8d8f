import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPerson, roleIds } from '../../../../testing/people.ts'
import { authenticatorApp, switchOnSecondFactor } from '../../../../testing/second-factor.ts'
import { databaseFilesWith } from '../../../../testing/secrets-search.ts'
import { type Answer, startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'
import { type MailServer, startMailServer } from '../../../../testing/vendors/mail.ts'
import { startProvider, type TestProvider, visit } from '../../../../testing/vendors/oidc.ts'
import { openLog } from '../../../platform/log.ts'

const mailPassword = 'the password of the mailbox'
const secretKey = Buffer.alloc(32, 'k').toString('base64url')

let service: TestService
let mail: MailServer
let provider: TestProvider
const logged: string[] = []
/** Every secret that was shown, typed, sent by mail, or exchanged with a provider. */
const secrets = new Map<string, string>()

beforeAll(async () => {
  mail = await startMailServer()
  provider = await startProvider()
  service = await startTestService({
    log: openLog('trace', { write: (chunk: string) => void logged.push(chunk) }),
    settings: {
      SVC_SECRET_KEY: secretKey,
      SVC_SMTP_URL: mail.url.replace('//', `//svc:${encodeURIComponent(mailPassword)}@`),
      SVC_MAIL_FROM: 'svc@svc.test',
      SVC_OIDC_PROVIDERS: JSON.stringify([provider.settings]),
    },
  })
  note('the installation’s secret key', secretKey)
  note('the mailbox’s password', mailPassword)
  note('the client’s secret at the provider', provider.settings.clientSecret)
  note('everybody’s password', testPassword)
})
afterAll(async () => {
  await service.close()
  await Promise.all([mail.close(), provider.close()])
})

const note = (what: string, secret: string) => secrets.set(`${what} ${secrets.size}`, secret)

function noteCookies(browser: Browser): void {
  for (const pair of browser.cookie()?.split('; ') ?? []) note(`cookie ${pair.split('=')[0]}`, pair.split('=')[1]!)
}

async function ask(browser: Browser, path: string, body: object, expected = 200): Promise<Answer> {
  const answer = await browser.call('POST', path, body)
  expect(answer.status, answer.text).toBe(expected)
  noteCookies(browser)
  return answer
}

/** The secret of the next link that a person gets by mail. Notices of changes are skipped. */
async function mailedLink(to: string): Promise<string> {
  const [, link] = /#([\w-]{43})/.exec((await mail.next(to)).text) ?? []
  if (link === undefined) return mailedLink(to)
  note('a mailed link', link)
  return link
}

test('wrong passwords, including one for a different service', async () => {
  for (const password of ['wrong lantern under 41 harbours', 'the password of my bank account']) {
    note('a wrong password', password)
    await ask(openBrowser(service), '/api/dashboard/sign-in', { email: 'owner@svc.test', password }, 401)
    await ask(openBrowser(service), '/api/dashboard/sign-in', { email: 'nobody@svc.test', password }, 401)
    await ask(openBrowser(service), '/api/dashboard/sign-in', { email: password, password }, 400)
  }
})

test('a reset by mail, with a refused and an accepted password', async () => {
  const { email } = await newPerson(service)
  await ask(openBrowser(service), '/api/dashboard/password-reset', { email })
  const link = await mailedLink(email)
  const complete = '/api/dashboard/password-reset/complete'
  for (const [password, status] of [
    ['qwertyuiop', 400],
    ['copper kettles on the quay', 200],
  ] as const) {
    if (status === 200) note('a new password', password)
    await ask(openBrowser(service), complete, { link, password }, status)
  }
  await ask(openBrowser(service), complete, { link, password: 'copper kettles on the quay' }, 404)
})

test('an invitation by mail', async () => {
  const roleId = (await roleIds(service)).VIEWER
  const body = { email: 'invited@svc.test', roleId }
  await service.call(service.people.owner, 'POST', '/api/v1/members/invitations', body)
  const link = await mailedLink('invited@svc.test')
  const password = 'tin whistles in the fog'
  note('a first password', password)
  await ask(openBrowser(service), '/api/dashboard/links/check', { link })
  await ask(openBrowser(service), '/api/dashboard/invitations/accept', { link, name: 'Invited', password })
})

test('a second factor with its secret, recovery codes, and right and wrong codes', async () => {
  const { email } = await newPerson(service)
  const browser = await signIn(service, email)
  const { secret, recoveryCodes } = await switchOnSecondFactor(browser, new Date())
  noteCookies(browser)
  note('a second factor', secret)
  for (const code of recoveryCodes) note('a recovery code', code)
  const other = openBrowser(service)
  await ask(other, '/api/dashboard/sign-in', { email, password: testPassword })
  const step = '/api/dashboard/sign-in/second-factor'
  const wrong = 'aaaaa-bbbbb-ccccc-ddddd'
  note('a wrong recovery code', wrong)
  await ask(other, step, { recoveryCode: wrong }, 401)
  expect(authenticatorApp(secret).codeAt(new Date())).toMatch(/^\d{6}$/)
  const again = openBrowser(service)
  await ask(again, '/api/dashboard/sign-in', { email, password: testPassword })
  await ask(again, step, { recoveryCode: recoveryCodes[0] })
})

test('a sign-in through a provider, a cancelled one, and one with a forged answer', async () => {
  const { id, email } = await newPerson(service)
  const account = { sub: id, email, email_verified: true }
  for (const [who, forge, expected] of [
    [account, {}, '/'],
    [null, {}, '/sign-in?error=provider_denied'],
    [account, { code: 'a-code-that-somebody-made-up' }, '/sign-in?error=provider_failed'],
    [account, { state: 'a-state-that-somebody-made-up' }, '/sign-in?error=provider_failed'],
  ] as const) {
    provider.account = who
    const browser = openBrowser(service)
    const { headers } = await browser.call('GET', '/api/dashboard/oidc/acme/start')
    noteCookies(browser)
    const away = new URL(String(headers.location))
    for (const name of ['state', 'nonce', 'code_challenge']) note(name, away.searchParams.get(name)!)
    const back = await visit(away.href)
    for (const [name, value] of Object.entries(forge)) back.searchParams.set(name, value)
    for (const name of ['code', 'state']) if (back.searchParams.has(name)) note(name, back.searchParams.get(name)!)
    const answer = await browser.call('GET', back.pathname + back.search)
    expect([answer.status, answer.headers.location]).toEqual([303, expected])
    noteCookies(browser)
  }
})

test('none of these secrets is in the log, the audit log, a file of the database or its write-ahead log', async () => {
  expect(secrets.size).toBeGreaterThan(40)
  expect(logged.join('')).toContain('failed sign-in')
  const { rows } = await sql<{ text: string }>`
    select string_agg(audit_entries::text, ' ') as text from audit_entries`.execute(service.db)
  for (const [what, secret] of secrets) {
    expect(logged.join('').includes(secret), `${what} in the log`).toBe(false)
    expect(rows[0]!.text.includes(secret), `${what} in the audit log`).toBe(false)
  }
  expect(await databaseFilesWith(service.address, ['session.start']), 'the search finds existing text').not.toEqual([])
  expect(await databaseFilesWith(service.address, [...secrets.values()])).toEqual([])
})
