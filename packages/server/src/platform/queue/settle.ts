import { setTimeout as pause } from 'node:timers/promises'
import { isUnavailable } from '../db/index.ts'
import type { Job } from './kind.ts'
import { isOver } from './lease.ts'
import { rounds } from './rounds.ts'

/** How long results wait for others to be written together. */
const gatherMs = 20

/** Results on their way to the database. */
export interface Settling<Result> {
  /** Writes it soon, together with others. */
  add(result: Result): void
  /** Tries again to write results that failed because the database was unavailable. */
  retry(): void
  /**
   * Writes everything if the lease of a result is over. Otherwise a job that was sent could be claimed again because
   * its lease ended before its result was written.
   */
  beforeClaim(): Promise<void>
  /** Whether nothing is being written or about to be. */
  isIdle(): boolean
  idle(): Promise<void>
  /** Writes the remaining results, as far as the database accepts them. */
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
      // Kept for the next round: the lease outlasts a short failure of the database.
      waiting.unshift(...beingWritten)
      throw error
    } finally {
      beingWritten = []
    }
  }

  /**
   * Writes results one by one, so that one bad result does not delay others. Its job is attempted again when the lease
   * ends.
   */
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
