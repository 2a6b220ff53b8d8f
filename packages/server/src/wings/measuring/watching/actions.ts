import type { ActionName } from '../../../catalogue/actions.ts'
import { isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Claim } from '../../../platform/due-rows.ts'
import { type Author, type Authored, type Authors, authored, systemActor } from '../../../platform/outbox.ts'
import { asOne } from '../../../platform/transaction.ts'
import type { Switching } from '../../flags/switches/index.ts'
import { type Experiment, experimentOfRule } from '../../model/experiments/index.ts'
import { findFlagEnvironment, flagSummary } from '../../model/flag-environments/index.ts'
import { type RuleDefinition, ruleSummary, statisticsOf } from '../../model/versions/index.ts'
import { historyOf, pastOfRule } from '../counting/index.ts'
import { lastDimensions, lastSnapshot, phasesOfResults, type Results, type Since } from '../results/index.ts'
import { type AlarmKind, type Finding, findingsOf, judge, pausedBy } from './alarm.ts'
import { dayOfSnapshot, figuresOf, isDigestDue, opensDay } from './digest.ts'
import { loadEvidence } from './load-evidence.ts'
import {
  alarmed,
  codeAlarmed,
  digested,
  type Evidence,
  type FoundCodeError,
  noEvidence,
  type Subject,
} from './message.ts'
import {
  lockWatched,
  saveWatched,
  unitsByDimension,
  unitsByRevision,
  type WaitingRule,
  type Watched,
} from './queries.ts'

export interface Watching {
  db: Db
  switching: Switching
  authorOf: Authors
}

/** Judging takes a moment. After a crash, the next run judges what was left. */
const leaseMs = 60_000

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs)

/** What was reported about a rule. */
export interface Told {
  alarms: { check: string; paused: boolean }[]
  digest: boolean
}

// Enough to see which visitors are concerned, and few enough to read in a moment.
const sample = { units: 100_000, values: 5000 }

/**
 * Compares the newest snapshot of a rule with what was reported before, and reports what is new: one transaction with
 * the pause, if there is one. The caller has claimed the rule.
 */
export async function judgeRule(
  context: Watching,
  rule: WaitingRule,
  before: Watched & Claim,
): Promise<Told | undefined> {
  const { db } = context
  const snapshot = await lastSnapshot(db, rule.ruleId)
  if (!snapshot) return undefined
  const { asOf, document: results } = snapshot
  // Another node has judged it in the meantime.
  if (before.asOf && before.asOf >= asOf) return undefined
  const judgement = judge(before.told, findingsOf(results))
  // Before the transaction, which must not wait for this.
  const evidence = await evidenceOf(db, rule, results, judgement.fired)
  const attempt = (mayPause: boolean) =>
    asOne(db, (tx) => tell(tx, context, { rule, asOf, results, before, judgement, evidence, mayPause }))
  const told = await attempt(true)
  // A pause can be refused, for example of a deleted rule. The alarm is sent all the same.
  const last = isRefusal(told) ? await attempt(false) : told
  return isRefusal(last) ? undefined : last
}

interface Judged {
  rule: WaitingRule
  /** Of the snapshot. A failed one has the figures of an earlier moment. */
  asOf: Date
  results: Results
  before: Watched & Claim
  judgement: ReturnType<typeof judge>
  evidence: ReadonlyMap<string, Evidence>
  mayPause: boolean
}

async function tell(
  tx: Tx,
  { switching, authorOf }: Watching,
  { rule, asOf, results, before, judgement: { fired, told }, evidence, mayPause }: Judged,
): Promise<Told | undefined | Refusal> {
  const by = authorOf(systemActor('watching'))
  const watched = await lockWatched(tx, before, leaseEnd(by.now))
  const last = { day: watched.digestDay, figures: watched.digestFigures }
  const isDue = isDigestDue(last, results)
  const state = await stateOf(tx, rule)
  let paused: ReadonlySet<string> = new Set()
  if (state && mayPause) {
    const pausing = fired.filter(({ kind }) => {
      const setting = pausedBy[kind]
      return setting !== null && state.autoPause[setting]
    })
    const found = pausing.length > 0 ? await pause(switching, by, rule, pausing) : paused
    if (isRefusal(found)) return found
    paused = found
  }
  const subject = state && (await subjectOf(tx, rule, state))
  if (subject) {
    const alarms = fired.flatMap((finding) =>
      recordOf(
        by,
        rule,
        subject,
        alarmed(
          finding,
          { results, evidence: evidence.get(finding.key) ?? noEvidence, paused: paused.has(finding.key) },
          subject,
        ),
      ),
    )
    await by.recordAll(tx, alarms)
    const now = paused.size > 0 ? { ...results, ruleStatus: 'PAUSED' as const } : results
    if (isDue) await by.announce(tx, rule, digested(now, subject))
  }
  await saveWatched(tx, rule.ruleId, {
    asOf,
    told: [...told],
    toldAt: Object.fromEntries(told.map((key) => [key, watched.toldAt[key] ?? asOf.toISOString()])),
    since: sinceOf(told, watched.since, evidence),
    digestDay: opensDay(last, results) ? dayOfSnapshot(results) : watched.digestDay,
    digestFigures: isDue ? figuresOf(results) : watched.digestFigures,
  })
  return {
    alarms: subject ? fired.map(({ key, kind }) => ({ check: nameOf(key, kind), paused: paused.has(key) })) : [],
    digest: subject !== undefined && isDue,
  }
}

