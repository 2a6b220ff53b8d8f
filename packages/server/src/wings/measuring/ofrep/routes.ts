import { type EvaluationContext, userOf } from '@svc/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addressSubject } from '../../../http/limits/address.ts'
import { crossOriginHeaders } from '../../../http/openapi/answer-headers.ts'
import { sdkOperation } from '../../../http/openapi/operation.ts'
import { acceptFromSdks, type SdkAddress } from '../../../http/sdk-post.ts'
import type { Background } from '../../../platform/background.ts'
import type { OpenRoom } from '../../../platform/held.ts'
import { throttle } from '../../../platform/throttle.ts'
import { currentSpan } from '../../../platform/tracing/index.ts'
import { isKnown } from '../../../revalidation.ts'
import type { DataFileStore, ServedDataFile } from '../../serving/datafile/index.ts'
import type { Usage } from '../../serving/heartbeat/index.ts'
import {
  factsOf,
  type IngestKeys,
  isBotAgent,
  isBotRequest,
  isUnit,
  needsIngestKey,
  senderOf,
} from '../events/index.ts'
import type { SeenNotes } from '../seen/index.ts'
import { answerFor, type Failure, isFailure, type OfrepCode, setMetadata, statusOf } from './answer.ts'
import { evaluationEvent } from './evaluation-event.ts'
import { evaluators } from './evaluators.ts'
import { freshFiles } from './freshness.ts'
import { contextOf, etagOf, sdkKeyOf, toldBy } from './request.ts'
import { describedBulk, describedFailure, describedRequest, describedSuccess } from './schema.ts'
import type { Exposures } from './worker.ts'

interface Context {
  dataFiles: DataFileStore
  usage: Usage
  exposures: Exposures
  seen: Pick<SeenNotes, 'noteVisitor'>
  ingestKeys: IngestKeys
  background: Background
  now: () => Date
  baseUrl: string
  evaluationsPerMinute: number
  openRoom: OpenRoom
  isUnavailable: (error: unknown) => boolean
}

const url = '/ofrep/v1/evaluate/flags'
const protocolVersion = '0.3'
const maxBytes = 65_536
const retryAfterSeconds = 2
/** The time after which a client should close the stream of changes of a hidden page. */
const inactivityDelaySec = 120
const noteIntervalMs = 10_000
const jsonOnly = /^application\/json\s*(?:;|$)/i

/**
 * Evaluates flags for clients of the OpenFeature Remote Evaluation Protocol, with the data files in memory: the same
 * answers as an SDK gives, also while the database is away.
 */
export function ofrepRoutes(app: FastifyInstance, context: Context): void {
  const { dataFiles, evaluationsPerMinute, isUnavailable } = context
  const { evaluateAll, evaluateOne } = evaluating(context)

  acceptFromSdks(app, {
    addresses: [
      { url, described: allOperation, handle: evaluateAll },
      { url: `${url}/:key`, described: oneOperation, handle: evaluateOne },
    ],
    what: 'evaluations',
    maxBytes,
    perMinute: evaluationsPerMinute,
    openRoom: context.openRoom,
    // Unknown keys count for the address alone, so that guessing them is limited too.
    subjectOf({ headers, ip }) {
      const sdkKey = sdkKeyOf(headers)
      const address = addressSubject(ip)
      return sdkKey !== undefined && dataFiles.findHeld(sdkKey) ? `${sdkKey} ${address}` : address
    },
    retryAfterSeconds,
    isUnavailable,
    failure: (errorDetails, status, { params }) => {
      const { key } = (params ?? {}) as { key?: string }
      const errorCode: OfrepCode = status === 400 ? 'PARSE_ERROR' : 'GENERAL'
      return { ...(key !== undefined && { key }), errorCode, errorDetails } satisfies Failure
    },
    mediaTypes: jsonOnly,
    allowedHeaders: 'Authorization, X-API-Key, Content-Type, If-None-Match',
    exposedHeaders: 'ETag, Retry-After, X-Request-Id',
  })
}

