import type { NewEvent } from '../events/index.ts'

/** An event as it is stored. Times are milliseconds since 1970. */
export interface StoredRow {
  batch: number
  /** UTC, such as 20260131. A day is a partition. */
  day: number
  env_id: string
  type: EventType
  /** The id of the rule of an exposure, or the key of a tracked event. */
  name: string
  unit: string
  at: number
  id: string
  received_at: number
  /** As in the tables of the main database: 0 counts, 1 override, 2 bot. */
  kind: number
  clamped: 0 | 1
  /** Empty for a tracked event. */
  variation_id: string
  value: number | null
  /** The dimensions of an exposure, or the product of a tracked event, as JSON; empty if there are none. */
  details: string
}

export type EventType = 'exposure' | 'track'

/** The day of a moment, as partitions have it. */
export const dayOf = (moment: Date): number => Number(moment.toISOString().slice(0, 10).replaceAll('-', ''))

const dayMs = 86_400_000

/** Whether everything of a partition is older. */
export const isPast = (day: number, before: Date): boolean => day <= dayOf(new Date(before.getTime() - dayMs))

export function rowOf(event: NewEvent, batch: number, receivedAt: Date): StoredRow {
  const { envId, id, unit, at, kind, clamped, type } = event
  const common = { batch, day: dayOf(receivedAt), env_id: envId, type, unit, at, id, kind }
  const received = { received_at: receivedAt.getTime(), clamped: clamped ? 1 : 0 } as const
  return type === 'exposure'
    ? {
        ...{ ...common, ...received, name: event.ruleId, variation_id: event.variationId, value: null },
        details: event.dimensions ?? '',
      }
    : {
        ...{ ...common, ...received, name: event.eventKey, variation_id: '', value: event.value },
        details: event.productId === undefined ? '' : JSON.stringify({ productId: event.productId }),
      }
}

/** The product in the details of a tracked event; null if it is about none. */
export function productOf(details: string): string | null {
  const { productId } = JSON.parse(details) as { productId?: unknown }
  return typeof productId === 'string' && productId !== '' ? productId : null
}
