import type { Database, Log } from './database.ts'
import { openEmbedded } from './embedded/database.ts'
import { openServer } from './server/database.ts'

/**
 * Opens the server at `url` (`postgres://…`, version 15 or newer), or without a URL the embedded database in `dataDir`,
 * which is created if missing and locked against other processes. Throws an error with one clear line if that fails.
 */
export function openDatabase(options: { url?: string | undefined; dataDir: string; log: Log }): Promise<Database> {
  const { url, dataDir, log } = options
  return url === undefined ? openEmbedded(dataDir, log) : openServer(url, log)
}
