import type { Platform, Timer } from './platform.ts'

/** As in `platform.ts`: pages have no async context. */
export const outside = <Result>(act: () => Result): Result => act()

const events = ['visibilitychange', 'pageshow', 'online']

/** As in `platform.ts`. Scripts for pages run in pages and their workers. */
export const platform: Platform = {
  sdkType: 'browser',
  now: () => Date.now(),
  random: Math.random,
  setTimeout: (run, delayMs) => setTimeout(run, delayMs) as unknown as Timer,
  clearTimeout: (timer) => clearTimeout(timer as unknown as number),
  onVisibility(listener) {
    const hear = ({ persisted = true }: Partial<PageTransitionEvent>) =>
      persisted && listener(globalThis.document?.visibilityState === 'hidden')
    for (const event of events) globalThis.addEventListener?.(event, hear)
    return () => {
      for (const event of events) globalThis.removeEventListener?.(event, hear)
    }
  },
}
