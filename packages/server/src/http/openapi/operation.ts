import { z } from 'zod'
import { invalid, type Refusal, type RefusalKind } from '../../catalogue/refusals.ts'
import type { PlanFeature, Scope } from '../../catalogue/scopes.ts'
import { isStreamed, type Upload } from '../body.ts'
import { ifMatchHeaders } from '../etag.ts'
import { pageSchema } from '../page.ts'
import { maxSourceLength, refusesSource, sourceHeader } from '../source.ts'
import { type AnswerHeader, commonAnswerHeaders, crossOriginHeaders, rateLimitHeaders } from './answer-headers.ts'

const errorSchema = z
  .object({
    error: z
      .object({
        code: z.string().meta({ description: 'Stable. Match on it.' }),
        message: z.string().meta({ description: 'A text for people. It can change.' }),
        docUrl: z.url().meta({ description: 'The page about this error.' }),
        requestId: z.string().meta({ description: 'The same as `X-Request-Id`.' }),
        status: z
          .int()
          .optional()
          .meta({ description: 'The HTTP status, if the protocol of the route requires it in the body.' }),
        details: z.record(z.string(), z.unknown()).optional(),
      })
      .meta({ id: 'ErrorContent' }),
  })
  .meta({ id: 'Error', description: 'The answer to every call that fails.' })

export type ErrorAnswer = z.infer<typeof errorSchema>

/** For writes that need no body. An empty object is accepted, because some clients always send one. */
export const noBody = z.strictObject({}).optional()
const noQuery = z.strictObject({})

/** Who can call a route: the sentence for the documentation, and the name of the credential. */
export const accesses = {
  token: { text: 'Requires any valid credential.', security: [{ bearer: [] }, { session: [] }] },
  session: { text: 'Requires a person who is signed in to the dashboard.', security: [{ session: [] }] },
  administrator: { text: 'Requires an owner or administrator who is signed in.', security: [{ session: [] }] },
  anyone: { text: 'Requires no credential.', security: [] },
} as const

export type Access = keyof typeof accesses

const orAdministratorText = 'An owner or administrator who is signed in to the dashboard needs no scope.'

/** Scopes that only some resources need. `for`: which ones, such as `an experiment of the type FEATURE`. */
export interface DescribedScope {
  scope: Scope | readonly Scope[]
  for: string
}

/** The source of documentation and validation of a route. */
export interface Described {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  operationId: string
  summary: string
  description?: string
  tag: string
  access?: Access
  scope?: Scope | null
  /** More scopes that follow from what was found. */
  alsoNeeds?: DescribedScope
  /** The session of an owner or administrator is as good as the scope. */
  orAdministrator?: true
  feature?: PlanFeature
  /** Optional: holders of several organizations need not select one. None: the call is not about an organization. */
  organization?: 'optional' | 'none'
  params?: z.ZodRawShape
  query?: z.ZodRawShape
  /** Unknown query parameters are accepted, because a different site made the address. */
  openQuery?: true
  body?: z.ZodType
  /** The body can be larger than usual, and CSV as well as JSON, or a file. */
  upload?: Upload
  /** The shape of `data`. A text, if the answer is always a download. */
  data: z.ZodType
  /** For an answer that is a file, or can be one: its media types, each with an example. */
  downloads?: Readonly<Record<string, string>>
  /** For server-sent events instead of JSON: an example. */
  events?: string
  /** 202: the work goes on after the answer. */
  status?: 200 | 201 | 202
  /** The work can go on after the answer, which is then 202. */
  canGoOn?: true
  paged?: boolean
  /** The read answers 304 if `If-None-Match` names the ETag of the answer. */
  revalidates?: boolean
  /** The answer has the ETag of the resource. */
  etag?: true
  /** The write accepts `X-Svc-If-Match`. */
  conditional?: boolean
  /** The write stages something, and accepts `X-Svc-Source`. */
  stages?: true
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
  /** A protocol of others defines the answer: `data` alone, with these headers. Errors have their status in them. */
  protocol?: { headers: Partial<Record<AnswerHeader, string>> }
  /** Refusals that only some routes can answer. */
  refusals?: readonly RefusalKind[]
}

export const confirmHeader = 'x-svc-confirm'

export const isRepeatable = ({ method, idempotent }: Described): boolean => method !== 'GET' && idempotent !== false

