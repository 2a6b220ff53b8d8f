import type { Room } from '../../../../platform/held.ts'
import type { ToldError } from '../event.ts'
import type { Gathering } from '../gather.ts'
import type { NewOrder } from '../order.ts'
import type { NewEvent } from '../store.ts'

const dayMs = 86_400_000
const lookAgainMs = 10_000
/** How long events leave a full disk to flags, switches and the audit log. Then some are tried again. */
const tryAgainMs = 60_000
/** An event without its texts, in a row with its index entries and as an object that waits. Measured, then rounded up. */
const eventBytes = 200
/** The same of a line of an order. */
const itemBytes = 200

export const stopReasons = ['events', 'bytes', 'disk'] as const

/** Why no more events are taken: the quotas of a day, or the space on the disk. */
export type StopReason = (typeof stopReasons)[number]

export interface Stopped {
  envId: string
  reason: StopReason
  since: Date
}

/** What was stored of an environment in a day. */
export interface Used {
  envId: string
  events: number
  bytes: number
}

/** What all nodes have stored. A day of UTC is named as in `2026-11-20`. */
export interface SharedUsage {
  read(day: string): Promise<Used[]>
  /** Adds what this node has stored. Returns what all nodes have stored of these environments. */
  add(day: string, used: readonly Used[]): Promise<Used[]>
}

/** How many events public SDK keys can store. Flags, switches and the audit log need the disk too. */
export interface EventQuota {
  /** Why no event of the environment is taken now; undefined if events are taken. */
  refuses(envId: string): StopReason | undefined
  count(events: readonly (NewEvent | NewOrder | ToldError)[]): void
  /** The disk had no room for events. No more are taken for a minute. */
  findFull(): void
  /** Environments of which events were refused, and still would be. */
  stopped(): Stopped[]
  /** Learns what was stored today before this node started. */
  read(): Promise<void>
  /**
   * Adds what this node has stored since the last time to what all nodes know. This costs nothing if there is nothing
   * to add.
   */
  share(): Promise<void>
}

interface QuotaOptions {
  /** Of an environment, in a day of UTC. */
  eventsPerDay: number
  bytesPerDay: number
  /** The share of the disk that stays free. */
  diskReserve: number
  /** Reads the share of the disk that is free. Null if the database is elsewhere. */
  readFree: (() => Promise<number>) | null
  now: () => Date
  shared: SharedUsage
}

type Usage = Map<string, Omit<Used, 'envId'>>

export function eventQuota(options: QuotaOptions): EventQuota {
  const { eventsPerDay, bytesPerDay, diskReserve, readFree, now, shared } = options
  const disk = freeSpace(readFree)
  const today = usageOfToday(now, shared)
  const refused = new Map<string, Date>()
  let fullAt = Number.NEGATIVE_INFINITY

  function reasonOf(envId: string): StopReason | undefined {
    if (Math.abs(now().getTime() - fullAt) < tryAgainMs) return 'disk'
    if (disk.freeAt(now().getTime()) < diskReserve) return 'disk'
    const { events, bytes } = today.usedBy(envId)
    if (events >= eventsPerDay) return 'events'
    return bytes >= bytesPerDay ? 'bytes' : undefined
  }

  return {
    refuses(envId) {
      const reason = reasonOf(envId)
      if (!reason) refused.delete(envId)
      else if (!refused.has(envId)) refused.set(envId, now())
      return reason
    },
    count: today.count,
    findFull() {
      fullAt = now().getTime()
    },
    stopped: () =>
      [...refused].flatMap(([envId, since]) => {
        const reason = reasonOf(envId)
        return reason ? [{ envId, reason, since }] : []
      }),
    read: today.read,
    share: today.share,
  }
}

function freeSpace(readFree: QuotaOptions['readFree']) {
  let free = 1
  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    /** The share of the disk that is free. Does not wait: what it reads counts for the next request. */
    freeAt(at: number): number {
      if (!readFree || Math.abs(at - lookedAt) < lookAgainMs) return free
      lookedAt = at
      readFree().then(
        (share) => {
          free = share
        },
        // The last value stays: a disk that is almost full can be the reason that it cannot be read.
        () => undefined,
      )
      return free
    },
  }
}

