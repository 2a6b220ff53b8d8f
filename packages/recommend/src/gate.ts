import type { Metrics } from './evaluation.ts'

/** A run keeps at least these shares of what the active one has. */
const leastQuality = 0.9
const leastCoverage = 0.5
const leastProducts = 0.5
/** Shares that are equal on paper can differ in their last bit. */
const roundingError = 1e-9

/** What the gate knows of a run. */
export interface GatedRun {
  /** How many products the model has something for. */
  products: number
  /** Null: the strategy has no holdout, or nobody took up anything in it. Both runs are measured on the same split. */
  metrics: Pick<Metrics, 'recall20' | 'mrr20' | 'coverage20'> | null
}

/**
 * Whether a run becomes active. The first one does if it has any product. Later ones must be nearly as good as the active
 * one; without figures of both, they must have half its products.
 *
 * @returns null if it becomes active, otherwise why not, in words for people
 */
export function refusedByGate(run: GatedRun, active: GatedRun | null): string | null {
  if (run.products === 0) return 'The model has no product.'
  if (!active) return null
  const [now, before] = [run.metrics, active.metrics]
  if (!now || !before)
    return run.products < leastProducts * active.products
      ? `The model has ${run.products} ${run.products === 1 ? 'product' : 'products'}, and the active one has ${active.products}. At least half of them are needed.`
      : null
  const [name, quality, least] =
    now.mrr20 !== null && before.mrr20 !== null
      ? ['MRR@20', now.mrr20, before.mrr20]
      : ['Recall@20', now.recall20 ?? 0, before.recall20 ?? 0]
  if (quality < leastQuality * least - roundingError) return below(name, quality, least, leastQuality)
  return now.coverage20 < leastCoverage * before.coverage20 - roundingError
    ? below('Coverage@20', now.coverage20, before.coverage20, leastCoverage)
    : null
}

const below = (name: string, value: number, active: number, share: number): string =>
  `${name} is ${value.toFixed(4)}, and the active run has ${active.toFixed(4)}. At least ${share * 100} % of it is needed.`
