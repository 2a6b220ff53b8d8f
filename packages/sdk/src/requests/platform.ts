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
  /**
   * Calls `listener` each time the page is hidden, which can be its end, and each time it is visible or online again.
   * Returns a function that stops this.
   */
  onVisibility(listener: (isHidden: boolean) => void): () => void
}

// All pages and their workers have a `location`. Cloudflare Workers can have the `process` of Node.
const isNode = globalThis.navigator?.userAgent !== 'Cloudflare-Workers' && !!globalThis.process?.versions?.node
const isPage = !isNode && !!globalThis.location

/**
 * Runs `act` outside of the async context of its caller, where the runtime can: timers that begin in a request would
 * otherwise run in the context of that request, and keep it in memory, as long as the client lives.
 */
export const outside: <Result>(act: () => Result) => Result =
  (isNode && globalThis.process.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage.snapshot?.()) ||
  ((act) => act())

const events = ['visibilitychange', 'pageshow', 'online']

/** The platform of this process or page. */
export const platform: Platform = {
  sdkType: isNode ? 'node' : isPage ? 'browser' : 'edge',
  // Looked up at each call, because tests can replace the system clock.
  now: () => Date.now(),
  random: Math.random,
  // Looked up at each call, because a page can replace it, and called as a function, because browsers refuse methods.
  setTimeout: (run, delayMs) => outside(() => setTimeout(run, delayMs) as Timer),
  clearTimeout: (timer) => clearTimeout(timer as unknown as number),
  onVisibility(listener) {
    // A runtime without pages has no events of pages.
    const page = isPage ? globalThis : undefined
    // The first `pageshow` is no return, and a page that is prepared unseen has that, too.
    const hear = ({ persisted = true }: Partial<PageTransitionEvent>) =>
      persisted && listener(globalThis.document?.visibilityState === 'hidden')
    for (const event of events) page?.addEventListener?.(event, hear)
    return () => {
      for (const event of events) page?.removeEventListener?.(event, hear)
    }
  },
}
