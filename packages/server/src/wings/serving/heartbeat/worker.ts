import type { Db } from '../../../platform/db/index.ts'
import { together } from '../../../platform/together.ts'
import { type Propagation, type Published, propagationOf } from './propagation.ts'
import { findInstances } from './queries.ts'

/** How often a waiting call checks for heartbeats from other nodes. */
const lookAgainMs = 500

/** What a call that can change a data file asks for. */
export interface Confirming {
  published: Published & { envId: string }
  /** Whether the call publishes, or repeats a call that did. */
  acts: boolean
  /** Undefined if the caller did not ask to wait. */
  waitMs: number | undefined
  /** Aborted when the caller disconnects. */
  gone: () => AbortSignal
}

export interface Confirmations {
  /** Call this after storing heartbeats of the environment. */
  heard(envId: string): void
  /**
   * Waits until every live instance serves the revision, the time is over or the caller has disconnected. Holds no
   * database connection meanwhile. `propagation` is absent if the call did not ask for it, and null if the database is
   * unavailable.
   */
  confirm(confirming: Confirming): Promise<{ propagation?: Propagation | null }>
  /** Ends all waits. Their calls answer with what is known so far. */
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
  // One read at a time per environment, regardless of how many calls wait.
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
          // The change is committed, so an unavailable database must not fail the call. The next check tries again.
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
