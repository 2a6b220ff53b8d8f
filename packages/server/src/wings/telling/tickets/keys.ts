import { type EventName, events } from '../../../catalogue/events.ts'
import { bodyFieldOf } from '../../../catalogue/nouns.ts'
import { type Body, listAt, textAt, valueAt } from './body.ts'

const tests = ['webhook.test']

/**
 * What a body is about, for tickets and alarms: everything with one key belongs into one ticket. Keys are paths from
 * the general to the particular, so that the beginning of a key names a group of them.
 */
export function keyOf(body: Body): string {
  const name = textAt(body, 'event')
  return [name, ...(particularsOf[name] ?? itself)(body)].join('/')
}

/** The ids of the flag, experiment or source that a body is about: their pages show its ticket. */
export const aboutIn = (body: Body): string[] =>
  ['flag', 'experiment', 'source'].flatMap((field) => textAt(body, field, 'id') || [])

/** The keys that a body says are over, or their beginnings: `a/b` ends `a/b` and `a/b/c`. Most bodies end nothing. */
export const endedBy = (body: Body): readonly string[] => endings[textAt(body, 'event')]?.(body) ?? []

/**
 * The events whose tickets a body ends. A destination that hears of one of them must hear of its end too, whether it
 * subscribes to that or not.
 */
export const endedEvents = (body: Body): EventName[] => [
  ...new Set(endedBy(body).map((key) => key.split('/')[0] as EventName)),
]

/** Whether a key is ended by `endings`, which `endedBy` returned. */
export const isEnded = (key: string, endings: readonly string[]): boolean =>
  endings.some((each) => key === each || key.startsWith(`${each}/`))

/** Whether a key belongs to a test, which somebody asked for. */
export const isTest = (key: string): boolean => tests.some((name) => isEnded(key, [name]))

type Particulars = (body: Body) => string[]

const itself: Particulars = (body) => {
  const name = textAt(body, 'event')
  const field = Object.hasOwn(events, name) ? bodyFieldOf(events[name as keyof typeof events].about) : 'project'
  return [textAt(body, field, 'id') || textAt(body, 'environment', 'id') || textAt(body, 'project', 'id')]
}

const rule: Particulars = (body) => [textAt(body, 'environment', 'id'), textAt(body, 'rule', 'shortId')]
const experiment: Particulars = (body) => [textAt(body, 'experiment', 'id')]
const schedule: Particulars = (body) => [
  textAt(body, 'flag', 'id'),
  textAt(body, 'environment', 'id'),
  textAt(body, 'rule', 'shortId') || 'flag',
]

/** The events whose noun is too wide or too narrow for a ticket. */
const particularsOf: Record<string, Particulars> = {
  'flag.srm_failed': rule,
  'flag.guardrail_breached': rule,
  'flag.schedule_failed': schedule,
  'experiment.guardrail_metric_breached': (body) => [...experiment(body), textAt(body, 'metric', 'key')],
  // Each test makes its own ticket.
  ...Object.fromEntries(tests.map((name) => [name, (body: Body) => [textAt(body, 'id')]])),
}

const alarmsOfRules = ['flag.srm_failed', 'flag.guardrail_breached']
const alarmsOfExperiments = [
  'experiment.srm_failed',
  'experiment.guardrail_breached',
  'experiment.guardrail_metric_breached',
  'experiment.code_error_detected',
]

type Endings = (body: Body) => string[]

const under = (names: readonly string[], particulars: readonly string[]) =>
  names.map((name) => [name, ...particulars].join('/'))

const sourceWorks: Endings = (body) => under(['commerce.job_failed'], [textAt(body, 'source', 'id')])

/** A pause by the service itself ends no ticket, because no person has looked at the alarm yet. */
const byPerson =
  (endings: Endings): Endings =>
  (body) =>
    body.triggeredBy ? endings(body) : []

const experimentEnds: Endings = (body) =>
  under([...alarmsOfExperiments, 'experiment.schedule_failed'], experiment(body))

const enabledAgain =
  (field: 'webhook' | 'destination'): Endings =>
  (body) =>
    valueAt(body, field, 'enabled') === true ? under([`${field}.disabled`], [textAt(body, field, 'id')]) : []

const sourceIsGone =
  (field: 'catalogSource' | 'dataset' | 'recommendationModel'): Endings =>
  (body) =>
    under(['commerce.job_failed'], [textAt(body, field, 'id')])

const isGone =
  (field: 'webhook' | 'destination'): Endings =>
  (body) =>
    under([`${field}.disabled`], [textAt(body, field, 'id')])

/** There is no event of recovery for failed checks: they end when somebody stops the test. */
const endings: Record<string, Endings> = {
  'commerce.import.completed': sourceWorks,
  'recommendation.run.completed': sourceWorks,
  'dataset.version.activated': sourceWorks,
  'catalog.feed_sync.completed': sourceWorks,
  'catalog_source.deleted': sourceIsGone('catalogSource'),
  'dataset.deleted': sourceIsGone('dataset'),
  'recommendation_model.deleted': sourceIsGone('recommendationModel'),
  // The source of an erasure is its project.
  'visitor.erased': (body) => under(['commerce.job_failed'], [textAt(body, 'project', 'id')]),
  'experiment.paused': byPerson((body) => under(alarmsOfExperiments, experiment(body))),
  'experiment.completed': experimentEnds,
  'experiment.archived': experimentEnds,
  'experiment.deleted': experimentEnds,
  'experiment.updated': (body) => (scheduleWorks(body) ? under(['experiment.schedule_failed'], experiment(body)) : []),
  'flag.published': byPerson(stoppedRules),
  'flag.schedule_updated': (body) => (scheduleWorks(body) ? under(['flag.schedule_failed'], schedule(body)) : []),
  'environment.deleted': (body) => under(alarmsOfRules, [textAt(body, 'environment', 'id')]),
  'webhook.updated': enabledAgain('webhook'),
  'webhook.deleted': isGone('webhook'),
  'destination.updated': enabledAgain('destination'),
  'destination.deleted': isGone('destination'),
}

/** A data file contains exactly the rules that serve, so a rule that is missing after the change has stopped. */
function stoppedRules(body: Body): string[] {
  const flags = Array.isArray(body.flags) ? body.flags : []
  return flags.flatMap((flag: Body) => {
    const serving = new Set(rulesIn(flag.after))
    const stopped = rulesIn(flag.before).filter((id) => !serving.has(id))
    return stopped.flatMap((id) => under(alarmsOfRules, [textAt(body, 'environment', 'id'), id]))
  })
}

const rulesIn = (fragment: unknown): string[] => listAt(fragment, 'rules').map((each) => textAt(each, 'id'))

const scheduleWorks = (body: Body): boolean =>
  'schedule' in body && ['PENDING', 'DONE', 'CANCELLED'].includes(textAt(body, 'schedule', 'status'))
