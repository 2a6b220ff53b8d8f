import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { openBrowser } from '../../../testing/sessions.ts'
import { type MailServer, startMailServer } from '../../../testing/vendors/mail.ts'

const perAddress = 30
const signInPath = '/api/dashboard/sign-in'
const guarded = [
  signInPath,
  '/api/dashboard/sign-in/second-factor',
  '/api/dashboard/password-reset',
  '/api/dashboard/password-reset/complete',
  '/api/dashboard/links/check',
  '/api/dashboard/invitations/accept',
  '/api/dashboard/sign-up',
]

let service: TestService
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ settings: { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' } })
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

interface Attempt {
  from: string
  method?: 'POST' | 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  path?: string
  headers?: Record<string, string>
}

/** Makes an attempt without a body. It is counted all the same. */
async function attempt({ from, method = 'POST', path = signInPath, headers = {} }: Attempt): Promise<number> {
  const sent = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers }
  const { statusCode } = await service.app.inject({
    method,
    url: path,
    remoteAddress: from,
    headers: sent,
    ...(method === 'POST' && { payload: '{}' }),
  })
  return statusCode
}

async function useUp(addressOf: (turn: number) => string): Promise<void> {
  for (let turn = 0; turn < perAddress; turn++) expect(await attempt({ from: addressOf(turn) })).toBe(400)
}

describe('an address that has used up its attempts', () => {
  const from = '192.0.2.1'
  beforeAll(() => useUp(() => from))

  test.each(guarded)('stays limited at %s', async (path) => expect(await attempt({ from, path })).toBe(429))

  test.each([
    { 'x-forwarded-for': '198.51.100.9' },
    { 'X-FORWARDED-FOR': '198.51.100.9, 127.0.0.1' },
    { forwarded: 'for=198.51.100.9' },
    { 'x-real-ip': '198.51.100.9' },
    { 'x-client-ip': '198.51.100.9' },
    { 'true-client-ip': '198.51.100.9' },
    { 'cf-connecting-ip': '198.51.100.9' },
    { 'x-forwarded-host': 'other.test', host: 'other.test' },
    { 'x-http-method-override': 'PUT' },
    { 'user-agent': 'another browser' },
    { cookie: 'svc_session=another' },
    { authorization: 'Bearer svc_svc_another' },
  ])('stays limited with the headers %j', async (headers) => expect(await attempt({ from, headers })).toBe(429))

  test.each(['?', '?x=1', '?page=2&page=3', '#part', '?/../'])('stays limited with %j after the path', async (end) =>
    expect(await attempt({ from, path: signInPath + end })).toBe(429),
  )

  test.each(['/api/dashboard/sign%2Din', '/%61pi/dashboard/sign-in', `${signInPath}/`])(
    'stays limited with the path written as %s',
    async (path) => expect(await attempt({ from, path })).toBe(429),
  )

  test.each([
    `${signInPath}//`,
    '//api/dashboard/sign-in',
    '/api//dashboard/sign-in',
    '/api/dashboard/Sign-In',
    '/API/dashboard/sign-in',
    `${signInPath};x`,
    `${signInPath}.json`,
    `${signInPath}%20`,
    `${signInPath}%00`,
    '/api/dashboard/sign-in%2F',
  ])('gets 404 for %s', async (path) => expect(await attempt({ from, path })).toBe(404))

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('cannot sign in with %s', async (method) =>
    expect(await attempt({ from, method })).toBe(405),
  )

  test('does not limit a different address', async () => expect(await attempt({ from: '192.0.2.2' })).toBe(400))
})

describe('the attempts of an address', () => {
  test('are counted for its whole IPv6 network', async () => {
    await useUp((turn) => `2001:db8:1:2::${(turn + 1).toString(16)}`)
    expect(await attempt({ from: '2001:db8:1:2:ffff:ffff:ffff:ffff' })).toBe(429)
    expect(await attempt({ from: '2001:db8:1:3::1' })).toBe(400)
  })

  test('are counted as IPv4, even when it is mapped into IPv6', async () => {
    await useUp((turn) => ['::ffff:192.0.2.3', '::ffff:c000:203'][turn % 2]!)
    expect(await attempt({ from: '192.0.2.3' })).toBe(429)
    expect(await attempt({ from: '::ffff:192.0.2.4' })).toBe(400)
  })

  test("are counted by the trusted proxy's header, whatever the client sends", async () => {
    const behind = await startTestService({ settings: { SVC_TRUST_PROXY: '10.0.0.0/8' } })
    const forwarded = (by: string, chain: string) =>
      behind.app.inject({
        method: 'POST',
        url: signInPath,
        remoteAddress: by,
        headers: { 'x-forwarded-for': chain, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        payload: '{}',
      })
    for (let turn = 0; turn < perAddress; turn++) await forwarded('10.0.0.1', `198.51.100.${turn}, 192.0.2.5`)
    expect((await forwarded('10.0.0.1', '203.0.113.1, 192.0.2.5')).statusCode).toBe(429)
    expect((await forwarded('192.0.2.5', '203.0.113.1')).statusCode, 'past the proxy').toBe(429)
    expect((await forwarded('10.0.0.1', '192.0.2.6')).statusCode).toBe(400)
    await behind.close()
  })
})

describe('the attempts for an account', () => {
  const spellings = ['editor@svc.test', 'EDITOR@svc.test', 'Editor@SVC.Test', 'editor@SVC.TEST']
  const ask = async (path: string, body: object) => (await openBrowser(service).call('POST', path, body)).status

  test('are counted from every address and in every spelling at sign-in', async () => {
    const wrong = (email: string) => ask(signInPath, { email, password: 'not the password' })
    for (let turn = 0; turn < 10; turn++) expect(await wrong(spellings[turn % spellings.length]!)).toBe(401)
    for (const email of spellings) expect(await wrong(email)).toBe(429)
    expect(await wrong('viewer@svc.test')).toBe(401)
  })

  test('are counted from every address and in every spelling at a password reset', async () => {
    const reset = (email: string) => ask('/api/dashboard/password-reset', { email })
    for (const email of spellings.slice(0, 3)) expect(await reset(email)).toBe(200)
    for (const email of spellings) expect(await reset(email)).toBe(429)
    expect(await reset('viewer@svc.test')).toBe(200)
  })

  test.each([
    ' owner@svc.test',
    'owner@svc.test ',
    'owner@svc.test\n',
    'owner@svc.test\u200b',
    'ow\u00adner@svc.test',
    'owner@\uff53vc.test',
    '"owner"@svc.test',
    'owner@svc.test.',
    '<owner@svc.test>',
    'Owner <owner@svc.test>',
    'owner@svc.test,viewer@svc.test',
  ])('do not include %j, which is not its address', async (email) => {
    expect(await ask(signInPath, { email, password: 'not the password' })).toBe(400)
    expect(await ask('/api/dashboard/password-reset', { email })).toBe(400)
  })
})
