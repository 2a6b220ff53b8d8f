import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Refusal, refusals } from '../catalogue/refusals.ts'
import { addressSubject } from './address.ts'
import type { AnswerHeader } from './answer-headers.ts'
import { parseBody } from './body.ts'
import { ownWindows } from './count-windows.ts'
import { Refused } from './errors.ts'
import type { sdkOperation } from './operation.ts'

export interface SdkPost {
  url: string
  /** What is sent, in messages: several of them. */
  what: string
  described: ReturnType<typeof sdkOperation>
  maxBytes: number
  /** Requests per minute of an address. Thousands of instances can share one, and SDK keys are public. */
  perMinute: number
  /** When to try again while the database does not answer. */
  retryAfterSeconds: number
  isUnavailable: (error: unknown) => boolean
  /** Reads the body. */
  parse?: (bytes: Uint8Array) => { value: unknown } | { refusal: Refusal }
  handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

const preflightSeconds = 86_400

/**
 * An address to which SDKs post, from pages of any origin too. It has no envelope: an error is `{ error: "…" }`.
 * Browsers send JSON as text/plain, which needs no preflight request.
 */
export function acceptFromSdks(app: FastifyInstance, post: SdkPost): void {
  const { url, what, described, maxBytes, perMinute, retryAfterSeconds, isUnavailable, parse = parseBody } = post
  const taken = ownWindows({ keyPrefix: `svc:${what}`, points: perMinute, duration: 60 })
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(jsonOrText, { parseAs: 'buffer' }, (_request, bytes, done) => {
      const body = parse(bytes as Buffer)
      if ('refusal' in body) done(new Refused(body.refusal))
      else done(null, body.value)
    })
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = statusOf(error)
      if (status >= 500) request.log.error({ err: error }, `taking ${what} failed`)
      if (status === 503) askAgainIn(reply, retryAfterSeconds)
      return reply
        .code(status)
        .send({ error: status >= 500 ? 'The service is unavailable. Try again later.' : error.message })
    })
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('access-control-allow-origin', '*')
      if (request.method !== 'POST') return undefined
      const { consumedPoints, msBeforeNext } = await taken.count(addressSubject(request.ip))
      if (consumedPoints <= perMinute) return undefined
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      return askAgainIn(reply, seconds)
        .code(429)
        .send({ error: `Too many ${what} from this address. Try again in ${seconds} s.` })
    })
    const schema = { hide: true }
    scope.options(url, { schema, config: { quiet: true } }, async (_request, reply) => allowPosting(reply))
    const config = { quiet: true, described: { url, schema: described } } as const
    scope.post(url, { bodyLimit: maxBytes, config }, post.handle)
  })

  function statusOf(error: Error & { statusCode?: number }): number {
    if (error instanceof Refused) return refusals[error.refusal.refusal].status
    if (isUnavailable(error)) return 503
    return error.statusCode ?? 500
  }
}

const jsonOrText = /^(?:application\/json|text\/plain)\s*(?:;|$)/i

/** Scripts of other origins can read it too. */
export const askAgainIn = (reply: FastifyReply, seconds: number): FastifyReply =>
  reply.header('access-control-expose-headers', 'Retry-After').header('retry-after', seconds)

function allowPosting(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-methods', 'POST, OPTIONS')
    .header('access-control-allow-headers', 'Content-Type')
    .header('access-control-max-age', preflightSeconds)
    .code(204)
    .send()
}

/** The answers of such an address to what it does not take, for its description. */
export function describedFailures(thing: string, tooMany: string, error: z.ZodType) {
  const failed = (description: string, headers: readonly AnswerHeader[] = []) => ({
    description,
    headers: ['Access-Control-Allow-Origin', ...headers] as const,
    content: { 'application/json': error },
  })
  const again: AnswerHeader[] = ['Access-Control-Expose-Headers', 'Retry-After']
  return {
    400: failed(`${thing} not valid`),
    401: failed('The SDK key is unknown'),
    413: failed(`${thing} too large`),
    415: failed(`${thing} neither JSON nor plain text`),
    429: failed(tooMany, again),
    500: failed('Internal error'),
    503: failed('The database does not answer', again),
  }
}
