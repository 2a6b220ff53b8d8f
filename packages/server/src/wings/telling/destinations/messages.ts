import { counted } from '@svc/core'
import { isSafetyEvent } from '../../../catalogue/events.ts'
import { jobKindNames } from '../../../catalogue/jobs.ts'
import { bodyFieldOf, nouns, type PlainNoun, plainNouns } from '../../../catalogue/nouns.ts'
import type { ProducedEvent, PublishReason } from '../../../catalogue/payloads.ts'
import { type Served, switchBetween } from '../../../catalogue/switched.ts'
import type { Message } from '../tickets/index.ts'
import { type Body, keyOf, listAt, textAt, valueAt } from '../tickets/index.ts'

/** What an event says, in no vendor's words. It contains names as they are; each kind makes them harmless. */
export function messageOf(body: Body, baseUrl: string): Message {
  const event = textAt(body, 'event') as ProducedEvent
  const row: Row = rows[event]
  const actor = textAt(body, 'triggeredBy', 'name') || service
  const project = textAt(body, 'project', 'name')
  const { label, path } = row.place(body)
  return {
    tone: row.tone?.(body) ?? (isSafetyEvent(event) ? 'BAD' : 'INFO'),
    title: row.title(body, actor),
    summary: row.summary?.(body) ?? '',
    facts: (row.facts?.(body) ?? []).filter(({ value }) => value !== ''),
    link: { label, url: `${baseUrl}/projects/${encodeURIComponent(textAt(body, 'project', 'id'))}/${path}` },
    project,
    actor,
    at: new Date(textAt(body, 'timestamp')),
    key: keyOf(body),
  }
}

const service = 'Svc'

type Fact = Message['facts'][number]

interface Place {
  /** What the link says. */
  label: string
  /** Below the address of the project. */
  path: string
}

interface Row {
  tone?: (body: Body) => Message['tone']
  title: (body: Body, actor: string) => string
  summary?: (body: Body) => string
  facts?: (body: Body) => Fact[]
  place: (body: Body) => Place
}

const flagsShown = 8

const fact = (label: string, value: string): Fact => ({ label, value })
const countOf = (count: number): string => (count > 0 ? String(count) : '')
const more = (count: number): Fact => fact('And', count > flagsShown ? `${count - flagsShown} more` : '')

const ruleFacts = (body: Body): Fact[] => [
  fact('Flag', textAt(body, 'flag', 'name')),
  fact('Rule', textAt(body, 'rule', 'name')),
  fact('Environment', textAt(body, 'environment', 'name')),
]

const publishVerbs: Record<Exclude<PublishReason, 'SWITCHED' | 'SEGMENT_CHANGED'>, string> = {
  CREATED: 'created',
  EDITED: 'edited',
  ARCHIVED: 'archived',
  UNARCHIVED: 'unarchived',
  DELETED: 'deleted',
  PUBLISHED: 'published',
}

function publishTitle(body: Body, actor: string): string {
  const reason = textAt(body, 'reason') as PublishReason
  const flags = listAt(body, 'flags')
  const environment = textAt(body, 'environment', 'name')
  if (reason === 'SEGMENT_CHANGED') return `${actor} changed a segment that ${environment} serves`
  const [only, ...others] = flags
  const what = only && others.length === 0 ? `"${textAt(only, 'name')}"` : counted(flags.length, 'flag')
  if (reason === 'SWITCHED') return `${actor} ${switchedIn(only)} ${what} in ${environment}`
  const verb = publishVerbs[reason] ?? 'changed'
  return `${actor} ${verb} ${what} ${reason === 'PUBLISHED' ? 'to' : 'in'} ${environment}`
}

function switchedIn(flag: unknown): string {
  const [before, after] = [valueAt(flag, 'before'), valueAt(flag, 'after')] as Served[]
  const switched = switchBetween(before ?? null, after ?? null)
  if (!switched) return 'switched'
  return `${switched.to === 'RUN' ? 'ran' : 'paused'}${switched.what === 'RULE' ? ' a rule of' : ''}`
}

