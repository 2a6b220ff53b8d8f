import { counted } from '../../../ui/words/lists.ts'
import { money } from '../../../ui/words/money.ts'
import { percent } from '../../../ui/words/percent.ts'

interface Interval {
  estimate: number
  ciLow: number
  ciHigh: number
}

/** What *Measure it* has found so far. Amounts are in the reporting currency. */
export interface Measurement {
  experimentId: string
  flagKey: string
  status: string
  asOf: string
  currency: string | null
  visitors: { shown: number; control: number }
  perVisitor: Interval
  incrementalRevenue: Interval
  margin: { perVisitor: Interval; incremental: Interval } | null
}

/** The key of the flag that *Measure it* makes. */
export const flagOf = (placementKey: string): string => `recommend-${placementKey}`

const amount = (value: number, currency: string | null): string =>
  currency === null ? value.toFixed(2) : money(value.toFixed(2), currency)

/** "between €120.00 and €1,480.00". */
const between = ({ ciLow, ciHigh }: Interval, currency: string | null): string =>
  `between ${amount(ciLow, currency)} and ${amount(ciHigh, currency)}`

/**
 * What the list brings, as far as it is known. Nothing is claimed while the interval has zero in it, and a test that runs
 * has not decided: its own page may still say to keep it running.
 */
export function verdictOf({ status, incrementalRevenue: { ciLow, ciHigh } }: Measurement): {
  tone: 'good' | 'bad' | 'note'
  title: string
} {
  const end = status === 'COMPLETED' || status === 'ARCHIVED' ? '.' : ' so far.'
  if (ciLow > 0) return { tone: 'good', title: `It brings revenue${end}` }
  if (ciHigh < 0) return { tone: 'bad', title: `It costs revenue${end}` }
  return { tone: 'note', title: 'No difference shown yet.' }
}

/** "Incremental revenue, between €120.00 and €1,480.00, of 19,000 visitors who got the list." */
export const incrementalInWords = ({ incrementalRevenue, currency, visitors }: Measurement): string =>
  `Incremental revenue, ${between(incrementalRevenue, currency)}, of ${counted(visitors.shown, 'visitor')} who got the list. ${visitors.control.toLocaleString('en')} got none.`

export const perVisitorInWords = ({ perVisitor, currency }: Measurement): string =>
  `That is ${between(perVisitor, currency)} a visitor (${percent(95)}, valid at every look).`

/** "Incremental margin, between −€20.00 and €480.00, which is between −€0.01 and €0.03 a visitor." */
export const marginInWords = ({ margin, currency }: Pick<Measurement, 'margin' | 'currency'>): string =>
  margin === null
    ? 'The margin is not measured: too few orders had costs when the test began.'
    : `Incremental margin, ${between(margin.incremental, currency)}, which is ${between(margin.perVisitor, currency)} a visitor.`
