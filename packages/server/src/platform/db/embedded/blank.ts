import { existsSync, openAsBlob, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../../../../dist', import.meta.url))

/** A file of PGlite's package. */
export const ofPglite = (...path: string[]): string =>
  join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), ...path)

/** Where scripts/blank-database.ts puts an empty database. Its name contains the version, so an old one is not used. */
export function blankFile(): string {
  const { version } = JSON.parse(readFileSync(ofPglite('../package.json'), 'utf8')) as { version: string }
  return join(dist, `blank-database-${version}.tar.gz`)
}

/**
 * An empty database for a first start, which takes five seconds to make and one to unpack. Undefined if the folder has a
 * database, or if none was built: PGlite makes it then.
 */
export async function blankFor(folder: string): Promise<Blob | undefined> {
  if (existsSync(join(folder, 'PG_VERSION'))) return undefined
  const file = blankFile()
  return existsSync(file) ? openAsBlob(file) : undefined
}
