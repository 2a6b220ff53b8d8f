import { counted } from '@svc/core'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Database, type Db, missingMigrations } from '../platform/db/index.ts'
import { type Readability, sealWith } from '../platform/seal.ts'
import { findWorkers } from '../platform/workers/index.ts'
import { unreadableFactors } from '../wings/people/second-factor/index.ts'
import { queueState } from '../wings/telling/deliveries/index.ts'
import { unreadableSecrets } from '../wings/telling/destinations/index.ts'
import { hasEmbedded, isInUse, openExisting } from './existing-database.ts'
import { checked, type Finding, found } from './finding.ts'
import { keyOf } from './secret-key-of.ts'

const triedAtMost = 1_000
const skewWarningMs = 2_000
const skewFailureMs = 30_000
const overdueMs = 300_000
const workerSilenceMs = 60_000

const inUse = found(
  'database',
  'ok',
  'The running service uses the embedded database, so it was not checked.',
  'Stop the service for the remaining checks.',
)

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!config.SVC_DATABASE_URL && !hasEmbedded(config))
    return [found('database', 'ok', 'There is no database yet. The first start creates one.')]
  let database: Database | undefined
  const opened = await checked('database', 'Check SVC_DATABASE_URL, the server and its log.', async () => {
    try {
      database = await openExisting(config)
    } catch (error) {
      if (isInUse(error)) return inUse
      throw error
    }
    return describe(database)
  })
  if (!database) return [opened]
  try {
    return [opened, ...(await lookInto(database, config))]
  } finally {
    await database.close()
  }
}

/** Opening has already refused servers that are too old or not encoded in UTF-8, and an embedded one that does not sync. */
async function describe({ db, kind }: Database): Promise<Finding> {
  const { rows } = await sql<{ version: string; fsync: string; commit: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`.execute(db)
  const { version, fsync, commit } = rows[0]!
  const name = kind === 'embedded' ? 'the embedded database' : 'the server'
  const syncs = fsync === 'on' && commit !== 'off'
  return syncs
    ? found('database', 'ok', `PostgreSQL ${version}, ${name}; every commit is synced.`)
    : found(
        'database',
        'warning',
        `PostgreSQL ${version}, ${name}; fsync is ${fsync} and synchronous_commit ${commit}.`,
        'Turn both on: a crash can lose acknowledged writes.',
      )
}

async function lookInto(database: Database, config: Config): Promise<Finding[]> {
  const { db } = database
  const clock =
    database.kind === 'server' ? [await checked('clock', 'Use NTP on all machines.', () => checkClock(db))] : []
  const schema = await checked('migrations', 'Install the version that was used last.', () => checkMigrations(database))
  if (schema.state !== 'ok') return [...clock, schema]
  return [
    ...clock,
    schema,
    await checked('secret key', 'Restore the right key.', () => checkKey(db, config)),
    await checked('deliveries', 'See the log of the service.', () => checkDeliveries(db)),
    ...(database.kind === 'server'
      ? [await checked('workers', 'See the log of the service.', () => checkWorkers(db))]
      : []),
  ]
}

async function checkClock(db: Db): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const here = (before + Date.now()) / 2
  const skewMs = Math.round(Math.abs(rows[0]!.at.getTime() - here))
  const text = `The clock of the database differs from that of this machine by ${skewMs} ms.`
  const remedy = 'Use NTP on all machines: leases and due times compare their clocks.'
  if (skewMs > skewFailureMs) return found('clock', 'failed', text, remedy)
  return skewMs > skewWarningMs ? found('clock', 'warning', text, remedy) : found('clock', 'ok', text)
}

async function checkMigrations(database: Database): Promise<Finding> {
  const missing = await missingMigrations(database)
  return missing.length === 0
    ? found('migrations', 'ok', 'The database is up to date.')
    : found(
        'migrations',
        'warning',
        missing.length === 1
          ? `The migration ${missing[0]} is missing.`
          : `${missing.length} migrations are missing. The first is ${missing[0]}.`,
        'The next start applies them, or svc-server migrate does.',
      )
}

async function checkKey(db: Db, config: Config): Promise<Finding> {
  const key = await keyOf(config)
  if (!key) return found('secret key', 'ok', 'There is no secret key yet. The first start creates one.')
  const seal = sealWith(key)
  const secrets = await unreadableSecrets(db, seal, triedAtMost)
  const factors = await unreadableFactors(db, seal, triedAtMost)
  const tried = `${counted(secrets.sealed, 'webhook secret')} and ${counted(factors.sealed, 'second factor')}`
  return isReadable(secrets) && isReadable(factors)
    ? found('secret key', 'ok', `This key decrypts ${tried}.`)
    : found(
        'secret key',
        'failed',
        `This key cannot decrypt ${secrets.unreadable} of ${counted(secrets.sealed, 'webhook secret')} and ${factors.unreadable} of ${counted(factors.sealed, 'second factor')}.`,
        'Restore the key that encrypted them; see docs/operating.md#secrets.',
      )
}

const isReadable = ({ unreadable }: Readability): boolean => unreadable === 0

/** Unsent deliveries are the sign of a missing worker. */
async function checkDeliveries(db: Db): Promise<Finding> {
  const { depth, oldestDueAt } = await queueState(db)
  const pending = `${depth} ${depth === 1 ? 'is' : 'are'} pending`
  const lateMs = oldestDueAt ? Date.now() - oldestDueAt.getTime() : 0
  return lateMs > overdueMs
    ? found(
        'deliveries',
        'warning',
        `${pending}, the oldest has been due for ${Math.round(lateMs / 60_000)} minutes.`,
        'Check that a node with SVC_ROLE all or worker is running.',
      )
    : found('deliveries', 'ok', `${pending}, and none is overdue.`)
}

async function checkWorkers(db: Db): Promise<Finding> {
  const { count, lastHeardAt } = await findWorkers(db, new Date(Date.now() - workerSilenceMs))
  if (count > 0) return found('workers', 'ok', `${count} ${count === 1 ? 'is' : 'are'} running.`)
  return lastHeardAt === null
    ? found('workers', 'ok', 'None is running.')
    : found(
        'workers',
        'warning',
        `None is running. The last one was seen at ${lastHeardAt.toISOString()}.`,
        'If API nodes are running, start a node with SVC_ROLE all or worker.',
      )
}
