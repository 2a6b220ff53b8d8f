import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../../catalogue/refusals.ts'
import type { FindAnswer } from '../../../http/ahead.ts'
import { type ErrorContext, sendRefusal } from '../../../http/errors.ts'
import { crossOriginHeaders } from '../../../http/openapi/answer-headers.ts'
import { sdkOperation } from '../../../http/openapi/operation.ts'
import { answerWith, anyOrigin } from './answer.ts'
import { dataFileSchema, sdkKeyField } from './schema.ts'
import type { DataFileStore } from './store.ts'
import { dataFileFolder } from './url.ts'

const suffix = '.json'
const route = `${dataFileFolder}/:file`
const preflightSeconds = 86_400

/** Notes that somebody asks with this SDK key. */
type Used = (sdkKey: string) => void

/** Serves data files to SDKs: public, precompressed and from memory. */
export function serveDataFiles(
  app: FastifyInstance,
  store: DataFileStore,
  { used, ...errors }: ErrorContext & { used: Used },
): void {
  const schema = { hide: true }
  const config = { quiet: true, described: describedDataFile } as const
  app.get<{ Params: { file: string } }>(route, { config }, async (request, reply) => {
    // Set first, so that pages of any origin can read error responses too.
    reply.headers(anyOrigin)
    const { file } = request.params
    const sdkKey = file.slice(0, -suffix.length)
    const held = file.endsWith(suffix) ? await store.find(sdkKey) : undefined
    if (!held) return sendRefusal(reply, errors, notFound('Data file'))
    used(sdkKey)
    const { headers, encoding } = answerWith(held, request.headers)
    reply.headers(headers)
    return encoding ? reply.send(await held.body(encoding)) : reply.code(304).send()
  })
  app.options(route, { schema, config: { quiet: true } }, async (_request, reply) => {
    return reply
      .headers(anyOrigin)
      .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
      .header('access-control-allow-headers', 'If-None-Match')
      .header('access-control-max-age', preflightSeconds)
      .code(204)
      .send()
  })
}

/** The same answers before the web framework, for files in memory. SDKs request them every half minute. */
export function dataFilesAhead(store: DataFileStore, used: Used): FindAnswer {
  const prefix = `${dataFileFolder}/`
  return ({ method, url = '', headers: asked }) => {
    if (method !== 'GET' || !url.startsWith(prefix) || !url.endsWith(suffix)) return undefined
    const sdkKey = url.slice(prefix.length, -suffix.length)
    const held = store.findHeld(sdkKey)
    if (!held) return undefined
    used(sdkKey)
    const { headers, encoding } = answerWith(held, asked)
    if (!encoding) return { route, status: 304, headers }
    const body = held.body(encoding)
    return body instanceof Promise ? undefined : { route, status: 200, headers, body }
  }
}

const describedHeaders = ['ETag', 'Cache-Control', 'Vary', ...crossOriginHeaders] as const

/** Unlike the route, the document names the key alone: the address ends in `.json`. */
const describedDataFile = {
  url: `${dataFileFolder}/:sdkKey.json`,
  schema: sdkOperation({
    operationId: 'getDataFile',
    summary: 'Get the data file of an environment',
    description:
      'The data file is what SDKs evaluate. It is served from memory and can be cached. Requires no credential: the SDK key is public.',
    params: z.object({ sdkKey: sdkKeyField }),
    headers: z.looseObject({
      'if-none-match': z.string().optional().meta({
        description: 'The ETag of the file that you have. If it is current, the answer is 304.',
      }),
    }),
    answers: {
      200: { description: 'The data file', headers: describedHeaders, content: { 'application/json': dataFileSchema } },
      304: { description: 'The file with the ETag in `If-None-Match` is current', headers: describedHeaders },
    },
    refusals: ['not_found', 'internal_error', 'unavailable'],
  }),
}
