import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type HeldPort, holdPort } from './held-port.ts'

const settings = { host: '127.0.0.1', port: 0, portName: 'SVC_PORT', baseUrl: 'https://svc.test' }
const portOf = ({ server }: HeldPort) => (server.address() as AddressInfo).port

let held: HeldPort | undefined
afterEach(() => new Promise((resolve) => (held ? held.server.close(resolve) : resolve(undefined))))

async function hold(): Promise<HeldPort> {
  const answer = await holdPort(settings)
  if ('problem' in answer) throw new Error(answer.problem)
  held = answer
  return answer
}

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${portOf(held!)}${path}`, init)

test('before it is opened, the service is alive and not ready', async () => {
  await hold()
  expect((await get('/healthz')).status).toBe(200)
  for (const path of ['/readyz', '/', '/api/v1/me']) {
    const answer = await get(path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1'])
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=/)
    expect(await answer.json()).toEqual({
      error: {
        code: 'unavailable',
        message: 'The service is starting.',
        docUrl: 'https://svc.test/docs/errors#unavailable',
        requestId: answer.headers.get('x-request-id'),
      },
    })
  }
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.each(['/', '/1-acme/1-web-shop/flags?env=production', '/docs/api', '/assets/old.js'])(
  'before it is opened, a browser at %s gets a page that refreshes itself',
  async (path) => {
    await hold()
    const answer = await get(path, { headers: { accept: browser } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const page = await answer.text()
    expect(page).toContain('<meta http-equiv="refresh" content="1">')
    expect(page).toContain('<h1>Svc is starting</h1>')
    // The style is allowed by its hash: one that differs would not be applied.
    const style = /<style>([\s\S]*)<\/style>/.exec(page)![1]!
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    const head = await get(path, { method: 'HEAD', headers: { accept: browser } })
    expect([head.status, await head.text()]).toEqual([503, ''])
  },
)

test.each([
  ['the API', '/api/v1/me', 'GET'],
  ['a form', '/', 'POST'],
])('before it is opened, %s answers with an error, also to a browser', async (_what, path, method) => {
  await hold()
  const answer = await get(path, { method, headers: { accept: browser } })
  expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'unavailable'])
})

test('after it is opened, the prepared handler answers', async () => {
  const port = await hold()
  port.prepare((_request, response) => void response.end('ready'))
  expect((await get('/')).status).toBe(503)
  port.open()
  expect(await (await get('/')).text()).toBe('ready')
})

test('a port in use is named with its setting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  expect(await holdPort({ ...settings, port })).toEqual({
    problem: `SVC_PORT must be a free port (got ${port}): another program already listens on 127.0.0.1:${port}.`,
  })
  other.close()
})

test.each(['203.0.113.7', 'no-such-host.invalid'])('an address of a different machine is refused: %s', async (host) => {
  expect(await holdPort({ ...settings, host })).toEqual({
    problem: `SVC_HOST must be an address of this machine (got ${host}).`,
  })
})
