import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, type RefusalKind, refusals, refuse } from '../catalogue/refusals.ts'
import { cut, issueSentence } from '../platform/issue-text.ts'

/**
 * What the error handler needs to know: the address of the docs, and which errors mean that the database is
 * unreachable.
 */
export interface ErrorContext {
  baseUrl: string
  isUnavailable: (error: unknown) => boolean
  /** Which of these errors mean that its storage is full. */
  isStorageFull?: ((error: unknown) => boolean) | undefined
}

/** Carries a refusal out of a hook or a handler; only the error handler below turns it into a response. */
export class Refused extends Error {
  readonly refusal: Refusal
  readonly headers: Record<string, string>

  constructor(refusal: Refusal, headers: Record<string, string> = {}) {
    super(refusal.message)
    this.refusal = refusal
    this.headers = headers
  }
}

/** Returns the value, or throws the refusal as an answer. */
export function accepted<Value>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Refused(value)
  return value
}

const unavailableRetrySeconds = 1
const storageFullRetrySeconds = 10
const catalogBusyRetrySeconds = 5

export const storageFullMessage = 'The storage is full. Nothing can be written until the operator frees disk space.'

const headersByKind: Partial<Record<RefusalKind, Record<string, string>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  token_expired: { 'www-authenticate': 'Bearer error="invalid_token"' },
  token_revoked: { 'www-authenticate': 'Bearer error="invalid_token"' },
  idempotency_in_progress: { 'retry-after': '1' },
  catalog_busy: { 'retry-after': String(catalogBusyRetrySeconds) },
  unavailable: { 'retry-after': String(unavailableRetrySeconds) },
  storage_full: { 'retry-after': String(storageFullRetrySeconds) },
}

/** The headers that a refusal of this kind adds, in lower case. */
export const headersOfRefusal = (kind: RefusalKind): string[] => [
  ...Object.keys(headersByKind[kind] ?? {}),
  ...(kind === 'rate_limited' ? ['retry-after'] : []),
  ...(kind === 'method_not_allowed' ? ['allow'] : []),
]

export function sendRefusal(reply: FastifyReply, context: ErrorContext, refusal: Refusal, headers = {}) {
  return reply
    .code(refusals[refusal.refusal].status)
    .headers({ ...headersByKind[refusal.refusal], ...retryAfter(refusal), ...headers })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(bodyOf(reply, errorBody(refusal, context.baseUrl, reply.request.id)))
}

/**
 * The error as the route says it. A protocol of others wants the status in it, and its clients cannot read our details:
 * what they say is in the message too.
 */
function bodyOf({ request, statusCode: status }: FastifyReply, body: ReturnType<typeof errorBody>) {
  if (!request.routeOptions.config.isProtocol) return body
  const { details: _details, ...error } = body.error
  return { error: { ...error, status } }
}

const retryAfter = ({ details }: Refusal): Record<string, string> =>
  typeof details?.retryAfterSeconds === 'number' ? { 'retry-after': String(details.retryAfterSeconds) } : {}

export function errorBody(refused: Refusal, baseUrl: string, requestId: string) {
  const { refusal, message, details: told } = inSentences(refused)
  // Several kinds share a code. A client that creates what is missing must know this one.
  const details = refusal === 'already_exists' ? { reason: refusal, ...told } : told
  const docUrl = `${baseUrl}/docs/errors#${refusal}`
  return { error: { code: refusals[refusal].code, message, docUrl, requestId, ...(details && { details }) } }
}

/** A body can have a fault in each of its 200,000 fields, and nobody reads so many. */
const issuesShown = 100

/**
 * Decisions give the path and the rule of an issue; a client reads one sentence of both. The first of many are shown, and
 * the message counts all.
 */
export function inSentences(refused: Refusal): Refusal {
  const { details } = refused
  if (!details?.issues?.[0]) return refused
  const issues = details.issues.slice(0, issuesShown).map(({ path, message }) => ({
    path,
    message: issueSentence(path, message, 'The body'),
  }))
  const others = details.issues.length - 1
  const message = `${issues[0]!.message}${others > 0 ? ` (and ${others} more)` : ''}`
  return { ...refused, message, details: { ...details, issues } }
}

export function handleErrors(app: FastifyInstance, context: ErrorContext): void {
  app.setErrorHandler((error, request, reply) => {
    const refused = error instanceof Refused ? error : new Refused(refusalOf(error, request, context))
    if (refusals[refused.refusal.refusal].status >= 500) request.log.error({ err: error }, 'request failed')
    return sendRefusal(reply, context, refused.refusal, refused.headers)
  })
}

/** Compressed bodies are not taken: a small one can become a large one. */
export function refusesEncoding({ headers }: FastifyRequest): Refusal | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (!encoding || encoding === 'identity') return undefined
  return refuse('unsupported_media_type', `Send the body without Content-Encoding, not as ${cut(encoding)}.`)
}

const takenBy = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.schema?.consumes ?? ['application/json']).join(' or ')

/** Turns errors of the framework and unexpected errors into refusals. */
function refusalOf(error: unknown, request: FastifyRequest, context: ErrorContext): Refusal {
  if (context.isStorageFull?.(error)) return refuse('storage_full', storageFullMessage)
  if (context.isUnavailable(error)) return refuse('unavailable', 'The database does not answer. Try again shortly.')
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (statusCode === 413)
    return refuse('payload_too_large', `The body is larger than ${request.routeOptions.bodyLimit / 2 ** 20} MiB.`)
  if (statusCode === 415)
    return refuse(
      'unsupported_media_type',
      `Send ${takenBy(request)}, not ${request.headers['content-type'] || 'this'}.`,
    )
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return refuse('validation_failed', 'The length of the body does not match Content-Length.')
  if (statusCode && statusCode >= 400 && statusCode < 500) return refuse('validation_failed', (error as Error).message)
  return refuse('internal_error', 'The service failed. Give the requestId to the operator.')
}
