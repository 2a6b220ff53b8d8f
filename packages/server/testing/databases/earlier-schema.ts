import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, migrate } from '../../src/platform/db/index.ts'
import { scratchFolder } from '../scratch.ts'

const files = new URL('../../migrations', import.meta.url)

/** Gives a blank database the schema that it had before this migration, such as `0013`, and all that follow. */
export async function migrateUntil(database: Database, number: string): Promise<void> {
  const folder = await scratchFolder('svc-migrations')
  await cp(files, folder, { recursive: true })
  for (const name of await readdir(folder)) if (name >= number) await rm(join(folder, name))
  await migrate(database, { folder })
  await rm(folder, { recursive: true })
}
