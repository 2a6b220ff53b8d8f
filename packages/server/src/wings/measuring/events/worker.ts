import type { Database, Db } from '../../../platform/db/index.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import type { DataFileStore } from '../../serving/datafile/index.ts'
import { maxAgeMs } from './event.ts'
import { type Gathering, gathering } from './gather.ts'
import type { IngestionObserver } from './metrics.ts'
import { type NameStore, nameStore } from './names.ts'
import { currentRevision, namedRules, turnEventIds } from './queries.ts'
import type { EventStore } from './store.ts'

const everyMs = 3_600_000
const idsKeptForMs = 7 * 86_400_000

/** On the embedded database a write holds up everything else, so it is short. An order has as many rows as items. */
const batches = {
  events: {
    embedded: { mostTogether: 250, atOnce: 1, mostWaiting: 20_000 },
    server: { mostTogether: 2_500, atOnce: 2, mostWaiting: 50_000 },
  },
  orders: {
    embedded: { mostTogether: 100, atOnce: 1, mostWaiting: 5_000 },
    server: { mostTogether: 1_000, atOnce: 2, mostWaiting: 10_000 },
  },
}

interface GatherInto {
  what: keyof typeof batches
  kind: Database['kind']
  observe: IngestionObserver
  now: () => Date
}

/** @param append stores events, and returns which of them are new */
export function gatheringInto<Event>(
  append: (events: readonly Event[], receivedAt: Date) => Promise<readonly boolean[]>,
  { what, kind, observe, now }: GatherInto,
): Gathering<Event> {
  return gathering<Event>({
    ...batches[what][kind],
    async append(events) {
      const begun = performance.now()
      const isNew = await append(events, now())
      observe.wrote(performance.now() - begun, events.length)
      return isNew
    },
  })
}

/** The names of rules in memory, kept up to date with the data files of this node. */
export function keepNames(db: Db, dataFiles: DataFileStore, now: () => Date): NameStore {
  const names = nameStore({
    load: (envId, flagKeys) => namedRules(db, envId, { flagKeys, since: new Date(now().getTime() - maxAgeMs) }),
    async isBehind(envId) {
      const current = await currentRevision(db, envId)
      return current !== undefined && current !== dataFiles.held(envId)?.revision
    },
  })
  dataFiles.watch((envId, file) => {
    if (!file) names.remove(envId)
    else names.outdate(envId, file.change && Object.keys(JSON.parse(file.change.flags)))
  })
  return names
}

/** Deletes events past their retention, and the ids that are no longer needed to find repeated events. */
export const eventSweeps = (store: EventStore, keepForMs: number, now: () => Date): Sweep[] => [
  { name: 'exposures_and_tracked_events', everyMs, keepForMs, sweep: (_db, before) => store.deleteBefore(before) },
  {
    name: 'event_ids',
    everyMs,
    keepForMs: idsKeptForMs,
    sweep: (db, before) => db.transaction().execute(async (tx) => ((await turnEventIds(tx, before, now())) ? 1 : 0)),
  },
]
