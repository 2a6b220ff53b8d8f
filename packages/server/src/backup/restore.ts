import { systemClock } from '../platform/clock.ts'
import { type CopySession, type Database, migrate, migrationNames } from '../platform/db/index.ts'
import { cancelAllSchedules } from '../wings/flags/switches/index.ts'
import { verifyChains } from '../wings/record/audit/index.ts'
import { raiseRevisions } from '../wings/serving/datafile/index.ts'
import { disableAllWebhooks } from '../wings/telling/webhooks/index.ts'
import { type Contents, load } from './load.ts'
import { takeTarget, unmark } from './target.ts'

/** Revisions that a restored environment is ahead: SDKs never follow a lower one than they have. */
const revisionsAhead = 1_000_000

/** Opens the target, once for tables and once for the rest. The embedded database allows one at a time. */
export interface Target {
  session<Result>(work: (session: CopySession) => Promise<Result>): Promise<Result>
  database<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
}

export interface Source extends Contents {
  lastMigration: string
  madeAt: string
  rows(): AsyncIterable<{ name: string; portion: Buffer }>
}

export interface Options {
  keepRevisions: boolean
  /** A rehearsal must reach nobody: webhooks are disabled and schedules cancelled. */
  drill?: boolean
  check?: () => Promise<void>
  taken?: () => void
}

/** What a rehearsal turned off. */
export interface Silenced {
  webhooks: number
  schedules: number
}

/**
 * Fills an empty database: migrates it to where the source was, loads the rows, migrates it forward, and verifies the
 * audit log. Until all of it is done, the service does not start on this database.
 *
 * @param taken called when the target was found empty and has been marked
 * @param check compares the rows with those of the source, before anything changes them
 */
export async function restore(
  target: Target,
  source: Source,
  { keepRevisions, drill = false, check, taken }: Options,
): Promise<Silenced | undefined> {
  await requireKnown(source.lastMigration)
  await target.session(takeTarget)
  taken?.()
  await target.database((database) => migrate(database, { through: source.lastMigration }))
  await target.session((session) => load(session, source, source.rows()))
  await check?.()
  const silenced = await target.database(async (database) => {
    await migrate(database)
    await requireWholeChains(database)
    const silenced = drill ? await silence(database) : undefined
    if (keepRevisions) return silenced
    const comment = `Restored from the backup of ${source.madeAt}`
    await database.unhurried((db) => raiseRevisions(db, revisionsAhead, { comment, now: systemClock() }))
    return silenced
  })
  await target.session(unmark)
  return silenced
}

const silence = (database: Database): Promise<Silenced> =>
  database.unhurried((db) =>
    db.transaction().execute(async (tx) => {
      const now = systemClock()
      const webhooks = await disableAllWebhooks(tx, 'Restored for a rehearsal.', now)
      return { webhooks, schedules: await cancelAllSchedules(tx, now) }
    }),
  )

export async function requireKnown(lastMigration: string): Promise<void> {
  if (!(await migrationNames()).includes(lastMigration))
    throw new Error(`the backup was made by a newer version: it has the migration ${lastMigration}. Upgrade first.`)
}

async function requireWholeChains(database: Database): Promise<void> {
  const reports = await database.unhurried((db) => verifyChains(db))
  for (const { organization, broken } of reports)
    if (broken) throw new Error(`the audit log of organization ${organization.shortId} is broken: ${broken.text}`)
}
