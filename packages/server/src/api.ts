import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { type AppOptions, buildApp } from './http/app.ts'
import { credentialRoutes } from './http/credential-route.ts'
import { sessionCookieOf } from './http/credentials.ts'
import { type RateTable, rateLimits } from './http/limits/rate-limit.ts'
import { describeApi } from './http/openapi/openapi.ts'
import { personRoutes } from './http/person-route.ts'
import { routes } from './http/route.ts'
import type { Platform } from './open-platform.ts'
import { isUnavailable } from './platform/db/index.ts'
import { connectionsWithin, openFilesMax } from './platform/open-files.ts'
import { inTurn } from './turns.ts'
import { version } from './version.ts'
import type { Wing } from './wing.ts'
import type { Wings } from './wings.ts'

// Half of the database connections. The wait limit is as long as the wait for a connection.
const lookUps = { atOnce: 5, waitingAtMost: 10_000, patienceMs: 5_000 }
const otherRoutesFactor = 10
/** How many passwords, codes and links one address can try. */
const signInsPerMinute = 30

type Ground = Omit<Platform, 'close'>
type Ahead = Pick<AppOptions, 'answerAhead' | 'port' | 'isStorageFull'>

/**
 * The web server with every route of every wing. The OpenAPI document is printed from it. Without wings, it serves only
 * the routes that are registered later.
 */
export async function buildApi(
  platform: Ground,
  wings: Wings | undefined,
  ahead: Ahead = {},
): Promise<FastifyInstance> {
  const { config, log, now, baseUrl, windows, authorOf, tracing } = platform
  const openFiles = openFilesMax()
  const maxConnections = openFiles === null ? undefined : connectionsWithin(openFiles)
  const trustProxy = config.SVC_TRUST_PROXY
  const app = buildApp({ baseUrl, isUnavailable, log, trustProxy, maxConnections, tracing, ...ahead })
  if (!wings) return app
  await describeApi(app, baseUrl, version)
  const manners = {
    app,
    db: platform.database.db,
    authenticate: { inTurn: inTurn(lookUps), ...wings.people.authenticate, ...wings.measuring.authenticate },
    cookie: sessionCookieOf(baseUrl),
    rateLimits: rateLimits(perMinute(config), now, windows),
    authors: authorOf,
    now,
    idsOf: wings.flags.idsOf,
    missingOf: wings.flags.missingOf,
    withIds: wings.flags.withIds,
  }
  if (!manners.cookie.secure)
    log.warn({ baseUrl }, 'sessions are sent in clear text: serve https and set SVC_BASE_URL to the https address')
  const route = routes(manners)
  const personRoute = personRoutes(manners)
  const credentialRoute = credentialRoutes(manners)
  for (const wing of Object.values<Wing>(wings)) {
    wing.credentialRoutes?.(credentialRoute)
    wing.routes?.(route)
    wing.personRoutes?.(personRoute)
    wing.serve?.(app)
  }
  return app
}

const perMinute = ({ SVC_RATE_LIMIT_READ: read, SVC_RATE_LIMIT_WRITE: write }: Config): RateTable => ({
  webhooks: { read, write },
  general: { read: read * otherRoutesFactor, write: write * otherRoutesFactor },
  'sign-in': { read: read * otherRoutesFactor, write: signInsPerMinute },
})
