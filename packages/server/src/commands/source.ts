import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { kept } from '../platform/data-folder.ts'
import { type CopySession, databaseFolder, lockFolder, openSession } from '../platform/db/index.ts'
import { hasEmbedded, stopFirst } from './existing-database.ts'

/** Opens the database of the settings for reading whole tables. */
export async function withSource<Result>(
  { SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir }: Config,
  work: (session: CopySession, kind: 'embedded' | 'server') => Promise<Result>,
): Promise<Result> {
  if (url === undefined) return withEmbedded(dataDir, (session) => work(session, 'embedded'))
  const session = await openSession({ url })
  try {
    return await work(session, 'server')
  } finally {
    await session.close()
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
