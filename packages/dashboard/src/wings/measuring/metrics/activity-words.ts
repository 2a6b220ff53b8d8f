import type { Data } from '@svc/client'
import { dayText } from '../../../ui/time/dates.ts'
import { counted } from '../../../ui/words/lists.ts'
import { mean } from '../results/figures.ts'
import type { Metric } from './metric-words.ts'

export const activityPath = '/api/v1/projects/{projectId}/metrics/{metricId}/envs/{envId}/activity'

export type Activity = Data<typeof activityPath, 'get'>
export type ArrivedEvent = NonNullable<Activity['event']>
export type ArrivedDay = ArrivedEvent['days'][number]

export const totalOf = ({ days }: Pick<ArrivedEvent, 'days'>): number =>
  days.reduce((sum, { events }) => sum + events, 0)

/** "2,410 order_paid in 30 days, most on 24 Nov: 212." */
export function eventsInWords({ eventKey, days }: Pick<ArrivedEvent, 'eventKey' | 'days'>): string {
  const total = totalOf({ days })
  if (total === 0) return `No ${eventKey} has arrived in the last 30 days.`
  const most = days.reduce((best, each) => (each.events > best.events ? each : best))
  const busiest = total === most.events ? `all on ${dayText(most.day)}` : `most on ${dayText(most.day)}`
  return `${counted(total, 'event')} in 30 days, ${busiest}${total === most.events ? '' : `: ${most.events.toLocaleString('en')}`}.`
}

/** The mean of the values that came with events of these days; undefined if none has one. */
export function meanValue({ days }: Pick<ArrivedEvent, 'days'>): number | undefined {
  const [valued, sum] = days.reduce(([count, total], each) => [count + each.valued, total + each.valueSum], [0, 0])
  return valued > 0 ? sum / valued : undefined
}

/** What tests measured lately: "5.2 %". */
export const valueNow = (metric: Pick<Metric, 'type' | 'unit'>, { figures }: Activity): string | undefined =>
  figures ? mean(metric, figures.baseline) : undefined

/**
 * What is wrong with the events of a metric, if something is: it sums values, and no event has one.
 */
export function lacksValues({ valueFrom }: Pick<Metric, 'valueFrom'>, event: ArrivedEvent): boolean {
  return valueFrom === 'value' && totalOf(event) > 0 && event.days.every(({ valued }) => valued === 0)
}

/** Round numbers for an axis that begins at 0: the largest is at least the most events of a day. */
export function ticksFor(most: number): number[] {
  if (most <= 1) return [0, 1]
  const rough = most / 3
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].find((each) => each * magnitude >= rough)! * magnitude)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, place) => place * step)
}
