import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openOutbound, proxyUrlProblem } from './index.ts'
import { type Caller, startCaller } from './testing/calling.ts'
import { type Authority, makeAuthority } from './testing/certificates.ts'
import { type ProxyManner, startProxy, type TestProxy } from './testing/proxy.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const host = 'hook.example.test'
/** For peers that never answer. The others get more: the first handshake on a busy machine takes long. */
const shortMs = 500
const patientMs = 5_000

let authority: Authority
let receiver: Receiver
let caller: Caller
let proxy: TestProxy | undefined

beforeAll(async () => {
  authority = await makeAuthority()
  receiver = await startReceiver(await authority.issue([host]))
  caller = startCaller(authority.caPath)
})

afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})

afterAll(async () => {
  await caller.end()
  await receiver.close()
  await authority.remove()
})

const allowedHosts = () => `${host}:${receiver.port}`
const url = (path: string) => `https://${host}:${receiver.port}${path}`
const openCaller = (proxyUrl: string, addresses = ['127.0.0.1'], timeoutMs = patientMs) =>
  caller.open({ names: { [host]: [addresses] }, allowedHosts: allowedHosts(), proxyUrl, timeoutMs })

describe('sending through a proxy', () => {
  it('delivers to the checked address, with the host name inside the tunnel', async () => {
    proxy = await startProxy('tunnel')
    await openCaller(`http://us%65r:p%40ss@127.0.0.1:${proxy.port}`)
    expect(await caller.post(url('/ok'))).toMatchObject({ status: 200, body: 'ok', error: null })
    expect(await caller.post(url('/status?410'))).toMatchObject({ status: 410, charged: true })
    expect(receiver.requests.at(-1)!.serverName).toBe(host)
    // One tunnel for both, and nothing of the delivery is readable for the proxy.
    expect(proxy.asked.map((head) => head.split('\r\n').filter(Boolean).sort())).toEqual([
      [
        `CONNECT 127.0.0.1:${receiver.port} HTTP/1.1`,
        'Connection: close',
        `host: 127.0.0.1:${receiver.port}`,
        `proxy-authorization: Basic ${Buffer.from('user:p@ss').toString('base64')}`,
      ].sort(),
    ])
  })

  it('delivers through a proxy that is reached over TLS', async () => {
    proxy = await startProxy('tunnel', await authority.issue(['localhost']))
    await openCaller(`https://localhost:${proxy.port}`)
    expect(await caller.post(url('/ok'))).toMatchObject({ status: 200, error: null, charged: true })
  })

  it('does not ask the proxy for a forbidden address', async () => {
    proxy = await startProxy('tunnel')
    await openCaller(`http://127.0.0.1:${proxy.port}`, ['127.0.0.1', '169.254.169.254'])
    expect(await caller.post(url('/ok'))).toMatchObject({ status: null, charged: true })
    expect(proxy.asked).toEqual([])
  })

  it('charges an endpoint that fails inside the tunnel', async () => {
    proxy = await startProxy('tunnel')
    await openCaller(`http://127.0.0.1:${proxy.port}`)
    expect(await caller.post(url('/reset'))).toMatchObject({ status: null, charged: true })
    await openCaller(`http://127.0.0.1:${proxy.port}`, ['127.0.0.1'], shortMs)
    expect(await caller.post(url('/silent'))).toMatchObject({ status: null, charged: true })
  })

  it('tries the next address when the first cannot be reached', async () => {
    proxy = await startProxy('tunnel')
    await openCaller(`http://127.0.0.1:${proxy.port}`, ['127.255.255.254', '127.0.0.1'])
    expect(await caller.post(url('/ok'))).toMatchObject({ status: 200 })
    expect(proxy.asked).toHaveLength(2)
  })
})

describe('a failing proxy', () => {
  it.each<{ manner: ProxyManner; error: string }>([
    { manner: 'HTTP/1.1 407 Who are you', error: 'The proxy answered 407' },
    { manner: 'HTTP/1.1 403 No', error: 'The proxy answered 403' },
    { manner: 'HTTP/1.1 502 Bad', error: 'The proxy answered 502' },
    { manner: 'HTTP/1.1 302 There', error: 'The proxy answered 302' },
    { manner: 'close', error: 'The proxy cannot be reached' },
    { manner: 'garbage', error: 'The proxy cannot be reached' },
    { manner: 'silent', error: 'The proxy did not answer in time' },
  ])('is not charged to the endpoint and not bypassed: $manner', async ({ manner, error }) => {
    const before = receiver.connections()
    proxy = await startProxy(manner)
    const limitMs = manner === 'silent' ? shortMs : patientMs
    await openCaller(`http://user:secret@127.0.0.1:${proxy.port}`, ['127.0.0.1'], limitMs)
    expect(await caller.post(url('/ok'))).toMatchObject({ status: null, error, charged: false })
    expect(receiver.connections()).toBe(before)
  })

  it('is not charged to the endpoint when it is down', async () => {
    const gone = await startProxy('tunnel')
    await gone.close()
    await openCaller(`http://127.0.0.1:${gone.port}`)
    const attempt = await caller.post(url('/ok'))
    expect(attempt).toMatchObject({ status: null, error: 'The proxy cannot be reached', charged: false })
  })

  it('is not charged to the endpoint when its certificate is not trusted', async () => {
    proxy = await startProxy('tunnel', await authority.issueSelfSigned('localhost'))
    await openCaller(`https://localhost:${proxy.port}`)
    expect(await caller.post(url('/ok'))).toMatchObject({ error: 'The proxy cannot be reached', charged: false })
  })
})

describe('the address of a proxy', () => {
  it.each(['http://proxy:3128', 'https://proxy.acme.test', 'http://us%65r:p%40ss@10.0.0.1:3128/'])(
    'is accepted: %s',
    (text) => expect(proxyUrlProblem(text)).toBeUndefined(),
  )

  it.each([
    'proxy:3128',
    'socks5://proxy:1080',
    'http:proxy',
    'http://:3128',
    'http://proxy/path',
    'http://proxy/?a',
    'http://a:%zz@proxy',
  ])('is refused without being shown: %s', (text) => {
    expect(proxyUrlProblem(text)).not.toContain(text)
    expect(() => openOutbound({ proxyUrl: text })).toThrow(proxyUrlProblem(text))
  })
})
