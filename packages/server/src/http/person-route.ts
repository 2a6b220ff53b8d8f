import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { isRefusal, type Refusal } from '../catalogue/refusals.ts'
import type { Author, Authors } from '../platform/outbox.ts'
import { ignoreBodies } from './body.ts'
import {
  type Authenticators,
  actorOf,
  type Credential,
  isFromBrowser,
  type Origin,
  originOf,
  readCredential,
  refuseCrossSite,
  type SessionCookie,
} from './credentials.ts'
import { accepted, Refused } from './errors.ts'
import { eventStreamHeaders } from './headers.ts'
import { addressSubject } from './limits/address.ts'
import { type RateFamily, type RateLimits, requestRates } from './limits/rate-limit.ts'
import { type Access, type Described, openApiOperation, refusesHeaders } from './openapi/operation.ts'
import type { Page } from './page.ts'

/** A person who is signed in, in any organization. */
export type Person = Credential & { type: 'SESSION'; user: NonNullable<Credential['user']> }

export interface PersonCall<Params, Query, Body, Who> {
  params: Params
  query: Query
  body: Body
  person: Who
  from: Origin
  /** The author of a change by `user`, who has just proved their identity with this request. */
  authorAs: (user: Person['user']) => Author
  cookie: {
    /** The session cookie as the browser sent it, not verified. */
    secret: string | undefined
    set(secret: string, expiresAt: Date): void
    clear(): void
  }
  /** A second cookie that browsers also send when a different site redirects to us. It proves nothing by itself. */
  detour: {
    value: string | undefined
    set(value: string, forSeconds: number): void
    clear(): void
  }
  /** The id of the last event that the client of an interrupted stream has seen. */
  lastEventId: string | undefined
  /** Redirects the browser, for signing in through a provider. */
  redirect(url: string): Redirect
}

export interface Redirect {
  redirect: string
}

/** Server-sent events instead of JSON. `open` gets the response after its headers are written. */
export interface EventStream {
  openEvents: (response: ServerResponse) => Promise<void>
}

export interface PersonRouteDefinition<
  Params extends z.ZodRawShape,
  Query extends z.ZodRawShape,
  Body extends z.ZodType,
  Data extends z.ZodType,
  A extends PersonAccess,
> extends Described {
  url: string
  access: A
  /** Default: `general`. Use `sign-in` if something can be guessed. */
  rateFamily?: RateFamily
  /** Mail programs send it with a form as body, which is not read, from anywhere. The address proves who may. */
  isOneClick?: true
  params?: Params
  query?: Query
  body?: Body
  data: Data
  handle: (
    call: PersonCall<
      z.output<z.ZodObject<Params>>,
      z.output<z.ZodObject<Query>>,
      z.output<Body>,
      A extends 'session' ? Person : Person | null
    >,
  ) => Promise<{ data: z.input<Data>; page?: Page } | Redirect | EventStream | Refusal>
}

type PersonAccess = Extract<Access, 'session' | 'anyone'>

export interface PersonRouteContext {
  app: FastifyInstance
  authenticate: Authenticators
  cookie: SessionCookie
  rateLimits: RateLimits
  authors: Authors
  now: () => Date
}

/** Registers a route of the dashboard about a person, or about someone who is about to create an account. */
export type PersonRoute = <
  A extends PersonAccess,
  Params extends z.ZodRawShape = Record<never, never>,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodType = z.ZodType<undefined>,
  Data extends z.ZodType = z.ZodType,
>(
  definition: PersonRouteDefinition<Params, Query, Body, Data, A>,
) => void

export function personRoutes({ app, authenticate, cookie, rateLimits, authors, now }: PersonRouteContext): PersonRoute {
  const rates = requestRates(rateLimits, now)
  return (asked) => {
    const route = { ...asked, idempotent: false as const, organization: 'none' as const }
    const family = route.rateFamily ?? 'general'
    const registered: RouteOptions = {
      method: route.method,
      url: route.url,
      schema: openApiOperation(route),
      onRequest: async (request, reply) => {
        // Before counting, because otherwise a different site could use up the attempts of its visitor's address.
        if (!route.isOneClick && (route.access === 'anyone' || isFromBrowser(request)))
          accepted(refuseCrossSite(request, cookie))
        const credential = await readCredential(request, authenticate, { cookie, sessionsOnly: true })
        const isGuess = family === 'sign-in' || isRefusal(credential)
        const subject = isGuess ? addressSubject(request.ip) : `token ${credential.id}`
        rates.refuseExceeded(await rates.count(request, reply, subject, family))
        if (isRefusal(credential) && route.access === 'session') throw new Refused(credential)
        accepted(refusesHeaders(route, request.headers))
        request.person = isRefusal(credential) ? null : (credential as Person)
      },
      handler: async (request, reply) => {
        const { params, query, body, person } = request
        const answer = accepted(
          await route.handle({
            ...({ params, query, body, person } as PersonCall<never, never, never, never>),
            from: originOf(request),
            authorAs: (user) => authors(actorOf(request, { type: 'SESSION', id: user.id, name: user.name, user })),
            cookie: { secret: request.cookies[cookie.name], ...cookieIn(reply, cookie, now) },
            detour: { value: request.cookies[detourName(cookie)], ...detourIn(reply, cookie) },
            lastEventId: request.headers['last-event-id']?.toString(),
            redirect: (url) => ({ redirect: url }),
          }),
        )
        if ('redirect' in answer) return reply.redirect(answer.redirect, 303)
        if ('openEvents' in answer) return sendEvents(reply, answer)
        reply.code(route.status ?? 200)
        return answer.page ? { data: answer.data, page: answer.page } : { data: answer.data }
      },
    }
    if (!route.isOneClick) app.route(registered)
    else
      void app.register(async (scope) => {
        ignoreBodies(scope)
        scope.route(registered)
      })
  }
}

function sendEvents(reply: FastifyReply, { openEvents }: EventStream) {
  if (reply.request.method === 'HEAD') return reply.headers(eventStreamHeaders).send()
  reply.hijack()
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...eventStreamHeaders })
  return openEvents(reply.raw)
}

function cookieIn(reply: FastifyReply, { name, secure }: SessionCookie, now: () => Date) {
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
  return {
    set: (secret: string, expiresAt: Date) => {
      const maxAge = Math.max(0, Math.floor((expiresAt.getTime() - now().getTime()) / 1000))
      reply.setCookie(name, secret, { ...attributes, maxAge })
    },
    clear: () => {
      reply.clearCookie(name, attributes)
    },
  }
}

const detourName = ({ secure }: SessionCookie): string => (secure ? '__Host-svc_detour' : 'svc_detour')

function detourIn(reply: FastifyReply, cookie: SessionCookie) {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: cookie.secure } as const
  return {
    set: (value: string, forSeconds: number) => {
      reply.setCookie(detourName(cookie), value, { ...attributes, maxAge: forSeconds })
    },
    clear: () => {
      reply.clearCookie(detourName(cookie), attributes)
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `personRoutes` and read only by its handler. */
    person: Person | null
  }
}
