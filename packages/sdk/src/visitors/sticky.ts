import type { Keep } from '@svc/core'

/** Keeps texts by key, at once: `localStorage` of a browser, or a map that a server loads for its visitor. */
export interface StickyStore {
  /** The text that was stored under this key; null or undefined if there is none. */
  get(key: string): string | null | undefined
  /** Stores the key of a variation. If it throws, the logger is called once and the variation is drawn. */
  set(key: string, variationKey: string): unknown
}

/**
 * Keeps variations of sticky rules in the store. Without a store, or if it fails, they are drawn; that is told once.
 *
 * @param envId the id of the environment, which stays when the SDK key is renewed
 */
export function keepIn(
  {
    stickyStore,
    warn,
  }: {
    stickyStore: StickyStore | undefined
    warn: (message: string, ...cause: unknown[]) => unknown
  },
  envId: () => string | undefined,
): Keep {
  let isTold = false
  const attempt = (work: (store: StickyStore) => unknown) => {
    try {
      return work(stickyStore!)
    } catch (cause) {
      if (!isTold) warn(stickyStore ? 'stickyStore failed' : 'a sticky rule needs the option stickyStore', cause)
      isTold = true
    }
  }
  const keyOf = (ruleId: string, unit: string) => `${envId()}.${ruleId}.${unit}`
  return {
    get: (ruleId, unit) => attempt((store) => store.get(keyOf(ruleId, unit))),
    set: (ruleId, unit, variationKey) => attempt((store) => store.set(keyOf(ruleId, unit), variationKey)),
  }
}
