import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answersAhead, type ReadyAnswer } from './ahead.ts'
import { type Answered, answered } from './answered.ts'
import type { TraceAhead } from './traces.ts'

const ready: ReadyAnswer = { route: '/here', status: 200, headers: { etag: '"1"' }, body: Buffer.from('at once') }

let answers: Answered
let traced: Parameters<TraceAhead>[0][]
let ahead: ReturnType<typeof answersAhead>
const server = createServer((request, response) => {
  if (!ahead(request, response)) response.end('framework')
})

beforeEach(async () => {
  answers = answered(new Registry())
  traced = []
  const find = ({ url }: IncomingMessage) => {
    if (url === '/fault') throw new Error('cannot be read')
    return url === '/here' ? ready : undefined
  }
  ahead = answersAhead(find, {
    answered: answers,
    baseUrl: 'https://svc.test',
    trace: (answer) => void traced.push(answer),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.close()
  await once(server, 'close')
})

async function ask(options: RequestOptions): Promise<{ response: IncomingMessage; text: string }> {
  const asked = get({ port: (server.address() as AddressInfo).port, agent: false, ...options })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  for await (const part of response) text += part
  return { response, text }
}

test('a ready answer has the headers of every answer', async () => {
  const { response, text } = await ask({ path: '/here' })
  expect([response.statusCode, text]).toEqual([200, 'at once'])
  expect(response.headers).toMatchObject({
    etag: '"1"',
    'content-length': '7',
    'strict-transport-security': 'max-age=63072000',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  })
})

test('a request whose answer cannot be found without an error is left to the framework', async () => {
  expect((await ask({ path: '/fault' })).text).toBe('framework')
})

test('a ready answer is traced under the name of its route', async () => {
  const { response } = await ask({ path: '/here' })
  const requestId = response.headers['x-request-id']
  expect(traced).toEqual([{ route: '/here', status: 200, requestId, ms: expect.any(Number) }])
})

test.each<[string, RequestOptions]>([
  ['something else', { path: '/there' }],
  ['a body', { path: '/here', headers: { 'content-length': '0' } }],
  ['chunks', { path: '/here', headers: { 'transfer-encoding': 'chunked' } }],
])('a request with %s is left to the framework', async (_what, options) => {
  expect((await ask(options)).text).toBe('framework')
})

test('a draining node closes the connection with the answer', async () => {
  const kept = { path: '/here', headers: { connection: 'keep-alive' } }
  expect((await ask(kept)).response.headers.connection).toBe('keep-alive')
  answers.drain()
  expect((await ask(kept)).response.headers.connection).toBe('close')
})
