import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type MigrationResult, Migrator } from 'kysely/migration'
import type { Database, Db } from './database.ts'

const defaultFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))
const fileName = /^\d{4}-[a-z0-9-]+\.sql$/

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Brings the schema up to date with the numbered SQL files of a folder, in one transaction and on one node at a time.
 * Returns the names of the files applied now. Throws an error with one clear line if a file fails, or was changed or
 * removed after it was applied.
 *
 * @param through the last file to apply; default: all of them
 */
export function migrate(
  database: Database,
  { folder = defaultFolder, through }: { folder?: string; through?: string } = {},
): Promise<{ applied: string[] }> {
  return database.unhurried(async (db) => {
    const migrations = (await readMigrations(folder)).filter(({ name }) => through === undefined || name <= through)
    await ensureChecksums(db)
    if ((await countUnchanged(db, migrations)) === migrations.length) return { applied: [] }
    const migrator = new Migrator({
      db,
      migrationTableName: 'schema_migration',
      migrationLockTableName: 'schema_migration_lock',
      provider: { getMigrations: async () => byName(migrations) },
    })
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error) throw explain(error, results, migrations)
    return { applied: results.map((result) => result.migrationName) }
  })
}

export const migrationNames = async (): Promise<string[]> =>
  (await readMigrations(defaultFolder)).map(({ name }) => name)

/** The names that tables of the files have ever had, without those of migrations themselves. */
export async function migratedTables(folder = defaultFolder): Promise<ReadonlySet<string>> {
  const migrations = await readMigrations(folder)
  return new Set(
    migrations.flatMap(({ text }) =>
      [...text.matchAll(/^(?:create (?:table|view)|alter table \w+ rename to) (\w+)/gim)].map(([, name]) => name!),
    ),
  )
}

/** The names of the files that are not applied yet. Changes nothing. Throws like `migrate`. */
export async function missingMigrations({ db }: Database, folder = defaultFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const applied = (await isMigrated(db)) ? await countUnchanged(db, migrations) : 0
  return migrations.slice(applied).map(({ name }) => name)
}

/** Whether any version has migrated the database. */
export async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('schema_migration_checksum') is not null as found`.execute(db)
  return rows[0]!.found
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const misnamed = names.find((name) => !fileName.test(name))
  if (misnamed !== undefined) throw new Error(`migration ${misnamed} is not named like 0001-what-it-does.sql`)
  // Two changes that were made at the same time can take the same number. Their order would then follow from their names.
  const second = names.find((name, index) => name.slice(0, 4) === names[index - 1]?.slice(0, 4))
  if (second !== undefined)
    throw new Error(`migration ${second} has the number of another one: give it the next number`)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

const byName = (migrations: Migration[]) =>
  Object.fromEntries(migrations.map((migration) => [migration.name, { up: (db: Db) => apply(db, migration) }]))

async function apply(db: Db, { name, text, checksum }: Migration): Promise<void> {
  await sql.raw(text).execute(db)
  await sql`insert into schema_migration_checksum (name, sha256) values (${name}, ${checksum})`.execute(db)
}

// `if not exists` is not safe when another node does the same: the loser gets a duplicate key error from the catalogue.
async function ensureChecksums(db: Db): Promise<void> {
  const create = sql`create table if not exists schema_migration_checksum (name text primary key, sha256 text not null)`
  await create.execute(db).catch(() => create.execute(db))
}

/** The number of files that are applied already. */
async function countUnchanged(db: Db, migrations: Migration[]): Promise<number> {
  const { rows } = await sql<{ name: string; sha256: string }>`
    select name, sha256 from schema_migration_checksum order by name`.execute(db)
  for (const { name, sha256 } of rows) {
    const migration = migrations.find((each) => each.name === name)
    if (!migration)
      throw new Error(`migration ${name} was applied to this database but is missing here: is this an older release?`)
    if (migration.checksum !== sha256) throw new Error(`migration ${name} was changed after it was applied`)
  }
  return rows.length
}

function explain(error: unknown, results: MigrationResult[], migrations: Migration[]): Error {
  const reason = error instanceof Error ? error.message : String(error)
  const failed = results.find((result) => result.status === 'Error')?.migrationName
  if (failed === undefined) return new Error(`migrations were not applied: ${reason}`, { cause: error })
  const line = lineOf(error, migrations.find((migration) => migration.name === failed)?.text ?? '')
  return new Error(`migration ${failed} failed${line}: ${reason}`, { cause: error })
}

/** PostgreSQL reports the position as a character number, counted from 1. */
function lineOf(error: unknown, text: string): string {
  if (!(error instanceof Error) || !('position' in error)) return ''
  const before = [...text].slice(0, Number(error.position) - 1)
  return ` at line ${before.filter((character) => character === '\n').length + 1}`
}
