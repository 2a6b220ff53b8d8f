import { createHash } from 'node:crypto'
import type { EvaluationContext } from '@svc/core'
import { canonicalJson } from '../../../canonical-json.ts'
import { ingestKeyIn } from '../events/index.ts'
import type { Failure } from './answer.ts'

/** The SDK key: a bearer token or the header `X-API-Key`. If the bearer token is an ingest key, it is the header. */
export function sdkKeyOf(headers: Record<string, string | string[] | undefined>): string | undefined {
  const authorization = String(headers.authorization ?? '')
  const bearer = ingestKeyIn(authorization) ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  const key = headers['x-api-key']
  return bearer ?? (typeof key === 'string' && key ? key : undefined)
}

/** The context of a request; what is wrong with the body, if it has none. */
export function contextOf(body: unknown): { context: EvaluationContext } | Failure {
  if (!isObject(body)) return wrong('PARSE_ERROR', 'The body must be a JSON object with the field "context".')
  const { context } = body
  if (context === undefined) return wrong('PARSE_ERROR', 'The body must have the field "context".')
  if (!isObject(context)) return wrong('INVALID_CONTEXT', '"context" must be a JSON object.')
  const { targetingKey } = context
  if (targetingKey !== undefined && typeof targetingKey !== 'string')
    return wrong('INVALID_CONTEXT', '"context.targetingKey" must be a text.')
  return { context }
}

const wrong = (errorCode: Failure['errorCode'], errorDetails: string): Failure => ({ errorCode, errorDetails })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The ETag of all answers for a context. Clients of the protocol keep their ETag when the context changes, so the whole
 * context is in it.
 *
 * @param moment what else the answers depend on
 */
export function etagOf(fileEtag: string, context: EvaluationContext, moment = ''): string {
  const hash = createHash('sha256').update(`${fileEtag}\n${canonicalJson(context)}\n${moment}`)
  return `"${hash.digest('base64url')}"`
}

/** What a client has heard from the stream of changes. */
export interface Told {
  etag: string | undefined
  /** In seconds since 1970. */
  modifiedAt: number | undefined
}

export function toldBy(query: Record<string, unknown>): Told {
  const { flagConfigEtag: etag, flagConfigLastModified: modified } = query
  return { etag: typeof etag === 'string' ? etag : undefined, modifiedAt: secondsOf(modified) }
}

/** Seconds since 1970, or a date. */
function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const seconds = /^\d{1,12}$/.test(value) ? Number(value) : Math.floor(Date.parse(value) / 1000)
  return Number.isFinite(seconds) ? seconds : undefined
}

/** Whether a client has heard of a newer data file than this one. */
export function isBehind(file: { etag: string; publishedAt: Date | null }, { etag, modifiedAt }: Told): boolean {
  if (etag === file.etag || modifiedAt === undefined) return false
  const ownSeconds = file.publishedAt ? Math.floor(file.publishedAt.getTime() / 1000) : 0
  // Two publishes in one second have the same time: only the ETag shows which file was meant.
  return modifiedAt > ownSeconds || (modifiedAt === ownSeconds && etag !== undefined)
}
