import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Author, Authors } from '../platform/outbox.ts'
import { isRefusal, notFound, type Refusal, type RefusalKind, refusals, refuse } from '../refusals.ts'
import { holdsScope, type PlanFeature, type Scope } from '../scopes.ts'
import { type Authenticate, actorOf, type Caller, chooseOrganization, readCredential } from './credentials.ts'
import { Refused } from './errors.ts'
import { type IfMatch, ifMatch } from './etag.ts'
import { type IdempotentRequest, idempotentRequest, type StoredAnswer } from './idempotency.ts'
import { type Page, pageSchema } from './page.ts'
import {
  type RateFamily,
  type RateLimits,
  type RateState,
  rateClassOf,
  rateHeaders,
  retryAfterSeconds,
} from './rate-limit.ts'

/**
 * The order in which a request is checked; the first check that fails gives the answer. `route` below carries out the
 * first six, Fastify's validation the seventh, the feature's action (under its lock) the last two.
 */
export const checksInOrder = [
  'credential',
  'organization',
  'rate limit',
  'plan feature',
  'scope',
  'existence',
  'body',
  'precondition',
  'state',
] as const

export interface Call<Params, Query, Body, Found> {
  params: Params
  query: Query
  body: Body
  /** What `find` found: the resource that the path names. */
  found: Found
  caller: Caller
  by: Author
  ifMatch: IfMatch
  /** Null without an `Idempotency-Key`. */
  idempotency: IdempotentRequest | null
  /** An answer in the form in which it would be repeated. */
  storable: (answer: Answer<unknown>) => StoredAnswer
}

export interface Answer<Data> {
  data: Data
  page?: Page
  etag?: string
}

export interface RouteDefinition<
  Params extends z.ZodRawShape,
  Query extends z.ZodRawShape,
  Body extends z.ZodType,
  Data extends z.ZodType,
  Found,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  operationId: string
  summary: string
  description?: string
  tag: string
  /** Null: any valid credential will do. */
  scope: Scope | null
  feature?: PlanFeature
  /** The limits that count here; default: `general`. */
  rateFamily?: RateFamily
  params?: Params
  query?: Query
  body?: Body
  /** The shape of `data`. */
  data: Data
  status?: 200 | 201
  paged?: boolean
  /** The write accepts `X-Svc-If-Match`. */
  conditional?: boolean
  /**
   * The write accepts `Idempotency-Key`: how to find its first answer, which is repeated before anything is checked
   * that the effect itself may have changed, such as the existence of what it deleted.
   */
  idempotent?: (request: IdempotentRequest, now: Date) => Promise<StoredAnswer | Refusal | undefined>
  /** Finds what the path names inside the caller's organization; without it the answer is 404. */
  find?: (params: z.output<z.ZodObject<Params>>, caller: Caller) => Promise<Found | undefined>
  handle: (
    call: Call<z.output<z.ZodObject<Params>>, z.output<z.ZodObject<Query>>, z.output<Body>, Found>,
  ) => Promise<Answer<z.input<Data>> | { replay: StoredAnswer } | Refusal>
}

export interface RouteContext {
  app: FastifyInstance
  authenticate: Authenticate
  rateLimits: RateLimits
  authors: Authors
  now: () => Date
}

/** Registers one route of the public API with all of its manners. */
export type Route = <
  Params extends z.ZodRawShape = Record<never, never>,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodType = z.ZodType<undefined>,
  Data extends z.ZodType = z.ZodType,
  Found = undefined,
>(
  definition: RouteDefinition<Params, Query, Body, Data, Found>,
) => void

const noBody = z.strictObject({}).optional()

