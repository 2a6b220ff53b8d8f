import type { Db } from '../../platform/db/index.ts'
import { saveUses, type TokenUse } from './queries.ts'

const flushIntervalMs = 2_000

/** Collects who used which token, so that authenticating a request writes nothing on the request's path. */
export interface LastUses {
  note(use: TokenUse): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export function lastUses(db: Db, onError: (error: unknown) => void): LastUses {
  let pending = new Map<string, TokenUse>()
  const flush = async () => {
    if (pending.size === 0) return
    const uses = pending
    pending = new Map()
    try {
      await saveUses(db, [...uses.values()])
    } catch (error) {
      // Kept for the next flush, behind whatever came in meanwhile.
      pending = new Map([...uses, ...pending])
      throw error
    }
  }
  const timer = setInterval(() => void flush().catch(onError), flushIntervalMs).unref()
  return {
    note: (use) => pending.set(use.tokenId, use),
    flush,
    async stop() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
