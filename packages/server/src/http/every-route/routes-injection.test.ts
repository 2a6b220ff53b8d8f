import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleIds } from '../../../testing/people.ts'
import { type Answer, startTestService, type TestService } from '../../../testing/service.ts'
import { type Browser, openBrowser, signIn } from '../../../testing/sessions.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../testing/vendors/mail.ts'
import { openLog } from '../../platform/log.ts'
import { openMailer } from '../../platform/mail.ts'
import { expiryMail } from '../../wings/people/tokens/expiry-mail.ts'

/** Line ends of every kind, headers, terminal sequences, and characters that reverse the direction of text. */
const evil = 'Eve\r\nBcc: eve@evil.test\nX-Evil: 1\r\n\r\n\u001b[2J\u009b31m\u0085\u2028{"msg":"forged"}\u2029\u202eend'

let service: TestService
let mail: MailServer
let owner: Browser
const written: string[] = []
const log = openLog('debug', { write: (chunk: string) => void written.push(chunk) })
const answers: Answer[] = []

beforeAll(async () => {
  mail = await startMailServer()
  const nowhere = { id: 'acme', name: 'Acme', issuer: 'http://127.0.0.1:1', clientId: 'svc', clientSecret: 'a secret' }
  const settings = {
    SVC_SMTP_URL: mail.url,
    SVC_MAIL_FROM: 'svc@svc.test',
    SVC_OIDC_PROVIDERS: JSON.stringify([nowhere]),
  }
  service = await startTestService({ log, settings })
  owner = await signIn(service, 'owner@svc.test')
  // Such names are refused now, but earlier versions stored them.
  await sql`update organizations set name = ${evil} where name = 'Acme'`.execute(service.db)
  await sql`update users set name = ${evil} where email = 'owner@svc.test'`.execute(service.db)
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

async function ask(browser: Browser, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
  const answer = await browser.call(method, path, body, { 'user-agent': evil })
  answers.push(answer)
  return answer
}

function expectIntact({ headers, subject, text }: ReceivedMail): void {
  expect(headers.filter((line) => /^(bcc|x-evil):/i.test(line))).toEqual([])
  for (const line of headers) expect(line).toMatch(/^([A-Za-z-]+: |[ \t])[\x20-\x7e]*$/)
  expect(headers.filter((line) => line.startsWith('Subject: '))).toHaveLength(1)
  expect(subject).not.toBe('')
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]/)
}

test.each(['organization', 'me'])('such a name is refused at /api/dashboard/%s', async (path) => {
  const { status, body } = await ask(owner, 'PATCH', `/api/dashboard/${path}`, { name: evil })
  expect([status, body.error.details.issues[0].path]).toEqual([400, ['name']])
})

test('an invitation with such names has only its own headers and goes to one address', async () => {
  const roleId = (await roleIds(service, evil)).VIEWER
  const answer = await ask(owner, 'POST', '/api/v1/members/invitations', { email: 'new@svc.test', roleId })
  expect(answer.status, answer.text).toBe(201)
  const received = await mail.next()
  expect(received.to).toEqual(['new@svc.test'])
  expectIntact(received)
})

test('the warning about a token with such a name has only its own headers', async () => {
  const mailer = openMailer(mail.url, 'svc@svc.test', log)
  const expiresAt = new Date('2026-12-01T10:00:00Z')
  mailer.post(
    expiryMail({ to: 'owner@svc.test', organization: evil, token: evil, expiresAt, baseUrl: 'http://svc.test' }),
  )
  const received = await mail.next()
  await mailer.close()
  expect(received.to).toEqual(['owner@svc.test'])
  expectIntact(received)
})

test.each([
  'new@svc.test\r\nBcc: eve@evil.test',
  'new@svc.test\nRCPT TO:<eve@evil.test>',
  'new@svc.test, eve@evil.test',
  'new@svc.test;eve@evil.test',
  'Eve <eve@evil.test>',
  'new@svc.test\u2028',
  '\u001bnew@svc.test',
])('%j is refused as a recipient', async (email) => {
  const roleId = (await roleIds(service, evil)).VIEWER
  expect((await ask(owner, 'POST', '/api/v1/members/invitations', { email, roleId })).status).toBe(400)
  expect((await ask(openBrowser(service), 'POST', '/api/dashboard/password-reset', { email })).status).toBe(400)
})

test('a return path with a header leads to the start page', async () => {
  const path = `/api/dashboard/oidc/acme/start?returnTo=${encodeURIComponent(`/${evil}`)}`
  const { status, headers } = await ask(openBrowser(service), 'GET', path)
  expect([status, headers.location]).toEqual([303, '/sign-in?error=provider_unreachable'])
})

test('an export with such a name gets a plain file name', async () => {
  const { status, headers } = await ask(owner, 'GET', '/api/v1/audit/export?format=csv')
  expect([status, headers['content-disposition']]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="audit-\d+-\d{4}-\d\d-\d\d\.csv"$/),
  ])
})

test.each([
  ['GET', `/api/v1/${encodeURIComponent(evil)}`],
  ['GET', `/api/v1/projects/${encodeURIComponent('\r\nX-Evil: 1')}`],
  ['GET', `/api/v1/audit?action=${encodeURIComponent(evil)}`],
  ['GET', '/sign-in?%0d%0aX-Evil:%201'],
  ['POST', '/api/dashboard/sign-in'],
] as const)('%s %s answers only with headers of the service', async (method, path) => {
  const { headers } = await ask(owner, method, path, method === 'POST' ? { [evil]: evil } : undefined)
  expect(headers).not.toHaveProperty('x-evil')
})

test('such a media type or token is refused like any other', async () => {
  const media = await owner.call('POST', '/api/dashboard/sign-out', {}, { 'content-type': evil })
  const token = await service.call(evil, 'GET', '/api/v1/me')
  expect([media.status, token.status]).toEqual([415, 401])
  answers.push(media, token)
})

test('wrong passwords and refusals are logged in one JSON line each, for every reader', async () => {
  const wrong = { email: 'owner@svc.test', password: evil }
  for (let turn = 0; turn < 2; turn++) await ask(openBrowser(service), 'POST', '/api/dashboard/sign-in', wrong)
  const lines = written.join('').split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/)
  expect(lines.pop()).toBe('')
  expect(lines).toHaveLength(written.length)
  const messages = lines.map((line) => JSON.parse(line).msg)
  expect(messages.filter((message) => message === 'failed sign-in')).toHaveLength(2)
  expect(messages.filter((message) => message === 'answered').length).toBeGreaterThan(answers.length)
  expect(messages).not.toContain('forged')
  expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
})

test('no header of any answer contains more than plain text', () => {
  for (const { headers } of answers)
    for (const [name, value] of Object.entries(headers))
      for (const each of [value].flat()) expect(String(each), name).toMatch(/^[\x20-\x7e]*$/)
})
