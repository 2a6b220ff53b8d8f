import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressAnswers } from './compression.ts'

const large = { text: 'é'.repeat(10_000) }
const app = Fastify()
compressAnswers(app)
for (const method of ['GET', 'POST'] as const)
  for (const url of ['/api/v1/large', '/api/sdk/v1/large']) app.route({ method, url, handler: async () => large })
app.get('/api/v1/small', async () => ({ text: 'é' }))

const call = (method: 'GET' | 'HEAD' | 'POST', url: string, accepted?: string) =>
  app.inject({ method, url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
])('a large answer is sent as %s to a caller that accepts %j', async (encoding, accepted, decompress) => {
  const { headers, rawPayload } = await call('GET', '/api/v1/large', accepted)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(JSON.parse(decompress(rawPayload).toString())).toEqual(large)
})

test.each([
  ['to a caller that does not accept it', 'GET', '/api/v1/large', undefined],
  ['if it is small', 'GET', '/api/v1/small', 'br'],
  ['to a write, which can show a secret', 'POST', '/api/v1/large', 'br'],
  ['to an SDK', 'GET', '/api/sdk/v1/large', 'br'],
  ['to HEAD, which has none', 'HEAD', '/api/v1/large', 'br'],
] as const)('an answer is not compressed %s', async (_case, method, url, accepted) => {
  expect((await call(method, url, accepted)).headers).not.toHaveProperty('content-encoding')
})
