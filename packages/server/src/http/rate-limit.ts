import type { Logger } from 'pino'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisConnection } from '../platform/redis.ts'

const windowSeconds = 60

export type RateClass = 'read' | 'write'

/** Routes that are counted together. */
export type RateFamily = 'webhooks' | 'general'

/** Requests per window. */
export type RateTable = Record<RateFamily, Record<RateClass, number>>

/** How a subject (a token, or an address without one) stands in the current window, after this request. */
export interface RateState {
  limit: number
  remaining: number
  resetAt: Date
  exceeded: boolean
}

export interface RateLimits {
  count(subject: string, kind: RateClass, family: RateFamily): Promise<RateState>
}

/** Counts one request and says how much of the window is used; never fails. */
type Count = (subject: string) => Promise<Used>
type Used = Pick<Awaited<ReturnType<RateLimiterAbstract['consume']>>, 'consumedPoints' | 'msBeforeNext'>

export const rateClassOf = (method: string): RateClass => (method === 'GET' || method === 'HEAD' ? 'read' : 'write')

/** Fixed windows of one minute, counted in this process. */
export function rateLimits(perMinute: RateTable, now: () => Date): RateLimits {
  return limitsOf(perMinute, now, (window) => {
    const own = new RateLimiterMemory(window)
    return (subject) => used(own, subject)
  })
}

/** The same windows, shared by all nodes that use one Redis. While it is away, each node counts for itself. */
export function sharedRateLimits(
  perMinute: RateTable,
  now: () => Date,
  redis: RedisConnection,
  log: Logger,
): RateLimits {
  let isShared = true
  return limitsOf(perMinute, now, (window) => {
    const own = new RateLimiterMemory(window)
    const shared = new RateLimiterRedis({ ...window, storeClient: redis.client, rejectIfRedisNotReady: true })
    return async (subject) => {
      try {
        const state = await used(shared, subject)
        if (!isShared) log.info('rate limits are shared again')
        isShared = true
        return state
      } catch (error) {
        const reason = redis.trouble() ?? (error as Error).message
        if (isShared) log.warn({ reason }, 'Redis does not answer: this node counts rate limits for itself')
        isShared = false
        return used(own, subject)
      }
    }
  })
}

interface Window {
  keyPrefix: string
  points: number
  duration: number
}

function limitsOf(perMinute: RateTable, now: () => Date, open: (window: Window) => Count): RateLimits {
  const counts = new Map<string, Count>()
  for (const [family, classes] of Object.entries(perMinute))
    for (const [kind, points] of Object.entries(classes)) {
      const keyPrefix = `svc:rate:${family}:${kind}`
      counts.set(`${family} ${kind}`, open({ keyPrefix, points, duration: windowSeconds }))
    }
  return {
    async count(subject, kind, family) {
      const limit = perMinute[family][kind]
      const { consumedPoints, msBeforeNext } = await counts.get(`${family} ${kind}`)!(subject)
      return {
        limit,
        remaining: Math.max(0, limit - consumedPoints),
        resetAt: new Date(now().getTime() + msBeforeNext),
        exceeded: consumedPoints > limit,
      }
    },
  }
}

// It rejects with the same kind of object once the points are used up; a real error is an Error.
async function used(limiter: RateLimiterAbstract, subject: string): Promise<Used> {
  return limiter.consume(subject).catch((over) => {
    if (over instanceof Error) throw over
    return over as Used
  })
}

export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset': String(Math.ceil(state.resetAt.getTime() / 1000)),
  }
}

export function retryAfterSeconds(state: RateState, now: Date): number {
  return Math.max(1, Math.ceil((state.resetAt.getTime() - now.getTime()) / 1000))
}
