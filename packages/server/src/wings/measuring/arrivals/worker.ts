import type { Db } from '../../../platform/db/index.ts'
import type { Room } from '../../../platform/held.ts'
import { type Recurring, recurringToTheEnd } from '../../../platform/recurring.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import type { NewEvent } from '../events/index.ts'
import { type Arrived, addArrived, arrivalOf, type Pending, shownDays } from './arrivals.ts'
import { addArrivals, deleteOldArrivals } from './queries.ts'

const saveEveryMs = 5_000
const sweepEveryMs = 3_600_000
/** The day of an entry begins up to a day before its first event. */
const keptForMs = (shownDays + 1) * 86_400_000

export interface ArrivalNotes {
  /** Counts those of these events that are new. */
  note(events: readonly NewEvent[], isNew: readonly boolean[], receivedAt: Date): void
  /** Writes what was counted. Once it fails, it is tried again. */
  save(): Promise<void>
}

/**
 * Counts tracked events in memory until they are written: events arrive a thousand times as often as a row can be
 * written. What a node has not written when it is killed is missing in the counts, and in nothing else.
 */
export function arrivalNotes({
  room,
  add,
}: {
  room: Room
  add: (arrived: readonly Arrived[]) => Promise<void>
}): ArrivalNotes {
  let pending: Pending = new Map()
  const put = (arrived: Arrived) => {
    room.bytes += addArrived(pending, arrived, room.maxBytes - room.bytes)
  }
  return {
    note(events, isNew, receivedAt) {
      for (const [place, event] of events.entries()) {
        const arrived = isNew[place] ? arrivalOf(event, receivedAt) : undefined
        if (arrived) put(arrived)
      }
    },
    async save() {
      if (pending.size === 0) return
      const saving = pending
      pending = new Map()
      room.bytes = 0
      try {
        await add([...saving.values()])
      } catch (error) {
        for (const arrived of saving.values()) put(arrived)
        throw error
      }
    },
  }
}

export const arrivalsIn = (db: Db) => (arrived: readonly Arrived[]) => addArrivals(db, arrived)

export const keepArrivals = (notes: Pick<ArrivalNotes, 'save'>, onError: (error: unknown) => void): Recurring =>
  recurringToTheEnd(notes.save, saveEveryMs, onError)

export const arrivalSweep: Sweep = {
  ...{ name: 'arrived_events', everyMs: sweepEveryMs, keepForMs: keptForMs },
  sweep: deleteOldArrivals,
}
