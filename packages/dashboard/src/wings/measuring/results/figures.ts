import type { Data } from '@svc/client'
import { dayText } from '../../../ui/time/dates.ts'
import { isCurrency, money } from '../../../ui/words/money.ts'
import { percent } from '../../../ui/words/percent.ts'

/** Without the flag, which a web experiment does not have. */
export type Results = Omit<Data<'/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results', 'get'>, 'flagId'>
export type MetricResult = Results['metrics'][number]
export type Dimension = NonNullable<Results['dimension']>
export type VariationResult = MetricResult['variations'][number]
export type Comparison = NonNullable<VariationResult['comparison']>
export type Settings = NonNullable<Results['settings']>

const minus = '−'
/** Keeps a figure and its sign in one line. */
const noBreak = '\u00a0'
const maxDecimals = 6

/** 0.056 is "5.6 %". One decimal, and more if a figure would round to zero. */
export const share = (fraction: number): string => percent(rounded(fraction * 100))

/** How much of the plan is done: "32 %". It is 0 % only without visitors. */
export const ofPlan = (fraction: number): string =>
  percent(fraction > 0 && fraction < 0.01 ? 'Under 1' : Math.floor(fraction * 100))

/** A change with its sign: "+12.0 %", "−7.2 %". */
export const change = (fraction: number): string => percent(signed(fraction * 100))

/** A difference of two shares: "+0.6 points". */
export const points = (fraction: number): string => `${signed(fraction * 100)}${noBreak}points`

/** A mean in the words of its metric: "5.6 %", "€12.40", "841 ms", "1,204". */
export function mean({ type, unit }: Pick<MetricResult, 'type' | 'unit'>, value: number): string {
  return type === 'PROPORTION' ? share(value) : withUnit(value, unit)
}

/** Two means, the first one before an arrow. Where they differ, their figures do too: "0.11 % → 0.15 %". */
export function fromTo(metric: Pick<MetricResult, 'type' | 'unit'>, from: number, to: number): string {
  const words = [from, to].map((value) => mean(metric, value))
  if (metric.type === 'PROPORTION' && from !== to)
    for (let count = 2; words[0] === words[1] && count <= maxDecimals; count += 1)
      words.splice(0, 2, ...[from, to].map((value) => shareWith(value, count)))
  return words.join(' → ')
}

const shareWith = (fraction: number, count: number): string =>
  percent((fraction * 100).toLocaleString('en', decimals(count)))

/** A difference with its standard error. The words for points stand once: "+0.8 ± 0.1 points". */
export function withError(metric: Pick<MetricResult, 'type' | 'unit'>, value: number, error: number): string {
  const [words, around] = [difference(metric, value), difference(metric, error).replace('+', '')]
  const unit = /\u00a0\D+$/.exec(around)?.[0]
  return `${unit ? words.replace(unit, '') : words} ± ${around}`
}

/** A difference of two means, with its sign. */
export function difference({ type, unit }: Pick<MetricResult, 'type' | 'unit'>, value: number): string {
  return type === 'PROPORTION' ? points(value) : `${value > 0 ? '+' : ''}${withUnit(value, unit)}`
}

/** A probability of the test: "0.016", "below 0.001". */
export const pValue = (p: number): string => (p < 0.001 ? 'below 0.001' : p.toFixed(3))

/** A chance is never none, nor sure: "99.7 %", "over 99.9 %". */
export const chance = (fraction: number): string =>
  fraction > 0.999 ? percent('over 99.9') : fraction < 0.001 ? percent('under 0.1') : share(fraction)

/** "less than once in 3,000", for something that chance does with this probability at most. */
export function onceIn(p: number): string {
  const times = 1 / Math.max(p, 1e-6)
  const magnitude = 10 ** Math.floor(Math.log10(times))
  return `less than once in ${(Math.floor(times / magnitude) * magnitude).toLocaleString('en')}`
}

/** "12 Dec". Days of results are those of UTC. */
export const dayOf = (time: string): string => dayText(time)

function rounded(value: number): string {
  const size = Math.abs(value)
  return `${value < 0 ? minus : ''}${size.toLocaleString('en', decimals(decimalsOf(size, 1)))}`
}

function signed(value: number): string {
  const size = Math.abs(value)
  return `${signOf(value)}${size.toLocaleString('en', decimals(decimalsOf(size, 1)))}`
}

const signOf = (value: number): string => (value > 0 ? '+' : value < 0 ? minus : '')

/** "12.40 ms"; money as everywhere in the dashboard: "€12.40". */
function withUnit(value: number, unit: string | null): string {
  const size = Math.abs(value)
  const sign = value < 0 ? minus : ''
  if (isCurrency(unit)) return `${sign}${money(size.toFixed(decimalsOf(size, 2)), unit)}`
  const text = size.toLocaleString('en', Number.isInteger(size) ? {} : decimals(decimalsOf(size, 2)))
  return `${sign}${text}${unit === null ? '' : `${noBreak}${unit}`}`
}

/** At least so many decimals; more until the figure is not zero. */
function decimalsOf(size: number, least: number): number {
  if (size === 0 || size >= 0.5 * 10 ** -least) return least
  return Math.min(maxDecimals, Math.ceil(-Math.log10(size)))
}

const decimals = (count: number) => ({ minimumFractionDigits: count, maximumFractionDigits: count })
