import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Refusal, refusals, refuse } from '../catalogue/refusals.ts'
import type { OpenRoom } from '../platform/held.ts'
import { parseBody } from './body.ts'
import { accepted, inSentences, Refused, refusesEncoding } from './errors.ts'
import { addressSubject } from './limits/address.ts'
import { windowsIn } from './limits/count-windows.ts'
import type { AnswerHeader } from './openapi/answer-headers.ts'
import type { sdkOperation } from './openapi/operation.ts'

/** An address to which SDKs post. */
export interface SdkAddress {
  url: string
  described: ReturnType<typeof sdkOperation>
  /** Only pages of this origin can post. Default: those of any origin. */
  origin?: string
  handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

export interface SdkPosts {
  /** Requests to them are counted together. */
  addresses: readonly SdkAddress[]
  /** What is sent, in the plural, for messages. */
  what: string
  maxBytes: number
  /** Requests per minute of a subject. */
  perMinute: number
  openRoom: OpenRoom
  /** For whom a request is counted. Default: its address. Thousands of instances can share one, and SDK keys are public. */
  subjectOf?: (request: FastifyRequest) => string
  /** When to try again while the database does not answer. */
  retryAfterSeconds: number
  isUnavailable: (error: unknown) => boolean
  /** Reads the body. */
  parse?: (bytes: Uint8Array) => { value: unknown } | { refusal: Refusal }
  /** The body of an error. Default: `{ error: "…" }`. */
  failure?: (message: string, status: number, request: FastifyRequest) => object
  /** The media types of bodies. Default: JSON, also as text/plain, with which browsers need no preflight request. */
  mediaTypes?: RegExp
  /** Headers that scripts of other origins can send. */
  allowedHeaders?: string
  /** Headers that scripts of other origins can read in every answer. */
  exposedHeaders?: string
}

const preflightSeconds = 86_400

/** Addresses to which SDKs post, from pages of any origin too. They have no envelope. */
export function acceptFromSdks(app: FastifyInstance, posts: SdkPosts): void {
  const { addresses, what, maxBytes, perMinute, retryAfterSeconds, isUnavailable } = posts
  const { subjectOf = ({ ip }) => addressSubject(ip), parse = parseBody, mediaTypes = jsonOrText } = posts
  const { failure = (error: string) => ({ error }), allowedHeaders = 'Content-Type', exposedHeaders } = posts
  const counting = windowsIn(posts.openRoom)
  const taken = counting({ keyPrefix: `svc:${what}`, points: perMinute, duration: 60, purpose: 'requests' })
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(mediaTypes, { parseAs: 'buffer' }, (_request, bytes, done) => {
      const body = parse(bytes as Buffer)
      if ('refusal' in body) done(new Refused(body.refusal))
      else done(null, body.value)
    })
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = statusOf(error)
      if (status >= 500) request.log.error({ err: error }, `receiving ${what} failed`)
      if (status === 503) askAgainIn(reply, retryAfterSeconds)
      return reply.code(status).send(failure(messageOf(error, status, request), status, request))
    })
    scope.addHook('onRequest', async (request, reply) => {
      const only = addresses.find(({ url }) => url === request.routeOptions.url)?.origin
      if (only === undefined) reply.header('access-control-allow-origin', '*')
      // Before counting, because otherwise a different site could use up the requests of its visitor's address.
      else if (request.headers.origin !== only)
        throw new Refused(refuse('cross_site', 'This request must come from a page of this service.'))
      if (exposedHeaders) reply.header('access-control-expose-headers', exposedHeaders)
      if (request.method !== 'POST') return undefined
      accepted(refusesEncoding(request))
      const { consumedPoints, msBeforeNext } = await taken.count(subjectOf(request))
      if (consumedPoints <= perMinute) return undefined
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      const message = `Too many ${what} from this address. Try again in ${seconds} s.`
      return askAgainIn(reply, seconds)
        .code(429)
        .send(failure(message, 429, request))
    })
    const schema = { hide: true }
    for (const { url, described, handle, origin } of addresses) {
      const answerPreflight: SdkAddress['handle'] = async (_request, reply) => {
        return reply
          .header('access-control-allow-methods', 'POST, OPTIONS')
          .header('access-control-allow-headers', allowedHeaders)
          .header('access-control-max-age', preflightSeconds)
          .code(204)
          .send()
      }
      if (origin === undefined) scope.options(url, { schema, config: { quiet: true } }, answerPreflight)
      const config = { quiet: true, described: { url, schema: described } } as const
      scope.post(url, { bodyLimit: maxBytes, config }, handle)
    }
  })

  function messageOf(error: Error, status: number, { headers }: FastifyRequest): string {
    if (status >= 500) return 'The service is unavailable. Try again later.'
    if (status === 413) return `The body is larger than ${sizeText(maxBytes)}.`
    if (error instanceof Refused) return inSentences(error.refusal).message
    if (status !== 415) return error.message
    const taken = mediaTypes === jsonOrText ? 'application/json or text/plain' : 'application/json'
    return `Send ${taken}, not ${headers['content-type'] || 'this'}.`
  }

  function statusOf(error: Error & { statusCode?: number }): number {
    if (error instanceof Refused) return refusals[error.refusal.refusal].status
    if (isUnavailable(error)) return 503
    return error.statusCode ?? 500
  }
}

const sizeText = (bytes: number): string => (bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`)

const jsonOrText = /^(?:application\/json|text\/plain)\s*(?:;|$)/i

/** Scripts of other origins can read it too. */
export function askAgainIn(reply: FastifyReply, seconds: number): FastifyReply {
  if (!reply.hasHeader('access-control-expose-headers')) reply.header('access-control-expose-headers', 'Retry-After')
  return reply.header('retry-after', seconds)
}

/** The refusals of such an address, for its description. */
export function describedFailures(
  thing: string,
  tooMany: string,
  error: z.ZodType,
  unauthorized = 'The SDK key is unknown',
) {
  const failed = (description: string, headers: readonly AnswerHeader[] = []) => ({
    description,
    headers: ['Access-Control-Allow-Origin', ...headers] as const,
    content: { 'application/json': error },
  })
  const again: AnswerHeader[] = ['Access-Control-Expose-Headers', 'Retry-After']
  return {
    400: failed(`${thing} not valid`),
    401: failed(unauthorized),
    413: failed(`${thing} too large`),
    415: failed(`${thing} neither JSON nor plain text`),
    429: failed(tooMany, again),
    500: failed('Internal error'),
    503: failed('The database does not answer', again),
  }
}
