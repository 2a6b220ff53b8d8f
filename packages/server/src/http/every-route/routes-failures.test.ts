import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { startTestRoutes } from '../../../testing/routes.ts'
import { createProject, startTestService, type TestService } from '../../../testing/service.ts'
import { notFound, refusals } from '../../catalogue/refusals.ts'
import { openLog } from '../../platform/log.ts'
import { buildApp } from '../app.ts'
import type { Route } from '../route.ts'

const lines: string[] = []
const log = openLog('trace', { write: (line) => void lines.push(line) })

const service = await startTestService({ log })
afterAll(() => service.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function expectEnvelope(answer: Awaited<ReturnType<TestService['call']>>, status: number, code: string) {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const { error } = answer.body
  expect(Object.keys(answer.body)).toEqual(['error'])
  expect(error).toMatchObject({ code, message: expect.stringMatching(/\S/), requestId: expect.stringMatching(uuidV7) })
  expect(error.docUrl).toMatch(/^http:\/\/svc\.test\/docs\/errors#\w+$/)
  expect(answer.headers['x-request-id']).toBe(error.requestId)
}

test.each<[string, Method, string, number, string]>([
  ['an unknown address', 'GET', '/nowhere', 404, 'not_found'],
  ['an unknown API address', 'GET', '/api/v1/nowhere', 404, 'not_found'],
  ['an unknown version', 'GET', '/api/v2/projects', 404, 'not_found'],
  ['an empty part of the path', 'GET', '/api/v1/projects//flags', 404, 'not_found'],
  ['two slashes at the end', 'GET', '/api/v1/projects//', 404, 'not_found'],
  ['an invalid escape', 'GET', '/api/v1/projects/%zz', 404, 'not_found'],
  ['a part that is too long', 'GET', `/api/v1/projects/${'x'.repeat(500)}`, 404, 'not_found'],
  ['a dotted path', 'GET', '/api/v1/../../etc/passwd', 404, 'not_found'],
  ['a missing project', 'GET', '/api/v1/projects/x', 404, 'not_found'],
  ['a broken query', 'GET', '/api/v1/projects?limit=%zz', 400, 'validation_failed'],
  ['a different method', 'DELETE', '/api/v1/projects', 405, 'method_not_allowed'],
  ['a missing body', 'POST', '/api/v1/projects', 400, 'validation_failed'],
])('%s answers with the error object', async (_what, method, path, status, code) => {
  expectEnvelope(await service.call(service.people.admin, method, path), status, code)
})

/** Characters that a header cannot contain, bytes that are not text, and long names. */
const unsendable = ['%0d%0aset-cookie:%20a=b', '%E2%80%A8', '%00', '%F0%9F%98%80', '%C3%A9', '%ff', 'u'.repeat(200)]
const { paths } = await apiDescription()
const named = Object.entries(paths!)
  .filter(([path]) => path.includes('{'))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase() as Method, path] as const))

test('every answer to an unusual name in an address has the error object', async () => {
  expect(named.length).toBeGreaterThan(100)
  for (const [place, [method, path]] of named.entries()) {
    // Two texts take turns for the API, because one schema reads the names of all its addresses.
    const isApi = path.startsWith('/api/v1/')
    for (const text of isApi ? [unsendable[place % 2]!] : unsendable) {
      const who = isApi ? service.people.viewer : null
      const answer = await service.call(who, method, path.replace(/\{\w+\}/g, text))
      expect(answer.status, `${method} ${path} ${text}`).toBeLessThan(500)
      if (isApi || path.startsWith('/api/dashboard/'))
        expect(Object.keys(answer.body), `${method} ${path} ${text}`).toEqual(['error'])
    }
  }
})

test('a header that cannot be sent makes an answer with the error object', async () => {
  const { app, baseUrl } = service
  const other = buildApp({ baseUrl, isUnavailable: () => false, log: app.log, trustProxy: false })
  other.get('/', (request, reply) => reply.redirect((request.query as { to: string }).to, 303))
  for (const to of ['/a%0d%0ab', '/%00', '/%E2%80%A8']) {
    const answer = await other.inject(`/?to=${to}`)
    expect([answer.statusCode, answer.headers.location, answer.json().error.code]).toEqual([
      500,
      undefined,
      'internal_error',
    ])
  }
  expect((await other.inject('/?to=/b')).headers.location).toBe('/b')
  await other.close()
})

test('a node closes further connections before they take all open files', async () => {
  const { app, baseUrl } = service
  const other = buildApp({ baseUrl, isUnavailable: () => false, log: app.log, trustProxy: false, maxConnections: 2 })
  const url = new URL(await other.listen({ host: '127.0.0.1', port: 0 }))
  const open = async () => {
    const socket = connect(Number(url.port), url.hostname).resume()
    await once(socket, 'connect')
    return socket
  }
  const idle = [await open(), await open()]
  await once(await open(), 'close')
  for (const socket of idle) socket.destroy()
  await expect.poll(() => fetch(new URL('/nowhere', url)).then(({ status }) => status, String)).toBe(404)
  await other.close()
})

test.each<[Method, string, string]>([
  ['POST', '/api/v1/me', 'GET, HEAD'],
  ['PUT', '/api/v1/projects', 'GET, HEAD, POST'],
  ['PUT', '/api/v1/projects/x', 'DELETE, GET, HEAD, PATCH'],
  ['GET', '/api/v1/projects/x/flags/y/envs/z/run', 'POST'],
  ['PUT', '/api/v1/projects/x/flags/y/envs/z/rules/copy', 'DELETE, GET, HEAD, PATCH, POST'],
  ['GET', '/api/sdk/heartbeat', 'OPTIONS, POST'],
  ['POST', '/healthz', 'GET, HEAD'],
])('%s %s answers 405 with Allow: %s', async (method, path, allow) => {
  const answer = await service.call(null, method, path)
  expectEnvelope(answer, 405, 'method_not_allowed')
  expect([answer.headers.allow, answer.body.error.details.allowed.join(', ')]).toEqual([allow, allow])
})

