import { type EventName, events, isSafetyEvent } from '../../../catalogue/events.ts'
import { bodyFieldOf } from '../../../catalogue/nouns.ts'
import { mentioned, type NotificationFilter, passes } from './filter.ts'

/** An event that was sent, or could have been. The payload has at least the fields that the filter reads. */
export interface PastEvent {
  name: EventName
  payload: Record<string, unknown>
  projectName: string
  occurredAt: Date
}

/** Events of each sort that the preview shows. */
const shown = 5

/** What a filter would have done with these events, which are in the order of the examples. */
export function previewOf(filter: NotificationFilter | null, past: readonly PastEvent[]) {
  const safety = past.filter(({ name }) => isSafetyEvent(name))
  const filtered = past.filter(({ name }) => !isSafetyEvent(name))
  const passing = filtered.filter((event) => passes(filter, event))
  const through = new Set(passing)
  const stopped = filtered.filter((event) => !through.has(event))
  const matches = new Map<string, number>()
  for (const { payload } of filtered)
    for (const keyword of mentioned(filter?.keywords ?? [], payload))
      matches.set(keyword, (matches.get(keyword) ?? 0) + 1)
  return {
    events: filtered.length,
    passed: passing.length,
    safety: safety.length,
    byEvent: byEvent(filtered, through),
    keywords: (filter?.keywords ?? []).map((keyword) => ({ keyword, matches: matches.get(keyword) ?? 0 })),
    passing: passing.slice(0, shown).map(example),
    stopped: stopped.slice(0, shown).map(example),
  }
}

function byEvent(past: readonly PastEvent[], passing: ReadonlySet<PastEvent>) {
  const counts = new Map<EventName, { event: EventName; passed: number; stopped: number }>()
  for (const event of past) {
    const count = counts.get(event.name) ?? { event: event.name, passed: 0, stopped: 0 }
    count[passing.has(event) ? 'passed' : 'stopped'] += 1
    counts.set(event.name, count)
  }
  const all = ({ passed, stopped }: { passed: number; stopped: number }) => passed + stopped
  return [...counts.values()].sort((one, other) => all(other) - all(one) || (one.event < other.event ? -1 : 1))
}

function example({ name, payload, projectName, occurredAt }: PastEvent) {
  const { flags } = payload
  // A publish is about its environment, but people look for the flag.
  const [only, ...others] = Array.isArray(flags) ? flags : []
  const subject = only !== undefined && others.length === 0 ? only : payload[bodyFieldOf(events[name].about)]
  const subjectName = (subject as { name?: unknown } | undefined)?.name
  return {
    event: name,
    name: typeof subjectName === 'string' ? subjectName : null,
    project: projectName,
    occurredAt: occurredAt.toISOString(),
  }
}
