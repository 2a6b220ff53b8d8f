import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestRoutes } from '../../../testing/routes.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { refuse } from '../../catalogue/refusals.ts'

let service: TestService
let app: FastifyInstance
let address: string
let read = 0
let left = Promise.withResolvers<void>()

/** Ends, breaks, or continues as long as it is read. */
async function* lines(how: string): AsyncGenerator<string> {
  try {
    for (; how === 'endless' || read < 3; read += 1) yield `${read} ${'x'.repeat(65_536)}\n`
    if (how === 'broken') throw new Error('the database is away')
  } finally {
    left.resolve()
  }
}

beforeAll(async () => {
  service = await startTestService()
  app = await startTestRoutes(service, (route) =>
    route({
      method: 'GET',
      url: '/file/:how',
      operationId: 'getFile',
      summary: 'Get a file',
      tag: 'File',
      scope: null,
      params: { how: z.string() },
      data: z.string(),
      downloads: { 'text/plain': 'A line' },
      handle: async ({ params: { how } }) =>
        how === 'none'
          ? refuse('invalid_state', 'There is no file.')
          : { download: { name: 'lines.txt', mediaType: 'text/plain; charset=utf-8', content: lines(how) } },
    }),
  )
  address = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await service.close()
})

const get = (how: string, options: RequestInit = {}) => {
  read = 0
  left = Promise.withResolvers()
  return fetch(`${address}/file/${how}`, {
    ...options,
    headers: { authorization: `Bearer ${service.people.admin}` },
  })
}

test('a file is sent unchanged under its name', async () => {
  const answer = await get('whole')
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'attachment; filename="lines.txt"',
  ])
  expect((await answer.text()).split('\n').map((line) => line.slice(0, 2))).toEqual(['0 ', '1 ', '2 ', ''])
})

test('a refusal is JSON, like any other', async () => {
  const answer = await get('none')
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
    409,
    'invalid_state',
  ])
})

test('a file that breaks off is a failed download and not a short file', async () => {
  const answer = await get('broken')
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
})

test('HEAD sends the headers and reads nothing', async () => {
  const answer = await get('endless', { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(read).toBe(0)
})

test('reading stops when the caller has gone', async () => {
  const leaving = new AbortController()
  const answer = await get('endless', { signal: leaving.signal })
  await answer.body!.getReader().read()
  expect(await Promise.race([left.promise.then(() => 'left'), Promise.resolve('reading')])).toBe('reading')
  leaving.abort()
  await left.promise
})
