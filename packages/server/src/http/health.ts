import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { refuse } from '../refusals.ts'
import { type ErrorContext, sendRefusal } from './errors.ts'

export interface HealthContext extends ErrorContext {
  registry: Registry
  /** Resolves when the database answers. */
  ping: () => Promise<void>
}

/** `/healthz`, `/readyz`, `/metrics`. The returned function makes the node say that it is draining. */
export function serveHealth(app: FastifyInstance, context: HealthContext): { drain: () => void } {
  let draining = false
  const seconds = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time to answer, by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [context.registry],
  })
  // With the answer, not with the request: a request in flight would else keep its connection, and the node, alive.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode }
    seconds.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  const hidden = { schema: { hide: true }, config: { quiet: true } } as const
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    if (draining) return sendRefusal(reply, context, refuse('unavailable', 'This node is shutting down.'))
    try {
      await context.ping()
    } catch {
      return sendRefusal(reply, context, refuse('unavailable', 'The database does not answer.'))
    }
    return { status: 'ready' }
  })
  app.get('/metrics', hidden, async (_request, reply) => {
    return reply.type(context.registry.contentType).send(await context.registry.metrics())
  })
  return {
    drain() {
      draining = true
    },
  }
}
