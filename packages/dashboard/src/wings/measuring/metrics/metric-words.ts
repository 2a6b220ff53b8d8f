import type { Data } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'
import { percentText } from '../../../ui/words/percent.ts'

export type Metric = Data<'/api/v1/projects/{projectId}/metrics', 'get'>[number]

export type MetricDefinition = Pick<
  Metric,
  | 'type'
  | 'eventKey'
  | 'valueFrom'
  | 'denominator'
  | 'direction'
  | 'unit'
  | 'conversionWindowHours'
  | 'winsorizeAt'
  | 'nonInferiorityMargin'
  | 'trigger'
>

type Counted = Pick<Metric, 'eventKey' | 'valueFrom'>

/** What the metric measures: "Share of visitors with order_paid within 7 days". */
export function sentenceOf({ type, denominator, conversionWindowHours, unit, ...counts }: MetricDefinition): string {
  const within = `within ${hoursInWords(conversionWindowHours)}`
  if (type === 'PROPORTION') return `Share of visitors with ${counts.eventKey} ${within}`
  const numerator = `${sumOf(counts)}${counts.valueFrom && unit ? ` in ${unit}` : ''}`
  if (type === 'RATIO' && denominator) return `${numerator} divided by ${lower(sumOf(denominator))}, ${within}`
  return `${numerator} per visitor ${within}`
}

const sumOf = ({ eventKey, valueFrom }: Counted): string =>
  valueFrom ? `Total value of ${eventKey}` : `Number of ${eventKey}`

const lower = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** "7 days", "36 hours". */
export const hoursInWords = (hours: number): string =>
  hours % 24 === 0 ? counted(hours / 24, 'day') : counted(hours, 'hour')

export const directionInWords = (direction: Metric['direction']): string =>
  direction === 'INCREASE' ? 'Good if it goes up' : 'Good if it goes down'

/** 0.999 → "99.9". */
export const shareInPercent = (share: number): string => percentText(Math.round(share * 1e6) / 100)
