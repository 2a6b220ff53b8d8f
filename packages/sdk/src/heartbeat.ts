import { readBody } from './body.ts'
import type { Platform, SdkType } from './platform.ts'

const answerLimitBytes = 10_000
const toldAgainAfterMs = 3_600_000
// A browser sends 64 KB at the most when it is about to leave the page.
const flagsPerBeat = 200

/** Tells the service which client this is: the environment counts as connected. */
export interface Heartbeat {
  sdkKey: string
  sdkType: SdkType
  sdkVersion: string
  /** Random for each client, so that the service can count instances. */
  instanceId: string
  /** The one that this client serves. */
  revision: number | undefined
  /** Keys of flags that were evaluated, so that the service can tell which ones nobody uses any more. */
  evaluatedFlags: string[]
}

/** Posts one heartbeat. Throws as `fetch` does, and where the service refuses it. */
export async function sendHeartbeat(
  fetch: typeof globalThis.fetch,
  url: string,
  heartbeat: Heartbeat,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(heartbeat),
    // A browser would ask permission for JSON by a preflight; text/plain, its default, needs none.
    headers: heartbeat.sdkType === 'node' ? { 'content-type': 'application/json' } : {},
    keepalive: true,
    signal,
  })
  await readBody(response, answerLimitBytes)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
}

/** A random name for one client. Made by hand, as `crypto.randomUUID` is missing from pages without HTTPS. */
export const instanceId = (platform: Platform): string =>
  (platform.random().toString(36) + platform.random().toString(36)).replace(/0?\./g, '')

/** Which of the evaluated flags the next heartbeat tells: all of them once an hour, some at a time. */
export function evaluatedFlags(platform: Platform) {
  let untold: string[] = []
  let dueAt = 0
  return {
    next(keys: () => string[]): string[] {
      if (untold.length === 0 && platform.now() >= dueAt) {
        untold = keys()
        if (untold.length > 0) dueAt = platform.now() + toldAgainAfterMs
      }
      return untold.splice(0, flagsPerBeat)
    },
    /** Those that did not arrive are told with the next heartbeat. */
    again(flags: readonly string[]): void {
      untold.unshift(...flags)
    },
  }
}