function evaluating(context: Context) {
  const { dataFiles, exposures, ingestKeys, now, baseUrl } = context
  const evaluatorOf = evaluators()
  const freshFile = freshFiles(dataFiles)
  const note = noting(context)
  const see = seeing(context)
  const streamFolder = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/api/sdk/v1/stream`

  async function fileFor({ headers, query }: FastifyRequest) {
    const sdkKey = sdkKeyOf(headers)
    const file = sdkKey === undefined ? undefined : await freshFile(sdkKey, toldBy(query as Record<string, unknown>))
    return sdkKey !== undefined && file ? { sdkKey, file } : undefined
  }

  const evaluateOne: SdkAddress['handle'] = async (request, reply) => {
    const { key } = request.params as { key: string }
    const found = await fileFor(request)
    if (!found) return unauthorized(reply, key)
    const { sdkKey, file } = found
    const read = contextOf(request.body)
    if ('errorCode' in read) return reply.code(statusOf[read.errorCode]).send({ key, ...read })
    const { evaluator } = await evaluatorOf(file)
    const evaluation = evaluator.evaluate(key, read.context, now().getTime())
    const answer = answerFor(key, evaluation, file)
    currentSpan()?.tell(...evaluationEvent(answer, file))
    if (isFailure(answer)) return reply.code(statusOf[answer.errorCode]).send(answer)
    note(sdkKey, file, key)
    see(request, file, read.context)
    const { envId } = file
    if (evaluation.measured) {
      // A visitor gets the value whatever the key is: revoking a key must not switch flags off.
      const admission = ingestKeys.admitKnown(envId, senderOf(request))
      const isBot = isBotRequest(request.headers)
      exposures.add({ envId, flagKey: key, evaluation, context: read.context, isBot, ...admission })
    }
    return reply.header('cache-control', 'no-store').send(answer)
  }

  const evaluateAll: SdkAddress['handle'] = async (request, reply) => {
    const found = await fileFor(request)
    if (!found) return unauthorized(reply)
    const { sdkKey, file } = found
    const read = contextOf(request.body)
    if ('errorCode' in read) return reply.code(statusOf[read.errorCode]).send(read)
    note(sdkKey, file)
    see(request, file, read.context)
    const { evaluator, flagKeys, readsClock } = await evaluatorOf(file)
    const evaluated = () => {
      const found = evaluator.evaluateAll(read.context, now().getTime())
      const answers = flagKeys.map((key) => answerFor(key, found.get(key)!, file))
      const span = currentSpan()
      if (span) for (const answer of answers) span.tell(...evaluationEvent(answer, file))
      return answers
    }
    const timed = readsClock ? evaluated() : undefined
    const etag = etagOf(file.etag, read.context, timed && JSON.stringify(timed))
    reply.headers({ etag, 'cache-control': 'no-store' })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const eventStreams = [{ type: 'sse', endpoint: { requestUri: `${streamFolder}/${sdkKey}` }, inactivityDelaySec }]
    return reply.send({ flags: timed ?? evaluated(), metadata: setMetadata(file), eventStreams })
  }

  return { evaluateAll, evaluateOne }
}

/**
 * Notes that a client uses the environment and, if there is a flag, that it was evaluated. Costs nothing most of the
 * time.
 */
function noting({ usage, background, now, openRoom }: Pick<Context, 'usage' | 'background' | 'now' | 'openRoom'>) {
  const due = throttle(now, noteIntervalMs, openRoom('usage'))
  const client = { sdkType: 'ofrep', sdkVersion: protocolVersion, instanceId: '', revision: null }
  return (sdkKey: string, { envId }: ServedDataFile, flagKey?: string): void => {
    usage.used(sdkKey, 'EVALUATION')
    if (due.isDue(sdkKey)) background.run(() => usage.serves(envId, client, sdkKey))
    if (flagKey !== undefined && due.isDue(`${envId} ${flagKey}`))
      background.run(() => usage.evaluated(envId, [flagKey]))
  }
}

/** Notes the attributes of a visitor who could be counted. Costs nothing most of the time. */
function seeing({ seen, ingestKeys, now }: Pick<Context, 'seen' | 'ingestKeys' | 'now'>) {
  return (request: FastifyRequest, { envId }: ServedDataFile, context: EvaluationContext): void => {
    const unit = userOf(context)
    if (!isUnit(unit)) return
    const factsOfPerson = () => {
      const { lacksKeyFor } = ingestKeys.admitKnown(envId, senderOf(request))
      if (needsIngestKey('exposure', lacksKeyFor) || isBotRequest(request.headers)) return null
      const { userAgent } = context
      return typeof userAgent === 'string' && isBotAgent(userAgent) ? null : factsOf(context)
    }
    seen.noteVisitor(envId, unit, factsOfPerson, now())
  }
}

function unauthorized(reply: FastifyReply, key?: string): FastifyReply {
  const errorDetails = 'Send the SDK key of an environment, as "Authorization: Bearer" or "X-API-Key".'
  const failure: Failure = { ...(key !== undefined && { key }), errorCode: 'GENERAL', errorDetails }
  return reply.code(401).header('www-authenticate', 'Bearer').send(failure)
}

const failed = (description: string, headers: readonly ('WWW-Authenticate' | 'Retry-After')[] = []) => ({
  description,
  headers: [...crossOriginHeaders, ...headers],
  content: { 'application/json': describedFailure },
})

const failures = {
  400: failed('The body or its context is not valid, or the flag cannot be read'),
  401: failed('The SDK key is missing or unknown', ['WWW-Authenticate']),
  413: failed('The body is larger than 64 KB'),
  415: failed('The body is not JSON'),
  429: failed('Too many evaluations with this SDK key from this address', ['Retry-After']),
  500: failed('Internal error'),
  503: failed('The database does not answer, and this node does not know the SDK key yet', ['Retry-After']),
}

const access = 'Requires the SDK key of an environment as bearer token or in `X-API-Key`. The key is public.'

const oneOperation = sdkOperation({
  operationId: 'evaluateFlagByOfrep',
  summary: 'Evaluate a flag through OFREP',
  description: `Single evaluation of the OpenFeature Remote Evaluation Protocol 0.3. If the rule that decides counts visitors, this call counts the visitor. If the environment requires an ingest key for exposures (\`ingestKeyRequiredFor\`), send it as bearer token and the SDK key in \`X-API-Key\`: without a key of the environment, the answer is the same and the visitor does not count.\n\n${access}`,
  params: z.object({ key: z.string().meta({ description: 'The key of the flag.' }) }),
  hasKeyInHeader: true,
  takesIngestKey: true,
  body: describedRequest,
  answers: {
    200: {
      description: 'The value that the visitor gets',
      headers: ['Cache-Control', ...crossOriginHeaders],
      content: { 'application/json': describedSuccess },
    },
    404: failed('The flag does not exist in the environment, or it is archived'),
    ...failures,
  },
})

const allOperation = sdkOperation({
  operationId: 'evaluateFlagsByOfrep',
  summary: 'Evaluate all flags through OFREP',
  description: `Bulk evaluation of the OpenFeature Remote Evaluation Protocol 0.3. It counts no visitor, because the client does not show all of these flags.\n\n${access}`,
  hasKeyInHeader: true,
  headers: z.looseObject({
    'if-none-match': z.string().optional().meta({
      description: 'The ETag of the answers that you have. If they are current, the answer is 304.',
    }),
  }),
  body: describedRequest,
  answers: {
    200: {
      description: 'What the visitor gets from every flag',
      headers: ['ETag', 'Cache-Control', ...crossOriginHeaders],
      content: { 'application/json': describedBulk },
    },
    304: {
      description: 'The answers with the ETag in `If-None-Match` are current',
      headers: ['ETag', 'Cache-Control', ...crossOriginHeaders],
    },
    ...failures,
  },
})
