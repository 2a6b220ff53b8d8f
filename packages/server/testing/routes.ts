import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { refuse } from '../src/catalogue/refusals.ts'
import { buildApp } from '../src/http/app.ts'
import { sessionCookieOf } from '../src/http/credentials.ts'
import { type RateClass, rateLimits } from '../src/http/limits/rate-limit.ts'
import { type Route, type RouteContext, routes } from '../src/http/route.ts'
import { isUnavailable } from '../src/platform/db/index.ts'
import { authors } from '../src/platform/outbox.ts'
import { inTurn } from '../src/turns.ts'
import { authenticator, lastUses } from '../src/wings/people/tokens/index.ts'
import type { TestService } from './service.ts'

interface TestRoutes {
  perMinute?: Record<RateClass, number>
  log?: Logger
  missingOf?: RouteContext['missingOf']
}

const baseUrl = 'http://svc.test'
const unlimited = { read: 1_000_000, write: 1_000_000 }

/** A second web server on the database of a running service, with routes that only the test has. */
export async function startTestRoutes(
  { db }: TestService,
  register: (route: Route) => void,
  {
    perMinute = unlimited,
    log = pino({ level: 'silent' }),
    missingOf = async (_caller, names) => ({ names }),
  }: TestRoutes = {},
): Promise<FastifyInstance> {
  const now = () => new Date()
  const app = buildApp({ baseUrl, isUnavailable, log, trustProxy: false })
  const uses = lastUses(db, () => undefined)
  app.addHook('onClose', () => uses.stop())
  const authenticate = {
    inTurn: inTurn({ atOnce: 4, waitingAtMost: 1_000 }),
    bearer: authenticator(db, uses, now),
    session: async () => refuse('unauthorized', 'Nobody.'),
    editor: async () => refuse('unauthorized', 'Nobody.'),
  }
  const limits = rateLimits({ webhooks: perMinute, general: perMinute, 'sign-in': perMinute }, now)
  const cookie = sessionCookieOf(baseUrl)
  register(
    routes({
      app,
      db,
      authenticate,
      cookie,
      rateLimits: limits,
      authors: authors([], now),
      now,
      idsOf: async (_orgId, names) => names,
      missingOf,
      withIds: async (_project, sent) => sent,
    }),
  )
  await app.ready()
  return app
}