export function routes({ app, authenticate, rateLimits, authors, now }: RouteContext): Route {
  return (route) => {
    const storable = (answer: Answer<unknown>): StoredAnswer => ({
      status: route.status ?? 200,
      body: JSON.stringify(z.object({ data: route.data }).encode({ data: answer.data } as never)),
      etag: answer.etag ?? null,
    })
    app.route({
      method: route.method,
      url: route.url,
      schema: openApiOperation(route),
      onRequest: async (request, reply) => {
        const family = route.rateFamily ?? 'general'
        const credential = await readCredential(request, authenticate)
        if (isRefusal(credential)) {
          refuseExceeded(await count(request, reply, `address ${request.ip}`, family))
          throw new Refused(credential)
        }
        const rate = await count(request, reply, `token ${credential.id}`, family)
        const caller = accepted(chooseOrganization(credential, request.headers['svc-org-id']))
        refuseExceeded(rate)
        accepted(missingFeature(caller, route.feature))
        accepted(missingScope(caller, route.scope))
        const params = request.params as never
        const found = route.find ? await route.find(params, caller) : undefined
        const isMissing = route.find !== undefined && found === undefined
        const mayRepeat = route.idempotent !== undefined && request.headers['idempotency-key'] !== undefined
        if (isMissing && !mayRepeat) throw new Refused(notFound('Resource'))
        const by = authors(actorOf(request, caller))
        request.call = { caller, found, by, ifMatch: ifMatch(request.headers), idempotency: null }
      },
      preValidation: async (request, reply) => {
        const { call } = request
        if (!route.idempotent) return undefined
        call.idempotency = accepted(idempotencyOf(request, call.caller))
        const earlier = call.idempotency && accepted(await route.idempotent(call.idempotency, call.by.now))
        if (earlier) return sendReplay(reply, earlier)
        if (route.find && call.found === undefined) throw new Refused(notFound('Resource'))
        return undefined
      },
      handler: async (request, reply) => {
        const { params, query, body } = request
        const answer = accepted(await route.handle({ ...request.call, params, query, body, storable } as never))
        if ('replay' in answer) return sendReplay(reply, answer.replay)
        if (answer.etag) reply.header('etag', answer.etag)
        reply.code(route.status ?? 200)
        return answer.page ? { data: answer.data, page: answer.page } : { data: answer.data }
      },
    })
  }

  /** Every request counts, and every answer says how the token stands, a refused one included. */
  async function count(request: FastifyRequest, reply: FastifyReply, subject: string, family: RateFamily) {
    const state = await rateLimits.count(subject, rateClassOf(request.method), family)
    reply.headers(rateHeaders(state))
    return state
  }

  function refuseExceeded(state: RateState): void {
    if (!state.exceeded) return
    const seconds = retryAfterSeconds(state, now())
    const refusal = refuse('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
      limit: state.limit,
      windowSeconds: 60,
      retryAfterSeconds: seconds,
    })
    throw new Refused(refusal, { 'retry-after': String(seconds) })
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the checks before the body established; set by `route` and read by its handler alone. */
    call: { caller: Caller; found: unknown; by: Author; ifMatch: IfMatch; idempotency: IdempotentRequest | null }
  }
}

function idempotencyOf(request: FastifyRequest, caller: Caller): IdempotentRequest | null | Refusal {
  const [path = ''] = request.url.split('?', 1)
  const of = { orgId: caller.organization.id, credentialId: caller.id, method: request.method, path }
  return idempotentRequest(request.headers['idempotency-key'], request.body, of)
}

/** The first answer's bytes, secrets left out. */
function sendReplay(reply: FastifyReply, { status, body, etag }: StoredAnswer): FastifyReply {
  if (etag) reply.header('etag', etag)
  return reply
    .code(status)
    .header('idempotency-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)
}

function accepted<Value>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Refused(value)
  return value
}

function missingFeature(caller: Caller, feature: PlanFeature | undefined): Refusal | undefined {
  if (!feature || caller.organization.features.includes(feature)) return undefined
  return refuse('feature_disabled', `The organization's plan does not include ${feature}.`, { feature })
}

function missingScope(caller: Caller, scope: Scope | null): Refusal | undefined {
  if (!scope || holdsScope(caller.scopes, scope)) return undefined
  return refuse('scope_missing', `This call needs the scope ${scope}.`, { scope })
}

const errorSchema = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      docUrl: z.url(),
      requestId: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Error' })

/** What of a route its documentation and validation come from. */
type Described = Pick<
  RouteDefinition<z.ZodRawShape, z.ZodRawShape, z.ZodType, z.ZodType, unknown>,
  | 'method'
  | 'operationId'
  | 'summary'
  | 'description'
  | 'tag'
  | 'scope'
  | 'params'
  | 'query'
  | 'body'
  | 'data'
  | 'status'
  | 'paged'
  | 'conditional'
> & { find?: unknown; idempotent?: unknown }

function openApiOperation(route: Described) {
  const envelope = route.paged ? z.object({ data: route.data, page: pageSchema }) : z.object({ data: route.data })
  const needs = route.scope ? `Needs the scope \`${route.scope}\`.` : 'Any valid credential will do.'
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, needs].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: [{ bearer: [] }],
    ...(route.params && { params: z.object(route.params) }),
    querystring: z.strictObject(route.query ?? {}),
    ...(route.method !== 'GET' && { body: route.body ?? noBody }),
    headers: headersOf(route),
    response: {
      [route.status ?? 200]: envelope.meta({ description: 'Success' }),
      ...Object.fromEntries(
        errorStatuses(route).map(({ status, text }) => [status, errorSchema.meta({ description: text })]),
      ),
    },
  }
}

function headersOf({ conditional, idempotent }: Described) {
  return z.looseObject({
    'svc-org-id': z.string().optional().meta({
      description: 'Id or short id of the organization; needed where a personal token’s holder belongs to several.',
    }),
    ...(conditional && { 'x-svc-if-match': z.string().optional() }),
    ...(idempotent !== undefined && { 'idempotency-key': z.string().optional() }),
  })
}

function errorStatuses(route: Described) {
  const kinds: RefusalKind[] = [
    'validation_failed',
    'unauthorized',
    'scope_missing',
    'rate_limited',
    'internal_error',
    'unavailable',
  ]
  if (route.find) kinds.push('not_found')
  if (route.method !== 'GET') kinds.push('invalid_state', 'payload_too_large', 'unsupported_media_type')
  if (route.conditional) kinds.push('precondition_failed')
  if (route.idempotent) kinds.push('idempotency_key_reused')
  return kinds.map((kind) => ({ status: refusals[kind].status, text: refusals[kind].title }))
}
