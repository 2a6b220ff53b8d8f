import { type EventName, isSafetyEvent } from '../../../catalogue/events.ts'

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

const named = ['flag', 'rule', 'environment', 'webhook', 'token', 'experiment', 'exclusionGroup']
const listed = ['flags', 'rules']

/** Names and keys of what the event is about, in lower case; not of who did it, nor of the project it lies in. */
function namesAndKeys(payload: Record<string, unknown>): string[] {
  const subjects = [...named, ...listed].flatMap((field) => payload[field] ?? [])
  return subjects.flatMap((subject) => {
    const { name, key } = subject as { name?: unknown; key?: unknown }
    return [name, key].filter((text) => typeof text === 'string').map((text) => text.toLowerCase())
  })
}
