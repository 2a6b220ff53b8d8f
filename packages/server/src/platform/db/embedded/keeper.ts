import type { Log } from '../database.ts'
import { unavailable } from '../errors.ts'
import type { Host } from './host.ts'

const restartPauseMs = 1_000

/** Holds the database's thread, and another one after it has crashed. */
export interface Keeper {
  /** The living thread; rejects as unavailable while none can be started. */
  host(): Promise<Host>
  close(): Promise<void>
}

/**
 * Starts the thread now and, as a server's postmaster would, again after a crash: a full disk, for one, ends it in the
 * middle of a commit, and the restart replays what was acknowledged. It comes with the next query, not sooner.
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
