import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal } from '../catalogue/refusals.ts'
import {
  type Authenticators,
  type Credential,
  type OpensToEditors,
  readCredential,
  type SessionCookie,
} from './credentials.ts'
import { accepted, Refused } from './errors.ts'
import { addressSubject } from './limits/address.ts'
import { type RateFamily, type RateLimits, requestRates } from './limits/rate-limit.ts'

export interface EntryContext {
  authenticate: Authenticators
  cookie: SessionCookie
  rateLimits: RateLimits
  now: () => Date
}

/** The first checks of a route that requires a credential: credential, organization, rate limit. */
export function entryOf(
  { authenticate, cookie, rateLimits, now }: EntryContext,
  { family, ...accepts }: { sessionsOnly: boolean; family: RateFamily; opensToEditors?: OpensToEditors | undefined },
) {
  const rates = requestRates(rateLimits, now)
  const read = (request: FastifyRequest) => readCredential(request, authenticate, { cookie, ...accepts })
  return {
    /** `choose` decides which organization the request selects. */
    async enter<Chosen>(
      request: FastifyRequest,
      reply: FastifyReply,
      choose: (credential: Credential, header: string | string[] | undefined) => Chosen | Refusal,
    ): Promise<{ credential: Credential; chosen: Chosen }> {
      const credential = await read(request)
      if (isRefusal(credential)) {
        rates.refuseExceeded(await rates.count(request, reply, addressSubject(request.ip), family))
        throw new Refused(credential)
      }
      const rate = await rates.count(request, reply, `token ${credential.id}`, family)
      const chosen = accepted(choose(credential, request.headers['svc-org-id']))
      rates.refuseExceeded(rate)
      return { credential, chosen }
    },

    /** Whether a request that is still being received may go on. It was counted when it began. */
    async again<Chosen>(
      request: FastifyRequest,
      choose: (credential: Credential, header: string | string[] | undefined) => Chosen | Refusal,
    ): Promise<Chosen | Refusal> {
      const credential = await read(request)
      return isRefusal(credential) ? credential : choose(credential, request.headers['svc-org-id'])
    },

    async countOther(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const credential = await read(request)
      const subject = isRefusal(credential) ? addressSubject(request.ip) : `token ${credential.id}`
      rates.refuseExceeded(await rates.count(request, reply, subject, family))
    },
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts a request for the address of a route with a method that the address does not support. */
    countOther?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    /** Whether a protocol of others defines the answers of the route. */
    isProtocol?: boolean
  }
}
