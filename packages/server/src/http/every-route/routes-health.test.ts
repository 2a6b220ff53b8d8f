import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createProject,
  metricsBearer,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/service.ts'

let service: TestService
let project: TestProject
let port: number

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  port = (service.app.server.address() as { port: number }).port
})
afterAll(() => service.close())

/** Sends bytes over a socket and returns everything received until the server closes it. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    connect(port, '127.0.0.1', function (this: import('node:net').Socket) {
      this.write(text)
    })
      .on('data', (bytes) => (answer += bytes))
      .on('close', () => resolve(answer))
      .on('error', reject)
  })
}

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['a broken header', 'GET / HTTP/1.1\r\nHost: svc\r\nbad header\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: svc\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is answered with the error object, then the connection ends', async (_what, text, status) => {
  const answer = await exchange(text)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toContain('Connection: close')
  expect(JSON.parse(body).error).toMatchObject({ code: 'validation_failed', requestId: expect.any(String) })
})

test('a body that is shorter than its Content-Length is refused', async () => {
  const answer = await exchange(
    `POST /api/v1/projects HTTP/1.1\r\nHost: svc\r\nConnection: close\r\nAuthorization: Bearer ${service.people.admin}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 5\r\n\r\n{"name":"X"}',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})

test('health and readiness need no credential', async () => {
  expect(await service.call(null, 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await service.call(null, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('metrics require their token', async () => {
  await service.call(service.people.admin, 'GET', `${project.path}/flags`)
  for (const headers of [{}, bearer('x'), bearer('metrics-mmmm'), bearer(service.people.admin)])
    expect(await service.call(null, 'GET', '/metrics', undefined, headers)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { error: { code: 'unauthorized' } },
    })
  const { status, headers, text } = await service.call(null, 'GET', '/metrics', undefined, metricsBearer)
  expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=/)])
  expect(text).toMatch(
    /svc_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/projects\/:projectId\/flags",status="200"\} 1/,
  )
  expect(text).toContain('process_cpu_seconds_total')
  for (const id of [project.id, project.production.sdkKey]) expect(text).not.toContain(id)
})

test('without a configured token, metrics do not exist', async () => {
  const other = await startTestService({ settings: { SVC_METRICS_TOKEN: '' } })
  expect(await other.call(null, 'GET', '/metrics')).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  })
  await other.close()
})

test('closing finishes requests in flight and accepts no new connection', async () => {
  const body = JSON.stringify({ name: 'In flight' })
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))
  const ended = new Promise((resolve) => socket.on('close', resolve))
  const begun = new Promise<void>((resolve) => service.app.server.once('request', () => resolve()))
  socket.write(
    `POST /api/v1/projects HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${service.people.admin}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await begun
  const stopped = service.stop()
  await expect(exchange('GET /healthz HTTP/1.1\r\nHost: svc\r\n\r\n')).rejects.toThrow('ECONNREFUSED')
  socket.write(body.slice(5))
  await ended
  await stopped
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
})

test('closing twice is the same as closing once', async () => {
  await service.stop()
})
