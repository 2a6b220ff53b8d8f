import type { Database } from '../../platform/db/index.ts'
import { allDataFiles, changedChannel, findDataFile } from './queries.ts'
import type { DataFileStore } from './store.ts'

/** Fills the store at start and keeps it in step with what this and other nodes commit. */
export async function keepDataFiles(database: Database, store: DataFileStore, onError: (error: unknown) => void) {
  const reload = async () => store.replaceAll(await allDataFiles(database.db))
  const refresh = async (envId: string) => {
    const file = await findDataFile(database.db, envId)
    if (file) store.put(file)
    else store.remove(envId)
  }
  // Listening comes first: what commits between the two is then seen by one of them.
  await database.listen(
    changedChannel,
    (envId) => void refresh(envId).catch(onError),
    () => void reload().catch(onError),
  )
  await reload()
}
