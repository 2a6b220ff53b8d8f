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

/** For writes that need no body. An empty object is accepted, because some clients always send one. */
export const noBody = z.strictObject({}).optional()

/** Who can call a route: the sentence for the documentation, and the name of the credential. */
export const accesses = {
  token: { text: 'Requires any valid credential.', security: [{ bearer: [] }, { session: [] }] },
  session: { text: 'Requires a person who is signed in to the dashboard.', security: [{ session: [] }] },
  administrator: { text: 'Requires an owner or administrator who is signed in.', security: [{ session: [] }] },
  anyone: { text: 'Requires no credential.', security: [] },
} as const

export type Access = keyof typeof accesses

/** The source of documentation and validation of a route. */
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
  /** Unknown query parameters are accepted, because a different site made the address. */
  openQuery?: true
  body?: z.ZodType
  /** The body can be larger than usual, and CSV as well as JSON. */
  upload?: Upload
  /** The shape of `data`, or of the text of a download. */
  data: z.ZodType
  /** The media types of an answer that is a file instead of JSON. */
  downloads?: readonly string[]
  status?: 200 | 201
  paged?: boolean
  /** The read answers 304 if `If-None-Match` names the ETag of the answer. */
  revalidates?: boolean
  /** The write accepts `X-Svc-If-Match`. */
  conditional?: boolean
  /**
   * The call must repeat the name of the resource that it destroys, in `X-Svc-Confirm`. This is the description of that
   * header.
   */
  confirmed?: string
  find?: unknown
  /**
   * Whether the write accepts `Idempotency-Key`. True: `http/route.ts` handles it. "By itself": the effect is outside
   * the database, and the route handles it.
   */
  idempotent?: false | 'by itself'
  /** Refusals that only some routes can answer. */
  refusals?: readonly RefusalKind[]
}

export const confirmHeader = 'x-svc-confirm'

export const isRepeatable = ({ method, idempotent }: Described): boolean => method !== 'GET' && idempotent !== false

/** Refuses a header that the route does not support, because its sender relies on it. */
export function refusesHeaders(route: Described, headers: Record<string, unknown>): Refusal | undefined {
  if (!route.conditional && ifMatchHeaders.some((name) => headers[name] !== undefined))
    return invalid({ path: ['X-Svc-If-Match'], message: 'This call does not support X-Svc-If-Match. Leave it out.' })
  if (headers['idempotency-key'] === undefined || isRepeatable(route)) return undefined
  const message =
    route.method === 'GET'
      ? 'Idempotency-Key is only for writes, and this call changes nothing. Leave it out.'
      : 'This call does not support Idempotency-Key. Leave it out.'
  return invalid({ path: ['Idempotency-Key'], message })
}

export function openApiOperation(route: Described) {
  const { text, security } = accesses[route.access ?? 'token']
  const needs = route.scope ? `Requires the scope \`${route.scope}\`.` : text
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
      description:
        'Id or short id of the organization. Required for a personal token whose holder belongs to several organizations.',
    }),
    ...(route.conditional && { 'x-svc-if-match': z.string().optional() }),
    ...(route.confirmed && { [confirmHeader]: z.string().optional().meta({ description: route.confirmed }) }),
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
