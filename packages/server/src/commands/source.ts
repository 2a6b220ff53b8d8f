import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Watch } from '../backup/watch.ts'
import type { Config } from '../config.ts'
import { askForCopy } from '../operator-socket.ts'
import { kept } from '../platform/data-folder.ts'
import { type CopySession, databaseFolder, lockFolder, openSession } from '../platform/db/index.ts'
import { hasEmbedded, isInUse, stopFirst } from './existing-database.ts'

const longHoldMs = 10_000

export const megabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1)

/** Opens the database of the settings for reading whole tables. */
export async function withSource<Result>(
  { SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir }: Config,
  watch: Watch,
  work: (session: CopySession, kind: 'embedded' | 'server') => Promise<Result>,
): Promise<Result> {
  if (url === undefined) return withEmbeddedOrCopy(dataDir, watch, (session) => work(session, 'embedded'))
  const session = await openSession({ url })
  try {
    return await work(session, 'server')
  } finally {
    await session.close()
  }
}

/** The embedded database: itself if the service is stopped, otherwise a copy that the service makes. */
async function withEmbeddedOrCopy<Result>(
  dataDir: string,
  { step, say }: Watch,
  work: (session: CopySession) => Promise<Result>,
): Promise<Result> {
  step('Opening the database')
  try {
    return await withEmbedded(dataDir, work)
  } catch (error) {
    const copy = isInUse(error) ? await askForCopy(dataDir) : undefined
    if (!copy) throw error
    say(`The service copied ${megabytes(copy.bytes)} MB. Writes waited for ${copy.heldMs} ms.`)
    if (copy.heldMs > longHoldMs) say('On a PostgreSQL server, writes do not wait for a backup.')
    try {
      const session = await openSession({ folder: databaseFolder(copy.folder) })
      return await work(session).finally(() => session.close())
    } finally {
      await rm(copy.folder, { recursive: true, force: true })
    }
  }
}

/** The embedded database of a service that is stopped. */
export async function withEmbedded<Result>(
  dataDir: string,
  work: (session: CopySession) => Promise<Result>,
): Promise<Result> {
  // A first start that was interrupted left a folder that holds nothing.
  if (!hasEmbedded({ SVC_DATA_DIR: dataDir }) || existsSync(join(dataDir, kept.unfinished)))
    throw new Error(`there is no database in ${dataDir}: run this command where the service runs, with its settings.`)
  const lock = stopFirst(() => lockFolder(dataDir))
  try {
    const session = await openSession({ folder: databaseFolder(dataDir) })
    return await work(session).finally(() => session.close())
  } finally {
    lock.free()
  }
}
