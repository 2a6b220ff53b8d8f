import type { Database } from '../../../../platform/db/index.ts'
import { createPeople, type Person, type Presence, type Said } from './people.ts'
import { presenceChannel, tellNodes } from './queries.ts'

const roundMs = 5_000

/** Who edits experiments now. It is in the memory of each node alone, and a node that starts hears of everybody within 20 s. */
export interface PresenceOnNode {
  /** Notes what somebody says, here and on the other nodes. Returns the others who edit the experiment. */
  say(said: Omit<Said, 'since'>): Promise<Person[]>
  all(orgId: string): Presence[]
  /** Hears when the people of an experiment change. */
  watch(listener: (orgId: string, presence: Presence) => void): void
  start(): Promise<void>
  stop(): void
}

export function presenceOnNode({ database, now }: { database: Database; now: () => Date }): PresenceOnNode {
  const listeners: Parameters<PresenceOnNode['watch']>[0][] = []
  const people = createPeople((orgId, presence) => {
    for (const listener of listeners) listener(orgId, presence)
  })
  let rounds: NodeJS.Timeout | undefined
  return {
    async say(said) {
      const at = now()
      people.forget(at.getTime())
      const before = people.of(said.orgId, said.experimentId)
      const own = before.find(({ userId, place }) => userId === said.userId && place === said.place)
      const since = own?.variationKey === said.variationKey ? own.since : at.toISOString()
      people.note({ ...said, since }, at.getTime())
      await tellNodes(database.db, { ...said, since })
      return people.of(said.orgId, said.experimentId).filter(({ userId }) => userId !== said.userId)
    },
    all(orgId) {
      people.forget(now().getTime())
      return people.all(orgId)
    },
    watch: (listener) => void listeners.push(listener),
    async start() {
      await database.listen(presenceChannel, (text) => people.note(JSON.parse(text) as Said, now().getTime()))
      rounds = setInterval(() => people.forget(now().getTime()), roundMs)
      rounds.unref()
    },
    stop: () => clearInterval(rounds),
  }
}
