import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFlag,
  createProject,
  metricsBearer,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let path: string
let etag: string

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  path = `/api/sdk/v1/datafile/${project.production.sdkKey}.json`
  await createFlag(service, project, 'apple')
  const { headers } = await service.app.inject({ url: path, headers: { 'accept-encoding': 'br' } })
  etag = String(headers.etag)
  await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends a request over a socket. Files in memory are then served before the framework. */
async function overSocket(method: string, url: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  const { port } = service.app.server.address() as AddressInfo
  const asked = request({ port, method, path: url, headers, agent: false })
  asked.end(body)
  const [response] = await once(asked, 'response')
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString('base64') }
}

/** Sends a request to the framework alone: `inject` uses no server. */
async function byFramework(method: string, url: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  const answer = await service.app.inject({ method: method as 'GET', url, headers, payload: body })
  return {
    status: answer.statusCode,
    headers: answer.headers as IncomingHttpHeaders,
    body: answer.rawPayload.toString('base64'),
  }
}

/** Removes headers that a connection adds or that differ in every response. */
function comparable({ status, headers, body }: Answer) {
  const { date, connection, 'keep-alive': _keepAlive, 'x-request-id': requestId, ...others } = headers
  expect([typeof requestId, requestId?.length]).toEqual(['string', 36])
  // The framework adds `content-length: 0` to responses without a body.
  const { 'content-length': length, ...rest } = others
  return { status, headers: status === 304 ? rest : { ...rest, length }, body: status === 404 ? '' : body }
}

test.each<[string, string, (etag: string) => Record<string, string>, number, string?]>([
  ['in Brotli', 'GET', () => ({ 'accept-encoding': 'br' }), 200],
  ['in Brotli once more', 'GET', () => ({ 'accept-encoding': 'gzip, br' }), 200],
  ['in gzip for the first time', 'GET', () => ({ 'accept-encoding': 'gzip' }), 200],
  ['in gzip', 'GET', () => ({ 'accept-encoding': 'gzip' }), 200],
  ['uncompressed', 'GET', () => ({}), 200],
  ['uncompressed once more', 'GET', () => ({ 'accept-encoding': 'br;q=0' }), 200],
  ['with the current ETag', 'GET', (known) => ({ 'if-none-match': known }), 304],
  [
    'with the current ETag as a weak one',
    'GET',
    (known) => ({ 'if-none-match': `W/${known}`, 'accept-encoding': 'br' }),
    304,
  ],
  ['with a different ETag', 'GET', () => ({ 'if-none-match': '"other"' }), 200],
  ['for the headers alone', 'HEAD', () => ({}), 200],
  ['with a body', 'GET', () => ({ 'content-type': 'application/json', 'content-length': '2' }), 200, '{}'],
])(
  'a request %s gets the same response over a socket as from the framework',
  async (_what, method, headersOf, status, body) => {
    const headers = headersOf(etag)
    const answer = await overSocket(method, path, headers, body)
    expect(answer.status).toBe(status)
    expect(comparable(answer)).toEqual(comparable(await byFramework(method, path, headers, body)))
  },
)

test.each([
  ['a different key', (url: string) => url.replace(/sdk_[\w-]+/, `sdk_${'A'.repeat(32)}`), 404],
  ['a query', (url: string) => `${url}?x.json`, 200],
  ['an encoded path', (url: string) => url.replace('sdk_', '%73dk_'), 200],
  ['a different suffix', (url: string) => url.replace('.json', '.yaml'), 404],
  ['an unknown folder', (url: string) => url.replace('datafile/', 'datafile/more/'), 404],
])('a request with %s is left to the framework', async (_what, urlOf, status) => {
  const answer = await overSocket('GET', urlOf(path), {})
  expect(answer.status).toBe(status)
  expect(comparable(answer)).toEqual(comparable(await byFramework('GET', urlOf(path), {})))
})

test('the response after a change has the new file', async () => {
  await createFlag(service, project, 'quince')
  const { status, headers } = await overSocket('GET', path, { 'if-none-match': etag })
  expect([status, headers.etag === etag]).toEqual([200, false])
})

test('requests over a socket and to the framework count in the same metric', async () => {
  const count = async () => {
    const { body } = await service.app.inject({ url: '/metrics', headers: metricsBearer })
    const line =
      /^svc_http_request_duration_seconds_count\{method="GET",route="\/api\/sdk\/v1\/datafile\/:file",status="304"\} (\d+)$/m
    return Number(line.exec(body)?.[1] ?? 0)
  }
  const now = String((await byFramework('GET', path, {})).headers.etag)
  const before = await count()
  await overSocket('GET', path, { 'if-none-match': now })
  await byFramework('GET', path, { 'if-none-match': now })
  await expect.poll(count).toBe(before + 2)
})
