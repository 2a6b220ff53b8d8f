import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../catalogue/refusals.ts'
import type { FindAnswer } from '../../../http/ahead.ts'
import { type ErrorContext, sendRefusal } from '../../../http/errors.ts'
import { answerWith, anyOrigin } from './answer.ts'
import type { DataFileStore } from './store.ts'
import { dataFileFolder } from './url.ts'

const suffix = '.json'
const route = `${dataFileFolder}/:file`
const preflightSeconds = 86_400

/** Serves data files to SDKs: public, precompressed and from memory. */
export function serveDataFiles(app: FastifyInstance, store: DataFileStore, errors: ErrorContext): void {
  const schema = { hide: true }
  app.get<{ Params: { file: string } }>(route, { schema, config: { quiet: true } }, async (request, reply) => {
    // Set first, so that pages of any origin can read error responses too.
    reply.headers(anyOrigin)
    const { file } = request.params
    const held = file.endsWith(suffix) ? await store.find(file.slice(0, -suffix.length)) : undefined
    if (!held) return sendRefusal(reply, errors, notFound('Data file'))
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
export function dataFilesAhead(store: DataFileStore): FindAnswer {
  const prefix = `${dataFileFolder}/`
  return ({ method, url = '', headers: asked }) => {
    if (method !== 'GET' || !url.startsWith(prefix) || !url.endsWith(suffix)) return undefined
    const held = store.findHeld(url.slice(prefix.length, -suffix.length))
    if (!held) return undefined
    const { headers, encoding } = answerWith(held, asked)
    if (!encoding) return { route, status: 304, headers }
    const body = held.body(encoding)
    return body instanceof Promise ? undefined : { route, status: 200, headers, body }
  }
}