/** What a flag serves differently than before, in a few words. */
function changeOf(flag: unknown): string {
  const [before, after] = [valueAt(flag, 'before'), valueAt(flag, 'after')]
  if (!before) return 'new'
  if (!after) return 'no longer served'
  const parts: string[] = []
  const state = (of: unknown) => (valueAt(of, 'enabled') === false ? 'paused' : 'running')
  if (state(before) !== state(after)) parts.push(`${state(before)} → ${state(after)}`)
  const [was, is] = [textAt(before, 'defaultVariation'), textAt(after, 'defaultVariation')]
  if (was !== is) parts.push(`default ${was} → ${is}`)
  const differs = (field: string) => JSON.stringify(valueAt(before, field)) !== JSON.stringify(valueAt(after, field))
  if (differs('rules')) parts.push(`rules (${listAt(before, 'rules').length} → ${listAt(after, 'rules').length})`)
  if (differs('overrides')) parts.push('overrides')
  if (differs('variations')) parts.push('variations')
  return parts.join(', ') || 'changed'
}

const testOf = (body: Body): string => `The test "${textAt(body, 'rule', 'name')}" of ${textAt(body, 'flag', 'name')}`

const trafficChecks: Record<string, string> = {
  TRAFFIC_DROP: 'it has fewer visitors than before',
  NO_EXPOSURES: 'it no longer has visitors',
  TRAFFIC_CAP: 'it has reached its planned visitors',
  VARIATION_STARVED: 'a variation has no visitors',
  COMPUTATION: 'its results cannot be computed',
}

function alarmFacts(body: Body): Fact[] {
  const alarm = valueAt(body, 'alarm')
  const dimension = textAt(alarm, 'dimension', 'name')
  return [
    fact('p-value', numberAt(alarm, 'pValue')),
    fact('Observed', numberAt(alarm, 'observed')),
    fact('Expected', numberAt(alarm, 'expected')),
    fact('Most in', dimension && `${dimension} = ${textAt(alarm, 'dimension', 'value')}`),
    fact('Since revision', textAt(alarm, 'revision', 'revision')),
    fact('Paused by Svc', textAt(alarm, 'paused') === 'true' ? 'yes' : ''),
  ]
}

const scheduleVerbs: Record<string, string> = {
  PENDING: 'set',
  SUSPENDED: 'suspended',
  CANCELLED: 'cancelled',
  DONE: 'carried out',
}
const actionOf = (body: Body): string => (textAt(body, 'schedule', 'action') === 'RUN' ? 'run' : 'pause')

/** Enough of the key to recognize it. */
const sdkKeyFacts = (body: Body): Fact[] => [fact('SDK key', `${textAt(body, 'sdkKey', 'key').slice(0, 12)}…`)]
const ingestKeyFacts = (body: Body): Fact[] => [fact('Ingest key', `…${textAt(body, 'ingestKey', 'lastCharacters')}`)]
const scheduleFacts = (body: Body): Fact[] => [
  fact('What', actionOf(body)),
  fact('When', textAt(body, 'schedule', 'runAt')),
  ...ruleFacts(body),
]

const actions: Record<string, string> = {
  SHIP: 'Ship it.',
  ROLLBACK: 'Roll it back.',
  NO_EFFECT: 'No effect shown.',
  REVIEW: 'Someone should decide.',
  KEEP_RUNNING: 'Keep it running.',
  UNHEALTHY: 'Fix the failed health checks first.',
}
const windowsOpen = 'Wait: all planned visitors have arrived, and some still have time to convert.'
/** A test that visitors do not get cannot be kept running. */
const undecided: Record<string, string> = {
  PAUSED: 'It was paused before it showed a difference.',
  COMPLETED: 'It ended before it showed a difference.',
  ARCHIVED: 'It ended before it showed a difference.',
}

function recommendationOf(body: Body): string {
  const names = listAt(body, 'results', 'recommendation', 'breached').map((each) => textAt(each, 'name'))
  const harm = names.length > 0 ? `${[...new Set(names)].join(', ')} got worse than allowed. ` : ''
  return `${harm}${adviceOf(body)}`
}

