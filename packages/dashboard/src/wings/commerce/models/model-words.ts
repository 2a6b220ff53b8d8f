import type { StatusValue } from '../../../ui/status/status-words.ts'
import { percent } from '../../../ui/words/percent.ts'
import type { Model, ModelRun } from './model.ts'

type Strategy = Model['strategy']
type Metrics = NonNullable<ModelRun['metrics']>

/** What each strategy learns from. */
export const learnsFrom: Record<Strategy, 'EVENTS' | 'CATALOG' | 'INTERACTIONS' | 'NEIGHBOURS'> = {
  POPULAR: 'EVENTS',
  TRENDING: 'EVENTS',
  VIEWED_TOGETHER: 'INTERACTIONS',
  BOUGHT_TOGETHER: 'INTERACTIONS',
  FOR_YOU: 'INTERACTIONS',
  SIMILAR: 'CATALOG',
  IMPORTED: 'NEIGHBOURS',
}

/** How a model runs without a schedule. */
export const byHand = 'Someone asks for it: here, by the API, or with svc model run.'

/** The kind of dataset that a strategy needs; undefined for one that needs none. */
export function datasetKindOf(strategy: Strategy): 'INTERACTIONS' | 'NEIGHBOURS' | undefined {
  const from = learnsFrom[strategy]
  return from === 'INTERACTIONS' || from === 'NEIGHBOURS' ? from : undefined
}

/** "18.2 %"; small shares keep a digit that says something. */
export const shareInWords = (share: number): string =>
  percent(Number((share * 100).toFixed(share !== 0 && share < 0.001 ? 2 : 1)))

/** A figure beside the same figure of the popular products. */
export interface Beside {
  own: string
  popular: string
  verdict: 'BETTER' | 'WORSE' | 'EQUAL'
}

const texts = { recall20: shareInWords, coverage20: shareInWords, mrr20: (mean: number) => mean.toFixed(3) }

/** Undefined if the figure was not measured. */
export function beside(metrics: Metrics | null, name: keyof typeof texts): Beside | undefined {
  const own = metrics?.[name] ?? null
  const popular = metrics?.popular[name] ?? null
  if (own === null || popular === null) return undefined
  const verdict = own > popular ? 'BETTER' : own < popular ? 'WORSE' : 'EQUAL'
  return { own: texts[name](own), popular: texts[name](popular), verdict }
}

const verdicts = {
  BETTER: { tone: 'good', title: 'Better than the popular products' },
  WORSE: { tone: 'warning', title: 'Worse than the popular products' },
  EQUAL: { tone: 'note', title: 'As good as the popular products' },
} as const

/** Whether a run is of more use than the popular products, and how that was seen. Undefined if it was not measured. */
export function verdictOf({ metrics }: Pick<ModelRun, 'metrics'>) {
  if (metrics === null) return undefined
  // Sessions are judged by the next product, all others by what visitors took up.
  const isSessions = metrics.mrr20 !== null
  const [own, popular] = isSessions
    ? [metrics.mrr20, metrics.popular.mrr20]
    : [metrics.recall20, metrics.popular.recall20]
  const figure = beside(metrics, isSessions ? 'mrr20' : 'recall20')
  if (!figure || own === null || popular === null) return undefined
  const times = Number((own / popular).toFixed(2))
  const ratio = popular === 0 || times === 1 ? '' : ` That is ${times} times as much.`
  const words = isSessions
    ? `MRR, which says how far up the next product of a session is: ${figure.own}, and ${figure.popular} with the popular products.${ratio}`
    : `Of what visitors took up later, ${figure.own} was among the best 20, and ${figure.popular} with the popular products.${ratio}`
  return { ...verdicts[figure.verdict], words }
}

/** Whether a run serves, could serve, or how it ended. */
export const stateOf = ({ activated, status }: Pick<ModelRun, 'activated' | 'status'>): StatusValue<'run'> =>
  activated ? 'SERVING' : status

/** A run that is built and does not serve can. */
export const canServe = ({ activated, status }: Pick<ModelRun, 'activated' | 'status'>): boolean =>
  status === 'SUCCEEDED' && !activated

/** Why a run does not serve; empty for the one that serves. */
export function whyNot({ activated, activatedAt, status, reason }: ModelRun): string {
  if (activated) return ''
  if (reason !== null) return reason
  return status === 'SUCCEEDED' && activatedAt !== null
    ? 'A later run took its place, or a person chose another one.'
    : ''
}

/** "product_viewed × 1, order × 5": the more an event counts, the later it comes. */
export const actionsInWords = (actions: Record<string, number>): string =>
  Object.entries(actions)
    .toSorted(([, one], [, other]) => one - other)
    .map(([event, weight]) => `${event} × ${weight}`)
    .join(', ')
