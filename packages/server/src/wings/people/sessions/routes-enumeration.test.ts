import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestService, type TestService } from '../../../../testing/service.ts'
import { givePassword, openBrowser } from '../../../../testing/sessions.ts'
import { type MailServer, startMailServer } from '../../../../testing/vendors/mail.ts'

let service: TestService
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ settings: { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' } })
  await givePassword(service, 'owner@svc.test')
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

/** An outsider must see the same answer for each of these. */
const addresses = {
  'an account with a password': 'owner@svc.test',
  'an account without a password': 'viewer@svc.test',
  'no account': 'nobody@svc.test',
}

const shown = ({ status, headers, body }: Answer) => {
  const { requestId: _requestId, ...error } = body.error ?? {}
  const { 'x-request-id': _id, 'x-ratelimit-reset': _reset, date: _date, ...rest } = headers
  return { status, headers: rest, body: body.error ? { error } : body }
}

const askEach = async (path: string, bodyOf: (email: string) => object, times = 1) => {
  const answers: Answer[] = []
  for (const email of Object.values(addresses)) {
    const browser = openBrowser(service)
    for (let asked = 1; asked < times; asked++) await browser.call('POST', path, bodyOf(email))
    answers.push(await browser.call('POST', path, bodyOf(email)))
  }
  return answers.map(shown)
}

test('a wrong password gets the same answer for every address', async () => {
  const answers = await askEach('/api/dashboard/sign-in', (email) => ({ email, password: 'not the password' }))
  expect(answers[0]).toMatchObject({ status: 401, body: { error: { code: 'sign_in_failed' } } })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('too many wrong passwords get the same answer for every address', async () => {
  const bodyOf = (email: string) => ({ email, password: 'not the password' })
  const answers = await askEach('/api/dashboard/sign-in', bodyOf, 11)
  for (const { status, body } of answers) {
    expect([status, body.error.code, body.error.details.limit]).toEqual([429, 'rate_limited', 10])
    expect(body.error.message).toMatch(/^Too many attempts for this account\. Try again in \d+ s\.$/)
  }
})

test('requests for a new password get the same answer for every address, even beyond the limit', async () => {
  const answers = await askEach('/api/dashboard/password-reset', (email) => ({ email }))
  expect(answers[0]).toMatchObject({ status: 200, body: { data: null } })
  for (const answer of answers) expect(answer).toEqual(answers[0])
  const exceeded = await askEach('/api/dashboard/password-reset', (email) => ({ email }), 3)
  for (const { status, body } of exceeded) expect([status, body.error.details.limit]).toEqual([429, 3])
  const recipients = new Set(mail.received.flatMap(({ to }) => to))
  expect(recipients).not.toContain('nobody@svc.test')
})

test('unknown and malformed links get the same answer', async () => {
  const links = ['A'.repeat(43), 'B'.repeat(43), 'x', '../../etc/passwd']
  const answers = await Promise.all(
    links.map((link) => openBrowser(service).call('POST', '/api/dashboard/links/check', { link })),
  )
  expect(answers[0]!.status).toBe(404)
  for (const answer of answers) expect(shown(answer)).toEqual(shown(answers[0]!))
})
