import type { Logger } from 'pino'
import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible'
import { entryBytes, heldMap, type OpenRoom, roomOf } from '../../platform/held.ts'
import type { RedisConnection } from '../../platform/redis.ts'

export interface Window {
  keyPrefix: string
  points: number
  /** In seconds. */
  duration: number
  /** What the memory of a node is used for. */
  purpose: 'requests' | 'attempts'
}

/** The state of a subject in its current window, including this request. */
export type Used = Pick<Awaited<ReturnType<RateLimiterAbstract['consume']>>, 'consumedPoints' | 'msBeforeNext'>

/** A counter of subjects in fixed windows of time. Counting never fails. */
export type CountWindows = (window: Window) => {
  count(subject: string): Promise<Used>
  forget(subject: string): Promise<void>
}

const usualSubjects = 30_000

/** Counts in this process. In a flood of subjects, the oldest counts go and begin again. */
export const windowsIn =
  (openRoom: OpenRoom): CountWindows =>
  ({ duration, purpose }) => {
    const opened = heldMap<{ consumedPoints: number; until: number }>(openRoom(purpose))
    return {
      async count(subject) {
        const at = Date.now()
        // All windows are equally long, so the oldest end first.
        opened.deleteOldest(({ until }) => until <= at)
        let window = opened.get(subject)
        if (!window || window.until <= at) {
          window = { consumedPoints: 0, until: at + duration * 1000 }
          opened.set(window, subject)
        }
        window.consumedPoints += 1
        return { consumedPoints: window.consumedPoints, msBeforeNext: window.until - at }
      },
      forget: async (subject) => opened.delete(subject),
    }
  }

export const ownWindows: CountWindows = windowsIn(() => roomOf(usualSubjects * entryBytes))

/** Counts in Redis, for all nodes that use it. While Redis is unreachable, each node counts separately. */
export function sharedWindows(redis: RedisConnection, log: Logger, ownWindows: CountWindows): CountWindows {
  let isShared = true
  return (window) => {
    const own = ownWindows(window)
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
          () => own.count(subject),
        ),
      async forget(subject) {
        await own.forget(subject)
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
