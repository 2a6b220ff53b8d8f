import type { Platform, Timer } from './platform.ts'

/** As in `platform.ts`: pages have no async context. */
export const outside = <Result>(act: () => Result): Result => act()

/** As in `platform.ts`. Scripts for pages run in pages and their workers. */
export const platform: Platform = {
  sdkType: 'browser',
  now: () => Date.now(),
  random: Math.random,
  setTimeout: (run, delayMs) => setTimeout(run, delayMs) as unknown as Timer,
  clearTimeout: (timer) => clearTimeout(timer as unknown as number),
  onHide: (listener) => hear(['visibilitychange'], () => isHidden() && listener()),
  onShow: (listener) => hear(['visibilitychange', 'pageshow', 'online'], () => isHidden() || listener()),
}

const isHidden = (): boolean => globalThis.document?.visibilityState === 'hidden'

function hear(events: readonly string[], listener: () => void): () => void {
  for (const event of events) globalThis.addEventListener?.(event, listener)
  return () => {
    for (const event of events) globalThis.removeEventListener?.(event, listener)
  }
}
