import { type CopySession, migratedTables, restoreMark } from '../platform/db/index.ts'
import type { ArchiveWriter } from './archive.ts'
import { foreignTables } from './foreign-tables.ts'
import type { Manifest, TableSum } from './manifest.ts'
import { portions } from './portions.ts'
import { lastMigrationOf, quoted, type Schema, schemaOf, sequencesOf, type Table } from './tables.ts'
import { unwatched, type Watch, watched } from './watch.ts'

/**
 * Writes all rows of a database, as they are at one moment. Nobody waits, because nothing is locked against reading and
 * writing; only a change of the schema waits for the end.
 */
export async function dump(
  session: CopySession,
  writer: ArchiveWriter,
  about: Pick<Manifest, 'version' | 'madeAt' | 'database' | 'secretKey' | 'format'>,
  watch: Watch = unwatched,
): Promise<Manifest> {
  const read = ({ name, columns }: Table) =>
    watched(watch, 'Reading', portions(session.copyOut(name, columns)), ({ length }) => ({ name, bytes: length }))
  return atOneMoment(session, async ({ tables, partitions, sequences }) => {
    const [marked] = await session.query<{ marked: boolean }>(
      `select to_regclass('${restoreMark}') is not null as marked`,
    )
    if (marked!.marked) throw new Error('a restore into this database was interrupted. Run it again first.')
    const lastMigration = await lastMigrationOf(session)
    if (lastMigration === undefined) throw new Error('this database holds nothing of Svc yet.')
    const sums: TableSum[] = []
    for (const table of tables) sums.push(await writer.table(table, read(table)))
    const manifest: Manifest = {
      ...about,
      lastMigration,
      tables: sums,
      partitions,
      sequences: await sequencesOf(session, sequences),
    }
    await writer.manifest(manifest)
    return manifest
  })
}

/** Runs work in a transaction that sees everything committed before it, and nothing of what is committed later. */
export async function atOneMoment<Result>(
  session: CopySession,
  work: (schema: Schema) => Promise<Result>,
): Promise<Result> {
  await session.query('begin isolation level repeatable read read only')
  // Locks come before the first look at rows: a table that is emptied or dropped in between would be missing.
  const { tables } = await schemaOf(session)
  const foreign = foreignTables(
    tables.map(({ name }) => name),
    await migratedTables(),
  )
  if (foreign)
    throw new Error(
      `the schema of the database holds tables of another program: ${foreign}. A backup contains everything in the schema, so Svc needs a schema of its own. Move those tables to another schema: alter table … set schema ….`,
    )
  await session.query('rollback')
  await session.query('begin isolation level repeatable read read only')
  const names = tables.map(({ name }) => quoted(name))
  if (names.length > 0) await session.query(`lock table ${names.join(', ')} in access share mode`)
  const result = await work(await schemaOf(session))
  await session.query('commit')
  return result
}
