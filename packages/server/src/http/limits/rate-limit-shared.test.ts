import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RedisProcess, startRedis } from '../../../testing/databases/redis.ts'
import { connectRedis, type RedisConnection, redisPatience } from '../../platform/redis.ts'
import { type AttemptLimits, attemptLimits } from './attempt-limit.ts'
import { ownWindows, sharedWindows } from './count-windows.ts'
import { type RateLimits, rateLimits } from './rate-limit.ts'

const three = { read: 3, write: 3 }
/** For tests in which Redis answers, however busy the machine is. */
const patient = { connectMs: 30_000, commandMs: 30_000, silenceMs: 30_000 }

interface Node {
  limits: RateLimits
  redis: RedisConnection
  lines: { level: number; msg: string; reason?: string }[]
}

let server: RedisProcess
let nodes: Node[]

beforeEach(async () => {
  server = await startRedis()
  nodes = []
})
afterEach(async () => {
  vi.useRealTimers()
  for (const { redis } of nodes) redis.close()
  await server.kill()
})

async function startNode(patience = patient): Promise<Node> {
  const lines: Node['lines'] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const redis = await connectRedis(server.url, patience)
  const limits = rateLimits(
    { webhooks: three, general: three, 'sign-in': three },
    () => new Date(),
    sharedWindows(redis, log, ownWindows),
  )
  const node = { limits, redis, lines }
  nodes.push(node)
  return node
}

const fakeTimeouts = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

function expectBetween(moment: Date, earliest: number, latest: number): void {
  expect(moment.getTime()).toBeGreaterThanOrEqual(earliest)
  expect(moment.getTime()).toBeLessThanOrEqual(latest)
}

const event = ({ redis }: Node, name: 'ready' | 'close') =>
  new Promise<void>((resolve) => redis.client.once(name, () => resolve()))

const count = ({ limits }: Node) => limits.count('token t-1', 'read', 'webhooks')

test('two nodes share a window and its end', async () => {
  const [first, second] = [await startNode(), await startNode()]
  const begun = Date.now()
  const seen = [await count(first), await count(second), await count(first), await count(second)]
  expect(seen.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [2, false],
    [1, false],
    [0, false],
    [0, true],
  ])
  // Each node adds the time that is left by Redis to its own time, and both are in whole milliseconds.
  for (const { resetAt } of seen) expectBetween(resetAt, begun + 59_998, Date.now() + 60_001)
})

test('attempts for one account are shared and reset on both nodes', async () => {
  const nodesAttempts = [await startNode(), await startNode()].map(({ redis }) =>
    attemptLimits(sharedWindows(redis, pino({ level: 'silent' }), ownWindows)),
  )
  const [first, second] = nodesAttempts as [AttemptLimits, AttemptLimits]
  for (let tried = 0; tried < 5; tried++) expect(await first.take('code', 'u-1')).toBeUndefined()
  expect(await second.take('code', 'u-1')).toMatchObject({ refusal: 'rate_limited' })
  await second.forgive('code', 'u-1')
  expect(await first.take('code', 'u-1')).toBeUndefined()
})

test('a window ends by the clock of Redis, even on a node that did not see its start', async () => {
  const [first, second] = [await startNode(), await startNode()]
  await count(first)
  const [key] = await first.redis.client.keys('*')
  expect(key).toBe('svc:rate:webhooks:read:token t-1')
  const begun = Date.now()
  await first.redis.client.pexpire(key!, 20_000)
  const { resetAt } = await count(second)
  expectBetween(resetAt, begun + 19_998, Date.now() + 20_001)
  await first.redis.client.del(key!)
  expect(await count(second)).toMatchObject({ remaining: 2 })
})

test('subjects, classes and families are counted separately', async () => {
  const { limits } = await startNode()
  const seen = [
    await limits.count('a', 'read', 'webhooks'),
    await limits.count('b', 'read', 'webhooks'),
    await limits.count('a', 'write', 'webhooks'),
    await limits.count('a', 'read', 'general'),
  ]
  expect(seen.map(({ remaining }) => remaining)).toEqual([2, 2, 2, 2])
})

test('without Redis this node counts every request; its loss and its return are logged once', async () => {
  const [first, second] = [await startNode(), await startNode()]
  await count(first)
  await server.kill()

  const away = []
  for (let request = 0; request < 4; request += 1) away.push(await count(first))
  expect(away.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [2, false],
    [1, false],
    [0, false],
    [0, true],
  ])
  expect(await count(second)).toMatchObject({ remaining: 2 })
  expect(first.lines).toMatchObject([{ level: 40, msg: expect.stringContaining('Redis') }])

  const ready = nodes.map((node) => event(node, 'ready'))
  await server.restart()
  await Promise.all(ready)
  expect([await count(first), await count(second), await count(first)].map(({ remaining }) => remaining)).toEqual([
    2, 1, 0,
  ])
  expect(first.lines.map(({ level }) => level)).toEqual([40, 30])
})

test('while Redis hangs, concurrent requests wait until the limit of a command', async () => {
  const node = await startNode()
  await count(node)
  server.freeze()
  fakeTimeouts()
  const counting = Promise.all(Array.from({ length: 100 }, () => count(node)))
  await vi.advanceTimersByTimeAsync(patient.commandMs)
  expect((await counting).filter(({ exceeded }) => !exceeded)).toHaveLength(3)
})

test('when Redis has been silent for too long, the connection is given up, and later requests do not wait', async () => {
  const node = await startNode({ ...patient, silenceMs: redisPatience.silenceMs })
  await count(node)
  server.freeze()
  const closed = event(node, 'close')

  const states = await Promise.all(Array.from({ length: 100 }, () => count(node)))
  expect(states.filter(({ exceeded }) => !exceeded)).toHaveLength(3)

  await closed
  fakeTimeouts()
  await Promise.all(Array.from({ length: 100 }, () => count(node)))
  vi.useRealTimers()
  expect(node.lines).toHaveLength(1)

  const ready = event(node, 'ready')
  server.resume()
  await ready
  expect(await count(node)).toMatchObject({ limit: 3 })
  expect(node.lines.map(({ level }) => level)).toEqual([40, 30])
})

test('a Redis that refuses writes counts as unreachable, and the log says why', async () => {
  const node = await startNode()
  await node.redis.client.config('SET', 'maxmemory', '1')
  expect(await count(node)).toMatchObject({ remaining: 2, exceeded: false })
  expect(await count(node)).toMatchObject({ remaining: 1, exceeded: false })
  expect(node.lines).toMatchObject([{ level: 40, reason: expect.stringContaining('OOM') }])
})

test('a request waits for Redis for at most a quarter of a second, and a start for at most a second', () => {
  expect(redisPatience).toEqual({ connectMs: 1_000, commandMs: 250, silenceMs: 1_000 })
})

test.each([
  ['away', () => server.kill()],
  ['frozen', async () => server.freeze()],
])('a node starts although Redis is %s', async (_name, hinder) => {
  await hinder()
  const node = await startNode(redisPatience)
  expect(await count(node)).toMatchObject({ remaining: 2 })
  expect(node.lines).toHaveLength(1)
})
