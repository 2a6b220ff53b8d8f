import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { apiRoutes } from './api.ts'
import { type Config, ConfigError } from './config.ts'
import { hasOrganizations } from './features/accounts/index.ts'
import {
  dataFileStore,
  findDataFileByKey,
  keepDataFiles,
  publishing,
  serveDataFiles,
} from './features/datafile/index.ts'
import { addBuiltInEnvironments } from './features/environments/index.ts'
import { heartbeatRoutes } from './features/heartbeat/index.ts'
import { firstStart, type Provisioning, provision, readProvisioning } from './features/provisioning/index.ts'
import { authenticator, lastUses } from './features/tokens/index.ts'
import { buildApp } from './http/app.ts'
import { serveBrowserSdk } from './http/browser-sdk.ts'
import { serveHealth } from './http/health.ts'
import { describeApi, serveDocs } from './http/openapi.ts'
import { cursors } from './http/page.ts'
import { rateLimits } from './http/rate-limit.ts'
import { routes } from './http/route.ts'
import { systemClock } from './platform/clock.ts'
import { type Database, isUnavailable, migrate, openDatabase } from './platform/db/index.ts'
import { type Authors, authors, systemActor } from './platform/outbox.ts'
import { initialTokenIn, secretKeyIn } from './platform/secret-key.ts'

export const version = '0.1.0'

export interface Service {
  app: FastifyInstance
  database: Database
  baseUrl: string
  /** Says that the node is going away, ends what is in flight, and closes the database. */
  close(): Promise<void>
}

/** Opens everything and hands it to the features. What is opened is closed again when a later step fails. */
export async function compose(config: Config, log: Logger, now: () => Date = systemClock): Promise<Service> {
  const provisioning = config.SVC_BOOTSTRAP_FILE ? await provisioningOf(config.SVC_BOOTSTRAP_FILE) : undefined
  const database = await openDatabase({ url: config.SVC_DATABASE_URL, dataDir: config.SVC_DATA_DIR, log })
  try {
    const { applied } = await migrate(database)
    if (applied.length > 0) log.info({ applied }, 'migrated the database')
    const authorOf = authors([], now)
    const file = provisioning ?? (await welcome(database, config, log))
    if (file) await provision(database.db, addBuiltInEnvironments, authorOf(systemActor('provisioning')), file)
    return await assemble(config, log, now, database, authorOf)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function assemble(
  config: Config,
  log: Logger,
  now: () => Date,
  database: Database,
  authorOf: Authors,
): Promise<Service> {
  const { db } = database
  const baseUrl = config.SVC_BASE_URL ?? defaultBaseUrl(config)
  const errors = { baseUrl, isUnavailable }
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  const app = buildApp({ ...errors, log, trustProxy: config.SVC_TRUST_PROXY })
  await describeApi(app, baseUrl, version)
  const health = serveHealth(app, { ...errors, registry, ping: () => database.ping() })
  const uses = lastUses(db, onError)
  const store = dataFileStore((sdkKey) => findDataFileByKey(db, sdkKey))
  await keepDataFiles(database, store, onError)
  const change = publishing(db, store)
  const route = routes({
    app,
    authenticate: authenticator(db, uses, now),
    rateLimits: rateLimits(generalLimits(config), now),
    authors: authorOf,
    now,
  })
  const secretKey = config.SVC_SECRET_KEY ?? (await secretKeyIn(config.SVC_DATA_DIR))

  apiRoutes(route, { db, now, cursors: cursors(secretKey), change, store, baseUrl })
  serveDataFiles(app, store, errors)
  heartbeatRoutes(app, { db, now, store, isUnavailable })
  await serveBrowserSdk(app)
  await serveDocs(app)
  await app.ready()

  return {
    app,
    database,
    baseUrl,
    async close() {
      health.drain()
      await app.close()
      await uses.stop()
      await database.close()
    },
  }
}

const otherRoutesFactor = 10

const generalLimits = (config: Config) => ({
  read: config.SVC_RATE_LIMIT_READ * otherRoutesFactor,
  write: config.SVC_RATE_LIMIT_WRITE * otherRoutesFactor,
})

function defaultBaseUrl({ SVC_HOST: host, SVC_PORT: port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function provisioningOf(path: string): Promise<Provisioning> {
  const result = await readProvisioning(path)
  if ('provisioning' in result) return result.provisioning
  throw new ConfigError(result.problems.map((problem) => `SVC_BOOTSTRAP_FILE: ${problem}`))
}

/** An empty service without a provisioning file would be closed to everybody: it starts with one token in a file. */
async function welcome(database: Database, config: Config, log: Logger): Promise<Provisioning | undefined> {
  if (await hasOrganizations(database.db)) return undefined
  if (database.kind === 'server') {
    log.warn({}, 'the database holds no organization: name a provisioning file in SVC_BOOTSTRAP_FILE')
    return undefined
  }
  const { path, secret } = await initialTokenIn(config.SVC_DATA_DIR)
  log.info({ path }, 'first start: the file holds a token for everything, see docs/quickstart.md')
  return firstStart(secret)
}
