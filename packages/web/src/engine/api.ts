import type { Taken } from './visit.ts'

/** What a page calls. Calls before the script has run wait in `svc.q`, as `[name, ...arguments]`. */
export interface Api {
  /** Where the visitor takes part, by the key of the experiment: the key of the variation. */
  variations: Taken
  /** Tells what the visitor did. */
  track(eventKey: string, options?: { value?: number; properties?: Record<string, unknown> }): void
  /** Names the person who is logged in, as the attribute `userId`. The visitor stays in the same variation. */
  identify(userId: string): void
  /** Attributes for targeting. The page is decided anew. */
  setAttributes(attributes: Record<string, unknown>): void
  /** What the visitor has answered. After `false`, nothing of the visitor is stored, sent or changed. */
  consent(isGiven: boolean): void
  /** Counts the visitor in an experiment with the activation `CALL`, and applies its changes. */
  activate?(key: string): void
  /** How the site goes to a different address of its own without a load, if it can. False: it did not. */
  redirect?: ((address: string) => unknown) | undefined
  /** Takes calls as the queue of before did. */
  q: { push(...calls: Call[]): void }
}

/** A call that waits. */
export type Call = [name: 'track' | 'identify' | 'setAttributes' | 'consent' | 'activate', ...given: never[]]
