import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let url: string
let etag: string
let text: string

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  url = `/api/sdk/v1/datafile/${project.production.sdkKey}.json`
  for (const key of ['zebra', 'apple']) await createFlag(service, project, key)
  const answer = await get()
  etag = String(answer.headers.etag)
  text = answer.body
})
afterAll(() => service.close())

const inject = (method: 'GET' | 'HEAD' | 'OPTIONS', path: string, headers: Record<string, string>) =>
  service.app.inject({ method, url: path, headers })
const get = (headers: Record<string, string> = {}, path = url) => inject('GET', path, headers)

const cacheControl = 'public, max-age=0, s-maxage=10, stale-while-revalidate=30, stale-if-error=86400'

test('the data file is public: any origin can read it without credentials, and caches can store it', async () => {
  const { statusCode, headers } = await get()
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Retry-After',
    'cache-control': cacheControl,
    'content-type': 'application/json; charset=utf-8',
    etag: expect.stringMatching(/^"sha256-[0-9a-f]{64}"$/),
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  expect(headers).not.toHaveProperty('content-encoding')
})

test.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
] as const)('Accept-Encoding %s gets %s, with the same ETag and content', async (accepted, sent, decode) => {
  const { headers, rawPayload } = await get({ 'accept-encoding': accepted })
  expect([headers['content-encoding'], headers.etag]).toEqual([sent, etag])
  expect(decode(rawPayload).toString()).toBe(text)
  expect(Number(headers['content-length'])).toBe(rawPayload.length)
})

test('a client that accepts no compression gets the plain file', async () => {
  const { headers, payload } = await get({ 'accept-encoding': 'identity' })
  expect([headers['content-encoding'], payload]).toEqual([undefined, text])
})

const known: [string, (etag: string) => string][] = [
  ['the ETag', (tag) => tag],
  ['the ETag marked weak by a CDN', (tag) => `W/${tag}`],
  ['a list that holds it', (tag) => `"other", W/${tag}`],
  ['a star', () => '*'],
]

test.each(known)('If-None-Match with %s gets 304 without a body', async (_what, headerOf) => {
  const { statusCode, payload, headers } = await get({ 'if-none-match': headerOf(etag), 'accept-encoding': 'br' })
  expect([statusCode, payload]).toEqual([304, ''])
  expect(headers).toMatchObject({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' })
  expect(headers).not.toHaveProperty('content-encoding')
})

test('If-None-Match with a different ETag gets the whole file', async () => {
  expect((await get({ 'if-none-match': '"sha256-0"' })).statusCode).toBe(200)
})

test('HEAD gets only the headers', async () => {
  const { statusCode, headers, payload } = await inject('HEAD', url, {})
  expect([statusCode, headers.etag, payload]).toEqual([200, etag, ''])
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
})

test('a preflight request is answered, and browsers can cache the answer', async () => {
  const { statusCode, headers } = await inject('OPTIONS', url, {
    origin: 'https://shop.test',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'if-none-match',
  })
  expect(statusCode).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'If-None-Match',
    'access-control-max-age': '86400',
  })
})

test.each([
  ['an unknown key', `sdk_${'A'.repeat(32)}.json`],
  ['a malformed key', 'sdk_short.json'],
  ['no .json', 'KEY'],
  ['a different suffix', 'KEY.xml'],
  ['a NUL', 'sdk_%00.json'],
])('%s gets 404, which pages of any origin can read', async (_what, file) => {
  const { statusCode, headers, body } = await get(
    {},
    `/api/sdk/v1/datafile/${file.replace('KEY', project.production.sdkKey)}`,
  )
  expect([statusCode, JSON.parse(body).error.code, headers['access-control-allow-origin']]).toEqual([
    404,
    'not_found',
    '*',
  ])
})

test('a different method gets 405 with the allowed methods', async () => {
  const answer = await service.call(null, 'POST', url, {})
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
})
