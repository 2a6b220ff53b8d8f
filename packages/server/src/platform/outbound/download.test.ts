import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, startCaller } from './testing/calling.ts'
import { type Authority, makeAuthority } from './testing/certificates.ts'
import { hostile, neverOnes, privateOnes } from './testing/hostile.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const host = 'feeds.example.test'
const other = 'cdn.example.test'
const shortMs = 300
const megabyte = 1 << 20
const mostGrownBytes = 60 * megabyte

let authority: Authority
let receiver: Receiver
let far: Receiver
let caller: Caller

beforeAll(async () => {
  authority = await makeAuthority()
  receiver = await startReceiver(await authority.issue([host]))
  far = await startReceiver(await authority.issue([other]))
  caller = startCaller(authority.caPath)
  await openCaller()
})

afterAll(async () => {
  await caller.end()
  await receiver.close()
  await far.close()
  await authority.remove()
})

const openCaller = (names: Record<string, string[][]> = {}) =>
  caller.open({
    names: { [host]: [['127.0.0.1']], [other]: [['127.0.0.1']], ...names },
    allowedHosts: `${host}:${receiver.port},${other}:${far.port}`,
  })

const url = (path: string) => `https://${host}:${receiver.port}${path}`
const farUrl = (path: string) => `https://${other}:${far.port}${path}`
const redirected = (to: string) => url(`/to?${encodeURIComponent(to)}`)

const cut = 'The file was cut off: the connection ended before all of it had arrived'
const idle = `Nothing arrived for ${shortMs / 1000} s`
const closed = 'The endpoint closed the connection without an answer'

describe('a download', () => {
  it.each([
    { path: '/ok', status: 200, error: null, beginning: 'ok', bytes: 2 },
    { path: '/until-close', status: 200, error: null, beginning: 'to the end' },
    { path: '/closing', status: 200, error: null, beginning: 'bye' },
    { path: '/continue', status: 200, error: null, beginning: 'went on' },
    { path: '/early-hints', status: 200, error: null, beginning: 'hinted' },
    { path: '/status?304', status: 304, error: null, bytes: 0 },
    { path: '/status?404', status: 404, error: 'The endpoint answered 404', bytes: 0 },
    { path: '/status?206', status: 206, error: 'The endpoint answered 206', bytes: 0 },
    { path: '/status?429', status: 429, error: 'The endpoint answered 429', isTransient: true },
    { path: '/busy', status: 503, error: 'The endpoint answered 503', isTransient: true, bytes: 0 },
    { path: '/nowhere', status: 302, error: 'The endpoint answered 302' },
    { path: '/short', status: 200, error: cut, isTransient: true, bytes: 3 },
    { path: '/megabytes-cut', status: 200, error: cut, isTransient: true, bytes: megabyte },
    { path: '/bad-chunk', status: 200, error: cut, isTransient: true },
    { path: '/close', status: null, error: closed, isTransient: true },
    { path: '/reset', status: null, error: closed, isTransient: true },
    { path: '/encoded?br', error: 'The answer is compressed with br; only gzip can be read', bytes: 0 },
    { path: '/encoded?utf-8', status: 200, error: null, beginning: 'ok' },
    { path: '/garbage', status: null, error: 'The endpoint did not answer in valid HTTP' },
  ])('of $path ends with $error', async ({ path, ...expected }) => {
    expect(await caller.download(url(path))).toMatchObject({ isTransient: false, thrown: null, ...expected })
  })

  it('sends one GET with the given headers', async () => {
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': '"v1"' }
    const credentials = { authorization: 'Bearer s3cret' }
    const { headers: received } = await caller.download(url('/tagged?a=%20'), { headers, credentials })
    expect(received).toMatchObject({
      etag: '"v1"',
      'last-modified': 'Tue, 01 Dec 2026 08:00:00 GMT',
      'content-length': '6',
    })
    expect(receiver.requests.at(-1)!.head.split('\r\n').sort()).toEqual([
      'GET /tagged?a=%20 HTTP/1.1',
      'accept-encoding: gzip',
      'authorization: Bearer s3cret',
      'connection: keep-alive',
      `host: ${host}:${receiver.port}`,
      'if-none-match: "v1"',
    ])
  })

  it('gives the bytes as they were sent', async () => {
    const { beginning, headers } = await caller.download(url('/compressed'))
    expect([headers['content-encoding'], beginning.slice(0, 2)]).toEqual(['gzip', '\x1f\x8b'])
  })

  it.each(['/silent', '/silent-after-head', '/silent-in-body', '/drip-head'])(
    'ends when nothing arrives any more: %s',
    async (path) => {
      expect(await caller.download(url(path), { idleMs: shortMs })).toMatchObject({
        status: null,
        error: idle,
        isTransient: true,
      })
    },
  )

  it.each(['/megabytes?2', '/endless', '/megabytes-until-close?2'])(
    'ends when there is more than its limit: %s',
    async (path) => {
      const { error, isTransient, bytes } = await caller.download(url(path), { maxBytes: megabyte })
      expect([error, isTransient]).toEqual(['The file is larger than 1 MiB', false])
      expect(bytes).toBeLessThanOrEqual(megabyte)
    },
  )

  it('of exactly its limit is whole', async () => {
    expect(await caller.download(url('/megabytes?1'), { maxBytes: megabyte })).toMatchObject({
      error: null,
      bytes: megabyte,
    })
  })

  it.each(['/megabytes?50', '/megabytes-until-close?4'])(
    'waits for whoever takes its pieces, and keeps none: %s',
    async (path) => {
      const count = Number(path.split('?')[1])
      const report = await caller.download(url(path), { turns: 3, idleMs: 2_000 })
      expect(report).toMatchObject({ error: null, bytes: count * megabyte, most: 1 })
      expect(report.grownBytes).toBeLessThan(mostGrownBytes)
    },
  )

  it('gives what has arrived meanwhile as one piece, however small the chunks of the server are', async () => {
    const rows = 20_000
    const report = await caller.download(url(`/rows?${rows}`), { turns: 3, idleMs: 2_000 })
    expect(report).toMatchObject({ error: null, bytes: rows * 50, most: 1, beginning: 'r'.repeat(2_048) })
    expect(report.pieces).toBeLessThan(rows / 50)
  })

  it('rejects with what takes its pieces throws, and only with that', async () => {
    expect((await caller.download(url('/endless'), { throwsAfter: 0 })).thrown).toBe('the caller has enough')
    expect((await caller.download(url('/endless'), { throwsAfter: megabyte, turns: 1 })).thrown).toBe(
      'the caller has enough',
    )
    expect(await caller.download(url('/ok'))).toMatchObject({ error: null, thrown: null })
  })

  it('ends with the reason of its signal', async () => {
    const under = caller.download(url('/silent'))
    await expect.poll(() => receiver.requests.at(-1)!.path).toBe('/silent')
    await caller.stop()
    expect((await under).thrown).toBe('stopped by the caller')
  })

  it('costs nothing when the server has closed a kept connection', async () => {
    for (let count = 0; count < 10; count += 1)
      expect(await caller.download(url('/close-unsaid'))).toMatchObject({ status: 200, error: null })
  })
})

