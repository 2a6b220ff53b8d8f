import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { pino } from 'pino'
import { type ApiContext, apiRoutes } from '../packages/server/src/api.ts'
import { refuse } from '../packages/server/src/catalogue/refusals.ts'
import { dashboardRoutes } from '../packages/server/src/dashboard-api.ts'
import { buildApp } from '../packages/server/src/http/app.ts'
import { attemptLimits } from '../packages/server/src/http/attempt-limit.ts'
import { ownWindows } from '../packages/server/src/http/count-windows.ts'
import { sessionCookieOf } from '../packages/server/src/http/credentials.ts'
import { describeApi } from '../packages/server/src/http/openapi.ts'
import { cursors } from '../packages/server/src/http/page.ts'
import { personRoutes } from '../packages/server/src/http/person-route.ts'
import { rateLimits } from '../packages/server/src/http/rate-limit.ts'
import { routes } from '../packages/server/src/http/route.ts'
import { background } from '../packages/server/src/platform/background.ts'
import { authors } from '../packages/server/src/platform/outbox.ts'
import { sealWith } from '../packages/server/src/platform/seal.ts'
import { inTurn } from '../packages/server/src/turns.ts'
import { dataFileStore, publishing } from '../packages/server/src/wings/serving/datafile/index.ts'

const baseUrl = 'http://127.0.0.1:4000'
const none = { read: 0, write: 0 }
const now = () => new Date(0)
const nobody = async () => refuse('unauthorized', 'Nobody is let in here.')

/** The OpenAPI document of every route of the API and of the dashboard; nothing is opened, and nobody is asked anything. */
export async function apiDescription(version: string): Promise<object> {
  const db = withoutDatabase()
  const store = dataFileStore(async () => undefined)
  const app = buildApp({ baseUrl, isUnavailable: () => false, log: pino({ level: 'silent' }), trustProxy: false })
  await describeApi(app, baseUrl, version)
  const manners = {
    app,
    authenticate: { inTurn: inTurn({ atOnce: 1, waitingAtMost: 0 }), bearer: nobody, session: nobody },
    cookie: sessionCookieOf(baseUrl),
    rateLimits: rateLimits({ webhooks: none, general: none, 'sign-in': none }, now),
    authors: authors([], now),
    now,
  }
  // Routes only hand these on when they are called, and here nobody calls them.
  const deliveries = { database: { db } } as ApiContext['deliveries']
  const confirmations = {} as ApiContext['confirmations']
  const context = {
    db,
    now,
    cursors: cursors(Buffer.alloc(32)),
    change: publishing(db, store, baseUrl),
    store,
    confirmations,
    baseUrl,
    mailer: null,
    attempts: attemptLimits(ownWindows),
    rotationGraceMs: 0,
  }
  apiRoutes(routes(manners), { ...context, deliveries })
  dashboardRoutes(personRoutes(manners), {
    ...context,
    seal: sealWith(Buffer.alloc(32)),
    background: background(() => undefined),
    authors: manners.authors,
    offered: { providers: [], mail: false },
    providers: [],
    onFailure: () => undefined,
    onProviderFailure: () => undefined,
  })
  await app.ready()
  return app.swagger()
}

/** Registering routes needs a Kysely to hand on, and runs no query on it. */
const withoutDatabase = (): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
