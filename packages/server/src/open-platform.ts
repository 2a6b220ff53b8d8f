import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { baseUrlOf, type Config } from './config.ts'
import { idempotencyKeySweep } from './http/idempotency.ts'
import { type AttemptLimits, attemptLimits } from './http/limits/attempt-limit.ts'
import { type CountWindows, sharedWindows, windowsIn } from './http/limits/count-windows.ts'
import { type Cursors, cursors } from './http/page.ts'
import { type Background, background } from './platform/background.ts'
import type { ClickHouse } from './platform/clickhouse.ts'
import { systemClock } from './platform/clock.ts'
import {
  type Database,
  type Db,
  migrate,
  openDatabase,
  refuseUnfinishedRestore,
  type StorageWatch,
  storageWatch,
} from './platform/db/index.ts'
import { type OpenRoom, roomsWithin } from './platform/held.ts'
import { type Jobs, observeJobs, openJobs } from './platform/jobs/index.ts'
import type { Mailer } from './platform/mail.ts'
import { type Outbound, openOutbound } from './platform/outbound/index.ts'
import { type Authors, authors, eventSweep, type Subscriber } from './platform/outbox.ts'
import type { RedisConnection } from './platform/redis.ts'
import { observeRetention, type Retention, retention, type Sweep } from './platform/retention/index.ts'
import { type Seal, sealWith } from './platform/seal.ts'
import { type Signers, signersWith } from './platform/sign.ts'
import type { Tracing } from './platform/tracing/index.ts'
import { repeatedTransactions } from './platform/transaction.ts'
import { observeWorkers, type Workers, workers } from './platform/workers/index.ts'
import { version } from './version.ts'

/** The opened platform that wings build on. */
export interface Platform {
  config: Config
  log: Logger
  now: () => Date
  baseUrl: string
  database: Database
  db: Db
  /** Everything that writes for callers tells it what failed, so that readiness knows of a full disk. */
  storage: StorageWatch
  /** Null: events are kept in the main database. */
  clickHouse: ClickHouse | null
  outbound: Outbound
  /** Null if the service does not send mail. */
  mailer: Mailer | null
  seal: Seal
  cursors: Cursors
  signers: Signers
  /** The memory for what is kept for callers without an account. */
  openRoom: OpenRoom
  windows: CountWindows
  attempts: AttemptLimits
  registry: Registry
  /** Null: there are no traces. */
  tracing: Tracing | null
  authorOf: Authors
  /** Called for every event in its transaction. A wing adds its own when it opens. */
  subscribers: Subscriber[]
  /** Delete rows of tables that are kept only for a time. A wing adds its own when it opens. */
  sweeps: Sweep[]
  retention: Retention
  /** The jobs that people ask for. A wing adds its kinds when it opens. */
  jobs: Jobs
  /** The nodes that do background work. */
  workers: Workers
  background: Background
  onError: (error: unknown) => void
  close(): Promise<void>
}

/** The parts that tests replace: the clock and the connection to customers' servers. */
export interface World {
  now: () => Date
  outbound: Outbound
  /** The database, if it is already being opened. */
  opening: Promise<Database>
}

/** @param secretKeyOf reads the installation's key after the migrations */
export async function openPlatform(
  config: Config,
  log: Logger,
  world: Partial<World>,
  secretKeyOf: (config: Config, database: Database) => Promise<Buffer>,
): Promise<Platform> {
  const { opening = openDatabase({ url: config.SVC_DATABASE_URL, dataDir: config.SVC_DATA_DIR, log }) } = world
  const database = await opening
  const redis = await redisOf(config)
  const clickHouse = await clickHouseOf(config)
  const tracing = await tracingOf(config, log)
  try {
    await refuseUnfinishedRestore(database.db)
    const { applied } = await migrate(database)
    if (applied.length > 0) log.info({ applied }, 'migrated the database')
    const secretKey = await secretKeyOf(config, database)
    const mailer = await mailerOf(config, log)
    const outbound = world.outbound ?? outboundOf(config)
    const registry = new Registry()
    addProcessMetrics(registry)
    const openRoom = roomsWithin(config.SVC_VISITOR_MEMORY, registry)
    const own = windowsIn(openRoom)
    const opened = {
      config,
      log,
      now: world.now ?? systemClock,
      database,
      clickHouse,
      outbound,
      mailer,
      secretKey,
      registry,
      openRoom,
      tracing,
    }
    const platform = platformOf({ ...opened, windows: redis ? sharedWindows(redis, log, own) : own })
    return {
      ...platform,
      async close() {
        // Last, because a step of a job can take minutes.
        await platform.jobs.stop()
        await platform.retention.stop()
        await platform.workers.stop()
        await outbound.close()
        await platform.background.settled()
        await mailer?.close()
        redis?.close()
        await clickHouse?.close()
        await database.close()
        await tracing?.close()
      },
    }
  } catch (error) {
    redis?.close()
    await clickHouse?.close()
    await database.close()
    await tracing?.close()
    throw error
  }
}

