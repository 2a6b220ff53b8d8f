import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, startCaller } from './testing/calling.ts'
import { type Authority, makeAuthority } from './testing/certificates.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const host = 'hook.example.test'
/** For every attempt, because the first handshake on a busy machine takes long. */
const timeoutMs = 5_000
const mostGrownBytes = 20 * 1024 * 1024

let authority: Authority
let receiver: Receiver
let caller: Caller

beforeAll(async () => {
  authority = await makeAuthority()
  receiver = await startReceiver(await authority.issue([host, 'other.example.test']))
  caller = startCaller(authority.caPath)
  await openCaller()
})

afterAll(async () => {
  await caller.end()
  await receiver.close()
  await authority.remove()
})

const here: Record<string, (string[] | 'never')[]> = { [host]: [['127.0.0.1']] }

const openCaller = (names = here) =>
  caller.open({
    names,
    allowedHosts: Object.keys(names)
      .map((name) => `${name}:${receiver.port}`)
      .join(','),
    timeoutMs,
  })

const url = (path: string, name = host) => `https://${name}:${receiver.port}${path}`

const late = 'The endpoint did not answer within 5 s'

describe('an attempt', () => {
  it('sends the given headers and three of the protocol, and no others', async () => {
    expect(await caller.post(url('/ok?a=1&b=%20'))).toMatchObject({
      status: 200,
      body: 'ok',
      error: null,
      charged: true,
    })
    const { head, body, serverName } = receiver.requests.at(-1)!
    expect(head.split('\r\n').sort()).toEqual([
      'Content-Type: application/json',
      'POST /ok?a=1&b=%20 HTTP/1.1',
      'User-Agent: Svc-Webhooks/1.0',
      'X-Svc-Event: webhook.test',
      'connection: keep-alive',
      'content-length: 18',
      `host: ${host}:${receiver.port}`,
    ])
    expect(body).toBe('{"text":"grüße"}')
    expect(serverName).toBe(host)
  })

  const ended = 'The endpoint closed the connection without an answer'
  it.each([
    { path: '/status?200', status: 200, body: 'said', error: null },
    { path: '/status?204', status: 204, body: '', error: null },
    { path: '/status?299', status: 299, body: 'said', error: null },
    { path: '/status?304', status: 304, error: 'The endpoint answered 304' },
    { path: '/status?410', status: 410, body: 'said', error: 'The endpoint answered 410' },
    { path: '/status?429', status: 429, error: 'The endpoint answered 429' },
    { path: '/status?999', status: 999, error: 'The endpoint answered 999' },
    { path: '/busy', status: 503, retryAfter: '120', error: 'The endpoint answered 503' },
    { path: '/redirect?301', status: 301, error: 'The endpoint answered 301; redirects are not followed' },
    { path: '/redirect?302', status: 302, error: 'The endpoint answered 302; redirects are not followed' },
    { path: '/redirect?303', status: 303, error: 'The endpoint answered 303; redirects are not followed' },
    { path: '/redirect?307', status: 307, error: 'The endpoint answered 307; redirects are not followed' },
    { path: '/redirect?308', status: 308, error: 'The endpoint answered 308; redirects are not followed' },
    { path: '/continue', status: 200, body: 'went on', error: null },
    { path: '/continue-in-pieces', status: 200, body: 'went on', error: null },
    { path: '/early-hints', status: 200, body: 'hinted', error: null },
    { path: '/switch', status: 101, error: 'The endpoint answered 101' },
    { path: '/closing', status: 200, body: 'bye', error: null },
    { path: '/until-close', status: 200, body: 'to the end', error: null },
    { path: '/short', status: 200, body: 'abc', error: null },
    { path: '/bad-chunk', status: 200, body: '', error: null },
    { path: '/close', status: null, error: ended },
    { path: '/reset', status: null, error: ended },
    { path: '/garbage', status: null, error: 'The endpoint did not answer in valid HTTP' },
    { path: '/two-lengths', status: null, error: 'The endpoint did not answer in valid HTTP' },
    { path: '/long-head', status: null, error: 'The endpoint answered with more than 16 KB of headers' },
    { path: '/late?100', status: 200, body: 'late', error: null },
    { path: '/endless', status: 200, body: 'a'.repeat(1024), error: null },
    { path: '/five-gigabytes', status: 200, body: 'a'.repeat(1024), error: null },
    { path: '/more-than-kept', status: 500, body: 'a'.repeat(1024), error: 'The endpoint answered 500' },
    { path: '/cut-character', status: 200, body: 'a'.repeat(1023), error: null },
    { path: '/nul', status: 500, body: 'ab', error: 'The endpoint answered 500' },
    { path: '/surrogates', status: 200, body: 'a\ufffd\ufffd\ufffdb', error: null },
  ])('reports $status for $path', async ({ path, ...expected }) => {
    const before = receiver.requests.length
    const attempt = await caller.post(url(path))
    expect(attempt).toMatchObject({ ...expected, charged: true })
    expect(receiver.requests.length).toBe(before + 1)
  })

  const endless = [
    { path: `/late?${timeoutMs * 10}`, status: null, error: late },
    { path: '/silent', status: null, error: late },
    { path: '/drip-head', status: null, error: late },
    { path: '/continue-forever', status: null, error: late },
    { path: '/processing-forever', status: null, error: late },
    { path: '/silent-after-head', status: 200, body: '', error: null },
    { path: '/silent-in-body', status: 200, body: 'part', error: null },
    { path: '/failing-in-body', status: 500, body: 'part', error: 'The endpoint answered 500' },
    // A slow response counts as delivered.
    { path: '/drip', status: 200, body: expect.stringMatching(/^\.{5,}$/), error: null },
  ]
  it('ends when its time is over, and reports what has arrived by then', async () => {
    const { attempts } = await caller.posts(endless.map(({ path }) => url(path)))
    expect(attempts).toMatchObject(endless.map(({ path: _path, ...expected }) => ({ ...expected, charged: true })))
    for (const { durationMs } of attempts) expect(durationMs).toBeGreaterThanOrEqual(timeoutMs - 5)
    for (const { path } of endless)
      expect(
        receiver.requests.filter((request) => request.path === path),
        path,
      ).toHaveLength(1)
  })

  it('does not decompress responses', async () => {
    expect((await caller.post(url('/compressed'))).body).not.toContain('hello')
  })
})

