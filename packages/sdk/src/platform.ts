/** A timer as `setTimeout` returns it: an object in Node; in browsers a number, which has neither method. */
export type Timer = { ref?: () => unknown; unref?: () => unknown }

/** `node` stands for Deno and Bun too; `browser` for pages and their workers; `edge` for what is neither. */
export type SdkType = 'node' | 'browser' | 'edge'

/** What the client takes from where it runs. Tests pass their own, so that no test has to sleep. */
export interface Platform {
  /** Reported in the heartbeat; decides how a request is made conditional. */
  readonly sdkType: SdkType
  /** Milliseconds since 1970. */
  now(): number
  /** Uniform in [0, 1). */
  random(): number
  setTimeout(run: () => void, delayMs: number): Timer
  clearTimeout(timer: Timer | undefined): void
}

/** The process or page that this code runs in. */
export const platform: Platform = {
  // Pages and their workers have an address, whatever else they lack.
  sdkType: globalThis.process?.versions?.node ? 'node' : globalThis.location ? 'browser' : 'edge',
  // Looked up late, for tests that replace the system's clock.
  now: () => Date.now(),
  random: Math.random,
  // Called late and as a plain function: a page may replace it, and browsers refuse it as a method.
  setTimeout: (run, delayMs) => setTimeout(run, delayMs) as Timer,
  clearTimeout: (timer) => clearTimeout(timer as unknown as number),
}
