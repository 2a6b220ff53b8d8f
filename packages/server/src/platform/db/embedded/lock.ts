import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { kept } from '../../data-folder.ts'

const { lock: lockName, owner: ownerName } = kept

/**
 * Locks the folder for this process, or throws. It is a lock of SQLite and not a file with a process id, because the
 * kernel frees it when the process dies, even by kill -9.
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

// The process id has its own file: reading the lock file itself would release this process's POSIX lock on it.
function ownerOf(folder: string): string {
  try {
    return readFileSync(join(folder, ownerName), 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
