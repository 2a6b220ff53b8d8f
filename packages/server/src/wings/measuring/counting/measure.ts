import type { RuleDefinition, Statistics } from '../../model/versions/index.ts'
import { dayOf } from './cohort.ts'

/** How the statistics of a metric are computed from events. */
export interface Measure {
  metricId: string
  type: 'PROPORTION' | 'MEAN' | 'RATIO'
  eventKey: string
  /** Null if each event counts as 1. */
  valueFrom: 'value' | null
  denominator: { eventKey: string; valueFrom: 'value' | null } | null
  /** Hours after the first exposure in which events count. */
  windowHours: number
  /** Whether only units whose window has closed take part. */
  onlyClosed: boolean
  /** Days before the first exposure that CUPED looks at; 0 for none. */
  lookbackDays: number
  winsorizeAt: number | null
}

/** What a metric computes. */
export interface MetricOfRule extends Pick<Measure, 'type' | 'eventKey' | 'valueFrom' | 'denominator' | 'winsorizeAt'> {
  id: string
  conversionWindowHours: number
}

/** What a metric counts. With something else, it is another metric. */
export type Counts = Pick<Measure, 'type' | 'eventKey' | 'valueFrom' | 'denominator'>

export const countsOf = ({ type, eventKey, valueFrom, denominator }: Counts): Counts => ({
  ...{ type, eventKey, valueFrom, denominator },
})

/** What a metric computes, with its names. */
export interface MetricRow extends MetricOfRule {
  key: string
  name: string
  direction: 'INCREASE' | 'DECREASE'
  unit: string | null
  nonInferiorityMargin: number | null
}

/** How a metric of a rule was computed last. */
export interface StoredMeasure {
  measure: Measure
  cap: number | null
  capped: number
}

export const lookbackDays = 14
const hourMs = 3_600_000

/** How a rule computes a metric: the settings of the rule come before those of the metric. */
export function measureOf(metric: MetricOfRule, statistics: Statistics): Measure {
  const { id, type, eventKey, valueFrom, denominator, conversionWindowHours, winsorizeAt } = metric
  return {
    metricId: id,
    type,
    eventKey,
    valueFrom,
    denominator,
    windowHours: statistics.conversionWindowHours ?? conversionWindowHours,
    onlyClosed: statistics.inProgressConversions === 'EXCLUDE',
    lookbackDays: statistics.cuped && type !== 'RATIO' ? lookbackDays : 0,
    winsorizeAt: type === 'MEAN' ? winsorizeAt : null,
  }
}

/**
 * The first exposure from which units count for a metric whose events are read again. Events before `kept` may be
 * deleted, so the figures of units from before the next day do not change.
 *
 * @param since when the rule was first served
 */
export function countedSince(since: Date, kept: Date): Date {
  const whole = new Date(`${dayOf(new Date(kept.getTime() + 24 * hourMs))}T00:00:00.000Z`)
  return whole > since ? whole : new Date(0)
}

/**
 * The first exposure before which units count at a moment. If only closed windows count, the windows of these units
 * have closed.
 */
export const countedUntil = ({ onlyClosed, windowHours }: Measure, asOf: Date): Date =>
  onlyClosed ? new Date(asOf.getTime() - windowHours * hourMs + 1) : asOf

/**
 * The moment after which no event can change the results of a rule: all windows have closed, and late events have
 * arrived. Null while the rule is served.
 */
export function closesAt(
  endedAt: Date | null,
  measures: readonly Pick<Measure, 'windowHours'>[],
  lateMs: number,
): Date | null {
  const longest = Math.max(0, ...measures.map(({ windowHours }) => windowHours))
  return endedAt && new Date(endedAt.getTime() + longest * hourMs + lateMs)
}

/** The keys of the metrics of a rule with their roles, in order. */
export function rolesOf(rule: RuleDefinition): { key: string; role: 'PRIMARY' | 'SECONDARY' | 'GUARDRAIL' }[] {
  if (rule.type !== 'AB_TEST') return []
  const { primary, secondary, guardrails } = rule.metrics
  return [
    ...primary.map((key) => ({ key, role: 'PRIMARY' as const })),
    ...guardrails.map((key) => ({ key, role: 'GUARDRAIL' as const })),
    ...secondary.map((key) => ({ key, role: 'SECONDARY' as const })),
  ]
}

/** A metric of a rule, and how far its events were read. */
export interface MeasureState extends StoredMeasure {
  batch: number
  /** Units count if their first exposure is from here. */
  countedFrom: Date
  /** And before this moment. */
  countedUntil: Date
}

/** Which metric of which rule. */
export interface MeasureOf {
  ruleId: string
  envId: string
  measure: Measure
  /** When the rule was first served. */
  servedSince: Date
}

export type Counted = Pick<MeasureState, 'countedFrom' | 'countedUntil'>
