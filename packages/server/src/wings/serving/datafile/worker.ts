import { setImmediate as nextTurn } from 'node:timers/promises'
import { eachApart } from '../../../platform/apart.ts'
import type { Database } from '../../../platform/db/index.ts'
import { loadDataFile } from './actions.ts'
import { changedChannel, environmentIds } from './queries.ts'
import type { DataFileStore } from './store.ts'

/** Fills the store at start and keeps it up to date with commits of all nodes. */
export async function keepDataFiles(database: Database, store: DataFileStore): Promise<void> {
  const refresh = async (envId: string) => {
    const loaded = await loadDataFile(database.db, envId, store.held(envId))
    if (!loaded) return store.remove(envId)
    store.put(loaded.file)
    store.keep(loaded.keys)
  }
  const hear = async (notice: string) => {
    const [envId = '', revision = Number.POSITIVE_INFINITY] = notice.split(' ')
    // This node also gets notices of its own commits, sometimes before the commit is answered. It does not read what it
    // has made.
    const made = store.made.get(envId)
    await (made?.file.revision === Number(revision) ? made.ended : nextTurn())
    if ((store.held(envId)?.revision ?? -1) < Number(revision)) await refresh(envId)
  }
  // One at a time, so that a large installation is never in memory twice. Files that no longer exist are dropped.
  const reload = async () => {
    await eachApart(new Set([...store.envIds(), ...(await environmentIds(database.db))]), refresh)
  }
  // Listen first, so that no commit between the two is missed.
  await database.listen(changedChannel, hear, reload)
  await reload()
}
