import type { Correction } from '@svc/stats'
import type { Moments, SetAside, UnitRow } from '../counting/index.ts'
import type { Results, Settings } from './schema.ts'

export type { Moments, SetAside, UnitRow }

// What results are made of: plain rows, as the queries of snapshots answer them. Nothing here does IO.

/** This version changes when the same rows give different figures. */
export const engineVersion = '2'

/** A rule with everything that its results are computed from. */
export interface Measured {
  rule: Pick<Results, 'ruleId' | 'flagId' | 'envId' | 'ruleType' | 'ruleStatus'> & {
    /** A delivery sends exposures only if its definition says so. */
    sendsExposures: boolean
    startedAt: Date | null
    endedAt: Date | null
  }
  generatedAt: Date
  /** The figures count all events before this moment. Null if there is no snapshot yet. */
  dataThrough: Date | null
  /** Null for a delivery. */
  settings: (Settings & { correction: Correction }) | null
  /** Fixed before the start of the test. Null if it was not sized. */
  plannedUnitsPerVariation: number | null
  /** The traffic cap of the test. Null if it has none. */
  maxUnits: number | null
  /** In the order of the rule, the baseline included, with the weights of now as fractions. A delivery has one. */
  variations: readonly { variationId: string; key: string; isBaseline: boolean; weight: number }[]
  /** In order. Empty if the rule never ran. */
  phases: readonly Phase[]
  units: readonly UnitRow[]
  /** Units that did not count. Crossovers are in `units`. */
  excluded: { bot: number; override: number; paused: number }
  /** In the order of their roles and of the rule. */
  metrics: readonly MeasuredMetric[]
  cohorts: readonly Moments[]
  /** The names by which the figures can be split. */
  dimensions: readonly string[]
  /** The figures of a test with a fixed horizon that were final in an earlier snapshot. */
  kept: readonly KeptFigures[]
  /** When a comparison was first significant, from earlier snapshots. */
  firstSignificant: readonly { metricId: string; variationId: string; at: Date }[]
  /** Whether SDKs reported themselves in this environment in the last hours. */
  hasHeartbeats: boolean
  /** What could not be computed: its rows are not here. Default: nothing. */
  setAside?: readonly SetAside[]
  /** When a visitor was exposed last, new or not. Null if it was not noted. */
  lastExposureAt: Date | null
  /** The day on which one network brought the largest share of many visitors. Null or absent if no day had enough. */
  largestNetwork?: { day: string; units: number; share: number } | null
  /** When the rule was served, oldest first; `until` is null while it is. */
  served: readonly { from: Date; until: Date | null }[]
}

/** A stretch of time in which a rule ran with one split. Weights are fractions by variation. */
export interface Phase {
  phase: number
  startedAt: Date
  endedAt: Date | null
  weights: Readonly<Record<string, number>>
}

/** The definition of a metric, and the role that it has in the rule. */
export interface MeasuredMetric {
  metricId: string
  key: string
  name: string
  type: 'PROPORTION' | 'MEAN' | 'RATIO'
  role: 'PRIMARY' | 'SECONDARY' | 'GUARDRAIL'
  direction: 'INCREASE' | 'DECREASE'
  unit: string | null
  /** Hours after the first exposure in which a visitor can convert. */
  windowHours: number
  /** Visitors count from this day on, because events from before were deleted when the metric came. Default: all. */
  countedFrom?: Date
  /** The cap of this snapshot, in the unit of the metric, of all variations together. Null if the metric is not capped. */
  winsorizedAt: number | null
  winsorizedUnits: number
  /** Null means the default margin. */
  nonInferiorityMargin: number | null
}

/** The figures of a metric at the one look of a test with a fixed horizon. They stay, whatever arrives later. */
export interface KeptFigures {
  metricId: string
  at: Date
  rows: readonly Moments[]
  winsorizedAt: number | null
  winsorizedUnits: number
}

/** How much worse a guardrail can be if its metric does not say: 2 % of the baseline. */
export const defaultMargin = 0.02

/** Fewer visitors of a day can come from one network for a good reason, such as an office. */
export const leastUnitsOfNetworks = 1_000

/** Upper snake case, as all statuses and actions of an answer have it. */
export const upper = <Word extends string>(word: Word): Uppercase<Word> => word.toUpperCase() as Uppercase<Word>

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
