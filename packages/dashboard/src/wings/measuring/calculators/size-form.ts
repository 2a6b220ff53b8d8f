import type { Data } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'

export type SampleSize = Data<'/api/v1/calculators/sample-size', 'post'>

/** What a person types. */
export interface SizeValues {
  type: 'PROPORTION' | 'MEAN'
  /** A rate in percent, or a mean. */
  baseline: string
  stddev: string
  /** In percent of the baseline. */
  lift: string
  visitorsPerDay: string
  test: 'SEQUENTIAL' | 'FIXED_HORIZON'
  variations: string
  /** The rate of a guardrail in percent, or nothing. */
  guardrail: string
  /** By how much it may get worse, in percent of it. */
  margin: string
}

export interface SizeQuestion {
  type: SizeValues['type']
  baseline: number
  stddev: number | null
  minimumDetectableLift: number
  test: SizeValues['test']
  variations: number
  unitsPerDay: number | null
  guardrails: { type: 'PROPORTION'; baseline: number; nonInferiorityMargin: number }[]
}

export const initialSize: SizeValues = {
  type: 'PROPORTION',
  baseline: '5',
  stddev: '',
  lift: '10',
  visitorsPerDay: '',
  test: 'SEQUENTIAL',
  variations: '2',
  guardrail: '',
  margin: '2',
}

const maxLift = 10_000
const maxVisitorsPerDay = 1_000_000_000

/** The question to the service, or what is wrong, by field. */
export function questionOf(
  values: SizeValues,
): { question: SizeQuestion } | { faults: Partial<Record<keyof SizeValues, string>> } {
  const isRate = values.type === 'PROPORTION'
  const baseline = numberIn(values.baseline)
  const lift = numberIn(values.lift)
  const stddev = numberIn(values.stddev)
  const guardrail = values.guardrail.trim() === '' ? null : numberIn(values.guardrail)
  const margin = numberIn(values.margin)
  const daily = values.visitorsPerDay.trim() === '' ? null : numberIn(values.visitorsPerDay)
  const faults: Partial<Record<keyof SizeValues, string>> = {
    ...((baseline === undefined || baseline === 0 || (isRate && (baseline < 0 || baseline >= 100))) && {
      baseline: isRate ? 'Enter a rate above 0 and below 100.' : 'Enter a number other than 0.',
    }),
    ...((lift === undefined || lift === 0) && { lift: 'Enter a change in percent, such as 10 or -10.' }),
    ...(lift !== undefined &&
      (lift <= -100 || lift >= maxLift) && { lift: 'Enter a change above -100 and below 10,000 percent.' }),
    ...(isRate &&
      baseline !== undefined &&
      lift !== undefined &&
      lift < maxLift &&
      baseline < 100 &&
      baseline * (1 + lift / 100) >= 100 && { lift: `Enter a smaller change: a share stays below ${percent(100)}.` }),
    ...(!isRate && (stddev === undefined || stddev <= 0) && { stddev: 'Enter a number above 0.' }),
    ...(guardrail !== null &&
      (guardrail === undefined || guardrail <= 0 || guardrail >= 100) && {
        guardrail: 'Enter a rate above 0 and below 100, or nothing.',
      }),
    ...(guardrail !== null &&
      (margin === undefined || margin <= 0 || margin >= 100) && { margin: 'Enter a change above 0 and below 100.' }),
    ...(daily !== null &&
      (daily === undefined || daily <= 0 || daily > maxVisitorsPerDay) && {
        visitorsPerDay: 'Enter a number above 0 and up to a billion, or nothing.',
      }),
  }
  if (Object.keys(faults).length > 0 || baseline === undefined || lift === undefined) return { faults }
  return {
    question: {
      type: values.type,
      baseline: isRate ? baseline / 100 : baseline,
      stddev: isRate ? null : (stddev ?? null),
      minimumDetectableLift: lift / 100,
      test: values.test,
      variations: Number(values.variations),
      unitsPerDay: daily ?? null,
      guardrails:
        guardrail && margin
          ? [{ type: 'PROPORTION', baseline: guardrail / 100, nonInferiorityMargin: margin / 100 }]
          : [],
    },
  }
}

/** What the service refused, by field. Only the service's formulas show whether a change is too small. */
export const refusedWords = (name: keyof SizeValues, message: string): string =>
  name === 'lift' || name === 'margin'
    ? 'Enter a larger one: such a small change would require too many visitors.'
    : message

/** "31,234", "0,5" and "5 %" as numbers. */
function numberIn(text: string): number | undefined {
  const plain = text.trim().replace(/\s*%$/, '').replace('−', '-')
  const withPoint = /^[+-]?\d+,\d{1,2}$/.test(plain) ? plain.replace(',', '.') : plain.replaceAll(',', '')
  return /^[+-]?\d+(\.\d+)?$/.test(withPoint) ? Number(withPoint) : undefined
}

/** The places of the slider of changes, in percent. */
export const lifts = [1, 1.5, 2, 3, 4, 5, 7.5, 10, 12.5, 15, 20, 25, 30, 40, 50, 75, 100] as const

/** The place that is nearest to what is typed. */
export function placeOf(text: string): number {
  const size = Math.abs(numberIn(text) ?? 0)
  const off = (at: number) => Math.abs(lifts[at]! - size)
  return lifts.reduce<number>((nearest, _, at) => (off(at) < off(nearest) ? at : nearest), 0)
}

/** A change in percent as it is typed. Rounded up, so that the visitors of a duration suffice for it. */
export function liftText(lift: number): string {
  const size = Math.abs(lift) * 100
  const unit = 10 ** (Math.floor(Math.log10(size)) - 2)
  const text = String(Number((Math.ceil(size / unit - 1e-9) * unit).toPrecision(4)))
  return lift < 0 ? `-${text}` : text
}

/** A loss stays a loss. */
export const withSignOf = (text: string, size: string): string => ((numberIn(text) ?? 0) < 0 ? `-${size}` : size)

/** The answer in sentences, the most important one first. */
export function sizeWords(size: SampleSize, { unitsPerDay, variations }: SizeQuestion): string[] {
  const { unitsPerVariation, primaryUnitsPerVariation, totalUnits, days, recommendedDays } = size
  const all = variations === 2 ? 'both' : `all ${variations}`
  const need = `${counted(unitsPerVariation, 'visitor')} in each variation, ${totalUnits.toLocaleString('en')} in ${all}.`
  const forGuardrail =
    unitsPerVariation > primaryUnitsPerVariation
      ? [
          `The guardrail decides that: the metric alone needs ${counted(primaryUnitsPerVariation, 'visitor')} in each. Allow it to get worse by more, or watch it without a verdict.`,
        ]
      : []
  if (days === null || recommendedDays === null || unitsPerDay === null) return [need, ...forGuardrail]
  const weeks = counted(recommendedDays / 7, 'week')
  const long = recommendedDays > 56 ? ['That is long. Test a larger change, or a metric that more visitors reach.'] : []
  return [
    need,
    `At ${counted(unitsPerDay, 'visitor')} a day that takes ${counted(days, 'day')}. Plan ${weeks}, so that every day of the week counts the same.`,
    ...forGuardrail,
    ...long,
  ]
}
