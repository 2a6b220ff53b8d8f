import type { Room } from '../../../../platform/held.ts'
import type { Gathering } from '../gather.ts'
import type { NewEvent } from '../store.ts'

const dayMs = 86_400_000
const lookAgainMs = 10_000
/** An event without its texts, in a row with its index entries and as an object that waits. Measured, then rounded up. */
const eventBytes = 200

export const stopReasons = ['events', 'bytes', 'disk'] as const

/** Why no more events are taken: the quotas of a day, or the space on the disk. */
export type StopReason = (typeof stopReasons)[number]

export interface Stopped {
  envId: string
  reason: StopReason
  since: Date
}

/** How many events public SDK keys can store. Flags, switches and the audit log need the disk too. */
export interface EventQuota {
  /** Why no event of the environment is taken now; undefined if events are taken. */
  refuses(envId: string): StopReason | undefined
  count(events: readonly NewEvent[]): void
  /** Environments of which events were refused, and still would be. */
  stopped(): Stopped[]
}

interface QuotaOptions {
  /** Of an environment, in a day of UTC, on this node. */
  eventsPerDay: number
  bytesPerDay: number
  /** The share of the disk that stays free. */
  diskReserve: number
  /** Reads the share of the disk that is free. Null: the database is elsewhere. */
  readFree: (() => Promise<number>) | null
  now: () => Date
}

export function eventQuota({ eventsPerDay, bytesPerDay, diskReserve, readFree, now }: QuotaOptions): EventQuota {
  let day = 0
  const used = new Map<string, { events: number; bytes: number }>()
  const refused = new Map<string, Date>()
  let free = 1
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Does not wait: the answer counts for the next request. */
  function look(at: number): void {
    if (!readFree || Math.abs(at - lookedAt) < lookAgainMs) return
    lookedAt = at
    readFree().then(
      (share) => {
        free = share
      },
      // Without an answer, the database says itself when it is full.
      () => {
        free = 1
      },
    )
  }

  function beginDay(at: number): void {
    const today = Math.floor(at / dayMs)
    if (today === day) return
    day = today
    used.clear()
  }

  function reasonOf(envId: string): StopReason | undefined {
    const at = now().getTime()
    look(at)
    beginDay(at)
    if (free < diskReserve) return 'disk'
    const { events, bytes } = used.get(envId) ?? { events: 0, bytes: 0 }
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
    count(events) {
      beginDay(now().getTime())
      for (const event of events) {
        const { events: before, bytes } = used.get(event.envId) ?? { events: 0, bytes: 0 }
        used.set(event.envId, { events: before + 1, bytes: bytes + bytesOf(event) })
      }
    },
    stopped: () =>
      [...refused].flatMap(([envId, since]) => {
        const reason = reasonOf(envId)
        return reason ? [{ envId, reason, since }] : []
      }),
  }
}

/** About how much a stored or waiting event takes. It runs for every event, so it does not encode the texts. */
export function bytesOf(event: NewEvent): number {
  const { length } = event.type === 'exposure' ? (event.dimensions ?? '') : event.eventKey
  return eventBytes + event.unit.length + length
}

/** Counts what is stored, and bounds what waits by its bytes: 50,000 events can have 300 MB. */
export const withinQuota = (gathered: Gathering, { quota, room }: { quota: EventQuota; room: Room }): Gathering => ({
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
      .finally(() => {
        room.bytes -= bytes
      })
  },
  waiting: () => gathered.waiting(),
})

export const quotaMessages: Record<StopReason, string> = {
  events: 'This environment has stored as many events as it can today. Events are taken again after midnight UTC.',
  bytes:
    'This environment has stored as many bytes of events as it can today. Events are taken again after midnight UTC.',
  disk: 'The disk of the service is almost full, so no events are stored. Flags and switches work. Send the events again later.',
}
