import type { Logger } from 'pino'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisConnection } from '../platform/redis.ts'

export interface Window {
  keyPrefix: string
  points: number
  /** In seconds. */
  duration: number
}

/** How a subject stands in its current window, after this count. */
export type Used = Pick<Awaited<ReturnType<RateLimiterAbstract['consume']>>, 'consumedPoints' | 'msBeforeNext'>

/** Opens a fixed window of time, in which subjects are counted. Counting never fails. */
export type CountWindows = (window: Window) => {
  count(subject: string): Promise<Used>
  forget(subject: string): Promise<void>
}

/** Counted in this process. */
export const ownWindows: CountWindows = (window) => {
  const own = new RateLimiterMemory(window)
  return {
    count: (subject) => used(own, subject),
    forget: async (subject) => void (await own.delete(subject)),
  }
}

/** Shared by all nodes that use one Redis. While it is away, each node counts for itself. */
export function sharedWindows(redis: RedisConnection, log: Logger): CountWindows {
  let isShared = true
  return (window) => {
    const own = new RateLimiterMemory(window)
    const shared = new RateLimiterRedis({ ...window, storeClient: redis.client, rejectIfRedisNotReady: true })
    const here = async <Result>(there: () => Promise<Result>, instead: () => Promise<Result>): Promise<Result> => {
      try {
        const result = await there()
        if (!isShared) log.info('rate limits are shared again')
        isShared = true
        return result
      } catch (error) {
        const reason = redis.trouble() ?? (error as Error).message
        if (isShared) log.warn({ reason }, 'Redis does not answer: this node counts rate limits for itself')
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

// It rejects with the same kind of object once the points are used up; a real error is an Error.
async function used(limiter: RateLimiterAbstract, subject: string): Promise<Used> {
  return limiter.consume(subject).catch((over) => {
    if (over instanceof Error) throw over
    return over as Used
  })
}
