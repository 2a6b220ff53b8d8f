import { type EventName, isSafetyEvent } from '../../../catalogue/events.ts'
import { filteredFields } from '../../../catalogue/nouns.ts'

/** An organization's choice of what it wants to hear of, by words in names and keys. */
export interface NotificationFilter {
  mode: 'INCLUDE' | 'EXCLUDE'
  keywords: string[]
}

/** Safety events always pass; others as the filter says. */
export function passes(
  filter: NotificationFilter | null,
  event: { name: EventName; payload: Record<string, unknown> },
): boolean {
  if (!filter || isSafetyEvent(event.name)) return true
  const texts = namesAndKeys(event.payload)
  const mentions = filter.keywords.some((keyword) => texts.some((text) => text.includes(keyword.toLowerCase())))
  return filter.mode === 'INCLUDE' ? mentions : !mentions
}

/** Names and keys of the nouns that the body names, in lower case; not of the project or of who caused the event. */
function namesAndKeys(payload: Record<string, unknown>): string[] {
  const subjects = filteredFields.flatMap((field) => payload[field] ?? [])
  return subjects.flatMap((subject) => {
    const { name, key } = subject as { name?: unknown; key?: unknown }
    return [name, key].filter((text) => typeof text === 'string').map((text) => text.toLowerCase())
  })
}
