import type {
  CodeErrorAlarm,
  GuardrailMetricAlarm,
  SampleRatioAlarm,
  TrafficAlarm,
} from '../../../catalogue/payloads.ts'
import type { ExperimentSummary } from '../../model/experiments/index.ts'
import type { FlagSummary, RuleSummary } from '../../model/versions/index.ts'
import type { Results } from '../results/index.ts'
import type { Finding } from './alarm.ts'
import { digestOf } from './digest.ts'

/** The rule that the message is about. If an experiment owns it, the events are the experiment's. */
export type Subject = { environment: { id: string; name: string }; rule: RuleSummary } & (
  | { experiment: null; flag: FlagSummary }
  /** Without `flag` for a web experiment, whose flag is hidden. */
  | { experiment: ExperimentSummary; flag?: FlagSummary }
)

/** What was found out about a failure besides its figures. */
export interface Evidence {
  revision: { revision: number; publishedAt: Date } | null
  split: { name: string; value: string; variations: { id: string; units: number; expected: number }[] } | null
  drop: { name: string; value: string; observed: number; expected: number } | null
  guardrail: GuardrailMetricAlarm['dimension']
}

export const noEvidence: Evidence = { revision: null, split: null, drop: null, guardrail: null }

interface Alarm {
  results: Results
  evidence: Evidence
  paused: boolean
}

/**
 * The audit entry and the event of a failure. Plain rules have no event for a guardrail metric: it shows in the results,
 * and can pause the rule.
 */
export function alarmed(finding: Finding, alarm: Alarm, subject: Subject) {
  if (finding.kind === 'GUARDRAIL_METRIC') {
    if (!subject.experiment) return undefined
    const { metricId: id, key, name } = finding.metric
    const payload = { ...subject, metric: { id, key, name }, alarm: ofMetric(finding, alarm) }
    return {
      action: 'rule.report_guardrail_metric',
      event: { name: 'experiment.guardrail_metric_breached', payload },
    } as const
  }
  if (finding.kind === 'SRM') {
    const split = { alarm: ofSplit(finding, alarm) }
    const event = subject.experiment
      ? ({ name: 'experiment.srm_failed', payload: { ...subject, ...split } } as const)
      : ({ name: 'flag.srm_failed', payload: { ...ofRule(subject), ...split } } as const)
    return { action: 'rule.report_srm', event } as const
  }
  const traffic = { alarm: ofTraffic(finding, alarm) }
  const event = subject.experiment
    ? ({ name: 'experiment.guardrail_breached', payload: { ...subject, ...traffic } } as const)
    : ({ name: 'flag.guardrail_breached', payload: { ...ofRule(subject), ...traffic } } as const)
  return { action: 'rule.report_traffic', event } as const
}

/** An error in the code of a variation. */
export interface FoundCodeError {
  variationId: string
  variationKey: string
  message: string
  line: number | null
  visitors: number
  firstSeenAt: Date
}

/** The audit entry and the event of an error in the code of a variation. Only web experiments have code. */
export function codeAlarmed(
  { variationId: id, variationKey: key, message, line, visitors, firstSeenAt }: FoundCodeError,
  { asOf, revision, paused }: { asOf: string; revision: Evidence['revision']; paused: boolean },
  subject: Subject,
) {
  if (!subject.experiment) return undefined
  const alarm: CodeErrorAlarm = {
    ...{ check: 'CODE_ERROR', variation: { id, key }, message, line, visitors },
    firstSeenAt: firstSeenAt.toISOString(),
    asOf,
    revision: revision && { revision: revision.revision, publishedAt: revision.publishedAt.toISOString() },
    paused,
  }
  const event = { name: 'experiment.code_error_detected', payload: { ...subject, alarm } } as const
  return { action: 'experiment.report_code_error', event } as const
}

/** The event of the day's results. */
export function digested(results: Results, subject: Subject) {
  const digest = { results: digestOf(results) }
  return subject.experiment
    ? ({ name: 'experiment.results_ready', payload: { ...subject, ...digest } } as const)
    : ({ name: 'flag.results_ready', payload: { ...ofRule(subject), ...digest } } as const)
}

const ofRule = ({ experiment: _none, ...rest }: Extract<Subject, { experiment: null }>) => rest

const inEveryAlarm = ({ results, evidence: { revision }, paused }: Alarm) => ({
  asOf: results.dataThrough ?? results.generatedAt,
  revision: revision && { revision: revision.revision, publishedAt: revision.publishedAt.toISOString() },
  paused,
})

type CheckFinding = Extract<Finding, { check: unknown }>

function ofSplit({ check }: CheckFinding, alarm: Alarm): SampleRatioAlarm {
  const { split } = alarm.evidence
  const keyOf = keysIn(alarm.results)
  return {
    check: 'SRM',
    pValue: check.pValue ?? null,
    bayesFactor: check.bayesFactor ?? null,
    threshold: check.threshold ?? null,
    variations: alarm.results.units.variations.map(({ variationId: id, key, units, share, expectedShare }) => ({
      ...{ id, key, units, share, expectedShare },
    })),
    dimension: split && { ...split, variations: split.variations.map((each) => ({ ...each, key: keyOf(each.id) })) },
    ...inEveryAlarm(alarm),
  }
}

function ofTraffic({ check }: CheckFinding, alarm: Alarm): TrafficAlarm {
  const { observed, expected, threshold, variationIds } = check
  const keyOf = keysIn(alarm.results)
  return {
    check: check.check as TrafficAlarm['check'],
    observed: observed ?? null,
    expected: expected ?? null,
    threshold: threshold ?? null,
    variations: (variationIds ?? []).map((id) => ({ id, key: keyOf(id) })),
    dimension: alarm.evidence.drop,
    ...inEveryAlarm(alarm),
  }
}

function ofMetric(
  { variationId: id, comparison }: Extract<Finding, { kind: 'GUARDRAIL_METRIC' }>,
  alarm: Alarm,
): GuardrailMetricAlarm {
  const { margin, contrast, lowerBound, upperBound } = comparison.guardrail!
  return {
    check: 'GUARDRAIL_METRIC',
    state: 'BREACHED',
    variation: { id, key: keysIn(alarm.results)(id) },
    ...{ margin, contrast, lowerBound, upperBound },
    dimension: alarm.evidence.guardrail,
    ...inEveryAlarm(alarm),
  }
}

function keysIn({ units }: Results): (variationId: string) => string {
  const keys = new Map(units.variations.map(({ variationId, key }) => [variationId, key]))
  return (id) => keys.get(id) ?? id
}
