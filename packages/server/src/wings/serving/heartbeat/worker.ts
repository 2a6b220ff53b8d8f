import type { Db } from '../../../platform/db/index.ts'
import { together } from '../../../platform/together.ts'
import { type Propagation, type Published, propagationOf } from './propagation.ts'
import { findInstances } from './queries.ts'

/** How often a wait looks for heartbeats that other nodes have stored. */
const lookAgainMs = 500

/** What a call says that may change a data file. */
export interface Confirming {
  published: Published & { envId: string }
  /** Whether the call brings about what is published; a second one that finds it done does so as well. */
  acts: boolean
  /** Undefined: the caller did not ask. */
  waitMs: number | undefined
  /** Aborted when the caller hangs up. */
  gone: () => AbortSignal
}

export interface Confirmations {
  /** Heartbeats of the environment have been stored. */
  heard(envId: string): void
  /**
   * Waits until every instance that is heard of serves the revision, the time is over or the caller has hung up; holds
   * no connection meanwhile. Answers nothing where nobody asked, and null when the database cannot tell.
   */
  confirm(confirming: Confirming): Promise<{ propagation?: Propagation | null }>
  /** Ends every wait: its call answers with what is known. */
  stop(): void
}

interface Wait {
  look(): void
  end(): void
}

export function confirmations(db: Db, now: () => Date): Confirmations {
  const waits = new Map<string, Set<Wait>>()
  let stopped = false
  type Standing = Awaited<ReturnType<typeof findInstances>>
  // One reading at a time for each environment, however many wait.
  const read = together<(standing: Standing) => void>(async (envId, readers) => {
    const standing = await findInstances(db, envId)
    for (const reader of readers) reader(standing)
  })
  const lookAgain = setInterval(() => {
    for (const each of waits.values()) for (const wait of each) wait.look()
  }, lookAgainMs).unref()

  async function untilOver(
    envId: string,
    wait: Wait,
    { waitMs, gone }: { waitMs: number; gone: AbortSignal },
    over: Promise<void>,
  ) {
    const ofEnvironment = waits.get(envId) ?? new Set()
    waits.set(envId, ofEnvironment.add(wait))
    const timer = setTimeout(wait.end, waitMs)
    gone.addEventListener('abort', wait.end)
    if (gone.aborted) wait.end()
    wait.look()
    await over
    gone.removeEventListener('abort', wait.end)
    clearTimeout(timer)
    ofEnvironment.delete(wait)
    if (ofEnvironment.size === 0) waits.delete(envId)
  }

  return {
    heard(envId) {
      for (const wait of waits.get(envId) ?? []) wait.look()
    },
    async confirm({ published, acts, waitMs, gone }) {
      if (waitMs === undefined) return {}
      const { envId } = published
      const known: { propagation: Propagation | null } = { propagation: null }
      const over = Promise.withResolvers<void>()
      const look = async () => {
        try {
          await read(envId, (standing) => {
            known.propagation = standing
              ? propagationOf(published, standing.currentRevision, standing.instances, now())
              : null
            if (known.propagation?.complete ?? true) over.resolve()
          })
        } catch {
          // The change is made: that the database is away is no reason to refuse it. The next look tries again.
        }
      }
      if (acts && !stopped) {
        const signal = gone()
        await untilOver(envId, { look: () => void look(), end: over.resolve }, { waitMs, gone: signal }, over.promise)
        if (signal.aborted) return known
      }
      if (!known.propagation?.complete) await look()
      return known
    },
    stop() {
      stopped = true
      clearInterval(lookAgain)
      for (const each of waits.values()) for (const wait of each) wait.end()
    },
  }
}
