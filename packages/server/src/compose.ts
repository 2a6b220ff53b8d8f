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
import {
  type DeliveryContext,
  type DeliveryWorker,
  deliveryWorker,
  fanOut,
  observeDeliveries,
} from './features/webhooks/index.ts'
import { buildApp } from './http/app.ts'
import { serveBrowserSdk } from './http/browser-sdk.ts'
import { serveHealth } from './http/health.ts'
import { describeApi, serveDocs } from './http/openapi.ts'
import { cursors } from './http/page.ts'
import { type RateTable, rateLimits, sharedRateLimits } from './http/rate-limit.ts'
import { routes } from './http/route.ts'
import { systemClock } from './platform/clock.ts'
import { type Database, isUnavailable, migrate, openDatabase } from './platform/db/index.ts'
import { type Outbound, openOutbound } from './platform/outbound/index.ts'
import { type Authors, authors, systemActor } from './platform/outbox.ts'
import { connectRedis, type RedisConnection } from './platform/redis.ts'
import { sealWith } from './platform/seal.ts'
import { initialTokenIn, secretKeyIn } from './platform/secret-key.ts'

export const version = '0.1.0'

export interface Service {
  app: FastifyInstance
  database: Database
  baseUrl: string
  deliveries: DeliveryWorker
  /** Says that the node is going away, ends what is in flight, and closes the database. */
  close(): Promise<void>
}

/** What tests replace: the clock and the way out to customers' servers. */
export interface World {
  now: () => Date
  outbound: Outbound
}

/** Opens everything and hands it to the features. What is opened is closed again when a later step fails. */
export async function compose(config: Config, log: Logger, world: Partial<World> = {}): Promise<Service> {
  const { now = systemClock, outbound = outboundOf(config) } = world
  const provisioning = config.SVC_BOOTSTRAP_FILE ? await provisioningOf(config.SVC_BOOTSTRAP_FILE) : undefined
  const database = await openDatabase({ url: config.SVC_DATABASE_URL, dataDir: config.SVC_DATA_DIR, log })
  const redis = config.SVC_REDIS_URL ? await connectRedis(config.SVC_REDIS_URL) : undefined
  try {
    const { applied } = await migrate(database)
    if (applied.length > 0) log.info({ applied }, 'migrated the database')
    const authorOf = authors([fanOut], now)
    const file = provisioning ?? (await welcome(database, config, log))
    if (file) await provision(database.db, addBuiltInEnvironments, authorOf(systemActor('provisioning')), file)
    return await assemble(config, log, { now, outbound }, { database, redis }, authorOf)
  } catch (error) {
    redis?.close()
    await database.close()
    throw error
  }
}

interface Opened {
  database: Database
  redis: RedisConnection | undefined
}

async function assemble(
  config: Config,
  log: Logger,
  { now, outbound }: World,
  { database, redis }: Opened,
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
    rateLimits: redis ? sharedRateLimits(perMinute(config), now, redis, log) : rateLimits(perMinute(config), now),
    authors: authorOf,
    now,
  })
  const secretKey = config.SVC_SECRET_KEY ?? (await secretKeyIn(config.SVC_DATA_DIR))
  const deliveries: DeliveryContext = {
    database,
    post: outbound.post,
    seal: sealWith(secretKey),
    authorOf,
    settings: {
      ladderMs: config.SVC_WEBHOOK_RETRY_DELAYS,
      timeoutMs: config.SVC_WEBHOOK_TIMEOUT,
      retentionMs: config.SVC_DELIVERY_RETENTION,
    },
    observe: observeDeliveries(registry, log, db, now),
    now,
  }
  const worker = deliveryWorker(deliveries)

  const context = { db, now, cursors: cursors(secretKey), change, store, baseUrl }
  apiRoutes(route, { ...context, deliveries: { ...deliveries, checkUrl: outbound.checkUrl } })
  serveDataFiles(app, store, errors)
  heartbeatRoutes(app, { db, now, store, isUnavailable })
  await serveBrowserSdk(app)
  await serveDocs(app)
  await app.ready()
  await worker.start()

  return {
    app,
    database,
    baseUrl,
    deliveries: worker,
    async close() {
      health.drain()
      await app.close()
      await worker.stop()
      await outbound.close()
      await uses.stop()
      redis?.close()
      await database.close()
    },
  }
}

const outboundOf = (config: Config): Outbound =>
  openOutbound({
    allowedHosts: config.SVC_WEBHOOK_ALLOWED_HOSTS,
    proxyUrl: config.SVC_WEBHOOK_PROXY_URL,
    timeoutMs: config.SVC_WEBHOOK_TIMEOUT,
  })

const otherRoutesFactor = 10

const perMinute = ({ SVC_RATE_LIMIT_READ: read, SVC_RATE_LIMIT_WRITE: write }: Config): RateTable => ({
  webhooks: { read, write },
  general: { read: read * otherRoutesFactor, write: write * otherRoutesFactor },
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
