import { hash } from 'node:crypto'
import { Gauge, type Registry } from 'prom-client'

/**
 * What a node keeps in memory for callers without an account, or makes for them ahead of the database. The number is the
 * share of `SVC_VISITOR_MEMORY`, in 128ths. `each`: how often it is opened.
 */
export const shares = {
  /** Requests of the last minute by address or token: one for each family of routes. */
  requests: { share: 4, each: 12 },
  /** Attempts at passwords, codes and links by account: one for each kind. */
  attempts: { share: 4, each: 5 },
  /** Visitors whose exposure OFREP has stored in the last half hour. */
  ofrepVisitors: { share: 11, each: 1 },
  /** Exposures by OFREP that wait for the database. */
  ofrepExposures: { share: 16, each: 1 },
  /** Events that wait for the database. */
  eventsWaiting: { share: 16, each: 1 },
  /** Which events arrived, until it is written. */
  arrivals: { share: 1, each: 1 },
  /** Some visitors with their attributes, until they are written. */
  seenVisitors: { share: 1, each: 1 },
  /** From which networks visitors came, until it is written. */
  addresses: { share: 3, each: 1 },
  /** When SDKs and flags were noted last. */
  usage: { share: 4, each: 3 },
} as const satisfies Record<string, { share: number; each: number }>

export type Purpose = keyof typeof shares

const shareOf = 128

/** Bytes that are kept for one purpose, and how many there can be. */
export interface Room {
  readonly maxBytes: number
  bytes: number
}

export const roomOf = (maxBytes: number): Room => ({ maxBytes, bytes: 0 })

/** Opens the rooms of a node. */
export type OpenRoom = (purpose: Purpose) => Room

/** Rooms within the memory for visitors. The metrics show what they hold. */
export function roomsWithin(visitorMemoryBytes: number, registry: Registry): OpenRoom {
  const rooms = new Map<Purpose, Room[]>()
  const gauge = (name: string, help: string, amountOf: (room: Room) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['purpose'], registers: [registry] },
      collect() {
        for (const [purpose, opened] of rooms)
          this.set(
            { purpose },
            opened.reduce((sum, room) => sum + amountOf(room), 0),
          )
      },
    })
  gauge('svc_visitor_memory_bytes', 'Bytes that this node keeps for callers, by purpose', ({ bytes }) => bytes)
  gauge(
    'svc_visitor_memory_max_bytes',
    'Bytes that this node can keep for callers, by purpose; beyond that, it drops the oldest',
    ({ maxBytes }) => maxBytes,
  )
  return (purpose) => {
    const { share, each } = shares[purpose]
    const room = roomOf(Math.floor((visitorMemoryBytes * share) / shareOf))
    const opened = [...(rooms.get(purpose) ?? []), room]
    // Otherwise all of them together could hold more than the setting says.
    if (opened.length > each) throw new Error(`${purpose} is opened more than ${each} times: give it more in held.ts`)
    rooms.set(purpose, opened)
    return room
  }
}

/**
 * A short name for what is kept about a caller, however long the caller's own name is. The hash has 128 bits, so
 * nobody can choose two names with the same fingerprint.
 */
export const fingerprint = (...parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'buffer').toString('latin1', 0, fingerprintBytes)

const fingerprintBytes = 16
/** A fingerprint, its place in a map, and a small value. Measured with Node 24, then rounded up. */
export const entryBytes = 192

/**
 * A value for each of many subjects. Subjects are kept as fingerprints, and when the room is full, the oldest goes.
 * Values must have a fixed size that `entryBytes` covers.
 */
export interface HeldMap<Value> {
  get(...subject: readonly unknown[]): Value | undefined
  /** The subject becomes the newest. */
  set(value: Value, ...subject: readonly unknown[]): void
  delete(...subject: readonly unknown[]): void
  /** Removes the oldest as long as this holds for them. */
  deleteOldest(isOver: (value: Value) => boolean): void
}

export function heldMap<Value>(room: Room): HeldMap<Value> {
  const values = new Map<string, Value>()
  const remove = (name: string) => {
    if (values.delete(name)) room.bytes -= entryBytes
  }
  return {
    get: (...subject) => values.get(fingerprint(...subject)),
    set(value, ...subject) {
      const name = fingerprint(...subject)
      remove(name)
      values.set(name, value)
      room.bytes += entryBytes
      for (const [oldest] of values) {
        if (room.bytes <= room.maxBytes) break
        remove(oldest)
      }
    },
    delete: (...subject) => remove(fingerprint(...subject)),
    deleteOldest(isOver) {
      for (const [oldest, value] of values) {
        if (!isOver(value)) break
        remove(oldest)
      }
    },
  }
}