/** Refuses a header that the route does not support, because its sender relies on it. */
export function refusesHeaders(route: Described, headers: Record<string, unknown>): Refusal | undefined {
  if (!route.conditional && ifMatchHeaders.some((name) => headers[name] !== undefined))
    return invalid({ path: ['X-Svc-If-Match'], message: 'This call does not support X-Svc-If-Match. Leave it out.' })
  if (headers[sourceHeader] !== undefined && !route.stages)
    return invalid({ path: ['X-Svc-Source'], message: 'This call does not support X-Svc-Source. Leave it out.' })
  const source = refusesSource(headers[sourceHeader])
  if (source) return source
  if (headers['idempotency-key'] === undefined || isRepeatable(route)) return undefined
  const message =
    route.method === 'GET'
      ? 'Idempotency-Key is only for writes, and this call changes nothing. Leave it out.'
      : 'This call does not support Idempotency-Key. Leave it out.'
  return invalid({ path: ['Idempotency-Key'], message })
}

function consumed(upload: Upload | undefined): { consumes?: string[] } {
  if (isStreamed(upload)) return { consumes: [...upload.mediaTypes] }
  return upload?.csv ? { consumes: ['application/json', 'text/csv'] } : {}
}

interface Refusals {
  kinds: readonly RefusalKind[]
  headers: readonly AnswerHeader[]
  /** The end of the names of these answers in the document. */
  suffix?: string
}

/** What a description adds to the schema of a route, for `openapi.ts`. */
export interface DescribedAnswers {
  /** The headers of successful answers, by status. */
  'x-headers': Record<number, readonly AnswerHeader[]>
  /** The refusals, and the headers that each of them has. */
  'x-refusals': readonly Refusals[]
}

const named = (scopes: Scope | readonly Scope[]): string =>
  [scopes]
    .flat()
    .map((scope) => `\`${scope}\``)
    .join(' and ')

export function openApiOperation(route: Described) {
  const { text, security } = accesses[route.access ?? 'token']
  const scopes = route.scope && `Requires the scope \`${route.scope}\`.`
  const also = route.alsoNeeds && `For ${route.alsoNeeds.for}, it also requires ${named(route.alsoNeeds.scope)}.`
  const needs = scopes
    ? [scopes, also, route.orAdministrator && orAdministratorText].filter(Boolean).join('\n\n')
    : text
  const status = route.status ?? 200
  const common: AnswerHeader[] = [...commonAnswerHeaders, ...rateLimitHeaders, 'Cache-Control']
  const answers: DescribedAnswers = {
    'x-headers': Object.fromEntries([status, 202, 304].map((each) => [each, [...common, ...successHeaders(route)]])),
    'x-refusals': [{ kinds: refusalsOf(route), headers: common }],
  }
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, needs].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: [...security],
    ...(route.params && { params: z.object(route.params) }),
    querystring: querystringOf(route),
    ...(route.method !== 'GET' && { body: route.body ?? noBody }),
    ...consumed(route.upload),
    headers: headersOf(route),
    response: {
      [status]: success(route),
      ...(route.canGoOn && { 202: success(route, 'The work continues in the background') }),
      ...(route.revalidates && { 304: notModified }),
    },
    ...answers,
  }
}

/** The description of an address for SDKs, which checks its requests and writes its answers by itself. */
export interface DescribedForSdks {
  operationId: string
  summary: string
  description: string
  params?: z.ZodType
  headers?: z.ZodType
  body?: z.ZodType
  consumes?: string[]
  /** Whether the SDK key is in a header, as a credential. Otherwise it is in the address or the body. */
  hasKeyInHeader?: true
  /** Whether servers can send an ingest key. */
  takesIngestKey?: true
  /** The answers by status: their content by media type, none for an answer without a body. */
  answers: Record<
    number,
    { description: string; headers: readonly AnswerHeader[]; content?: Record<string, z.ZodType> }
  >
  /** The refusals that have the usual error object. */
  refusals?: readonly RefusalKind[]
}

/** Such an address needs no secret: the SDK key in the request is public, and an ingest key is optional. */
export function sdkOperation({ answers, refusals = [], hasKeyInHeader, takesIngestKey, ...schema }: DescribedForSdks) {
  const withIngestKey = hasKeyInHeader ? { sdkKeyHeader: [], ingestKey: [] } : { ingestKey: [] }
  const security = [
    ...(hasKeyInHeader ? [{ sdkKey: [] }, { sdkKeyHeader: [] }] : takesIngestKey ? [{}] : []),
    ...(takesIngestKey ? [withIngestKey] : []),
  ]
  const described: DescribedAnswers = {
    'x-headers': Object.fromEntries(
      Object.entries(answers).map(([status, { headers }]) => [status, [...commonAnswerHeaders, ...headers]]),
    ),
    'x-refusals': [
      { kinds: refusals, headers: [...commonAnswerHeaders, ...crossOriginHeaders], suffix: 'ForSdks' },
      { kinds: ['method_not_allowed'], headers: commonAnswerHeaders, suffix: 'ForSdks' },
    ],
  }
  const response = Object.entries(answers).map(([status, { description, content }]) => [
    status,
    content ? { description, content: mapToSchemas(content) } : z.null().meta({ description }),
  ])
  return { ...schema, tags: ['SDK'], security, response: Object.fromEntries(response), ...described }
}

