import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../../catalogue/refusals.ts'
import { type ErrorContext, sendRefusal } from '../../../http/errors.ts'
import { eventStreamHeaders } from '../../../http/headers.ts'
import { addressSubject } from '../../../http/limits/address.ts'
import { crossOriginHeaders } from '../../../http/openapi/answer-headers.ts'
import { sdkOperation } from '../../../http/openapi/operation.ts'
import { anyOrigin, type DataFileStore, sdkKeyField } from '../datafile/index.ts'
import { lastSeen } from './frame.ts'
import { streamSchema } from './schema.ts'
import type { DataFileStreams } from './worker.ts'

const preflightSeconds = 86_400

/** Notifies SDKs of newer data files. Like the files, the stream is public and does not need the database. */
export function serveStreams(
  app: FastifyInstance,
  store: DataFileStore,
  streams: DataFileStreams,
  errors: ErrorContext,
): void {
  const url = '/api/sdk/v1/stream/:sdkKey'
  const schema = { hide: true }
  const config = { quiet: true, described: { url, schema: streamOperation } } as const
  app.get<{ Params: { sdkKey: string } }>(url, { config }, async (request, reply) => {
    reply.headers(anyOrigin)
    const { sdkKey } = request.params
    const file = await store.find(sdkKey)
    if (!file) return sendRefusal(reply, errors, notFound('Stream'))
    if (request.method === 'HEAD') return reply.headers(eventStreamHeaders).send()
    const address = addressSubject(request.ip)
    const refusal = streams.refusesAnother(file.envId, address)
    if (refusal) return sendRefusal(reply, errors, refusal)
    reply.hijack()
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...eventStreamHeaders })
    const lastEventId = request.headers['last-event-id']
    const client = { sdkKey, address, seen: lastSeen([lastEventId].flat()[0]) }
    await streams.open(client, file, reply.raw)
  })
  app.options(url, { schema, config: { quiet: true } }, async (_request, reply) => {
    return reply
      .headers(anyOrigin)
      .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
      .header('access-control-allow-headers', 'Last-Event-ID, Cache-Control')
      .header('access-control-max-age', preflightSeconds)
      .code(204)
      .send()
  })
}

const streamOperation = sdkOperation({
  operationId: 'streamDataFileChanges',
  summary: 'Stream the changes of a data file',
  description:
    'Announces every new revision while the connection is open. Requires no credential: the SDK key is public.',
  params: z.object({ sdkKey: sdkKeyField }),
  headers: z.looseObject({
    'last-event-id': z.string().optional().meta({
      description: 'The revision that you have. If there is a newer one, the stream begins with it.',
    }),
  }),
  answers: {
    200: {
      description: 'The stream. It ends when the node shuts down; connect again then.',
      headers: ['Cache-Control', ...crossOriginHeaders],
      content: { 'text/event-stream': streamSchema },
    },
  },
  refusals: ['not_found', 'rate_limited', 'internal_error', 'unavailable'],
})
