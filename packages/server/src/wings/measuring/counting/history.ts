import { type RuleDefinition, reassigns } from '../../model/versions/index.ts'

/**
 * A stretch of a rule in which every visitor kept the variation. Visitors of different phases are never pooled: a new
 * split moves them.
 */
export interface RulePhase {
  /** Counted from 1. */
  number: number
  startedAt: Date
  /** The published revision with which it began. */
  revision: number
  /** The live rule at the end of the phase. */
  rule: RuleDefinition
}

/** When the rule was served, and in which phases. */
export interface RuleHistory {
  /** Oldest first; empty if the rule was never served. The last one is the current phase. */
  phases: RulePhase[]
  /** From when to when visitors were served; `until` is null while they are. */
  served: { from: Date; until: Date | null }[]
  /** For each phase, the number of the one with which results began then: visitors of both are compared together. */
  begins: number[]
  /**
   * The phase with which results begin now: the last phase with which a publish restarted the results, or the first
   * phase. Null without phases.
   */
  begin: RulePhase | null
  /** The rule as it was served first. What a test was planned with is read from here: it must not move with the data. */
  first: RuleDefinition | null
}

/** What a revision said about a rule. */
export interface PastRule {
  revision: number
  at: Date
  /** The live rule; null if the flag did not have it. */
  rule: RuleDefinition | null
  /** Whether the data file had it, so that visitors were served. */
  served: boolean
}

/**
 * When a rule was served, and its phases, from the revisions that changed its flag, oldest first. A phase begins when the
 * rule is first served, when its split changes, and when a publish begins one.
 */
export function historyOf(past: readonly PastRule[]): RuleHistory {
  const phases: RulePhase[] = []
  const served: RuleHistory['served'] = []
  let first: RuleDefinition | null = null
  for (const { revision, at, rule, served: isServed } of past) {
    const open = served.at(-1)
    if (open?.until === null && !isServed) open.until = at
    if (!isServed || !rule) continue
    if (open?.until !== null) served.push({ from: at, until: null })
    first ??= rule
    const current = phases.at(-1)
    if (!current || reassigns(current.rule, rule))
      phases.push({ number: phases.length + 1, startedAt: at, revision, rule })
    else current.rule = rule
  }
  const rule = phases.at(-1)?.rule
  const restarts = rule?.type === 'AB_TEST' ? (rule.restarts ?? []).map((time) => new Date(time)) : []
  const all = withRestarts(phases, restarts)
  const times = new Set(restarts.map((time) => time.getTime()))
  const begins: number[] = []
  for (const { number, startedAt } of all)
    begins.push(times.has(startedAt.getTime()) ? number : (begins.at(-1) ?? number))
  const begin = all[(begins.at(-1) ?? 0) - 1] ?? null
  return { phases: all, served, begins, begin, first }
}

/** A restart changes no data file, so no revision begins with it: its time is in the rule. */
function withRestarts(phases: readonly RulePhase[], restarts: readonly Date[]): RulePhase[] {
  const started = new Set(phases.map(({ startedAt }) => startedAt.getTime()))
  const added = restarts
    .filter((startedAt) => !started.has(startedAt.getTime()))
    .flatMap((startedAt) => {
      const around = phases.findLast((phase) => phase.startedAt < startedAt)
      return around ? [{ ...around, startedAt }] : []
    })
  return [...phases, ...added]
    .toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime())
    .map((phase, index) => ({ ...phase, number: index + 1 }))
}