type Opened = Pick<
  Platform,
  | 'config'
  | 'log'
  | 'now'
  | 'database'
  | 'clickHouse'
  | 'outbound'
  | 'mailer'
  | 'registry'
  | 'openRoom'
  | 'tracing'
  | 'windows'
>

/** Builds the rest of the platform on the opened parts. */
export function platformOf({ secretKey, ...opened }: Opened & { secretKey: Buffer }): Omit<Platform, 'close'> {
  const onError = (error: unknown) => opened.log.error({ err: error }, 'background work failed')
  const subscribers: Subscriber[] = []
  const sweeps = [idempotencyKeySweep, eventSweep(opened.config.SVC_DELIVERY_RETENTION)]
  const { now, log, registry } = opened
  const { db } = opened.database
  const nodes = workers({ ...opened, onError })
  observeWorkers(registry, nodes)
  return {
    ...opened,
    db,
    storage: storageWatch(opened.database, opened.config.SVC_DATA_DIR),
    baseUrl: baseUrlOf(opened.config),
    seal: sealWith(secretKey),
    cursors: cursors(secretKey),
    signers: signersWith(secretKey),
    attempts: attemptLimits(opened.windows),
    subscribers,
    sweeps,
    retention: retention({ db, sweeps, observe: observeRetention(registry, log), now }),
    jobs: openJobs({
      ...opened,
      sweeps,
      onError,
      retryDelaysMs: opened.config.SVC_JOB_RETRY_DELAYS,
      observe: observeJobs(registry),
    }),
    workers: nodes,
    authorOf: authors(subscribers, opened.now),
    background: background(onError),
    onError,
  }
}

let ofProcess: Registry | undefined

/**
 * Adds what Node measures of the process. It is measured once for all services of a process, because the observers
 * behind these metrics never end: each would keep all of a closed service in memory.
 */
function addProcessMetrics(registry: Registry): void {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
    observeTransactions(ofProcess)
  }
  for (const { name } of ofProcess.getMetricsAsArray()) registry.registerMetric(ofProcess.getSingleMetric(name)!)
}

function observeTransactions(registry: Registry): void {
  new Counter({
    name: 'svc_transactions_repeated_total',
    help: 'Transactions that the database ended because of a deadlock, and that began again',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(repeatedTransactions())
    },
  })
}

const outboundOf = (config: Config): Outbound =>
  openOutbound({
    allowedHosts: config.SVC_WEBHOOK_ALLOWED_HOSTS,
    proxyUrl: config.SVC_WEBHOOK_PROXY_URL,
    timeoutMs: config.SVC_WEBHOOK_TIMEOUT,
  })

// Only the clients that the settings need are loaded: the others would slow down each start and take memory.

const redisOf = async ({ SVC_REDIS_URL: url }: Config): Promise<RedisConnection | undefined> =>
  url ? (await import('./platform/redis.ts')).connectRedis(url) : undefined

const clickHouseOf = async ({ SVC_CLICKHOUSE_URL: url }: Config): Promise<ClickHouse | null> =>
  url ? (await import('./platform/clickhouse.ts')).openClickHouse(url) : null

async function tracingOf(config: Config, log: Logger): Promise<Tracing | null> {
  const { SVC_TELEMETRY_OTLP_URL: url, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = config
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = config
  if (!url) return null
  return (await import('./platform/tracing/otlp.ts')).openTracing({ url, headers, sampler, ratio, version }, log)
}

async function mailerOf(config: Config, log: Logger): Promise<Mailer | null> {
  const { SVC_SMTP_URL: url, SVC_MAIL_FROM: from } = config
  if (!url || !from) return null
  return (await import('./platform/mail.ts')).openMailer(url, from, log)
}
