import type { FastifyInstance } from 'fastify'
import { refuse } from '../catalogue/refusals.ts'
import type { Answered } from './answered.ts'
import { type ErrorContext, sendRefusal, storageFullMessage } from './errors.ts'
import { hidden } from './hidden.ts'

export interface HealthContext extends ErrorContext {
  answered: Answered
  /** Resolves when the database answers. */
  ping: () => Promise<void>
  /** Whether ClickHouse answers; undefined without ClickHouse. */
  clickHouseAnswers?: (() => Promise<boolean>) | undefined
  /** Rejects while the storage of the database is full. */
  requireRoom: () => Promise<void>
}

/** `/healthz` and `/readyz`. */
export function serveHealth(app: FastifyInstance, { answered, ...context }: HealthContext): void {
  // Closes with the answer and not with the request, because a request in flight would keep its connection, and so the
  // node, alive.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (answered.isDraining()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    answered.observe(method, routeOptions.url, statusCode, elapsedTime)
    done()
  })
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    if (answered.isDraining()) return sendRefusal(reply, context, refuse('unavailable', 'This node is shutting down.'))
    try {
      await context.ping()
    } catch (error) {
      if (context.isStorageFull?.(error)) return sendRefusal(reply, context, refuse('storage_full', storageFullMessage))
      return sendRefusal(reply, context, refuse('unavailable', 'The database does not answer.'))
    }
    try {
      await context.requireRoom()
    } catch {
      return sendRefusal(reply, context, refuse('storage_full', storageFullMessage))
    }
    if (!context.clickHouseAnswers) return { status: 'ready' }
    // The node stays ready: it serves data files and takes changes, and only events have to wait.
    return { status: 'ready', clickHouse: (await context.clickHouseAnswers()) ? 'ok' : 'unavailable' }
  })
}
