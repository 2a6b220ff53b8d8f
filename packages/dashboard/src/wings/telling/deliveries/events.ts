import { nouns } from '@svc/client'
import { eventCatalogue, eventHeadings } from '@svc/client/catalogue'
import { allOf } from '../../../ui/words/lists.ts'

export type EventName = keyof typeof eventCatalogue
type Nouns = typeof nouns
type ToldNoun = { [N in keyof Nouns]: Nouns[N] extends { inBody: unknown } ? N : never }[keyof Nouns]

export interface ToldEvent {
  name: string
  meaning: string
  /** What its body has, in words. */
  carries: string
  isOrganizationWide: boolean
}

export interface EventFamily {
  title: string
  events: ToldEvent[]
}

interface Row {
  about: ToldNoun
  meaning: string
  isSafety?: true
  isOrganizationWide?: true
  /** Of the test ping alone, it is not said. */
  carries?: readonly string[]
}

const catalogue = Object.entries(eventCatalogue as Record<string, Row>)
/** Only the test ping is this event, and it is sent whatever is chosen. */
export const testEvent = 'webhook.test'

const safety = 'Safety'

/** The events to choose from, by family. */
export function eventFamilies(): EventFamily[] {
  const offered = catalogue.filter(([name]) => name !== testEvent)
  const titled = (title: string, rows: typeof catalogue) => ({ title, events: rows.map(toldEvent) })
  const usual = offered.filter(([, { isSafety }]) => !isSafety)
  return [
    ...eventHeadings.map((heading) =>
      titled(
        heading,
        usual.filter((event) => headingOf(event) === heading),
      ),
    ),
    titled(
      safety,
      offered.filter(([, { isSafety }]) => isSafety),
    ),
  ].filter(({ events }) => events.length > 0)
}

/** The family of the noun that the name begins with or, as in `token.…`, of the noun that the event is about. */
function headingOf([name, { about }]: [string, Row]): string {
  const first = name.split('.')[0]!
  const noun = first in told ? (first as ToldNoun) : about
  return nouns[noun].heading
}

/** "Flags 5 of 7, Safety all": the events of a webhook. */
export function eventsInWords(chosen: readonly string[]): string {
  const parts = eventFamilies().flatMap(({ title, events }) => {
    const count = events.filter(({ name }) => chosen.includes(name)).length
    if (count === 0) return []
    return [`${title} ${count === events.length ? 'all' : `${count} of ${events.length}`}`]
  })
  return parts.length === 0 ? 'Only test pings' : parts.join(', ')
}

export const meaningOf = (name: string): string | undefined => (eventCatalogue as Record<string, Row>)[name]?.meaning

/** The events that deliveries can be about: those that are sent, and the test ping. */
export const sentEvents: readonly string[] = catalogue.map(([name]) => name)

const told = Object.fromEntries(Object.entries(nouns).filter(([, noun]) => 'inBody' in noun)) as {
  [N in ToldNoun]: Nouns[N]
}

const fieldWords: Record<string, string> = {
  ...Object.fromEntries(
    Object.values(told).flatMap(({ label, plural, inBody: [one, several] }) => [
      [one, `the ${label.toLowerCase()}`],
      ...(several ? [[several, `the ${plural.toLowerCase()} that changed`]] : []),
    ]),
  ),
  rules: 'the rules that were copied or moved or that went live',
  token: 'the token',
  schedule: 'the schedule',
  dataFile: 'the revision of the data file',
  changes: 'the changes',
  variation: 'the variation',
  changeSet: 'the number of changes',
  previousName: 'the previous name',
  sdkKey: 'the SDK key',
  ingestKey: 'the ingest key',
  reason: 'the reason',
  source: 'the source',
  job: 'the job',
  kind: 'the kind of job',
  projectId: 'the id of the project',
  projectName: 'the name of the project',
  link: 'the link to the job',
  visitors: 'the number of visitors',
  itemsSkipped: 'the number of skipped rows',
  changed: 'the note whether anything changed',
  orders: 'the counts of orders',
  run: 'the run',
  alarm: 'the failed check',
  results: 'the results in short',
}

function toldEvent([name, { meaning, carries = [], isOrganizationWide }]: [string, Row]): ToldEvent {
  return { name, meaning, isOrganizationWide: isOrganizationWide === true, carries: carriedWords(carries) }
}

export const carriedWords = (fields: readonly string[]): string =>
  fields.length === 0 ? 'the project' : allOf(fields.map((field) => fieldWords[field] ?? field))

/** The events that need a person at once. */
export const safetyEvents: readonly string[] = catalogue.flatMap(([name, { isSafety }]) => (isSafety ? [name] : []))

/** Chosen at first: what changes for visitors, and what needs somebody at once. */
export const startingEvents: string[] = ['flag.published', ...safetyEvents]

/** The event of a release in a project: no event about flags fires in a web project. */
export const releaseEventOf = (type: 'FEATURE_FLAG' | 'WEB'): string =>
  type === 'WEB' ? 'experiment.changes_published' : 'flag.published'

/** The same for a new webhook or destination of a project. */
export const startingEventsOf = (type: 'FEATURE_FLAG' | 'WEB'): string[] =>
  type === 'WEB'
    ? ['experiment.launched', releaseEventOf(type), 'experiment.completed', ...safetyEvents]
    : startingEvents
