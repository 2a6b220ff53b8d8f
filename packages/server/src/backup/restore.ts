import { systemClock } from '../platform/clock.ts'
import { type CopySession, type Database, migrate, migrationNames } from '../platform/db/index.ts'
import { authors, systemActor } from '../platform/outbox.ts'
import { cancelAllSchedules } from '../wings/flags/switches/index.ts'
import { listOrganizations } from '../wings/people/organizations/index.ts'
import { verifyChains } from '../wings/record/audit/index.ts'
import { raiseRevisions } from '../wings/serving/datafile/index.ts'
import { disableAllDestinations } from '../wings/telling/destinations/index.ts'
import { type Contents, load } from './load.ts'
import { takeTarget, unmark } from './target.ts'
import { unwatched, type Watch, watched } from './watch.ts'

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
  watch?: Watch
  /** The text of the entries in the audit log. */
  record: Entry
}

/** Each organization gets an entry in its log, so that readers know why the log ends and continues. */
export interface Entry {
  action: 'organization.restore' | 'organization.rehearse' | 'organization.move'
  after: object
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
  { keepRevisions, drill = false, check, taken, watch = unwatched, record }: Options,
): Promise<Silenced | undefined> {
  await requireKnown(source.lastMigration)
  await target.session(takeTarget)
  taken?.()
  watch.step('Creating the tables')
  await target.database((database) => migrate(database, { through: source.lastMigration }))
  const rows = watched(watch, 'Loading', source.rows(), ({ name, portion }) => ({ name, bytes: portion.length }))
  await target.session((session) => load(session, source, rows))
  await check?.()
  const silenced = await target.database(async (database) => {
    watch.step('Migrating the tables')
    await migrate(database)
    watch.step('Verifying the audit log')
    await requireWholeChains(database)
    const silenced = drill ? await silence(database) : undefined
    await recordIn(database, { ...record, after: { ...record.after, ...silenced } })
    if (keepRevisions) return silenced
    const comment = `Restored from the backup of ${source.madeAt}`
    await database.unhurried((db) => raiseRevisions(db, revisionsAhead, { comment, now: systemClock() }))
    return silenced
  })
  await target.session(unmark)
  return silenced
}

function recordIn(database: Database, { action, after }: Entry): Promise<void> {
  const by = authors([], systemClock)(systemActor('operator'))
  return database.unhurried((db) =>
    db.transaction().execute(async (tx) => {
      for (const { id, name } of await listOrganizations(tx)) {
        const object = { type: 'organization', id, name } as const
        await by.record(tx, { orgId: id, projectId: null, action, object, after })
      }
    }),
  )
}

const silence = (database: Database): Promise<Silenced> =>
  database.unhurried((db) =>
    db.transaction().execute(async (tx) => {
      const now = systemClock()
      const webhooks = await disableAllDestinations(tx, 'Restored as a rehearsal.', now)
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