test('a 405 under webhooks is counted and reports the remaining requests', async () => {
  const project = await createProject(service)
  const put = () => service.call(service.people.admin, 'PUT', `${project.path}/webhooks`)
  const [first, second] = [await put(), await put()]
  expectEnvelope(first, 405, 'method_not_allowed')
  const left = ({ headers }: typeof first) => Number(headers['x-ratelimit-remaining'])
  expect(left(first) - left(second)).toBe(1)
})

test('HEAD answers like GET without a body', async () => {
  const asked = ['/api/v1/me', '/api/v1/projects', '/api/v1/projects/x', '/healthz', '/nowhere']
  for (const path of asked) {
    const [get, head] = [
      await service.call(service.people.admin, 'GET', path),
      await service.call(service.people.admin, 'HEAD', path),
    ]
    expect([path, head.status, head.headers['content-type']]).toEqual([path, get.status, get.headers['content-type']])
  }
  expect((await service.call(service.people.admin, 'HEAD', '/api/v1/me')).text).toBe('')
})

test('docUrl opens a page that contains the section', async () => {
  const page = await service.call(null, 'GET', '/docs/errors')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const [kind, { code, status }] of Object.entries(refusals)) {
    expect(page.text).toContain(`id="${kind}"`)
    expect(page.text).toContain(`<strong>${status} <code>${code}</code>`)
  }
  const { body } = await service.call(service.people.admin, 'GET', '/api/v1/projects/x')
  const { pathname, hash } = new URL(body.error.docUrl)
  expect((await service.call(null, 'GET', pathname)).text).toContain(`<h2 id="${hash.slice(1)}">`)
})

test('every request gets its own id, even if it sends one', async () => {
  const ids = []
  for (const headers of [{}, { 'x-request-id': 'mine' }, { 'request-id': 'mine' }])
    ids.push(
      (await service.call(service.people.admin, 'GET', '/api/v1/me', undefined, headers)).headers['x-request-id'],
    )
  for (const id of ids) expect(id).toMatch(uuidV7)
  expect(new Set(ids).size).toBe(3)
})

test('API answers are neither cached nor sniffed', async () => {
  const { headers } = await service.call(service.people.admin, 'GET', '/api/v1/me')
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

test('what is missing is answered with 404 also if looking for its name fails', async () => {
  const broken = async () => {
    throw new Error('cause: password=hunter2')
  }
  const register = (route: Route) =>
    route({
      ...{ method: 'GET', url: '/projects/:projectId/things', operationId: 'missing', summary: 'Miss', tag: 'Fault' },
      ...{ scope: null, data: z.object({}), refusals: ['not_found'] },
      handle: async () => notFound('Thing'),
    })
  const app = await startTestRoutes(service, register, { log, missingOf: broken })
  const headers = { authorization: `Bearer ${service.people.admin}` }
  const { statusCode, body } = await app.inject({ url: '/projects/shop/things', headers })
  const { code, message, requestId } = JSON.parse(body).error
  expect([statusCode, code, message]).toEqual([404, 'not_found', 'Thing not found.'])
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)
  expect(logged.find(({ msg }) => msg === 'looking for what is missing failed').err.message).toMatch(/hunter2/)
  await app.close()
})

test('a fault answers 500 without its cause, and the log has the cause under the same id', async () => {
  const app = await startTestRoutes(
    service,
    (route) => {
      const shared = {
        method: 'GET',
        summary: 'Break',
        tag: 'Fault',
        scope: null,
        data: z.object({ size: z.int() }),
      } as const
      route({
        ...shared,
        url: '/throws',
        operationId: 'throwing',
        handle: async () => {
          throw new Error('cause: password=hunter2')
        },
      })
      route({ ...shared, url: '/lies', operationId: 'lying', handle: async () => ({ data: { size: 'big' as never } }) })
    },
    { log },
  )
  for (const url of ['/throws', '/lies']) {
    const response = await app.inject({ url, headers: { authorization: `Bearer ${service.people.admin}` } })
    expect([response.statusCode, response.json().error.code]).toEqual([500, 'internal_error'])
    expect(response.body).not.toMatch(/cause|hunter2|stack|\.ts|size/)
    const { requestId } = response.json().error
    const logged = lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.level === 'error' && line.requestId === requestId)
    expect(logged).toMatchObject([{ err: { stack: expect.any(String) } }])
  }
  await app.close()
})

test('the log is JSON lines without secrets', async () => {
  const { people } = service
  await service.call(people.admin, 'POST', '/api/v1/projects', { name: 'Logged', password: 'hunter3' })
  await service.call(people.owner, 'GET', '/api/v1/me', undefined, { cookie: 'session=hunter4' })
  await service.call(people.expired, 'GET', '/api/v1/me')
  log.info({ req: { headers: { authorization: 'hunter5' } }, token: { secret: 'hunter6' } }, 'careless')
  expect(lines.length).toBeGreaterThan(10)
  const text = lines.join('')
  for (const secret of Object.values(people)) expect(text).not.toContain(secret)
  expect(text).not.toMatch(/hunter[3-6]|authorization":"Bearer/)
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.stringMatching(/Z$/) })
})
