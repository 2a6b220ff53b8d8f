import { allOf } from '../../../ui/words/lists.ts'
import { type EventName, eventsInWords, startingEvents } from '../deliveries/events.ts'
import type { Digest } from '../destinations/digests.ts'

type Events = 'SAFETY' | string[]

/** What a person can choose for a project. */
export type What = 'DEFAULT' | 'NOTHING' | 'SAFETY' | 'CHOSEN'

export interface Subscription {
  projectId: string
  project: { name: string }
  events: Events
  digest: Digest
  isDefault: boolean
  disableReason: string | null
}

/** A line of the form. */
export interface Line {
  projectId: string
  name: string
  what: What
  /** Kept while something else is chosen. */
  events: string[]
  digest: Digest
  disableReason: string | null
}

export const lineOf = ({ projectId, project, events, digest, isDefault, disableReason }: Subscription): Line => ({
  projectId,
  name: project.name,
  what: isDefault ? 'DEFAULT' : whatOf(events),
  events: events === 'SAFETY' || events.length === 0 ? startingEvents : events,
  digest,
  disableReason,
})

const whatOf = (events: Events): What => (events === 'SAFETY' ? 'SAFETY' : events.length === 0 ? 'NOTHING' : 'CHOSEN')

/** The choices of a line. Where the role brings nothing, its default is the same as nothing. */
export const choicesOf = (byRole: Events): { value: What; label: string }[] => [
  ...(byRole === 'SAFETY'
    ? ([
        { value: 'DEFAULT', label: 'By your role: safety events' },
        { value: 'NOTHING', label: 'Nothing' },
      ] as const)
    : ([{ value: 'DEFAULT', label: 'Nothing' }] as const)),
  { value: 'SAFETY', label: 'Safety events' },
  { value: 'CHOSEN', label: 'Chosen events' },
]

/** What a line shows if its choice is not offered: "nothing" is then the default too. */
export const shownWhat = (what: What, byRole: Events): What =>
  what === 'NOTHING' && byRole !== 'SAFETY' ? 'DEFAULT' : what

interface Chosen {
  projectId: string
  events: 'SAFETY' | EventName[]
  digest: Digest
}

/** The body of a save: a project with the default is not named. */
export const subscriptionsOf = (lines: readonly Line[]): Chosen[] =>
  lines.flatMap(({ projectId, what, events, digest }): Chosen[] => {
    if (what === 'DEFAULT') return []
    if (what === 'CHOSEN') return [{ projectId, events: events as EventName[], digest }]
    return [{ projectId, events: what === 'SAFETY' ? ('SAFETY' as const) : [], digest: 'NONE' as const }]
  })

/** Why lines cannot be saved. */
export function problemIn(lines: readonly Line[]): string | undefined {
  const empty = lines.filter(({ what, events }) => what === 'CHOSEN' && events.length === 0)
  if (empty.length === 0) return undefined
  return `Choose at least one event in ${allOf(
    empty.map(({ name }) => name),
    3,
  )}, or choose nothing.`
}

export const eventsOf = ({ events }: Pick<Line, 'events'>): string => `Events: ${eventsInWords(events)}`
