import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kept } from '../../data-folder.ts'
import { syncPath } from './sync-path.ts'

export const databaseFolder = (dataDir: string): string => join(dataDir, kept.database)

/**
 * Removes what an interrupted first start left behind, and marks a new first start. Call `complete` when the database
 * is complete. Nothing is acknowledged before that, so starting over loses nothing.
 */
export function prepareFolder(dataDir: string): { complete(): void } {
  const folder = databaseFolder(dataDir)
  if (existsSync(join(dataDir, kept.restoreMark)))
    throw new Error(
      `a restore into ${dataDir} was interrupted. Run it again; the database from before is in ${folder} or beside it.`,
    )
  const mark = join(dataDir, kept.unfinished)
  if (existsSync(mark)) rmSync(folder, { recursive: true, force: true })
  if (existsSync(folder)) return { complete: () => {} }
  writeFileSync(mark, '')
  syncPath(dataDir)
  return { complete: () => unmark(folder, mark, dataDir) }
}

// Only the log was synced while the files were created. The files that it builds on must be on the disk too.
function unmark(folder: string, mark: string, dataDir: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, entry))
  syncPath(folder)
  rmSync(mark)
  syncPath(dataDir)
}