describe('many attempts at once', () => {
  beforeAll(() => openCaller())
  afterAll(() => caller.close())

  it.each(['/endless', '/five-gigabytes', '/bomb'])('use at most 20 MB for 50 requests to %s', async (path) => {
    await caller.posts(Array(50).fill(url('/ok')))
    const { attempts, grownBytes } = await caller.posts(Array(50).fill(url(path)))
    expect(attempts.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(grownBytes).toBeLessThan(mostGrownBytes)
  })

  it('share 64 connections to a host while the rest wait', async () => {
    const before = receiver.connections()
    const { attempts } = await caller.posts(Array(100).fill(url('/late?100')))
    expect(attempts.map(({ status }) => status)).toEqual(Array(100).fill(200))
    expect(receiver.connections() - before).toBeLessThanOrEqual(64)
  })

  it('give back every connection slot when every attempt fails', async () => {
    const { attempts } = await caller.posts(Array(130).fill(url('/silent')))
    expect(new Set(attempts.map(({ error }) => error))).toEqual(new Set([late]))
    expect((await caller.posts(Array(64).fill(url('/ok')))).attempts.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('a request', () => {
  beforeAll(() => openCaller())

  it.each(['GET', 'POST', 'PUT', 'PATCH'] as const)('is sent as %s', async (method) => {
    const body = method === 'GET' ? null : '{"a":1}'
    const attempt = await caller.request({ method, url: url('/ok'), headers: { accept: 'text/plain' }, body })
    expect(attempt).toMatchObject({ status: 200, body: 'ok', error: null, headers: { 'content-length': '2' } })
    const request = receiver.requests.at(-1)!
    expect(request.head).toMatch(new RegExp(`^${method} /ok HTTP/1.1\r\n`))
    expect(request.body).toBe(body ?? '')
  })

  it('reads the headers of a refusal', async () => {
    const attempt = await caller.request({ method: 'GET', url: url('/busy'), headers: {}, body: null })
    expect(attempt).toMatchObject({ status: 503, retryAfter: '120', headers: { 'retry-after': '120' } })
  })

  it('gets as much of the answer as it needs, and no more', async () => {
    const long = { method: 'GET', url: url('/more-than-kept'), headers: {}, body: null } as const
    expect((await caller.request(long)).body).toHaveLength(1_024)
    expect((await caller.request({ ...long, answerMaxBytes: 3_000 })).body).toHaveLength(3_000)
    expect((await caller.request({ ...long, answerMaxBytes: 65_536 })).body).toHaveLength(5_000)
    expect((await caller.request({ ...long, url: url('/endless'), answerMaxBytes: 65_536 })).body).toHaveLength(65_536)
  })

  it('that must be sent once does not go over a kept connection, which can turn out to be closed', async () => {
    const at = (path: string, isOnce: boolean) =>
      caller.request({ method: 'POST', url: url(path), headers: {}, body: '{}', isOnce })
    await at('/ok', false)
    const connections = receiver.connections()
    expect(await at('/ok', false)).toMatchObject({ status: 200 })
    expect(receiver.connections()).toBe(connections)
    expect(await at('/ok', true)).toMatchObject({ status: 200 })
    expect(receiver.connections()).toBe(connections + 1)
    const requests = receiver.requests.length
    expect(await at('/reset', true)).toMatchObject({ status: null, charged: true })
    expect(receiver.requests).toHaveLength(requests + 1)
  })
})
