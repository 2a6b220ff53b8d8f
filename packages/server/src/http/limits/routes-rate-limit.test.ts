import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/service.ts'

let service: TestService
const now = Date.parse('2026-11-20T10:00:00.500Z')

beforeAll(async () => {
  // These are the limits of webhook routes; all others allow ten times as many.
  service = await startTestService({
    now: () => new Date(now),
    settings: { SVC_RATE_LIMIT_READ: '2', SVC_RATE_LIMIT_WRITE: '1' },
  })
})
afterAll(() => service.close())

const rateOf = ({ headers }: { headers: Record<string, unknown> }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]))
const read = (who: string | null) => service.call(who, 'GET', '/api/v1/me')

test('every answer gives the limit, the rest and the end of the window', async () => {
  const [limit, remaining, reset] = rateOf(await read(service.people.admin))
  expect([limit, remaining]).toEqual([20, 19])
  expect(reset).toBeGreaterThan(now / 1000)
  expect(reset).toBeLessThanOrEqual(now / 1000 + 61)
})

test.each([
  ['a missing scope', 'flagsRead', 'GET', '/api/v1/projects', undefined, 403],
  ['a missing resource', 'projectsRead', 'GET', '/api/v1/projects/none', undefined, 404],
  ['a bad query', 'flagsWrite', 'GET', '/api/v1/me?x=1', undefined, 400],
  ['a bad body', 'projectsWrite', 'POST', '/api/v1/projects', {}, 400],
  ['no organization', 'consultant', 'GET', '/api/v1/projects', undefined, 400],
  ['a bad credential', null, 'GET', '/api/v1/me', undefined, 401],
] as const)('a refusal for %s has the headers too', async (_what, who, method, path, body, status) => {
  const answer = await service.call(who && service.people[who], method, path, body)
  expect(answer.status).toBe(status)
  const [limit, remaining] = rateOf(answer)
  expect([limit, remaining]).toEqual(method === 'GET' ? [20, 19] : [10, 9])
})

test('a request beyond the limit is refused with 429 and the time to wait', async () => {
  const answers = []
  for (let count = 0; count < 22; count += 1) answers.push(await read(service.people.owner))
  expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(answers.map((answer) => rateOf(answer)[1])).toEqual([...Array(20).keys()].reverse().concat([0, 0]))
  const { status, headers, body } = answers.at(-1)!
  expect([status, body.error.code]).toEqual([429, 'rate_limited'])
  const { limit, windowSeconds, retryAfterSeconds } = body.error.details
  expect([limit, windowSeconds, String(retryAfterSeconds)]).toEqual([20, 60, headers['retry-after']])
  expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  expect(rateOf({ headers })[2]).toBeGreaterThanOrEqual(Math.floor(now / 1000) + retryAfterSeconds)
})

test('reads and writes are counted separately; HEAD counts as a read', async () => {
  const { owner } = service.people
  expect((await service.call(owner, 'HEAD', '/api/v1/me')).status).toBe(429)
  expect(rateOf(await service.call(owner, 'POST', '/api/v1/projects', {})).slice(0, 2)).toEqual([10, 9])
  expect(rateOf(await service.call(owner, 'PATCH', '/api/v1/projects/none', {})).slice(0, 2)).toEqual([10, 8])
})

test('tokens are counted separately, in one organization and across organizations', async () => {
  expect((await read(service.people.editor)).status).toBe(200)
  expect((await read(service.people.stranger)).status).toBe(200)
})

test('without a valid token, the address is counted', async () => {
  const spend = async () => (await read('svc_svc_unknown')).status
  const seen = []
  for (let count = 0; count < 22; count += 1) seen.push(await spend())
  expect([seen[0], seen.at(-1)]).toEqual([401, 429])
  expect((await read(service.people.viewer)).status).toBe(200)
})

test('the data file, the heartbeat and the health routes have no such limit', async () => {
  for (const path of ['/healthz', '/api/sdk/v1/datafile/sdk_x.json'])
    expect((await service.call(null, 'GET', path)).headers).not.toHaveProperty('x-ratelimit-limit')
})