function adviceOf(body: Body): string {
  const action = textAt(body, 'results', 'recommendation', 'action')
  const status = textAt(body, 'experiment', 'status') || textAt(body, 'results', 'ruleStatus')
  const reasons = listAt(body, 'results', 'recommendation', 'reasons').map(String)
  const isOpen = reasons.includes('WINDOWS_OPEN')
  const instead = action === 'KEEP_RUNNING' ? (isOpen ? windowsOpen : undecided[status]) : undefined
  return instead ?? actions[action] ?? ''
}

function resultFacts(body: Body): Fact[] {
  const days = numberAt(valueAt(body, 'results'), 'runtimeDays')
  const failed = listAt(body, 'results', 'health', 'failed').map(String)
  return [
    fact('Visitors', textAt(body, 'results', 'units')),
    fact('Running for', `${days} ${days === '1' ? 'day' : 'days'}`),
    fact('Health', failed.length > 0 ? `failed: ${failed.join(', ')}` : ''),
    ...listAt(body, 'results', 'metrics')
      .filter((metric) => textAt(metric, 'role') === 'PRIMARY')
      .flatMap((metric) =>
        listAt(metric, 'variations').flatMap((variation) => {
          const lift = valueAt(variation, 'lift')
          const [estimate, low, high] = ['estimate', 'ciLow', 'ciHigh'].map((field) => percentAt(lift, field))
          return estimate && low && high
            ? [fact(textAt(metric, 'name'), `${textAt(variation, 'key')} ${estimate} (${low} to ${high})`)]
            : []
        }),
      ),
  ]
}

const percentAt = (value: unknown, field: string): string => {
  const found = valueAt(value, field)
  return typeof found === 'number' ? `${found >= 0 ? '+' : ''}${(found * 100).toFixed(1)} %` : ''
}

/** At most four significant digits. */
const numberAt = (value: unknown, field: string): string => {
  const found = valueAt(value, field)
  return typeof found === 'number' ? String(Number(found.toPrecision(4))) : ''
}

const flagPlace = (body: Body): Place => {
  const key = textAt(body, 'flag', 'key')
  return key
    ? { label: 'Open the flag', path: `flags/${encodeURIComponent(key)}` }
    : { label: 'Open the flags', path: 'flags' }
}
const resultsPlace = (body: Body): Place => ({
  label: 'Open the results',
  path: `flags/${encodeURIComponent(textAt(body, 'flag', 'key'))}/results`,
})
const experimentPlace = (body: Body): Place => ({
  label: 'Open the experiment',
  path: `experiments/${encodeURIComponent(textAt(body, 'experiment', 'shortId'))}`,
})
const revisionPlace = (body: Body): Place => ({
  label: 'See what changed',
  path: `environments/${encodeURIComponent(textAt(body, 'environment', 'id'))}/history/${textAt(body, 'dataFile', 'revision')}`,
})
const webhookPlace = (body: Body): Place => ({
  label: 'Open the webhook',
  path: `integrations/webhooks/${encodeURIComponent(textAt(body, 'webhook', 'id'))}`,
})
const destinationPlace = (body: Body): Place => ({
  label: 'Open the destination',
  path: `integrations/destinations/${encodeURIComponent(textAt(body, 'destination', 'id'))}`,
})
const jobPlace = (body: Body): Place => ({
  label: 'Open the job',
  path: `commerce/jobs/${encodeURIComponent(textAt(body, 'job', 'id'))}`,
})
/** Without a job, the schedule of the source is not kept. Only the link says what kind of page the source has. */
const failedJobPlace = (body: Body): Place =>
  textAt(body, 'job', 'id') === ''
    ? { label: 'Open the source', path: textAt(body, 'link').split(`/projects/${textAt(body, 'projectId')}/`)[1] ?? '' }
    : jobPlace(body)
const at = (label: string, path: string) => (): Place => ({ label: `Open the ${label}`, path })

const quoted = (body: Body, field: string): string => `"${textAt(body, field, 'name')}"`
const inEnvironment = (body: Body): string => {
  const name = textAt(body, 'environment', 'name')
  return name ? ` in ${name}` : ''
}

