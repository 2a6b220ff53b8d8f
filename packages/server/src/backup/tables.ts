import { type CopySession, restoreMark } from '../platform/db/index.ts'

/** What a backup says about a table. */
export interface Table {
  name: string
  /** Without those that PostgreSQL computes. */
  columns: string[]
}

/** A table of the rows of one range of a partitioned table. */
export interface Partition {
  name: string
  of: string
  /** As in SQL: `FOR VALUES FROM … TO …`. */
  bound: string
}

export interface Sequence {
  name: string
  last: string
  isCalled: boolean
}

export interface Schema {
  tables: Table[]
  partitions: Partition[]
  sequences: string[]
}

/** What migrations keep of themselves. A restore migrates, and so makes it again. */
const ownTables = `relname not in ('schema_migration', 'schema_migration_lock', 'schema_migration_checksum', '${restoreMark}')`
const inSchema = 'relnamespace = current_schema()::regnamespace'
/** An extension makes its own tables. */
export const notOfExtension = `not exists (
  select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`

/** Reads which tables there are. Their order is that of their names. */
export async function schemaOf(session: CopySession): Promise<Schema> {
  const tables = await session.query<Table>(`
    select relname as name, array(
      select attname::text from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
    ) as columns
    from pg_class where ${inSchema} and relkind in ('r', 'p') and not relispartition and ${ownTables}
      and ${notOfExtension}
    order by relname collate "C"`)
  const partitions = await session.query<Partition>(`
    select part.relname as name, whole.relname as of, pg_get_expr(part.relpartbound, part.oid) as bound
    from pg_class part join pg_inherits on inhrelid = part.oid join pg_class whole on whole.oid = inhparent
    where part.relispartition and part.relkind = 'r' and part.${inSchema}
    order by part.relname collate "C"`)
  const sequences = await session.query<{ name: string }>(`
    select relname as name from pg_class where ${inSchema} and relkind = 'S' order by relname collate "C"`)
  return { tables, partitions, sequences: sequences.map(({ name }) => name) }
}

export async function sequencesOf(session: CopySession, names: readonly string[]): Promise<Sequence[]> {
  const sequences: Sequence[] = []
  for (const name of names) {
    const [row] = await session.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${quoted(name)}`,
    )
    sequences.push({ name, ...row! })
  }
  return sequences
}

/** The name of the last migration; undefined if the database has none. */
export async function lastMigrationOf(session: CopySession): Promise<string | undefined> {
  const [found] = await session.query<{ found: boolean }>(
    `select to_regclass('schema_migration_checksum') is not null as found`,
  )
  if (!found!.found) return undefined
  const [last] = await session.query<{ name: string | null }>('select max(name) as name from schema_migration_checksum')
  return last!.name ?? undefined
}

/** A foreign key, or a trigger that is not PostgreSQL's own. */
export interface Rule {
  on: string
  name: string
  definition: string
}

export const foreignKeysOf = (session: CopySession): Promise<Rule[]> =>
  session.query<Rule>(`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
    order by conname collate "C"`)

/** Quoted names of tables with triggers that are not PostgreSQL's own. */
export async function tablesWithTriggers(session: CopySession): Promise<string[]> {
  const rows = await session.query<{ name: string }>(`
    select distinct quote_ident(relname) as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and ${inSchema}`)
  return rows.map(({ name }) => name)
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
