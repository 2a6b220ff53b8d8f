export type FlagStatus = 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'

/** A flag as events name it. */
export interface FlagSummary {
  id: string
  shortId: number
  key: string
  name: string
  status: FlagStatus
}

/** What a flag's status follows from, with its switches: nothing else is stored. */
export interface FlagHistory {
  archivedAt: Date | null
  everEnabled: boolean
  everArchived: boolean
}

type Fact = 'archived' | 'enabledSomewhere' | 'everEnabled' | 'everArchived'

/** The first whose fact holds. `statusOf` asks it of values, `flagStatus` in queries.ts of rows. */
export const statusLadder: readonly { fact: Fact; status: FlagStatus }[] = [
  { fact: 'archived', status: 'ARCHIVED' },
  { fact: 'enabledSomewhere', status: 'RUNNING' },
  { fact: 'everEnabled', status: 'PAUSED' },
  // Whoever comes back from the archive is paused, even if it never ran.
  { fact: 'everArchived', status: 'PAUSED' },
]

export const elseStatus: FlagStatus = 'DRAFT'

export type StatusFacts<Value> = Record<Fact, Value>

export function statusOf(
  { archivedAt, everEnabled, everArchived }: FlagHistory,
  enabledSomewhere: boolean,
): FlagStatus {
  const facts: StatusFacts<boolean> = { archived: archivedAt !== null, enabledSomewhere, everEnabled, everArchived }
  return statusLadder.find(({ fact }) => facts[fact])?.status ?? elseStatus
}
