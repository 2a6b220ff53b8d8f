import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { apiRoutes } from './api.ts'
import { baseUrlOf, type Config, ConfigError } from './config.ts'
import { dashboardRoutes } from './dashboard-api.ts'
import { answersAhead } from './http/ahead.ts'
import { answered } from './http/answered.ts'
import { buildApp } from './http/app.ts'
import { attemptLimits } from './http/attempt-limit.ts'
import { serveBrowserSdk } from './http/browser-sdk.ts'
import { ownWindows, sharedWindows } from './http/count-windows.ts'
import { sessionCookieOf } from './http/credentials.ts'
import { serveDashboard } from './http/dashboard.ts'
import { drainable } from './http/drain.ts'
import { serveHealth } from './http/health.ts'
import { describeApi, serveDocs } from './http/openapi.ts'
import { cursors } from './http/page.ts'
import { personRoutes } from './http/person-route.ts'
import { type RateTable, rateLimits } from './http/rate-limit.ts'
import { routes } from './http/route.ts'
import { background } from './platform/background.ts'
import { systemClock } from './platform/clock.ts'
import { type Database, isUnavailable, migrate, openDatabase } from './platform/db/index.ts'
import type { Mailer } from './platform/mail.ts'
import type { Provider } from './platform/oidc/provider.ts'
import { type Outbound, openOutbound } from './platform/outbound/index.ts'
import { type Authors, authors, systemActor } from './platform/outbox.ts'
import type { RedisConnection } from './platform/redis.ts'
import { sealWith } from './platform/seal.ts'
import { initialTokenIn, secretKeyIn } from './platform/secret-key.ts'
import { inTurn } from './turns.ts'
import { addBuiltInEnvironments } from './wings/flags/environments/index.ts'
import { type ScheduleWorker, scheduleWorker } from './wings/flags/schedules/index.ts'
import { flip } from './wings/flags/switches/index.ts'
import { hasOrganizations } from './wings/people/accounts/index.ts'
import { deleteOwnerLinks, linkUrl, renewOwnerLink } from './wings/people/links/index.ts'
import { sessionAuthenticator, sessionUses, sweepSessions } from './wings/people/sessions/index.ts'
import { authenticator, expiryWarnings, lastUses } from './wings/people/tokens/index.ts'
import {
  dataFileStore,
  dataFilesAhead,
  findDataFileByKey,
  keepDataFiles,
  publishing,
  serveDataFiles,
} from './wings/serving/datafile/index.ts'
import { confirmations, heartbeatRoutes } from './wings/serving/heartbeat/index.ts'
import { dataFileStreams, serveStreams } from './wings/serving/stream/index.ts'
import { firstStart, type Provisioning, provision, readProvisioning } from './wings/setup/provisioning/index.ts'
import {
  type DeliveryContext,
  type DeliveryWorker,
  deliveryWorker,
  fanOut,
  observeDeliveries,
} from './wings/telling/webhooks/index.ts'

export const version = '0.1.0'

// Of the 15 seconds that a node has to end in.
const attemptsEndMs = 12_000
// Half of the connections to the database, and no longer than one of them is waited for.
const lookUps = { atOnce: 5, waitingAtMost: 10_000, patienceMs: 5_000 }

export interface Service {
  app: FastifyInstance
  database: Database
  baseUrl: string
  deliveries: DeliveryWorker
  schedules: ScheduleWorker
  /** Says that the node is going away, ends what is in flight, and closes the database. */
  close(): Promise<void>
}

/** What tests replace: the clock and the way out to customers' servers. */
export interface World {
  now: () => Date
  outbound: Outbound
}

/**
 * Opens everything and hands it to the features. What is opened is closed again when a later step fails.
 *
 * @param world `opening`: the database, where it is being opened already
 */
