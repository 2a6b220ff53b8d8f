import type { Platform } from '../requests/platform.ts'

const flagsPerBeat = 200

/** As in `heartbeat.ts`, in fewer bytes: each heartbeat has what is new, and a page tells of a flag once. */
export function evaluatedFlags(_platform: Platform) {
  const told = new Set<string>()
  const waiting = new Set<string>()
  const hasNew = (keys: readonly string[]): boolean => {
    for (const key of keys) if (!told.has(key)) waiting.add(key)
    return waiting.size > 0
  }
  return {
    hasNew,
    next(keys: () => string[]): string[] {
      hasNew(keys())
      const flags = [...waiting].slice(0, flagsPerBeat)
      for (const key of flags) {
        told.add(key)
        waiting.delete(key)
      }
      return flags
    },
    again(flags: readonly string[]): void {
      for (const key of flags) told.delete(key)
      hasNew(flags)
    },
  }
}
