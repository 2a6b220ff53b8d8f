import type { Client } from './heartbeat.ts'

const prefix = 'web:'

export interface SeenHost {
  host: string
  lastSeenAt: string
  /** How many revisions were published after the one that it has. */
  revisionsBehind: number | null
}

/** The host of a page; undefined for another client. */
export const hostOf = ({ sdkType, instanceId }: Pick<Client, 'sdkType' | 'instanceId'>): string | undefined =>
  sdkType === 'web' && instanceId?.startsWith(prefix) ? instanceId.slice(prefix.length) : undefined

/** The hosts whose pages have loaded the script, the one seen last first. */
export const seenHosts = (
  clients: readonly Pick<Client, 'sdkType' | 'instanceId' | 'lastSeenAt' | 'revisionsBehind'>[],
): SeenHost[] => {
  const hosts = new Map<string, SeenHost>()
  for (const { sdkType, instanceId, lastSeenAt, revisionsBehind } of clients) {
    const host = hostOf({ sdkType, instanceId })
    if (host === undefined) continue
    const known = hosts.get(host)
    // A host has one row for each version of the script.
    if (!known || known.lastSeenAt < lastSeenAt) hosts.set(host, { host, lastSeenAt, revisionsBehind })
  }
  return [...hosts.values()].toSorted((one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt))
}

const steps: [ms: number, unit: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

/** "12 s ago", for a time that is counted in front of the person. */
export function secondsAgo(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time)
  const [stepMs, unit] = steps.find(([each]) => ms >= each) ?? []
  return stepMs === undefined ? 'just now' : `${Math.floor(ms / stepMs)} ${unit} ago`
}

/** Whether a host is among those of the settings. `*.shop.example` stands for every host below it. */
export const isListed = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern))
