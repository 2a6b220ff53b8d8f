import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../config.ts'
import { kept } from '../platform/data-folder.ts'
import { type Database, type Db, openDatabase, refuseUnfinishedRestore } from '../platform/db/index.ts'
import { findOrganization, hasChains } from '../wings/record/audit/index.ts'

/** Opens the database of the settings for the work. Throws if it is missing, in use, or older than this command. */
export async function withDatabase(work: (database: Database, config: Config) => Promise<void>): Promise<void> {
  const { config } = readConfig(process.env)
  const database = await openExisting(config)
  try {
    if (!(await hasChains(database.db)))
      throw new Error('the database is older than this command. Start the service once to migrate it.')
    await work(database, config)
  } finally {
    await database.close()
  }
}

/** A command prints only what went wrong. */
export const log = {
  info: () => undefined,
  warn: (_fields: object, message: string) => void process.stderr.write(`svc-server: ${message}\n`),
  error: (_fields: object, message: string) => void process.stderr.write(`svc-server: ${message}\n`),
}

export const hasEmbedded = ({ SVC_DATA_DIR: dataDir }: Pick<Config, 'SVC_DATA_DIR'>): boolean =>
  existsSync(`${dataDir}/${kept.database}`)

/** Opening a missing embedded database would create it, so this checks first. */
export async function openExisting(config: Config): Promise<Database> {
  const { SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir } = config
  if (url === undefined && !hasEmbedded(config))
    throw new Error(`there is no database in ${dataDir}: run this command where the service runs, with its settings.`)
  const database = await openDatabase({ url, dataDir, log }).catch(askToStop)
  try {
    await refuseUnfinishedRestore(database.db)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Runs what needs the embedded database alone, such as taking its lock. */
export function stopFirst<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    return askToStop(error)
  }
}

function askToStop(error: unknown): never {
  if (!isInUse(error)) throw error
  throw new Error(`${error.message}. Only one process can use the embedded database at a time. Stop the service first.`)
}

/** Whether a service has the embedded database open. */
export const isInUse = (error: unknown): error is Error =>
  error instanceof Error && error.message.includes('is in use by another process (pid ')

export async function organizationOf(db: Db, idOrShortId: string): Promise<string> {
  const organization = await findOrganization(db, idOrShortId)
  if (!organization) throw new Error(`there is no organization ${idOrShortId}.`)
  return organization.id
}