function usageOfToday(now: () => Date, shared: SharedUsage) {
  let day = 0
  /** What all nodes have stored today, as this one knows. */
  let known: Usage = new Map()
  /** What this node has stored in addition. */
  let own: Usage = new Map()
  /** What is being added to what all nodes know. */
  let underWay: Usage = new Map()

  function beginDay(): void {
    const today = Math.floor(now().getTime() / dayMs)
    if (today === day) return
    day = today
    known = new Map()
    own = new Map()
    underWay = new Map()
  }

  return {
    usedBy(envId: string): Omit<Used, 'envId'> {
      beginDay()
      const all = [known, own, underWay].flatMap((usage) => usage.get(envId) ?? [])
      return { events: sum(all, 'events'), bytes: sum(all, 'bytes') }
    },
    count(events: readonly (NewEvent | NewOrder | ToldError)[]): void {
      beginDay()
      for (const event of events) add(own, event.envId, { events: 1, bytes: bytesOf(event) })
    },
    async read(): Promise<void> {
      beginDay()
      const of = day
      const all = await shared.read(nameOf(of))
      if (of === day) for (const { envId, ...used } of all) known.set(envId, used)
    },
    async share(): Promise<void> {
      beginDay()
      if (own.size === 0) return
      const adding = own
      const of = day
      underWay = adding
      own = new Map()
      try {
        const all = await shared.add(
          nameOf(of),
          [...adding].map(([envId, used]) => ({ envId, ...used })),
        )
        if (of === day) for (const { envId, ...used } of all) known.set(envId, used)
      } catch (error) {
        // Kept for the next time, unless the day is over.
        if (of === day) for (const [envId, used] of adding) add(own, envId, used)
        throw error
      } finally {
        if (underWay === adding) underWay = new Map()
      }
    },
  }
}

function add(usage: Usage, envId: string, { events, bytes }: Omit<Used, 'envId'>): void {
  const before = usage.get(envId) ?? { events: 0, bytes: 0 }
  usage.set(envId, { events: before.events + events, bytes: before.bytes + bytes })
}

const sum = (all: readonly Omit<Used, 'envId'>[], field: 'events' | 'bytes'): number =>
  all.reduce((total, used) => total + used[field], 0)

const nameOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/**
 * About how much a stored or waiting event takes. It runs for every event, so it does not encode the texts. Orders are few
 * and can have 200 ids, of which a character can be three bytes.
 */
export function bytesOf(event: NewEvent | NewOrder | ToldError): number {
  if (event.type === 'order')
    return event.items.reduce(
      (sum, { itemId }) => sum + itemBytes + Buffer.byteLength(itemId),
      eventBytes + Buffer.byteLength(event.unit) + Buffer.byteLength(event.orderId),
    )
  if (event.type === 'error') return eventBytes + event.unit.length + event.message.length
  const { length } = event.type === 'exposure' ? (event.dimensions ?? '') : event.eventKey
  return eventBytes + event.unit.length + length
}

interface Bounds {
  quota: EventQuota
  room: Room
  /** Whether an error means that the disk is full. */
  isFull(error: unknown): boolean
}

/** Counts what is stored, and bounds what waits by its bytes: 50,000 events can have 300 MB. */
export const withinQuota = <Event extends NewEvent | NewOrder>(
  gathered: Gathering<Event>,
  { quota, room, isFull }: Bounds,
): Gathering<Event> => ({
  add(events) {
    const bytes = events.reduce((sum, event) => sum + bytesOf(event), 0)
    if (room.bytes + bytes > room.maxBytes) return undefined
    const stored = gathered.add(events)
    if (!stored) return undefined
    room.bytes += bytes
    return stored
      .then((isNew) => {
        quota.count(events.filter((_, place) => isNew[place]))
        return isNew
      })
      .catch((error: unknown) => {
        if (isFull(error)) quota.findFull()
        throw error
      })
      .finally(() => {
        room.bytes -= bytes
      })
  },
  waiting: () => gathered.waiting(),
})

export const quotaMessages: Record<StopReason, string> = {
  events: 'This environment has reached its daily limit of events. Events are accepted again after midnight UTC.',
  bytes:
    'This environment has reached its daily limit of bytes of events. Events are accepted again after midnight UTC.',
  disk: 'The disk of the service is full or almost full, so events are not stored. Flags and switches still work. Send the events again later.',
}