/** "Ada created the flag "Checkout"". The link leads to the list where the thing itself is gone. */
const did = (verb: string, noun: string, field: string, place: Row['place']): Row => ({
  title: (body, actor) => `${actor} ${verb} the ${noun} ${quoted(body, field)}`,
  place,
})
const changes = <Name extends string>(
  prefix: Name,
  noun: string,
  field: string,
  one: Row['place'],
  all: Row['place'],
) =>
  ({
    [`${prefix}.created`]: did('created', noun, field, one),
    [`${prefix}.updated`]: did('changed', noun, field, one),
    [`${prefix}.deleted`]: did('deleted', noun, field, all),
  }) as { [Verb in 'created' | 'updated' | 'deleted' as `${Name}.${Verb}`]: Row }

/** The page of a plain noun, or the list of those that have no page of their own. */
const plainPlace =
  (noun: PlainNoun) =>
  (body: Body): Place => {
    const { label, page } = nouns[noun]
    const name = /\{(\w+)\}/.exec(page)?.[1]
    const field = bodyFieldOf(noun)
    // Bodies of earlier versions have only the id.
    const called = name && (textAt(body, field, name) || textAt(body, field, 'id'))
    if (!called) return plainList(noun)()
    return {
      label: `Open the ${label.toLowerCase()}`,
      path: page.replace(/\{\w+\}/, encodeURIComponent(called)),
    }
  }
