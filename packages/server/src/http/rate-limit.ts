import { RateLimiterMemory } from 'rate-limiter-flexible'

const windowSeconds = 60

export type RateClass = 'read' | 'write'

/** How a subject (a token, or an address without one) stands in the current window, after this request. */
export interface RateState {
  limit: number
  remaining: number
  resetAt: Date
  exceeded: boolean
}

export interface RateLimits {
  count(subject: string, kind: RateClass): Promise<RateState>
}

export const rateClassOf = (method: string): RateClass => (method === 'GET' || method === 'HEAD' ? 'read' : 'write')

/** Fixed windows of one minute, counted in this process. */
export function rateLimits(perMinute: Record<RateClass, number>, now: () => Date): RateLimits {
  const limiters = {
    read: new RateLimiterMemory({ keyPrefix: 'read', points: perMinute.read, duration: windowSeconds }),
    write: new RateLimiterMemory({ keyPrefix: 'write', points: perMinute.write, duration: windowSeconds }),
  }
  return {
    async count(subject, kind) {
      const limiter = limiters[kind]
      // It rejects with the same kind of object once the points are used up; a real error would be an Error.
      const used = await limiter.consume(subject).catch((over) => {
        if (over instanceof Error) throw over
        return over as { remainingPoints: number; msBeforeNext: number; consumedPoints: number }
      })
      return {
        limit: limiter.points,
        remaining: Math.max(0, used.remainingPoints),
        resetAt: new Date(now().getTime() + used.msBeforeNext),
        exceeded: used.consumedPoints > limiter.points,
      }
    },
  }
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
