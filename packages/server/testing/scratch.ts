import { statfsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
const neededBytes = 4 * 2 ** 30

/**
 * A folder for one test's files, in memory where there is room: databases are copied and synced a thousand times in a
 * run. What is synced is seen all the same; only the disk is spared.
 */
export const scratchFolder = (name: string): Promise<string> => mkdtemp(join(parent, `${name}-`))

const parent = hasRoom(memoryFolder) ? memoryFolder : tmpdir()

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
