import type { Logger } from 'pino'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisConnection } from '../platform/redis.ts'

export interface Window {
  keyPrefix: string
  points: number
  /** In seconds. */
  duration: number
}

/** The state of a subject in its current window, including this request. */
export type Used = Pick<Awaited<ReturnType<RateLimiterAbstract['consume']>>, 'consumedPoints' | 'msBeforeNext'>

/** A counter of subjects in fixed windows of time. Counting never fails. */
export type CountWindows = (window: Window) => {
  count(subject: string): Promise<Used>
  forget(subject: string): Promise<void>
}

/** Counts in this process. */
export const ownWindows: CountWindows = (window) => {
  const own = new RateLimiterMemory(window)
  return {
    count: (subject) => used(own, subject),
    forget: async (subject) => void (await own.delete(subject)),
  }
}

/** Counts in Redis, for all nodes that use it. While Redis is unreachable, each node counts separately. */
export function sharedWindows(redis: RedisConnection, log: Logger): CountWindows {
  let isShared = true
  return (window) => {
    const own = new RateLimiterMemory(window)
    const shared = new RateLimiterRedis({ ...window, storeClient: redis.client, rejectIfRedisNotReady: true })
    const here = async <Result>(there: () => Promise<Result>, instead: () => Promise<Result>): Promise<Result> => {
      try {
        const result = await there()
        if (!isShared) log.info('Redis answers again: nodes share rate limits')
        isShared = true
        return result
      } catch (error) {
        const reason = redis.trouble() ?? (error as Error).message
        if (isShared) log.warn({ reason }, 'Redis does not answer: this node counts rate limits separately')
        isShared = false
        return instead()
      }
    }
    return {
      count: (subject) =>
        here(
          () => used(shared, subject),
          () => used(own, subject),
        ),
      async forget(subject) {
        await own.delete(subject)
        await here<unknown>(
          () => shared.delete(subject),
          async () => undefined,
        )
      },
    }
  }
}

// Once the points are used up, it rejects with an object of the same kind. A real error is an Error.
async function used(limiter: RateLimiterAbstract, subject: string): Promise<Used> {
  return limiter.consume(subject).catch((over) => {
    if (over instanceof Error) throw over
    return over as Used
  })
}
