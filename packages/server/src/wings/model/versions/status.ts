/** `WEB`: the flag of a web experiment, which is hidden. */
export type FlagKind = 'FLAG' | 'WEB'

export type FlagStatus = 'DRAFT' | 'PAUSED' | 'RUNNING' | 'ARCHIVED'

/** The fields with which events name a flag. */
export interface FlagSummary {
  id: string
  shortId: number
  key: string
  name: string
  status: FlagStatus
}

/** With the switches of a flag, this decides its status. The status itself is not stored. */
export interface FlagHistory {
  archivedAt: Date | null
  everEnabled: boolean
  everArchived: boolean
}

type Fact = 'archived' | 'enabledSomewhere' | 'everEnabled' | 'everArchived'

/** The first row whose fact is true gives the status. `statusOf` applies it to values, `flagStatus` in queries.ts in SQL. */
export const statusLadder: readonly { fact: Fact; status: FlagStatus }[] = [
  { fact: 'archived', status: 'ARCHIVED' },
  { fact: 'enabledSomewhere', status: 'RUNNING' },
  { fact: 'everEnabled', status: 'PAUSED' },
  // An unarchived flag is paused, even if it never ran.
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
