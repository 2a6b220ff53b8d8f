import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kept } from '../../data-folder.ts'
import { syncPath } from './sync-path.ts'

export const databaseFolder = (dataDir: string): string => join(dataDir, kept.database)

/**
 * Clears away what an interrupted first start left behind, and marks a new one. Answers what to call when the
 * database is complete: until then nothing was acknowledged, so that starting over loses nothing.
 */
export function prepareFolder(dataDir: string): { complete(): void } {
  const folder = databaseFolder(dataDir)
  const mark = join(dataDir, kept.unfinished)
  if (existsSync(mark)) rmSync(folder, { recursive: true, force: true })
  if (existsSync(folder)) return { complete: () => {} }
  writeFileSync(mark, '')
  syncPath(dataDir)
  return { complete: () => unmark(folder, mark, dataDir) }
}

// Only the log was synced while the files were made: what it builds upon has to be on the disk as well.
function unmark(folder: string, mark: string, dataDir: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, entry))
  syncPath(folder)
  rmSync(mark)
  syncPath(dataDir)
}
