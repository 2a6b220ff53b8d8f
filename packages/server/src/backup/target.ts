import { counted } from '@svc/core'
import { type CopySession, migratedTables, restoreMark } from '../platform/db/index.ts'
import { foreignTables } from './foreign-tables.ts'
import { notOfExtension, quoted } from './tables.ts'

/**
 * Marks an empty database as a target: the service does not start on it until `unmark`. What an interrupted restore
 * left is removed. Throws if there is anything else in the database.
 */
export async function takeTarget(session: CopySession): Promise<void> {
  const names = await relationsIn(session)
  if (names.length > 0 && !names.some(({ name }) => name === restoreMark)) {
    const ours = new Set([...(await migratedTables()), ...ofMigrations])
    const foreign = foreignTables(
      names.map(({ name }) => name),
      ours,
    )
    const whose = foreign ? `, of another program: ${foreign}` : ''
    throw new Error(
      `the database is not empty: it holds ${counted(names.length, 'table')}${whose}. Create an empty one and set SVC_DATABASE_URL to it.`,
    )
  }
  await emptyTarget(session)
  await session.query(`create table ${restoreMark} (since timestamptz not null default now())`)
}

const ofMigrations = ['schema_migration', 'schema_migration_lock', 'schema_migration_checksum']

export async function unmark(session: CopySession): Promise<void> {
  await session.query(`drop table ${restoreMark}`)
}

/** Removes everything from a database that was empty when a restore began. The mark goes last. */
export async function emptyTarget(session: CopySession): Promise<void> {
  const names = await relationsIn(session)
  for (const { name } of names.toSorted(
    (one, other) => Number(one.name === restoreMark) - Number(other.name === restoreMark),
  ))
    await session.query(`drop table if exists ${quoted(name)} cascade`)
  const rest = await session.query<{ statement: string }>(`
    select format('drop routine if exists %s cascade', pg_proc.oid::regprocedure) as statement
    from pg_proc
    where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select format('drop sequence if exists %I cascade', relname)
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'`)
  for (const { statement } of rest) await session.query(statement)
}

const relationsIn = (session: CopySession): Promise<{ name: string }[]> =>
  session.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition
      and ${notOfExtension}
    order by relname`)