const plainList = (noun: PlainNoun) => at(nouns[noun].plural.toLowerCase(), nouns[noun].page.replace(/\/\{.*/, ''))
const plainRows = Object.assign(
  {},
  ...plainNouns.map((noun) =>
    changes(noun, nouns[noun].label.toLowerCase(), bodyFieldOf(noun), plainPlace(noun), plainList(noun)),
  ),
) as { [N in PlainNoun as `${N}.${'created' | 'updated' | 'deleted'}`]: Row }
const environmentPlace = (body: Body): Place => ({
  label: 'Open the environment',
  path: `environments/${encodeURIComponent(textAt(body, 'environment', 'id'))}`,
})

/** A row for every event that is sent. */
const rows = {
  ...changes('flag', 'flag', 'flag', flagPlace, at('flags', 'flags')),
  'flag.updated': {
    title(body, actor) {
      const several = listAt(body, 'flags')
      if (several.length > 0) return `${actor} changed ${counted(several.length, 'flag')}`
      const rule = textAt(body, 'rule', 'name')
      const what = rule ? `the rule "${rule}" of ${textAt(body, 'flag', 'name')}` : `the flag ${quoted(body, 'flag')}`
      return `${actor} changed ${what}${inEnvironment(body)}`
    },
    facts: (body) =>
      listAt(body, 'flags')
        .slice(0, flagsShown)
        .map((flag) => fact('Flag', textAt(flag, 'name'))),
    place: flagPlace,
  },
  'flag.archived': did('archived', 'flag', 'flag', flagPlace),
  'flag.unarchived': did('unarchived', 'flag', 'flag', flagPlace),
  'flag.published': {
    tone: () => 'GOOD',
    title: publishTitle,
    facts: (body) => [
      fact('Revision', textAt(body, 'dataFile', 'revision')),
      ...listAt(body, 'flags')
        .slice(0, flagsShown)
        .map((flag) => fact(textAt(flag, 'key'), changeOf(flag))),
      more(listAt(body, 'flags').length),
      fact('Audiences', countOf(listAt(body, 'audiences').length)),
    ],
    place: revisionPlace,
  },
  'flag.rule_activated': {
    tone: () => 'GOOD',
    title: (body) =>
      `The rule ${quoted(body, 'rule')} of ${textAt(body, 'flag', 'name')} now serves${inEnvironment(body)}`,
    facts: ruleFacts,
    place: flagPlace,
  },
  'flag.schedule_updated': {
    title: (body, actor) =>
      `${actor} ${scheduleVerbs[textAt(body, 'schedule', 'status')] ?? 'changed'} a schedule of ${textAt(body, 'flag', 'name')}`,
    facts: scheduleFacts,
    place: flagPlace,
  },
  'flag.schedule_failed': {
    title: (body) => `A scheduled ${actionOf(body)} of ${textAt(body, 'flag', 'name')} could not be carried out`,
    summary: (body) => textAt(body, 'schedule', 'failureReason'),
    facts: scheduleFacts,
    place: flagPlace,
  },
  'flag.srm_failed': {
    title: (body) => `${testOf(body)} does not split its visitors as planned${inEnvironment(body)}`,
    summary: () => 'Sample ratio mismatch: do not trust the results until you have found the cause.',
    facts: (body) => [...ruleFacts(body), ...alarmFacts(body)],
    place: resultsPlace,
  },
  'flag.guardrail_breached': {
    title: (body) =>
      `${testOf(body)}: ${trafficChecks[textAt(body, 'alarm', 'check')] ?? 'traffic is not as expected'}${inEnvironment(body)}`,
    facts: (body) => [...ruleFacts(body), ...alarmFacts(body)],
    place: resultsPlace,
  },
  'flag.results_ready': {
    title: (body) => `Results of ${testOf(body)}${inEnvironment(body)}`,
    summary: recommendationOf,
    facts: resultFacts,
    place: resultsPlace,
  },
  'experiment.srm_failed': {
    title: (body) => `The experiment ${quoted(body, 'experiment')} does not split its visitors as planned`,
    summary: () => 'Sample ratio mismatch: do not trust the results until you have found the cause.',
    facts: (body) => [...ruleFacts(body), ...alarmFacts(body)],
    place: experimentPlace,
  },
  'experiment.guardrail_breached': {
    title: (body) =>
      `The experiment ${quoted(body, 'experiment')}: ${trafficChecks[textAt(body, 'alarm', 'check')] ?? 'traffic is not as expected'}`,
    facts: (body) => [...ruleFacts(body), ...alarmFacts(body)],
    place: experimentPlace,
  },
  'experiment.guardrail_metric_breached': {
    title: (body) => `${textAt(body, 'metric', 'name')} got worse in the experiment ${quoted(body, 'experiment')}`,
    summary: () => 'It is worse than its margin allows.',
    facts: (body) => [
      fact('Variation', textAt(body, 'alarm', 'variation', 'key')),
      ...ruleFacts(body),
      ...alarmFacts(body),
    ],
    place: experimentPlace,
  },
  'experiment.code_error_detected': {
    title: (body) =>
      `The code of ${textAt(body, 'alarm', 'variation', 'key')} fails in the experiment ${quoted(body, 'experiment')}`,
    summary: (body) => textAt(body, 'alarm', 'message'),
    facts: (body) => [
      fact('Variation', textAt(body, 'alarm', 'variation', 'key')),
      fact('Line', textAt(body, 'alarm', 'line')),
      fact('Visitors', textAt(body, 'alarm', 'visitors')),
      ...ruleFacts(body),
      ...alarmFacts(body),
    ],
    place: experimentPlace,
  },
  'experiment.results_ready': {
    title: (body) => `Results of the experiment ${quoted(body, 'experiment')}`,
    summary: recommendationOf,
    facts: resultFacts,
    place: experimentPlace,
  },
  ...changes('experiment', 'experiment', 'experiment', experimentPlace, at('experiments', 'experiments')),
  'experiment.schedule_failed': {
    title: (body) =>
      `A scheduled ${actionOf(body)} of the experiment ${quoted(body, 'experiment')} could not be carried out`,
    summary: (body) => textAt(body, 'schedule', 'failureReason'),
    facts: scheduleFacts,
    place: experimentPlace,
  },
  'experiment.launched': { ...did('launched', 'experiment', 'experiment', experimentPlace), tone: () => 'GOOD' },
  'experiment.paused': { ...did('paused', 'experiment', 'experiment', experimentPlace), tone: () => 'WARNING' },
  'experiment.resumed': did('resumed', 'experiment', 'experiment', experimentPlace),
  'experiment.completed': did('completed', 'experiment', 'experiment', experimentPlace),
  'experiment.winner_declared': {
    tone: () => 'GOOD',
    title: (body, actor) =>
      `${actor} declared ${textAt(body, 'winner', 'variationKey')} the winner of ${quoted(body, 'experiment')}`,
    summary: (body) => textAt(body, 'winner', 'comment'),
    facts: (body) => [fact('Rolled out', textAt(body, 'winner', 'rolledOut') === 'true' ? 'yes' : 'no')],
    place: experimentPlace,
  },
  'experiment.changes_published': {
    ...did('published changes of', 'experiment', 'experiment', experimentPlace),
    facts: (body) => [
      fact('Revision', textAt(body, 'dataFile', 'revision')),
      fact(
        'Changed',
        listAt(body, 'changes')
          .map((change) => textAt(change, 'path'))
          .join(', '),
      ),
    ],
  },
  'experiment.visual_changes.saved': {
    title: (body, actor) =>
      `${actor} saved changes of ${textAt(body, 'variation', 'name')} in the experiment ${quoted(body, 'experiment')}`,
    facts: (body) => [
      fact('Changes', textAt(body, 'changeSet', 'count')),
      fact('Before', textAt(body, 'changeSet', 'previousCount')),
    ],
    place: experimentPlace,
  },
  'experiment.archived': did('archived', 'experiment', 'experiment', experimentPlace),
  'experiment.unarchived': did('unarchived', 'experiment', 'experiment', experimentPlace),
  ...plainRows,
  'audience.updated': {
    title: (body, actor) =>
      textAt(body, 'environment', 'name')
        ? `${actor} published the audience ${quoted(body, 'audience')}${inEnvironment(body)}`
        : `${actor} changed the audience ${quoted(body, 'audience')}`,
    place: plainPlace('audience'),
  },
  'segment.updated': {
    ...did('changed', 'segment', 'segment', plainPlace('segment')),
    facts: (body) => [fact('Visitors', textAt(body, 'segment', 'count'))],
  },
  'catalog.feed_sync.completed': {
    title: (body) =>
      valueAt(body, 'changed') === true
        ? `A feed was synchronized: ${textAt(body, 'source', 'name')}`
        : `A feed has not changed: ${textAt(body, 'source', 'name')}`,
    facts: (body) => [
      fact('Added', textAt(body, 'catalog', 'added')),
      fact('Changed', textAt(body, 'catalog', 'changed')),
      fact('Removed', textAt(body, 'catalog', 'removed')),
      fact('Skipped rows', textAt(body, 'itemsSkipped')),
    ],
    place: jobPlace,
  },
  'commerce.import.completed': {
    title: (body) =>
      valueAt(body, 'changed') === true
        ? `A file was imported: ${textAt(body, 'source', 'name')}`
        : `A file has changed nothing: ${textAt(body, 'source', 'name')}`,
    facts: (body) => {
      const isOfOrders = valueAt(body, 'orders') !== undefined
      const counted = isOfOrders ? 'orders' : 'catalog'
      return [
        fact('Added', textAt(body, counted, 'added')),
        fact('Changed', textAt(body, counted, 'changed')),
        ...(isOfOrders ? [] : [fact('Removed', textAt(body, counted, 'removed'))]),
        fact('Skipped rows', textAt(body, 'itemsSkipped')),
      ]
    },
    place: jobPlace,
  },
  'dataset.version.activated': {
    title: (body) =>
      `Version ${textAt(body, 'dataset', 'version')} of the dataset ${quoted(body, 'dataset')} is active`,
    facts: (body) => [fact('Rows', textAt(body, 'dataset', 'rows'))],
    place: failedJobPlace,
  },
  'recommendation.run.completed': {
    title: (body) =>
      valueAt(body, 'run', 'activated') === true
        ? `A recommendation model was built: ${textAt(body, 'source', 'name')}`
        : `A recommendation model was built and does not serve: ${textAt(body, 'source', 'name')}`,
    facts: (body) => [
      fact('Recall@20', textAt(body, 'run', 'metrics', 'recall20')),
      fact('MRR@20', textAt(body, 'run', 'metrics', 'mrr20')),
      fact('Coverage@20', textAt(body, 'run', 'metrics', 'coverage20')),
    ],
    place: jobPlace,
  },
  'commerce.job_failed': {
    tone: () => 'BAD',
    title: (body) =>
      textAt(body, 'job', 'id') === ''
        ? `A schedule is not kept: ${textAt(body, 'source', 'name')}`
        : `${jobKindNames[textAt(body, 'kind')] ?? 'A background job'} has failed: ${textAt(body, 'source', 'name')}`,
    summary: (body) => textAt(body, 'reason'),
    place: failedJobPlace,
  },
  'catalog.updated': {
    title: (body, actor) =>
      `${actor} changed ${valueAt(body, 'changes') === null ? 'the settings' : 'items'} of the catalog of ${quoted(body, 'project')}`,
    facts: (body) =>
      valueAt(body, 'changes') === null
        ? []
        : [
            fact('Added', textAt(body, 'changes', 'added')),
            fact('Changed', textAt(body, 'changes', 'changed')),
            fact('Removed', textAt(body, 'changes', 'removed')),
          ],
    place: at('catalog', 'commerce'),
  },
  'job.updated': {
    title: (body, actor) =>
      `${actor} ${textAt(body, 'job', 'status') === 'QUEUED' ? 'requested' : 'cancelled'} a background job`,
    facts: (body) => [fact('Job', jobKindNames[textAt(body, 'job', 'kind')] ?? textAt(body, 'job', 'kind'))],
    place: jobPlace,
  },
  'visitor.erased': {
    title: (body) =>
      `${counted(Number(textAt(body, 'visitors')), 'visitor')} of the project ${quoted(body, 'project')} ${textAt(body, 'visitors') === '1' ? 'was' : 'were'} erased`,
    place: at('jobs', 'commerce/jobs'),
  },
  'project.created': did('created', 'project', 'project', at('project', 'flags')),
  'project.updated': {
    title: (body, actor) =>
      textAt(body, 'previousName') === ''
        ? `${actor} changed the web settings of the project ${quoted(body, 'project')}`
        : `${actor} renamed the project "${textAt(body, 'previousName')}" to ${quoted(body, 'project')}`,
    place: at('project', 'flags'),
  },
  'project.deleted': { ...did('deleted', 'project', 'project', at('project', 'flags')), tone: () => 'WARNING' },
  ...changes('environment', 'environment', 'environment', environmentPlace, at('environments', 'environments')),
  'environment.sdk_key_created': {
    ...did('created an SDK key of', 'environment', 'environment', environmentPlace),
    facts: sdkKeyFacts,
  },
  'environment.sdk_key_revoked': {
    ...did('revoked an SDK key of', 'environment', 'environment', environmentPlace),
    tone: () => 'WARNING',
    facts: sdkKeyFacts,
  },
  'environment.ingest_key_created': {
    ...did('created an ingest key of', 'environment', 'environment', environmentPlace),
    facts: ingestKeyFacts,
  },
  'environment.ingest_key_revoked': {
    ...did('revoked an ingest key of', 'environment', 'environment', environmentPlace),
    tone: () => 'WARNING',
    facts: ingestKeyFacts,
  },
  ...changes('webhook', 'webhook', 'webhook', webhookPlace, at('webhooks', 'integrations/webhooks')),
  'webhook.secret_rotated': did('rotated the secret of', 'webhook', 'webhook', webhookPlace),
  'webhook.tested': did('sent a test to', 'webhook', 'webhook', webhookPlace),
  'webhook.delivery_retried': did('retried a delivery of', 'webhook', 'webhook', webhookPlace),
  'webhook.disabled': {
    title: (body) => `The webhook ${quoted(body, 'webhook')} was disabled`,
    summary: (body) => textAt(body, 'reason'),
    place: webhookPlace,
  },
  ...changes('destination', 'destination', 'destination', destinationPlace, at('integrations', 'integrations')),
  'destination.tested': did('sent a test to', 'destination', 'destination', destinationPlace),
  'destination.delivery_retried': did('retried a delivery to', 'destination', 'destination', destinationPlace),
  'destination.disabled': {
    title: (body) => `The destination ${quoted(body, 'destination')} was disabled`,
    summary: (body) => textAt(body, 'reason'),
    place: destinationPlace,
  },
  'token.expiring': {
    tone: () => 'WARNING',
    title: (body) => `The service token ${quoted(body, 'token')} expires soon`,
    facts: (body) => [fact('Expires', textAt(body, 'token', 'expiresAt'))],
    place: at('project', 'flags'),
  },
  'webhook.test': {
    title: () => 'This is a test',
    summary: () => 'If you can read this, messages from Svc arrive here.',
    place: at('project', 'flags'),
  },
} satisfies Record<ProducedEvent, Row>
