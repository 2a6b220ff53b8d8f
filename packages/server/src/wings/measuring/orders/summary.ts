import { invalid, type Refusal } from '../../../catalogue/refusals.ts'
import type { OrderDay } from './queries.ts'
import { maxSummaryDays } from './schema.ts'

const dayMs = 86_400_000
const usualDays = 30

export interface Days {
  from: string
  to: string
}

const nameOf = (day: Date): string => day.toISOString().slice(0, 10)

/** The days that a request asks for, in UTC. */
export function daysOf(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): Days | { refusal: Refusal } {
  const to = asked.to ?? nameOf(now)
  const from = asked.from ?? nameOf(new Date(Date.parse(to) - (usualDays - 1) * dayMs))
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (count < 1) return { refusal: invalid({ path: ['from'], message: 'Must not be after `to`.' }) }
  if (count > maxSummaryDays)
    return {
      refusal: invalid({ path: ['from'], message: `Must be at most ${maxSummaryDays - 1} days before \`to\`.` }),
    }
  return { from, to }
}

type Figures = Omit<OrderDay, 'date'>

const none: Figures = {
  ...{ orders: 0, revenue: '0.00', margin: '0.00', averageOrder: null, refunded: '0.00' },
  ...{ cancelled: 0, unattributed: 0, unconverted: 0, withoutMargin: 0, unconfirmed: 0 },
}

/** Each day of the range with its figures, and those of all days. */
export function filledSummary(
  rows: readonly OrderDay[],
  { from, to }: Days,
): { days: (Figures & { date: string })[]; total: Figures } {
  const known = new Map(rows.map(({ date, ...figures }) => [date, figures]))
  const days: (Figures & { date: string })[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const date = nameOf(new Date(at))
    days.push({ date, ...(known.get(date) ?? none) })
  }
  return { days, total: known.get(null) ?? none }
}
