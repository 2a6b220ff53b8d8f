import { type EventName, isSafetyEvent } from '../../../catalogue/events.ts'
import { filteredFields } from '../../../catalogue/nouns.ts'

/** The notification filter of an organization: keywords in names and keys. */
export interface NotificationFilter {
  mode: 'INCLUDE' | 'EXCLUDE'
  keywords: string[]
}

/** Whether an event passes the filter. Safety events always pass. */
export function passes(
  filter: NotificationFilter | null,
  event: { name: EventName; payload: Record<string, unknown> },
): boolean {
  if (!filter || isSafetyEvent(event.name)) return true
  const texts = namesAndKeys(event.payload)
  return filter.keywords.some((keyword) => isIn(keyword, texts)) === (filter.mode === 'INCLUDE')
}

/** The keywords that names and keys of an event contain. */
export function mentioned(keywords: readonly string[], payload: Record<string, unknown>): string[] {
  const texts = namesAndKeys(payload)
  return keywords.filter((keyword) => isIn(keyword, texts))
}

const isIn = (keyword: string, texts: readonly string[]): boolean =>
  texts.some((text) => text.includes(keyword.toLowerCase()))

/** Lowercase names and keys in the body, except those of the project and of who caused the event. */
function namesAndKeys(payload: Record<string, unknown>): string[] {
  const subjects = filteredFields.flatMap((field) => payload[field] ?? [])
  return subjects.flatMap((subject) => {
    const { name, key } = subject as { name?: unknown; key?: unknown }
    return [name, key].filter((text) => typeof text === 'string').map((text) => text.toLowerCase())
  })
}
