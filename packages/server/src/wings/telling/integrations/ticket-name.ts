import type { KindName } from '../destinations/index.ts'

/** What people call a ticket: `OPS-7`, `#7`. Null for an alarm, which has no name. */
export function ticketName(
  kind: KindName,
  { externalId, url }: { externalId: string; url: string | null },
): string | null {
  if (kind === 'JIRA') return externalId
  if (kind === 'GITHUB') return `#${externalId}`
  if (kind === 'LINEAR') return /\/issue\/([A-Z0-9]+-\d+)/i.exec(url ?? '')?.[1] ?? null
  return null
}
