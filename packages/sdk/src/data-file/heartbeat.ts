import type { Platform, SdkType } from '../requests/platform.ts'

const toldAgainAfterMs = 3_600_000
// A browser sends at most 64 KB in requests that outlive the page.
const flagsPerBeat = 200

/** The message that tells the service that this client is connected and which revision it serves. */
export interface Heartbeat {
  sdkKey: string
  sdkType: SdkType
  sdkVersion: string
  /** Random for each client, so that the service can count instances. */
  instanceId: string
  /** The revision that this client serves. */
  revision: number | undefined
  /** Keys of flags that were evaluated, so that the service can tell which flags are no longer used. */
  evaluatedFlags: string[]
}

/** Chooses the evaluated flags for the next heartbeat: all of them once an hour, in batches. */
export function evaluatedFlags(platform: Platform) {
  const told = new Set<string>()
  let untold: string[] = []
  let dueAt = 0
  return {
    next(keys: () => string[]): string[] {
      if (untold.length === 0 && platform.now() >= dueAt) {
        untold = keys()
        told.clear()
        if (untold.length > 0) dueAt = platform.now() + toldAgainAfterMs
      }
      const flags = untold.splice(0, flagsPerBeat)
      for (const key of flags) told.add(key)
      return flags
    },
    /** Puts flags that were not reported in this hour into the next heartbeat. Returns whether any wait. */
    hasNew(keys: readonly string[]): boolean {
      untold = [...new Set([...untold, ...keys.filter((key) => !told.has(key))])]
      return untold.length > 0
    },
    /** Puts flags back for the next heartbeat, after one that failed. */
    again(flags: readonly string[]): void {
      untold.unshift(...flags)
    },
  }
}
