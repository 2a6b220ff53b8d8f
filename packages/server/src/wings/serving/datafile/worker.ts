import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../platform/db/index.ts'
import { loadDataFile } from './actions.ts'
import { changedChannel, environmentIds } from './queries.ts'
import type { DataFileStore } from './store.ts'

/** Fills the store at start and keeps it in step with what this and other nodes commit. */
export async function keepDataFiles(database: Database, store: DataFileStore): Promise<void> {
  const refresh = async (envId: string) => {
    const file = await loadDataFile(database.db, envId, store.held(envId))
    if (file) store.put(file)
    else store.remove(envId)
  }
  const hear = async (notice: string) => {
    const [envId = '', revision = Number.POSITIVE_INFINITY] = notice.split(' ')
    // This node hears of its own commits, at times before it has their answer: what it holds by then is not read again.
    await nextTurn()
    if ((store.held(envId)?.revision ?? -1) < Number(revision)) await refresh(envId)
  }
  // One after another, so that a large installation is never in memory twice. What is held and no longer there goes.
  const reload = async () => {
    for (const envId of new Set([...store.envIds(), ...(await environmentIds(database.db))])) await refresh(envId)
  }
  // Listening comes first: what commits between the two is then seen by one of them.
  await database.listen(changedChannel, hear, reload)
  await reload()
}
