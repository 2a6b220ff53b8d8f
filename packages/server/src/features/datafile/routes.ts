import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ErrorContext, sendRefusal } from '../../http/errors.ts'
import { notFound } from '../../refusals.ts'
import { encodingFor, isKnown } from './negotiation.ts'
import type { DataFileStore } from './store.ts'
import { dataFileFolder } from './url.ts'

const cacheControl = 'public, max-age=0, s-maxage=10, stale-while-revalidate=30, stale-if-error=86400'
const preflightSeconds = 86_400

/** What SDKs fetch: public, from memory, precompressed, cheap to revalidate. */
export function serveDataFiles(app: FastifyInstance, store: DataFileStore, errors: ErrorContext): void {
  const url = `${dataFileFolder}/:file`
  const schema = { hide: true }
  app.get<{ Params: { file: string } }>(url, { schema, config: { quiet: true } }, async (request, reply) => {
    allowAnyOrigin(reply)
    const { file } = request.params
    const held = file.endsWith('.json') ? await store.find(file.slice(0, -'.json'.length)) : undefined
    if (!held) return sendRefusal(reply, errors, notFound('Data file'))
    reply.header('etag', held.etag).header('cache-control', cacheControl).header('vary', 'Accept-Encoding')
    if (isKnown(request.headers['if-none-match'], held.etag)) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(await held.body(encoding))
  })
  app.options(url, { schema, config: { quiet: true } }, async (_request, reply) => {
    allowAnyOrigin(reply)
    return reply
      .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
      .header('access-control-allow-headers', 'If-None-Match')
      .header('access-control-max-age', preflightSeconds)
      .code(204)
      .send()
  })
}

function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'ETag')
}
