/** A timer as returned by `setTimeout`: an object in Node, a number without these methods in browsers. */
export type Timer = {
  /** The timer keeps a Node process alive, which is the default. */
  ref?: () => unknown
  /** The timer no longer keeps a Node process alive. */
  unref?: () => unknown
}

/** `node` includes Deno and Bun, `browser` means pages and their workers, `edge` is everything else. */
export type SdkType = 'node' | 'browser' | 'edge'

/** What the client needs from its runtime. Tests can pass their own, so that they do not have to sleep. */
export interface Platform {
  /** Reported in the heartbeat; decides how a request is made conditional. */
  readonly sdkType: SdkType
  /** The current time in epoch milliseconds. */
  now(): number
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number
  /** Calls `run` once, after `delayMs` milliseconds. */
  setTimeout(run: () => void, delayMs: number): Timer
  /** Stops a timer. Without one, or after its end, nothing happens. */
  clearTimeout(timer: Timer | undefined): void
  /** Calls `listener` each time the page is hidden, which can be its end. Returns a function that stops this. */
  onHide(listener: () => void): () => void
}

/** The platform of this process or page. */
export const platform: Platform = {
  // All pages and their workers have a `location`.
  sdkType: globalThis.process?.versions?.node ? 'node' : globalThis.location ? 'browser' : 'edge',
  // Looked up at each call, because tests can replace the system clock.
  now: () => Date.now(),
  random: Math.random,
  // Looked up at each call, because a page can replace it, and called as a function, because browsers refuse methods.
  setTimeout: (run, delayMs) => setTimeout(run, delayMs) as Timer,
  clearTimeout: (timer) => clearTimeout(timer as unknown as number),
  onHide(listener) {
    const page = globalThis.document
    const hear = () => page.visibilityState === 'hidden' && listener()
    page?.addEventListener('visibilitychange', hear)
    return () => page?.removeEventListener('visibilitychange', hear)
  },
}
