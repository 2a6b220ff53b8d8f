import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type RedisProcess, startRedis } from '../../../testing/databases/redis.ts'
import { startTestRoutes } from '../../../testing/routes.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import type { RateFamily } from './rate-limit.ts'

let redis: RedisProcess
let service: TestService

beforeAll(async () => {
  redis = await startRedis()
  service = await startTestService({ settings: { SVC_REDIS_URL: redis.url, SVC_RATE_LIMIT_READ: '2' } })
})
afterAll(async () => {
  await service?.close()
  await redis?.kill()
})

const read = async () => {
  const { status, headers } = await service.call(service.people.admin, 'GET', '/api/v1/me')
  return { status, remaining: Number(headers['x-ratelimit-remaining']) }
}

test('a node continues the count of other nodes in Redis', async () => {
  expect(await read()).toEqual({ status: 200, remaining: 19 })
  const other = new Redis(redis.url)
  const keys = await other.keys('svc:rate:general:read:token *')
  expect(keys).toHaveLength(1)
  await other.incrby(keys[0]!, 18)
  other.disconnect()
  expect(await read()).toEqual({ status: 200, remaining: 0 })
  expect(await read()).toEqual({ status: 429, remaining: 0 })
})

test('without Redis, this node counts and limits requests', async () => {
  await redis.kill()
  expect(await read()).toEqual({ status: 200, remaining: 19 })
  const statuses = []
  for (let request = 0; request < 20; request += 1) statuses.push((await read()).status)
  expect(statuses).toEqual([...Array(19).fill(200), 429])
})

test('families of routes are counted separately, for a token and for an address', async () => {
  const families: (RateFamily | undefined)[] = ['webhooks', 'general', undefined]
  const app = await startTestRoutes(
    service,
    (route) => {
      for (const family of families)
        route({
          method: 'GET',
          url: `/${family}`,
          operationId: `read-${family}`,
          summary: 'Read',
          tag: 'Thing',
          scope: null,
          ...(family && { rateFamily: family }),
          data: z.null(),
          handle: async () => ({ data: null }),
        })
    },
    { perMinute: { read: 10, write: 10 } },
  )
  const remaining = async (family: RateFamily | undefined, authorization: string) =>
    Number((await app.inject({ url: `/${family}`, headers: { authorization } })).headers['x-ratelimit-remaining'])
  for (const token of [service.people.admin, 'svc_svc_unknown']) {
    const seen = []
    for (const family of families) seen.push(await remaining(family, `Bearer ${token}`))
    expect(seen).toEqual([9, 9, 8])
  }
  await app.close()
})
