import { sql } from 'kysely'
import pg from 'pg'
import { closeToOthers, makeDataFolder } from '../../data-folder.ts'
import type { Database, Log } from '../database.ts'
import { EagerDialect } from '../dialect.ts'
import { insist, type Subscription } from '../subscription.ts'
import { JoiningDb } from '../whole.ts'
import { copyFiles, folderBytes } from './copy-files.ts'
import { databaseFolder, prepareFolder } from './folder.ts'
import { startHost } from './host.ts'
import { type Keeper, keepHost } from './keeper.ts'
import { lockFolder } from './lock.ts'
import { embeddedPool } from './pool.ts'

/**
 * Opens PostgreSQL in a thread of this process, with files under `dataDir`/postgres and every commit synced to the
 * disk.
 */
export async function openEmbedded(dataDir: string, log: Log): Promise<Database> {
  const problem = makeDataFolder(dataDir)
  if (problem) throw new Error(`SVC_DATA_DIR${problem}`)
  const lock = lockFolder(dataDir)
  const closing = new AbortController()
  let keeper: Keeper | undefined
  try {
    closeToOthers(dataDir, log)
    const preparation = prepareFolder(dataDir)
    const subscriptions: Subscription[] = []
    const call = (work: () => unknown) => void insist(work, log, closing.signal)
    keeper = await keepHost(() => startListening(databaseFolder(dataDir), subscriptions, call, log), log)
    preparation.complete()
    const db = new JoiningDb({ dialect: new EagerDialect(embeddedPool(keeper)) })
    const ping = async () => void (await sql`select 1`.execute(db))
    // Kysely closes a pool only if it has used it.
    await ping()
    return {
      db,
      kind: 'embedded',
      listen: async (channel, onNotice, onReconnect) => {
        subscriptions.push({ channel, onNotice, onReconnect })
        await sql.raw(listenTo(channel)).execute(db)
      },
      ping,
      unhurried: (work) => work(db),
      copyFiles: (to) =>
        // Inside a transaction, no upkeep changes a file. The checkpoint makes the copy recover quickly.
        db.transaction().execute(async (tx) => {
          const begun = performance.now()
          await sql`checkpoint`.execute(tx)
          const bytes = await copyFiles(databaseFolder(dataDir), to)
          return { bytes, heldMs: Math.round(performance.now() - begun) }
        }),
      fileBytes: () => folderBytes(databaseFolder(dataDir)),
      close: async () => {
        closing.abort()
        await db.destroy()
        lock.free()
      },
    }
  } catch (error) {
    await keeper?.close()
    lock.free()
    throw error
  }
}

/** After a crash, the new session subscribes to the same channels, and every listener is called. */
async function startListening(
  folder: string,
  subscriptions: Subscription[],
  call: (work: () => unknown) => void,
  log: Log,
) {
  const host = await startHost(folder, log)
  host.onNotice((heard, payload) => {
    for (const { channel, onNotice } of subscriptions) if (channel === heard) call(() => onNotice(payload))
  })
  try {
    for (const { channel } of subscriptions) await host.query(listenTo(channel), [])
  } catch (error) {
    await host.close()
    throw error
  }
  for (const { onReconnect } of subscriptions) call(() => onReconnect?.())
  return host
}

const listenTo = (channel: string): string => `listen ${pg.escapeIdentifier(channel)}`
