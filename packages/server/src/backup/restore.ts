import { systemClock } from '../platform/clock.ts'
import { type CopySession, type Database, migrate, migrationNames } from '../platform/db/index.ts'
import { verifyChains } from '../wings/record/audit/index.ts'
import { raiseRevisions } from '../wings/serving/datafile/index.ts'
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
  { keepRevisions, check, taken }: { keepRevisions: boolean; check?: () => Promise<void>; taken?: () => void },
): Promise<void> {
  await requireKnown(source.lastMigration)
  await target.session(takeTarget)
  taken?.()
  await target.database((database) => migrate(database, { through: source.lastMigration }))
  await target.session((session) => load(session, source, source.rows()))
  await check?.()
  await target.database(async (database) => {
    await migrate(database)
    await requireWholeChains(database)
    if (keepRevisions) return
    const comment = `Restored from the backup of ${source.madeAt}`
    await database.unhurried((db) => raiseRevisions(db, revisionsAhead, { comment, now: systemClock() }))
  })
  await target.session(unmark)
}

export async function requireKnown(lastMigration: string): Promise<void> {
  if (!(await migrationNames()).includes(lastMigration))
    throw new Error(`the backup was made by a newer version: it has the migration ${lastMigration}. Upgrade first.`)
}

async function requireWholeChains(database: Database): Promise<void> {
  const reports = await database.unhurried((db) => verifyChains(db))
  for (const { organization, broken } of reports)
    if (broken) throw new Error(`the audit log of organization ${organization.shortId} is broken: ${broken.text}`)
}
