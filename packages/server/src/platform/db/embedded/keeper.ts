import type { Log } from '../database.ts'
import { unavailable } from '../errors.ts'
import type { Host } from './host.ts'

const restartPauseMs = 1_000

/** Holds the thread of the database, and replaces it after a crash. */
export interface Keeper {
  /** The running thread. Rejects as unavailable while none can be started. */
  host(): Promise<Host>
  close(): Promise<void>
}

/**
 * Starts the thread now, and again after a crash, as a server's postmaster would. A full disk, for example, ends the
 * thread during a commit; the restart replays everything that was acknowledged. The thread restarts with the next
 * query, not earlier.
 */
export async function keepHost(start: () => Promise<Host>, log: Log, now = Date.now): Promise<Keeper> {
  let current = await start()
  let restart: Promise<Host> | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  const startAgain = async () => {
    log.warn({}, 'starting the embedded database again')
    try {
      current = await start()
    } catch (error) {
      failedAt = now()
      throw error
    } finally {
      restart = undefined
    }
    return current
  }

  const host = () => {
    if (current.isAlive()) return Promise.resolve(current)
    if (now() - failedAt < restartPauseMs) return Promise.reject(unavailable('the embedded database has stopped'))
    restart ??= startAgain()
    return restart
  }

  const close = async () => {
    await restart?.catch(() => {})
    await current.close()
  }

  return { host, close }
}
