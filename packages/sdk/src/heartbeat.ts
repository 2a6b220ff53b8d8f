import { readBody } from './body.ts'
import type { Platform } from './platform.ts'

const answerLimitBytes = 10_000

/** Tells the service which client this is: the environment counts as connected. */
export interface Heartbeat {
  sdkKey: string
  sdkType: 'node' | 'browser'
  sdkVersion: string
  /** Random for each client, so that the service can count instances. */
  instanceId: string
}

/** Posts one heartbeat. Throws as `fetch` does; an answer of any status is fine. */
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
}

/** A random name for one client. Made by hand, as `crypto.randomUUID` is missing from pages without HTTPS. */
export const instanceId = (platform: Platform): string =>
  (platform.random().toString(36) + platform.random().toString(36)).replace(/0?\./g, '')
