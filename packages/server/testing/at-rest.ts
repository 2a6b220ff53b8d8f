import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/index.ts'
import type { Address } from './database.ts'

/** As much of a service as tells where its data lies. */
export interface Stored {
  db: Db
  address: Address
}

/** The files of a service's database, its write-ahead log included, that hold one of the texts as they are. */
export async function databaseFilesWith(service: Stored, texts: readonly string[]): Promise<string[]> {
  await sql`checkpoint`.execute(service.db)
  return filesWith(texts, await databaseFolders(service))
}

/** Of a server the files of this database alone, and the log that all of its databases share. */
async function databaseFolders(service: Stored): Promise<string[]> {
  if (!service.address.url) return [service.address.dataDir]
  const { rows } = await sql<{ folder: string; own: string }>`
    select current_setting('data_directory') as folder, oid::text as own
    from pg_database where datname = current_database()`.execute(service.db)
  const { folder, own } = rows[0]!
  return [join(folder, 'base', own), join(folder, 'pg_wal')]
}

const nothingFound = 1
/** A segment of the log was renamed meanwhile. */
const fileVanished = 2

async function filesWith(texts: readonly string[], folders: readonly string[]): Promise<string[]> {
  const own = await mkdtemp(join(tmpdir(), 'svc-secrets-'))
  const list = join(own, 'texts')
  const options = ['--recursive', '--text', '--files-with-matches', '--fixed-strings', '--file', list]
  try {
    await writeFile(list, texts.join('\n'))
    for (let triesLeft = 5; ; triesLeft -= 1)
      try {
        const { stdout } = await promisify(execFile)('grep', [...options, ...folders])
        return stdout.split('\n').filter(Boolean)
      } catch (error) {
        const { code } = error as { code: number }
        if (code === nothingFound) return []
        if (code !== fileVanished || triesLeft === 0) throw error
      }
  } finally {
    await rm(own, { recursive: true })
  }
}
