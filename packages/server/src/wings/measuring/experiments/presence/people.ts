/** Somebody who edits a variation. */
export interface Person {
  userId: string
  name: string
  variationKey: string
  place: 'FORM' | 'EDITOR'
  since: string
}

/** Where somebody edits, or no longer does. */
export interface Said extends Person {
  orgId: string
  projectId: string
  experimentId: string
  leaving: boolean
}

/** Who edits an experiment. */
export interface Presence {
  projectId: string
  experimentId: string
  people: Person[]
}

/** Without a word, somebody is there for this long. Forms and editors say something every 20 s. */
export const presentMs = 45_000
/** The most people that a node knows of: those of one experiment, and all of an organization. */
export const most = { ofExperiment: 20, ofOrganization: 500 }

interface Known extends Person {
  untilMs: number
}

interface Room {
  projectId: string
  experimentId: string
  people: Map<string, Known>
}

/** Who edits what, as this node has heard. Calls `onChange` when the people of an experiment are others than before. */
export function createPeople(onChange: (orgId: string, presence: Presence) => void) {
  const organizations = new Map<string, Map<string, Room>>()

  const shown = ({ people, ...room }: Room): Presence => ({
    ...room,
    people: [...people.values()]
      .map(({ untilMs: _until, ...person }) => person)
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  })
  const tell = (orgId: string, room: Room): void => {
    const rooms = organizations.get(orgId)
    if (room.people.size === 0) rooms?.delete(room.experimentId)
    if (rooms?.size === 0) organizations.delete(orgId)
    onChange(orgId, shown(room))
  }
  const roomsOf = (orgId: string): Room[] => [...(organizations.get(orgId)?.values() ?? [])]
  const countOf = (orgId: string): number => roomsOf(orgId).reduce((sum, { people }) => sum + people.size, 0)

  return {
    /** @param nowMs the time of this node, whose clock can differ from that of others */
    note({ orgId, projectId, experimentId, leaving, ...person }: Said, nowMs: number): void {
      const rooms = organizations.get(orgId) ?? new Map<string, Room>()
      const room = rooms.get(experimentId) ?? { projectId, experimentId, people: new Map() }
      const key = keyOf(person)
      const before = room.people.get(key)
      if (leaving) {
        if (room.people.delete(key)) tell(orgId, room)
        return
      }
      if (!before && (room.people.size >= most.ofExperiment || countOf(orgId) >= most.ofOrganization)) return
      organizations.set(orgId, rooms)
      rooms.set(experimentId, room)
      const isSame = before?.variationKey === person.variationKey
      const since = isSame ? before.since : person.since
      room.people.set(key, { ...person, since, untilMs: nowMs + presentMs })
      if (!isSame || before.name !== person.name) tell(orgId, room)
    },
    /** Forgets who has said nothing for too long. */
    forget(nowMs: number): void {
      for (const [orgId, rooms] of organizations)
        for (const room of rooms.values()) {
          const gone = [...room.people].filter(([, { untilMs }]) => untilMs <= nowMs)
          for (const [key] of gone) room.people.delete(key)
          if (gone.length > 0) tell(orgId, room)
        }
    },
    of: (orgId: string, experimentId: string): Person[] => {
      const room = organizations.get(orgId)?.get(experimentId)
      return room ? shown(room).people : []
    },
    all: (orgId: string): Presence[] => roomsOf(orgId).map(shown),
  }
}

const keyOf = ({ userId, place }: Pick<Person, 'userId' | 'place'>): string => `${userId} ${place}`
