import { setTimeout as pause } from 'node:timers/promises'
import { isUnavailable } from '../db/index.ts'
import type { Job } from './kind.ts'
import { isOver } from './lease.ts'
import { rounds } from './rounds.ts'

/** How long results wait for others, to be written together. */
const gatherMs = 10

/** Results on their way into the database. */
export interface Settling<Result> {
  /** It is written soon, together with others. */
  add(result: Result): void
  /** Tries again what could not be written while the database was away. */
  retry(): void
  /**
   * Writes everything first if the lease of a result is over. What has been sent is not claimed again because its lease
   * ended before its result could be written.
   */
  beforeClaim(): Promise<void>
  /** Whether nothing is being written or about to be. */
  isIdle(): boolean
  idle(): Promise<void>
  /** Writes what is left, as far as the database lets it. */
  stop(): Promise<void>
}

export function settling<Result extends { job: Job }>(
  write: (results: readonly Result[]) => Promise<void>,
  onError: (error: unknown) => void,
  now: () => Date,
): Settling<Result> {
  const waiting: Result[] = []
  let beingWritten: readonly Result[] = []
  const { ask, isIdle, idle } = rounds(writeGathered, onError)

  async function writeGathered(): Promise<void> {
    await pause(gatherMs)
    beingWritten = waiting.splice(0)
    try {
      if (beingWritten.length > 0) await write(beingWritten)
    } catch (error) {
      if (!isUnavailable(error)) return await writeApart(beingWritten)
      // Kept for the next round: the lease lasts longer than a short absence of the database.
      waiting.unshift(...beingWritten)
      throw error
    } finally {
      beingWritten = []
    }
  }

  /** One result that cannot be written holds up no other; its job is attempted again when the lease has ended. */
  async function writeApart(results: readonly Result[]): Promise<void> {
    for (const result of results) await write([result]).catch(onError)
  }

  const retry = () => {
    if (waiting.length > 0) ask()
  }
  return {
    add(result) {
      waiting.push(result)
      ask()
    },
    retry,
    async beforeClaim() {
      const at = now()
      if (![...beingWritten, ...waiting].some(({ job }) => isOver(job, at))) return
      ask()
      await idle()
    },
    isIdle,
    idle,
    async stop() {
      await idle()
      retry()
      await idle()
    },
  }
}