const mapToSchemas = (content: Record<string, z.ZodType>) =>
  Object.fromEntries(Object.entries(content).map(([mediaType, schema]) => [mediaType, { schema }]))

function success({ data, paged, downloads, events, protocol }: Described, description = 'Success') {
  if (events !== undefined)
    return { description, content: mapToSchemas({ 'text/event-stream': data.meta({ examples: [events] }) }) }
  if (protocol) return { description, content: mapToSchemas({ 'application/json': data }) }
  const json = z.object({ data, ...(paged && { page: pageSchema }) })
  if (!downloads) return json.meta({ description })
  const files = Object.entries(downloads).map(([mediaType, example]) => [
    mediaType,
    z.string().meta({ examples: [example] }),
  ])
  const content = { ...(!isAlwaysFile({ data }) && { 'application/json': json }), ...Object.fromEntries(files) }
  return { description, content: mapToSchemas(content) }
}

const isAlwaysFile = ({ data }: Pick<Described, 'data'>) => data instanceof z.ZodString

const notModified = z.null().meta({ description: 'The answer with the ETag in `If-None-Match` is current' })

const successHeaders = (route: Described): AnswerHeader[] => [
  ...(route.etag || route.revalidates ? (['ETag'] as const) : []),
  ...(isRepeatable(route) ? (['Idempotency-Replayed'] as const) : []),
  ...(Object.keys(route.protocol?.headers ?? {}) as AnswerHeader[]),
  // A header is documented for all media types of an answer, and JSON does not have this one.
  ...(route.downloads && isAlwaysFile(route) ? (['Content-Disposition'] as const) : []),
]

function querystringOf({ query, openQuery }: Described): z.ZodObject {
  if (openQuery) return z.looseObject(query ?? {})
  return query ? z.strictObject(query) : noQuery
}

const header = (description: string) => z.string().optional().meta({ description })
// Made once, because every start describes some hundred routes.
const orgIdHeader = header(
  'Id or short id of the organization. Required for a personal token whose holder belongs to several organizations.',
)
const ifMatchHeader = header(
  'The ETag that you read. If the resource has changed since, nothing is written and the answer is 412.',
)
const stagesHeader = header(
  `Where the change comes from, such as the name of a file: up to ${maxSourceLength} ASCII characters. It becomes the \`source\` of the staged change.`,
)
const ifNoneMatchHeader = header('The ETag of the answer that you have. If it is current, the answer is 304.')
const idempotencyHeader = header(
  'A key of your choice, 1 to 255 characters. A repeated request with the same key gets the first answer.',
)

const headersOf = (route: Described) =>
  z.looseObject({
    ...(route.organization !== 'none' && { 'svc-org-id': orgIdHeader }),
    ...(route.conditional && { 'x-svc-if-match': ifMatchHeader }),
    ...(route.stages && { [sourceHeader]: stagesHeader }),
    ...(route.revalidates && { 'if-none-match': ifNoneMatchHeader }),
    ...(route.confirmed && { [confirmHeader]: header(route.confirmed) }),
    ...(isRepeatable(route) && { 'idempotency-key': idempotencyHeader }),
  })

/** What the route can answer instead of success, as far as it follows from the description. */
function refusalsOf(route: Described): RefusalKind[] {
  const { access = 'token', organization, method } = route
  const isWrite = method !== 'GET'
  const needsCredential = access !== 'anyone'
  const found: [boolean, RefusalKind[]][] = [
    [true, ['validation_failed']],
    [organization === undefined, ['organization_required']],
    [needsCredential, ['unauthorized']],
    [access === 'token', ['token_expired', 'token_revoked']],
    [Boolean(route.scope), ['scope_missing']],
    [access === 'administrator' || route.orAdministrator === true, ['role_missing']],
    [route.feature !== undefined, ['feature_disabled']],
    [isWrite, ['cross_site']],
    [organization !== 'none' || route.params !== undefined, ['not_found']],
    [true, ['method_not_allowed']],
    [isWrite, ['invalid_state', 'payload_too_large', 'unsupported_media_type']],
    [route.conditional === true, ['precondition_failed']],
    [isRepeatable(route), ['idempotency_in_progress', 'idempotency_key_reused']],
    [true, ['rate_limited', 'internal_error', 'unavailable']],
    [isWrite, ['storage_full']],
  ]
  const kinds = found.flatMap(([applies, each]) => (applies ? each : []))
  return [...new Set([...kinds, ...(route.refusals ?? [])])]
}