export async function compose(
  config: Config,
  log: Logger,
  world: Partial<World> & { opening?: Promise<Database> } = {},
): Promise<Service> {
  const { now = systemClock, outbound = outboundOf(config), opening } = world
  const provisioning = config.SVC_BOOTSTRAP_FILE ? await provisioningOf(config.SVC_BOOTSTRAP_FILE) : undefined
  const database = await (opening ?? openDatabase({ url: config.SVC_DATABASE_URL, dataDir: config.SVC_DATA_DIR, log }))
  const redis = await redisOf(config)
  try {
    const { applied } = await migrate(database)
    if (applied.length > 0) log.info({ applied }, 'migrated the database')
    const authorOf = authors([fanOut], now)
    const file = provisioning ?? (await welcome(database, config, log))
    if (file) await provision(database.db, addBuiltInEnvironments, authorOf(systemActor('provisioning')), file)
    if (provisioning) await deleteOwnerLinks(database.db)
    else await inviteOwner(database, baseUrlOf(config), now(), log)
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
  const baseUrl = baseUrlOf(config)
  const errors = { baseUrl, isUnavailable }
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  const answers = answered(registry)
  const store = dataFileStore((sdkKey) => findDataFileByKey(db, sdkKey))
  const answerAhead = answersAhead(dataFilesAhead(store), { answered: answers, baseUrl })
  const app = buildApp({ ...errors, log, trustProxy: config.SVC_TRUST_PROXY, answerAhead })
  await describeApi(app, baseUrl, version)
  serveHealth(app, { ...errors, registry, answered: answers, ping: () => database.ping() })
  const drain = drainable(app.server)
  const uses = lastUses(db, onError)
  await keepDataFiles(database, store)
  const change = publishing(db, store, baseUrl)
  const confirming = confirmations(db, now)
  const streams = dataFileStreams(store, { registry, onError })
  const secretKey = config.SVC_SECRET_KEY ?? (await secretKeyIn(config.SVC_DATA_DIR))
  const seal = sealWith(secretKey)
  const windows = redis ? sharedWindows(redis, log) : ownWindows
  const seen = sessionUses(db, onError)
  const sweeps = sweepSessions(db, now, onError)
  const mailer = await mailerOf(config, log)
  const laterWork = background(onError)
  const providers = await providersOf(config, baseUrl, now)
  const manners = {
    app,
    authenticate: {
      inTurn: inTurn(lookUps),
      bearer: authenticator(db, uses, now),
      session: sessionAuthenticator(db, seen, now),
    },
    cookie: sessionCookieOf(baseUrl),
    rateLimits: rateLimits(perMinute(config), now, windows),
    authors: authorOf,
    now,
  }
  if (!manners.cookie.secure)
    log.warn({ baseUrl }, 'sessions travel in clear text: serve https, and name it in SVC_BASE_URL')
  const route = routes(manners)
  const deliveries: DeliveryContext = {
    database,
    post: outbound.post,
    seal,
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

  const schedules = scheduleWorker({ db, change, flip, authorOf, now, onError })
  const warnings = expiryWarnings({ db, authorOf, now, mailer, baseUrl, onError })

  const rotationGraceMs = config.SVC_TOKEN_ROTATION_GRACE
  const context = {
    db,
    now,
    cursors: cursors(secretKey),
    change,
    store,
    baseUrl,
    mailer,
    attempts: attemptLimits(windows),
    rotationGraceMs,
    confirmations: confirming,
  }
  apiRoutes(route, { ...context, deliveries: { ...deliveries, checkUrl: outbound.checkUrl } })
  dashboardRoutes(personRoutes(manners), {
    ...context,
    seal,
    background: laterWork,
    authors: authorOf,
    providers,
    offered: { providers: providers.map(({ id, name }) => ({ id, name })), mail: mailer !== null },
    onFailure: (failure) => log.warn(failure, 'somebody failed to sign in'),
    onProviderFailure: ({ error, ...failure }) => log.warn({ ...failure, err: nameOf(error) }, 'a provider failed'),
  })
  serveDataFiles(app, store, errors)
  serveStreams(app, store, streams, errors)
  heartbeatRoutes(app, { db, now, store, isUnavailable, confirmations: confirming })
  await serveBrowserSdk(app)
  await serveDashboard(app)
  await serveDocs(app)
  await app.ready()
  await worker.start()
  warnings.start()
  schedules.start()
  sweeps.start()

  return {
    app,
    database,
    baseUrl,
    deliveries: worker,
    schedules,
    async close() {
      answers.drain()
      confirming.stop()
      streams.stop()
      const limit = setTimeout(() => outbound.close(), attemptsEndMs)
      // Together: each may wait for as long as an attempt takes.
      await Promise.all([drain(), worker.stop()])
      clearTimeout(limit)
      await app.close()
      await schedules.stop()
      await warnings.stop()
      await outbound.close()
      await uses.stop()
      await seen.stop()
      await sweeps.stop()
      await laterWork.settled()
      await mailer?.close()
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

/** An answer that was not understood may hold a code or a token: what kind of error it was has to do. */
const nameOf = (error: unknown) => {
  const { name, message, code } = error as { name?: string; message?: string; code?: string }
  return { name, message, code }
}

// What the settings leave out is not read in: it would be felt in every start, and in the memory of every node.

const redisOf = async ({ SVC_REDIS_URL: url }: Config): Promise<RedisConnection | undefined> =>
  url ? (await import('./platform/redis.ts')).connectRedis(url) : undefined

const mailerOf = async ({ SVC_SMTP_URL: url, SVC_MAIL_FROM: from }: Config, log: Logger): Promise<Mailer | null> =>
  url && from ? (await import('./platform/mail.ts')).openMailer(url, from, log) : null

async function providersOf(
  { SVC_OIDC_PROVIDERS: providers = [] }: Config,
  baseUrl: string,
  now: () => Date,
): Promise<Provider[]> {
  if (providers.length === 0) return []
  const { openProvider } = await import('./platform/oidc/client.ts')
  return providers.map((settings) =>
    openProvider(settings, `${baseUrl}/api/dashboard/oidc/${settings.id}/callback`, now),
  )
}

const otherRoutesFactor = 10
/** Per address: passwords, codes and links that it may try. */
const signInsPerMinute = 30

const perMinute = ({ SVC_RATE_LIMIT_READ: read, SVC_RATE_LIMIT_WRITE: write }: Config): RateTable => ({
  webhooks: { read, write },
  general: { read: read * otherRoutesFactor, write: write * otherRoutesFactor },
  'sign-in': { read: read * otherRoutesFactor, write: signInsPerMinute },
})

async function provisioningOf(path: string): Promise<Provisioning> {
  const result = await readProvisioning(path)
  if ('provisioning' in result) return result.provisioning
  throw new ConfigError(result.problems.map((problem) => `SVC_BOOTSTRAP_FILE: ${problem}`))
}

/**
 * An empty embedded service without a provisioning file starts with one token in a file, for programs. On a server
 * nodes share no folder: there the owner makes the tokens.
 */
async function welcome(database: Database, config: Config, log: Logger): Promise<Provisioning | undefined> {
  if (database.kind === 'server' || (await hasOrganizations(database.db))) return undefined
  const { path, secret } = await initialTokenIn(config.SVC_DATA_DIR)
  log.info({ path }, 'first start: the file holds a token for everything, see docs/quickstart.md')
  return firstStart(secret)
}

/** The one secret that is ever logged: as long as nobody owns the service, each start prints a link that ends the last. */
async function inviteOwner({ db }: Database, baseUrl: string, now: Date, log: Logger): Promise<void> {
  const created = await renewOwnerLink(db, now)
  if (!created) return
  log.warn({ link: linkUrl(baseUrl, 'OWNER', created.secret) }, 'open this link to create the owner; it works once')
}
