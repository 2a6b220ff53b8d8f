import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { kept } from '../../data-folder.ts'

const { lock: lockName, owner: ownerName } = kept

/**
 * Takes the folder for this process, or throws. The kernel frees the lock when the process dies, even by kill -9,
 * which is why it is a lock of SQLite's and not a file with a process id.
 */
export function lockFolder(folder: string): { free(): void } {
  const lock = new DatabaseSync(join(folder, lockName), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new Error(`${folder} is in use by another process (pid ${ownerOf(folder)})`)
  }
  writeFileSync(join(folder, ownerName), `${process.pid}\n`)
  return { free: () => void (lock.isOpen && lock.close()) }
}

const sqliteBusy = 5

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy

// Beside the lock: reading the lock file itself would drop this process's own POSIX lock on it.
function ownerOf(folder: string): string {
  try {
    return readFileSync(join(folder, ownerName), 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
