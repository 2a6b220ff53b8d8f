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

const isIn = (keyword: string, texts: readonly string[]): boolean => {
  const wanted = comparable(keyword.trim())
  return texts.some((text) => text.includes(wanted))
}

/** Equal for what people read as equal: full-width letters, ligatures and capitals. */
const comparable = (text: string): string => text.normalize('NFKC').toLowerCase()

/**
 * Names and keys in the body, and the kind of a source, in the form that is compared. Not those of the project and of
 * who caused the event.
 */
function namesAndKeys(payload: Record<string, unknown>): string[] {
  return filteredFields.flatMap((field) =>
    [payload[field] ?? []].flat().flatMap((subject) => {
      const { name, key, kind } = subject as { name?: unknown; key?: unknown; kind?: unknown }
      const texts = field === 'source' ? [name, key, kind] : [name, key]
      return texts.filter((text) => typeof text === 'string').map(comparable)
    }),
  )
}
