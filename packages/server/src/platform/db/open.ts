import type { CopySession } from './copying.ts'
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

/** Opens a server, or the files of an embedded database that nothing else uses, for copying whole tables. */
export async function openSession(where: { url: string } | { folder: string }): Promise<CopySession> {
  // A running service copies nothing, so it does not load this.
  if ('url' in where) return (await import('./server/copying.ts')).openServerSession(where.url)
  return (await import('./embedded/copying.ts')).openEmbeddedSession(where.folder)
}
