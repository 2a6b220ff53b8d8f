import type { DataFile, Evaluation, Evaluator } from '@svc/core'
import { invalid, type Refusal } from '../../../../catalogue/refusals.ts'

/** A flag that a publish can change for visitors. */
export interface ComparedFlag {
  flagId: string
  /** The web experiment in the place of a hidden flag. */
  experimentId: string | null
  key: string
}

/** Visitors who get another value, by what they got, what they will get, and the rule that will decide. */
export interface Move {
  from: string | null
  to: string | null
  visitors: number
  /** The rule that decides after the publish; null for an override or the default. */
  ruleId: string | null
  examples: string[]
}

export interface Preview {
  visitors: number
  changed: number
  /** A web experiment has no flag that people know. */
  flags: (Omit<ComparedFlag, 'flagId'> & { flagId: string | null; changed: number; moves: Move[] })[]
}

/** Both sides of a publish. */
export interface Side {
  file: DataFile
  evaluator: Evaluator
}

const maxEvaluations = 1_000_000
const maxExamples = 3
const maxMoves = 100

/** A preview answers within seconds. */
export function refusesEvaluations(flags: number, visitors: number): Refusal | undefined {
  if (flags * visitors <= maxEvaluations) return undefined
  const most = Math.floor(maxEvaluations / visitors)
  const message = `A preview for ${visitors} visitors can have at most ${most} flags (got ${flags}). Choose flags with flagIds, or send fewer visitors.`
  return invalid({ path: ['visitors'], message })
}

/** Compares visitor by visitor what they get before and after. */
export function comparison(flags: readonly ComparedFlag[], live: Side, staged: Side) {
  const moves = new Map(flags.map(({ key }) => [key, new Map<string, Move>()]))
  let visitors = 0
  let changed = 0
  const textOf = ({ file }: Side, key: string, { variationKey }: Evaluation) =>
    variationKey === null ? undefined : file.flags[key]!.variations[variationKey]

  return {
    add(visitor: { targetingKey: string }, now: number): void {
      visitors += 1
      const [before, after] = [live.evaluator.evaluateAll(visitor, now), staged.evaluator.evaluateAll(visitor, now)]
      let isChanged = false
      for (const { key } of flags) {
        const [from, to] = [before.get(key)!, after.get(key)!]
        if (from.variationKey === to.variationKey && textOf(live, key, from) === textOf(staged, key, to)) continue
        isChanged = true
        note(moves.get(key)!, from.variationKey, to, visitor.targetingKey)
      }
      if (isChanged) changed += 1
    },
    preview: (): Preview => ({
      visitors,
      changed,
      flags: flags.map(({ flagId, experimentId, key }) => {
        const all = [...moves.get(key)!.values()].sort((one, other) => other.visitors - one.visitors)
        const sum = all.reduce((total, move) => total + move.visitors, 0)
        const named = { flagId: experimentId === null ? flagId : null, experimentId, key }
        return { ...named, changed: sum, moves: all.slice(0, maxMoves) }
      }),
    }),
  }
}

function note(moves: Map<string, Move>, from: string | null, to: Evaluation, visitor: string): void {
  const { variationKey, ruleId } = to
  const name = JSON.stringify([from, variationKey, ruleId])
  const move = moves.get(name) ?? { from, to: variationKey, visitors: 0, ruleId, examples: [] }
  moves.set(name, move)
  move.visitors += 1
  if (move.examples.length < maxExamples) move.examples.push(visitor)
}