/** The revisions since which the failures that are still reported exist. */
function sinceOf(
  told: readonly string[],
  known: Readonly<Record<string, Since>>,
  evidence: ReadonlyMap<string, Evidence>,
): Record<string, Since> {
  const found = told.flatMap((key): [string, Since][] => {
    const revision = evidence.get(key)?.revision
    const since = revision
      ? { revision: revision.revision, publishedAt: revision.publishedAt.toISOString() }
      : known[key]
    return since ? [[key, since]] : []
  })
  return Object.fromEntries(found)
}

const nameOf = (key: string, kind: AlarmKind): string => (kind === 'GUARDRAIL_METRIC' ? kind : key)

interface RuleState {
  definition: RuleDefinition
  experiment: Experiment | undefined
  autoPause: { srm: boolean; traffic: boolean; guardrailMetric: boolean }
}

/** What is about to be told of an error in the code of a variation. */
export interface CodeErrorTelling {
  error: FoundCodeError
  /** Whether the event is sent. */
  reports: boolean
  /** Whether the experiment pauses. */
  pauses: boolean
  /** Notes what was told, in the same transaction. False if another node was first: then nothing is told. */
  mark: (tx: Tx, done: { reported: boolean; paused: boolean }) => Promise<boolean>
}

/** Reports an error in the code of a variation, which no snapshot shows, and pauses the experiment: one transaction. */
export async function tellCodeError(
  { db, switching, authorOf }: Watching,
  rule: WaitingRule,
  { error, reports, pauses, mark }: CodeErrorTelling,
): Promise<{ paused: boolean } | undefined> {
  const past = reports ? await pastOfRule(db, rule) : []
  const { lastUntil } = await loadEvidence()
  const revisions = past.map(({ revision, at }) => ({ revision, publishedAt: at }))
  const revision = lastUntil(revisions, error.firstSeenAt)
  const attempt = (mayPause: boolean) =>
    asOne(db, async (tx): Promise<{ paused: boolean } | Refusal> => {
      const by = authorOf(systemActor('watching'))
      const state = await stateOf(tx, rule)
      if (!state) return toldAlready
      const because = pauses && mayPause ? await pause(switching, by, rule, [codeError]) : new Set()
      if (isRefusal(because)) return because
      const paused = because.size > 0
      if (!reports && !paused) return toldAlready
      if (!(await mark(tx, { reported: reports, paused }))) return toldAlready
      if (reports) {
        const subject = await subjectOf(tx, rule, state)
        const asOf = by.now.toISOString()
        await by.recordAll(tx, recordOf(by, rule, subject, codeAlarmed(error, { asOf, revision, paused }, subject)))
      }
      return { paused }
    })
  const told = await attempt(true)
  // As for other alarms: a pause that is refused takes no alarm with it.
  const last = isRefusal(told) && told !== toldAlready && reports ? await attempt(false) : told
  return isRefusal(last) ? undefined : last
}

const codeError = { key: 'CODE_ERROR', kind: 'CODE_ERROR' } as const

const toldAlready = refuse('invalid_state', 'There is nothing to tell.')

const neverPaused = { srm: false, traffic: false, guardrailMetric: false }

/** Undefined if the rule does not exist any more. */
async function stateOf(tx: Tx, { ruleId, flagId, envId }: WaitingRule): Promise<RuleState | undefined> {
  const row = await findFlagEnvironment(tx, flagId, envId)
  const definition = [...(row?.live.rules ?? []), ...(row?.draft.rules ?? [])].find(({ id }) => id === ruleId)
  if (!definition) return undefined
  const experiment = await experimentOfRule(tx, ruleId)
  const ofRule = definition.type === 'AB_TEST' ? statisticsOf(definition).autoPause : neverPaused
  return { definition, experiment, autoPause: experiment?.autoPause ?? ofRule }
}

/** Pauses the rule. Returns the failures that did: none if it was paused already. */
async function pause(
  switching: Switching,
  by: Author,
  { orgId, projectId, flagId, envId, ruleId }: WaitingRule,
  because: readonly { key: string; kind: AlarmKind }[],
): Promise<ReadonlySet<string> | Refusal> {
  const result = await switching({
    which: { orgId, projectId, flagId, envId },
    by,
    move: { ruleId, enabled: false },
    because: because.map(({ key, kind }) => nameOf(key, kind)),
  })
  if (isRefusal(result)) return result
  return new Set(result.changed ? because.map(({ key }) => key) : [])
}

