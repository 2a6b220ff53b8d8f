import type { Platform, Timer } from './platform.ts'

/** As in `platform.ts`. Scripts for pages run in pages and their workers. */
export const platform: Platform = {
  sdkType: 'browser',
  now: () => Date.now(),
  random: Math.random,
  setTimeout: (run, delayMs) => setTimeout(run, delayMs) as unknown as Timer,
  clearTimeout: (timer) => clearTimeout(timer as unknown as number),
  onHide(listener) {
    const page = globalThis.document
    const hear = () => page.visibilityState === 'hidden' && listener()
    page?.addEventListener('visibilitychange', hear)
    return () => page?.removeEventListener('visibilitychange', hear)
  },
}