describe('a redirect', () => {
  it('is followed five times', async () => {
    expect(await caller.download(url('/around?4'))).toMatchObject({ status: 200, beginning: 'ok', url: url('/ok') })
    expect(await caller.download(url('/around?5'))).toMatchObject({
      status: null,
      error: 'The address redirects more than 5 times',
      isTransient: false,
    })
    expect(await caller.download(url('/around?0'), { redirects: 0 })).toMatchObject({ status: null })
  })

  it('takes the credentials to the same host alone', async () => {
    const options = { headers: { 'x-known': 'yes' }, credentials: { authorization: 'Bearer s3cret' } }
    await caller.download(redirected(url('/ok')), options)
    expect(receiver.requests.at(-1)!.head).toContain('Bearer s3cret')
    const { status, url: from } = await caller.download(redirected(farUrl('/ok')), options)
    expect([status, from]).toEqual([200, farUrl('/ok')])
    expect(far.requests.at(-1)!.head).not.toContain('s3cret')
    expect(far.requests.at(-1)!.head).toContain('x-known: yes')
    // Whoever was led away and back goes without: another host chose where.
    await caller.download(redirected(farUrl(`/to?${encodeURIComponent(url('/tagged'))}`)), options)
    expect(receiver.requests.at(-1)!).toMatchObject({ path: '/tagged', head: expect.not.stringContaining('s3cret') })
  })

  it.each(['/ok', 'ok', `//${host}:PORT/ok`, '/ok#part', '?x'])('can be relative: %s', async (location) => {
    const to = location.replace('PORT', String(receiver.port))
    expect((await caller.download(redirected(to), { redirects: 1 })).error).toBe(
      location === '?x' ? 'The address redirects more than 1 times' : null,
    )
  })
})

describe('an address that must not be used', () => {
  afterEach(() => openCaller())

  it('is refused by each of its texts, at the first hop and at the next', async () => {
    const before = receiver.connections()
    await each(hostile, async ([text, problem]) =>
      expect(await caller.download(text), text).toMatchObject({ status: null, error: problem, isTransient: false }),
    )
    expect(receiver.connections()).toBe(before)
    // A relative address and what no header can carry lead elsewhere; the others are refused as they are written.
    const carried = hostile.filter(([text]) => /^[a-z]+:[\x21-\x7e]*$/i.test(text) && !text.includes('#'))
    expect(carried.length).toBeGreaterThan(45)
    await each(carried, async ([text, problem]) =>
      expect(await caller.download(redirected(text)), text).toMatchObject({ status: null, error: problem }),
    )
  })

  it('is refused for each of the forbidden networks, at the first hop and at the next', async () => {
    const names = [...privateOnes, ...neverOnes].map(([address = ''], at) => ({
      address,
      isNeverAllowed: at >= privateOnes.length,
      name: `shop-${at}.example.com`,
    }))
    await openCaller(Object.fromEntries(names.map(({ address, name }) => [name, [[address]]])))
    await each(names, async ({ address, name, isNeverAllowed }) => {
      const refusal = {
        status: null,
        error: `URL host resolves to a private IP address (${address})${isNeverAllowed ? '' : `, which needs the entry ${name}:443 in SVC_WEBHOOK_ALLOWED_HOSTS`}`,
        isTransient: false,
      }
      expect(await caller.download(`https://${name}/feed.xml`), address).toMatchObject(refusal)
      expect(await caller.download(redirected(`https://${name}/feed.xml`)), address).toMatchObject(refusal)
    })
  })
})

/** A few at a time, over kept connections. */
async function each<Row>(rows: readonly Row[], check: (row: Row) => Promise<void>): Promise<void> {
  const left = [...rows]
  const lane = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) await check(row)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}
