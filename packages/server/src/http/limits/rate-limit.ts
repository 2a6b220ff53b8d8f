import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../catalogue/refusals.ts'
import { Refused } from '../errors.ts'
import { type CountWindows, ownWindows } from './count-windows.ts'

const windowSeconds = 60

export type RateClass = 'read' | 'write'

/** Routes that are counted together. `sign-in`: routes where passwords, codes and links can be guessed. */
export type RateFamily = 'webhooks' | 'general' | 'sign-in'

/** Requests per window. */
export type RateTable = Record<RateFamily, Record<RateClass, number>>

/** The state of a subject (a token, or an address if there is none) in the current window, including this request. */
export interface RateState {
  limit: number
  remaining: number
  resetAt: Date
  exceeded: boolean
}

export interface RateLimits {
  count(subject: string, kind: RateClass, family: RateFamily): Promise<RateState>
}

export const rateClassOf = (method: string): RateClass => (method === 'GET' || method === 'HEAD' ? 'read' : 'write')

/** Fixed windows of one minute. */
export function rateLimits(perMinute: RateTable, now: () => Date, windows: CountWindows = ownWindows): RateLimits {
  const opened = new Map<string, ReturnType<CountWindows>>()
  for (const [family, classes] of Object.entries(perMinute))
    for (const [kind, points] of Object.entries(classes)) {
      const keyPrefix = `svc:rate:${family}:${kind}`
      opened.set(`${family} ${kind}`, windows({ keyPrefix, points, duration: windowSeconds, purpose: 'requests' }))
    }
  return {
    async count(subject, kind, family) {
      const limit = perMinute[family][kind]
      const { consumedPoints, msBeforeNext } = await opened.get(`${family} ${kind}`)!.count(subject)
      return {
        limit,
        remaining: Math.max(0, limit - consumedPoints),
        resetAt: new Date(now().getTime() + msBeforeNext),
        exceeded: consumedPoints > limit,
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

/** Counts every request. Every answer, also a refusal, has headers with the subject's state. */
export function requestRates(limits: RateLimits, now: () => Date) {
  return {
    async count(request: FastifyRequest, reply: FastifyReply, subject: string, family: RateFamily): Promise<RateState> {
      const state = await limits.count(subject, rateClassOf(request.method), family)
      reply.headers(rateHeaders(state))
      return state
    },
    refuseExceeded(state: RateState): void {
      if (!state.exceeded) return
      const seconds = retryAfterSeconds(state, now())
      const refusal = refuse('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
        limit: state.limit,
        windowSeconds,
        retryAfterSeconds: seconds,
      })
      throw new Refused(refusal, { 'retry-after': String(seconds) })
    },
  }
}
