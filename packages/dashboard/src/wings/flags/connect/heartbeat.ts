import type { Data } from '@svc/client'
import { useEffect, useState } from 'react'
import type { Environment } from '../../../shell/place.ts'

export type Client = Data<'/api/v1/projects/{projectId}/environments/{envId}/clients', 'get'>[number]

/** Short, because the person watches. Only while the page is visible: queries pause in the background. */
export const heartbeatsReadMs = 2_000

/** The time, every second. */
export function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** "0:42", for a wait that is counted in front of the person. */
export function waited(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** "node, SDK 1.4.0, revision 3": the client heard of last, or the SDK of the environment if clients cannot be read. */
export function connectedWords(
  clients: readonly Pick<Client, 'sdkType' | 'sdkVersion' | 'revision' | 'lastSeenAt'>[],
  sdks: Pick<Environment['sdks'][number], 'type' | 'version' | 'lastSeenAt'>[],
): string | undefined {
  const client = latest(clients)
  if (client) {
    const revision = client.revision === null ? '' : `, revision ${client.revision}`
    return `${client.sdkType}, SDK ${client.sdkVersion}${revision}`
  }
  const sdk = latest(sdks)
  return sdk && `${sdk.type}, SDK ${sdk.version}`
}

const latest = <Seen extends { lastSeenAt: string }>(all: readonly Seen[]): Seen | undefined =>
  all.toSorted((one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt))[0]
