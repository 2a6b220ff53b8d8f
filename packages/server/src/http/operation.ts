import { z } from 'zod'
import { invalid, type Refusal, type RefusalKind, refusals } from '../catalogue/refusals.ts'
import type { Scope } from '../catalogue/scopes.ts'
import type { Upload } from './body.ts'
import { ifMatchHeaders } from './etag.ts'
import { pageSchema } from './page.ts'

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

/** Where a write says everything by its address; clients that send an empty object all the same are answered. */
export const noBody = z.strictObject({}).optional()

/** Who may call a route: the one sentence that its documentation says, and how it names the credential. */
export const accesses = {
  token: { text: 'Any valid credential will do.', security: [{ bearer: [] }, { session: [] }] },
  session: { text: 'For people who are signed in to the dashboard.', security: [{ session: [] }] },
  administrator: { text: 'For owners and administrators who are signed in.', security: [{ session: [] }] },
  anyone: { text: 'Open to everybody.', security: [] },
} as const

export type Access = keyof typeof accesses

/** What documentation and validation of a route come from. */
export interface Described {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  operationId: string
  summary: string
  description?: string
  tag: string
  access?: Access
  scope?: Scope | null
  params?: z.ZodRawShape
  query?: z.ZodRawShape
  /** Query parameters that are not named here pass as well: another site made the address. */
  openQuery?: true
  body?: z.ZodType
  /** The body may be larger than others, and CSV as well as JSON. */
  upload?: Upload
  /** The shape of `data`; of a download: of its text. */
  data: z.ZodType
  /** The media types of an answer that is a file and no JSON. */
  downloads?: readonly string[]
  status?: 200 | 201
  paged?: boolean
  /** The write accepts `X-Svc-If-Match`. */
  conditional?: boolean
  find?: unknown
  /**
   * Writes accept `Idempotency-Key`, and `http/route.ts` keeps the promise. False: they do not. By itself: the effect
   * lies outside of the database, and the route keeps the promise.
   */
  idempotent?: false | 'by itself'
  /** Ways to say no that few routes have. */
  refusals?: readonly RefusalKind[]
}

export const isRepeatable = ({ method, idempotent }: Described): boolean => method !== 'GET' && idempotent !== false

/** A header that cannot be honoured is refused, never ignored: its sender relies on it. */
export function refusesHeaders(route: Described, headers: Record<string, unknown>): Refusal | undefined {
  if (!route.conditional && ifMatchHeaders.some((name) => headers[name] !== undefined))
    return invalid({ path: ['X-Svc-If-Match'], message: 'X-Svc-If-Match cannot be honored here. Leave it out.' })
  if (headers['idempotency-key'] === undefined || isRepeatable(route)) return undefined
  const message =
    route.method === 'GET'
      ? 'Idempotency-Key is for writes: this call changes nothing. Leave it out.'
      : 'Idempotency-Key cannot be honored here. Leave it out.'
  return invalid({ path: ['Idempotency-Key'], message })
}

export function openApiOperation(route: Described) {
  const { text, security } = accesses[route.access ?? 'token']
  const needs = route.scope ? `Needs the scope \`${route.scope}\`.` : text
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, needs].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: [...security],
    ...(route.params && { params: z.object(route.params) }),
    querystring: route.openQuery ? z.looseObject(route.query ?? {}) : z.strictObject(route.query ?? {}),
    ...(route.method !== 'GET' && { body: route.body ?? noBody }),
    ...(route.upload && { consumes: ['application/json', 'text/csv'] }),
    headers: headersOf(route),
    response: {
      [route.status ?? 200]: success(route),
      ...Object.fromEntries(
        errorStatuses(route).map(({ status, text }) => [status, errorSchema.meta({ description: text })]),
      ),
    },
  }
}

function success({ data, paged, downloads }: Described) {
  const description = 'Success'
  if (downloads)
    return { description, content: Object.fromEntries(downloads.map((mediaType) => [mediaType, { schema: data }])) }
  return z.object({ data, ...(paged && { page: pageSchema }) }).meta({ description })
}

function headersOf(route: Described) {
  return z.looseObject({
    'svc-org-id': z.string().optional().meta({
      description: 'Id or short id of the organization; needed where a personal token’s holder belongs to several.',
    }),
    ...(route.conditional && { 'x-svc-if-match': z.string().optional() }),
    ...(isRepeatable(route) && { 'idempotency-key': z.string().optional() }),
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
  if (isRepeatable(route)) kinds.push('idempotency_key_reused')
  kinds.push(...(route.refusals ?? []))
  return kinds.map((kind) => ({ status: refusals[kind].status, text: refusals[kind].title }))
}
