import type { NewEvent } from '../events/index.ts'

/** How many tracked events of a key arrived in a day, and what they were worth. */
export interface Arrived {
  envId: string
  eventKey: string
  /** UTC, such as `2026-01-31`. */
  day: string
  events: number
  /** How many of them have a value. */
  valued: number
  valueSum: number
  /** When the last one arrived, in milliseconds since 1970. */
  lastAt: number
}

/** The days that the page of a metric shows, with today. */
export const shownDays = 30
/**
 * Keys of an environment and day that are counted although no metric names them: anybody who has the public SDK key can
 * invent keys.
 */
export const mostUnnamedKeys = 200
/** What an entry takes in memory besides the key of the event. Measured with Node 24, then rounded up. */
const entryBytes = 384

export const bytesOf = ({ eventKey }: Pick<Arrived, 'eventKey'>): number => entryBytes + 4 * eventKey.length

/** What arrived and is not written yet, by environment, key and day. */
export type Pending = Map<string, Arrived>

const placeOf = ({ envId, eventKey, day }: Arrived): string => `${envId} ${day} ${eventKey}`

/** Adds what arrived. An entry that is new is left out if it has no room. Returns by how many bytes it has grown. */
export function addArrived(pending: Pending, arrived: Arrived, roomBytes: number): number {
  const place = placeOf(arrived)
  const known = pending.get(place)
  if (!known) {
    const bytes = bytesOf(arrived)
    if (bytes > roomBytes) return 0
    pending.set(place, { ...arrived })
    return bytes
  }
  known.events += arrived.events
  known.valued += arrived.valued
  known.valueSum += arrived.valueSum
  known.lastAt = Math.max(known.lastAt, arrived.lastAt)
  return 0
}

/** A tracked event that counts, as an arrival of its own. */
export function arrivalOf(event: NewEvent, receivedAt: Date): Arrived | undefined {
  if (event.type !== 'track' || event.kind !== 0) return undefined
  const { envId, eventKey, value } = event
  const day = receivedAt.toISOString().slice(0, 10)
  const lastAt = receivedAt.getTime()
  return { envId, eventKey, day, events: 1, valued: value === null ? 0 : 1, valueSum: value ?? 0, lastAt }
}

/** A day of a key, as answers show it. */
export interface ArrivedDay {
  day: string
  events: number
  valued: number
  valueSum: number
}

const dayMs = 86_400_000

/** The first of the days that are shown. */
export const firstDay = (now: Date): string =>
  new Date(now.getTime() - (shownDays - 1) * dayMs).toISOString().slice(0, 10)

/** Each of the shown days, also those without an event. */
export function everyDay(rows: readonly ArrivedDay[], now: Date): ArrivedDay[] {
  const known = new Map(rows.map((row) => [row.day, row]))
  const first = Date.parse(firstDay(now))
  return Array.from({ length: shownDays }, (_, place) => {
    const day = new Date(first + place * dayMs).toISOString().slice(0, 10)
    return known.get(day) ?? { day, events: 0, valued: 0, valueSum: 0 }
  })
}
