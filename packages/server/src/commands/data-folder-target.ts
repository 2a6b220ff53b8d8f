import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../backup/restore.ts'
import { systemClock } from '../platform/clock.ts'
import { dataFolderProblem, kept, makeDataFolder, writeKept } from '../platform/data-folder.ts'
import { databaseFolder, lockFolder, openDatabase, openSession, syncPath } from '../platform/db/index.ts'
import { stampOf } from './backup.ts'
import { hasEmbedded, log, stopFirst } from './existing-database.ts'

const ownerOnly = 0o700

/**
 * Builds the embedded database beside the present one, and puts it in its place when it is complete. Returns where the
 * present one went, if there was one.
 */
export async function intoDataFolder(
  dataDir: string,
  { replace, newKey }: { replace: boolean; newKey: string | undefined },
  fill: (target: Target) => Promise<void>,
): Promise<string | undefined> {
  const problem = (await dataFolderProblem(dataDir)) ?? makeDataFolder(dataDir)
  if (problem) throw new Error(`SVC_DATA_DIR${problem}`)
  const lock = stopFirst(() => lockFolder(dataDir))
  try {
    if (hasEmbedded({ SVC_DATA_DIR: dataDir }) && !replace)
      throw new Error(
        `there is a database in ${dataDir}. Add --replace to move it aside, or restore into another folder.`,
      )
    const building = join(dataDir, kept.restoring)
    rmSync(building, { recursive: true, force: true })
    mkdirSync(building, ownerOnly)
    await fill(folderTarget(building))
    const stamp = stampOf(systemClock())
    if (newKey) await putKeyInPlace(dataDir, newKey, stamp)
    return putInPlace(dataDir, building, stamp)
  } finally {
    lock.free()
  }
}

const folderTarget = (dataDir: string): Target => ({
  async session(work) {
    if (!existsSync(databaseFolder(dataDir))) await (await openDatabase({ dataDir, log })).close()
    const session = await openSession({ folder: databaseFolder(dataDir) })
    return work(session).finally(() => session.close())
  },
  async database(work) {
    const database = await openDatabase({ dataDir, log })
    return work(database).finally(() => database.close())
  },
})

async function putKeyInPlace(dataDir: string, key: string, stamp: string): Promise<void> {
  const place = join(dataDir, kept.secretKey)
  if (existsSync(place)) copyFileSync(place, `${place}.before-${stamp}`)
  await writeKept(dataDir, kept.secretKey, key)
}

/** Two folders change their names. In between, a start would find no database: the mark keeps it from making one. */
function putInPlace(dataDir: string, building: string, stamp: string): string | undefined {
  const place = databaseFolder(dataDir)
  const mark = join(dataDir, kept.restoreMark)
  const aside = `${place}.before-${stamp}`
  const hadOne = existsSync(place)
  writeFileSync(mark, '')
  syncPath(dataDir)
  if (hadOne) renameSync(place, aside)
  renameSync(databaseFolder(building), place)
  syncPath(dataDir)
  rmSync(mark)
  rmSync(building, { recursive: true })
  syncPath(dataDir)
  return hadOne ? aside : undefined
}