/** As it is after the pause. */
async function subjectOf(tx: Tx, rule: WaitingRule, { definition, experiment }: RuleState): Promise<Subject> {
  const after = experiment && (await experimentOfRule(tx, rule.ruleId))
  const of = { environment: { id: rule.envId, name: rule.envName }, rule: ruleSummary(definition) }
  if (!after) return { flag: await flagSummary(tx, rule.flagId), ...of, experiment: null }
  const { id, shortId, name, status, type } = after
  const flag = type === 'WEB' ? {} : { flag: await flagSummary(tx, rule.flagId) }
  return { ...flag, ...of, experiment: { id, shortId, name, status, previousStatus: experiment.status } }
}

function recordOf(
  by: Author,
  { orgId, projectId, envId, ruleId }: WaitingRule,
  subject: Subject,
  made: ReturnType<typeof alarmed> | ReturnType<typeof codeAlarmed>,
): Authored[] {
  if (!made) return []
  const { experiment } = subject
  // A web experiment is recorded in the place of its rule.
  const [action, object] =
    experiment && !subject.flag
      ? ([reportedOf[made.action], { type: 'experiment', id: experiment.id, name: experiment.name }] as const)
      : ([made.action, { type: 'rule', id: ruleId, name: subject.rule.name }] as const)
  const after = { envId, ...made.event.payload.alarm }
  return [authored(by, { orgId, projectId, action, object, after, events: [made.event] })]
}

const reportedOf = {
  'rule.report_srm': 'experiment.report_srm',
  'rule.report_traffic': 'experiment.report_traffic',
  'rule.report_guardrail_metric': 'experiment.report_guardrail_metric',
  'experiment.report_code_error': 'experiment.report_code_error',
} as const satisfies Record<string, ActionName>

/** The silence began with the last visitor, or when the rule was last switched on if that is later. */
function silentSince(finding: Finding, servedSince: Date): Date {
  const lastAt = 'check' in finding ? finding.check.lastAt : null
  return lastAt && new Date(lastAt) > servedSince ? new Date(lastAt) : servedSince
}

/** Since which revision and for which visitors each of these failures exists. */
async function evidenceOf(
  db: Db,
  rule: WaitingRule,
  results: Results,
  fired: readonly Finding[],
): Promise<ReadonlyMap<string, Evidence>> {
  if (fired.length === 0) return new Map()
  const { daysBefore, lastUntil, mismatchSince, worstDrop, worstGuardrail, worstSplit } = await loadEvidence()
  const past = await pastOfRule(db, rule)
  const history = historyOf(past)
  const phases = phasesOfResults(history)
  const phase = phases.at(-1)
  const begin = history.served[0]?.from
  if (!phase || !begin) return new Map()
  const revisions = past.flatMap(({ revision, at }) => (at >= begin ? [{ revision, publishedAt: at }] : []))
  const evidence = new Map<string, Evidence>()
  for (const finding of fired) {
    const { key } = finding
    // A cap that is reached, or what cannot be computed, is not caused by a revision or a kind of visitor.
    if (key === 'TRAFFIC_CAP' || key === 'COMPUTATION') continue
    if (key === 'SRM') {
      const units = await unitsByRevision(
        db,
        rule.ruleId,
        revisions.map(({ publishedAt }) => publishedAt),
      )
      const revision = mismatchSince(revisions, units, new Map(phases.map(({ phase, weights }) => [phase, weights])))
      const since = revision && revision.publishedAt > phase.startedAt ? revision.publishedAt : phase.startedAt
      const split = worstSplit(await unitsByDimension(db, rule.ruleId, since, sample), phase.weights)
      evidence.set(key, { ...noEvidence, revision, split })
    } else if (key === 'TRAFFIC_DROP') {
      const days = daysBefore(new Date(results.dataThrough ?? results.generatedAt), phase.startedAt)
      const drop = worstDrop(await unitsByDimension(db, rule.ruleId, days.since, sample), days)
      evidence.set(key, { ...noEvidence, revision: lastUntil(revisions, days.until), drop })
    } else {
      // The failure began when the rule was last switched on, or when visitors were first split in this way.
      const since = key === 'NO_EXPOSURES' ? silentSince(finding, history.served.at(-1)!.from) : phase.startedAt
      const guardrail =
        finding.kind === 'GUARDRAIL_METRIC'
          ? worstGuardrail(await lastDimensions(db, rule.ruleId), finding.metric.metricId, finding.variationId)
          : null
      evidence.set(key, { ...noEvidence, revision: lastUntil(revisions, since), guardrail })
    }
  }
  return evidence
}
