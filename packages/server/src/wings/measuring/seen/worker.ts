import type { Db } from '../../../platform/db/index.ts'
import type { Room } from '../../../platform/held.ts'
import { type Recurring, recurringToTheEnd } from '../../../platform/recurring.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import { eventKinds, type NewEvent } from '../events/index.ts'
import { addVisitors } from './actions.ts'
import { deleteUnwanted } from './queries.ts'
import { addSeen, type Pending, type SeenVisitor, takes } from './seen.ts'

const saveEveryMs = 10_000
const sweepEveryMs = 60_000
const keptForMs = 7 * 86_400_000

export interface SeenNotes {
  /** Notes the visitors of exposures that count and say something about them. */
  note(events: readonly NewEvent[], receivedAt: Date): void
  /** Notes a visitor. The facts are read only if there is room for one more. */
  noteVisitor(envId: string, unit: string, factsOf: () => string | null, receivedAt: Date): void
  /** Writes what was noted. Once it fails, it is tried again. */
  save(): Promise<void>
}

/** Keeps some visitors in memory until they are written, so that no answer and no event waits for the write. */
export function seenNotes({
  room,
  add,
}: {
  room: Room
  add: (visitors: readonly SeenVisitor[]) => Promise<void>
}): SeenNotes {
  let pending: Pending = new Map()
  const put = (visitor: SeenVisitor) => {
    room.bytes += addSeen(pending, visitor, room.maxBytes - room.bytes)
  }
  const noteVisitor: SeenNotes['noteVisitor'] = (envId, unit, factsOf, receivedAt) => {
    if (!takes(pending, envId)) return
    const facts = factsOf()
    if (facts !== null) put({ envId, unit, facts, seenAt: receivedAt.getTime() })
  }
  return {
    noteVisitor,
    note(events, receivedAt) {
      for (const event of events)
        if (event.type === 'exposure' && event.kind === eventKinds.counted)
          noteVisitor(event.envId, event.unit, () => event.dimensions, receivedAt)
    },
    async save() {
      const saving = [...pending.values()].flatMap((visitors) => [...visitors.values()])
      if (saving.length === 0) return
      pending = new Map()
      room.bytes = 0
      try {
        await add(saving)
      } catch (error) {
        for (const visitor of saving) put(visitor)
        throw error
      }
    },
  }
}

export const seenIn = (db: Db) => (visitors: readonly SeenVisitor[]) => addVisitors(db, visitors)

export const keepSeen = (notes: Pick<SeenNotes, 'save'>, onError: (error: unknown) => void): Recurring =>
  recurringToTheEnd(notes.save, saveEveryMs, onError)

/** Runs often, because it also deletes what a project that samples no visitors any more has left. */
export const seenSweep: Sweep = {
  ...{ name: 'seen_visitors', everyMs: sweepEveryMs, keepForMs: keptForMs },
  sweep: deleteUnwanted,
}
