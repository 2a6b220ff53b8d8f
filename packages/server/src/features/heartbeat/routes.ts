import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseBody } from '../../http/body.ts'
import { Refused } from '../../http/errors.ts'
import type { Db } from '../../platform/db/index.ts'
import { refusals } from '../../refusals.ts'
import type { DataFileStore } from '../datafile/index.ts'
import { saveHeartbeat } from './queries.ts'
import { heartbeatBody } from './schema.ts'
import { throttle } from './throttle.ts'

interface Context {
  db: Db
  store: DataFileStore
  now: () => Date
  isUnavailable: (error: unknown) => boolean
}

const maxBeatBytes = 4096
const preflightSeconds = 86_400

/**
 * Older than the versioned API: it answers `{ success: true }` or `{ error: "…" }` and knows no envelope. Browsers send
 * it as text/plain, which spares them the preflight request.
 */
export function heartbeatRoutes(app: FastifyInstance, { db, store, now, isUnavailable }: Context): void {
  const isDue = throttle(now)
  const url = '/api/sdk/heartbeat'
  const schema = { hide: true }
  void app.register(async (scope) => {
    scope.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, bytes, done) => {
      const body = parseBody(bytes as Buffer)
      if ('refusal' in body) done(new Refused(body.refusal))
      else done(null, body.value)
    })
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = statusOf(error)
      if (status >= 500) request.log.error({ err: error }, 'heartbeat failed')
      return reply.code(status).send({ error: status >= 500 ? 'The service cannot answer now.' : error.message })
    })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('access-control-allow-origin', '*')
    })
    scope.options(url, { schema, config: { quiet: true } }, async (_request, reply) => allowPosting(reply))
    scope.post(url, { schema, bodyLimit: maxBeatBytes, config: { quiet: true } }, async (request, reply) => {
      const beat = heartbeatBody.safeParse(request.body)
      if (!beat.success) {
        const [issue] = beat.error.issues
        return reply.code(400).send({ error: `${issue?.path.join('.') || 'body'}: ${issue?.message}` })
      }
      const { sdkKey, instanceId = '', ...sdk } = beat.data
      const environment = await store.find(sdkKey)
      if (!environment) return reply.code(401).send({ error: 'Unknown SDK key' })
      const { envId } = environment
      if (isDue(JSON.stringify([envId, sdk, instanceId]))) await saveHeartbeat(db, { envId, ...sdk, instanceId }, now())
      return { success: true }
    })
  })

  function statusOf(error: Error & { statusCode?: number }): number {
    if (error instanceof Refused) return refusals[error.refusal.refusal].status
    if (isUnavailable(error)) return 503
    return error.statusCode ?? 500
  }
}

function allowPosting(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-methods', 'POST, OPTIONS')
    .header('access-control-allow-headers', 'Content-Type')
    .header('access-control-max-age', preflightSeconds)
    .code(204)
    .send()
}
