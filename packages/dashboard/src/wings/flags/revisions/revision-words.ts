import type { Data } from '@svc/client'
import type { Change } from '../../../ui/changes/change-words.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'

export type Revision = Data<'/api/v1/projects/{projectId}/environments/{envId}/revisions', 'get'>[number]

/** A row of the history: a revision, or a step after it that left the data file as it was. */
export type Place = Pick<Revision, 'revision' | 'step'>

/** What people and addresses call a row: "41", and "41.1" for the first publish after it that visitors did not notice. */
export const labelOf = ({ revision, step }: Place): string => (step === 0 ? String(revision) : `${revision}.${step}`)

/** The state right after a row. A revision without a step would be its end. */
export const stateOf = ({ revision, step }: Place): string => `${revision}.${step}`

type Told = Pick<Revision, 'revision' | 'reason' | 'switched' | 'flagCount'> & {
  flags: readonly { name: string }[]
  experiments?: readonly { name: string }[]
  audiences: readonly { name: string }[]
  segments: readonly { name: string }[]
}

const maxNames = 2

/** Why a revision was made: "Paused a rule of One-page checkout". */
export function reasonSentence(told: Told): string {
  const { revision, reason, switched } = told
  if (reason === null) return revision === 0 ? 'First data file' : `Changed ${thingsOf(told)}`
  if (switched)
    return `${switched.to === 'RUN' ? 'Turned on' : 'Paused'} ${switched.what === 'RULE' ? 'a rule of ' : ''}${thingsOf(told)}`
  return `${verbs[reason]} ${thingsOf(told)}`
}

const verbs: Record<NonNullable<Revision['reason']>, string> = {
  CREATED: 'Created',
  EDITED: 'Edited the key of',
  ARCHIVED: 'Archived',
  UNARCHIVED: 'Unarchived',
  DELETED: 'Deleted',
  SWITCHED: 'Turned on or paused',
  PUBLISHED: 'Published',
  SEGMENT_CHANGED: 'Changed the members of',
}

/** The flags, or else the audiences or segments: "One-page checkout, Price test, and 3 more". */
function thingsOf({ reason, flags, flagCount, experiments = [], audiences, segments }: Told): string {
  const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name)
  if (reason !== 'SEGMENT_CHANGED' && flagCount > 0) {
    const first = namesOf(flags).slice(0, maxNames)
    return allOf(flagCount > first.length ? [...first, counted(flagCount - first.length, 'more flag')] : first)
  }
  if (reason !== 'SEGMENT_CHANGED' && experiments.length > 0) return allOf(namesOf(experiments), maxNames)
  if (reason !== 'SEGMENT_CHANGED' && audiences.length > 0) return allOf(namesOf(audiences), maxNames)
  return segments.length > 0 ? allOf(namesOf(segments), maxNames) : 'the data file'
}

interface Line {
  flag: string
  change: Change
}

/**
 * What a row says of each flag, and how many changes it leaves out. The sentence of a switch says what moved, but not
 * what a first run made live with it. That of a flag that is new or gone says everything.
 */
export function toldLines({ reason, flags }: Pick<Revision, 'reason' | 'flags'>, max: number) {
  const isTold = ({ path }: Change) => reason === 'SWITCHED' && /(^|\.)enabled$/.test(path)
  const lines =
    reason === 'PUBLISHED' || reason === 'EDITED' || reason === 'SWITCHED' || reason === null
      ? flags.flatMap(({ name, changes = [] }) =>
          changes.filter((change) => !isTold(change)).map((change): Line => ({ flag: name, change })),
        )
      : []
  return { lines: lines.slice(0, max), more: Math.max(0, lines.length - max) }
}

/** A flag of a revision without differences to list. */
export const changeWordsOf = (change: 'ADDED' | 'CHANGED' | 'REMOVED' | null): string =>
  change === 'ADDED'
    ? 'New in the data file.'
    : change === 'REMOVED'
      ? 'No longer in the data file.'
      : 'The data file has a new format. Rules and values are the same.'

type Shown = Pick<
  Data<'/api/v1/projects/{projectId}/environments/{envId}/revisions/{revision}', 'get'>,
  'reason' | 'previousRevision' | 'flagCount' | 'flags'
>

/**
 * The flags that a roll back of a publish puts back, by id; none if there is nothing to put back. Switches are not
 * rolled back, a new flag has no state before, and a deleted one cannot return. A roll back of the listed flags of a
 * larger publish would be half of one.
 */
export function rolledBack({ reason, previousRevision, flagCount, flags }: Shown): string[] | 'TOO_MANY' {
  if ((reason !== 'PUBLISHED' && reason !== null) || previousRevision === null) return []
  // For revisions without a reason, changes that visitors did not see have no known author.
  const own = flags.filter(({ change }) => change !== null || reason === 'PUBLISHED')
  if (flagCount > own.length) return 'TOO_MANY'
  return own
    .filter(({ change, current }) => (change === 'CHANGED' || change === null) && current !== null)
    .map(({ id }) => id)
}

interface StagedFlag {
  flagId: string
  changes: readonly { by: { name: string } | null }[]
}

/** Unpublished work that a restore of a flag replaces: "2 unpublished changes by Ada and Olive". */
export function replacedWork(flagId: string, staged: readonly StagedFlag[]): string | undefined {
  const changes = staged.find((flag) => flag.flagId === flagId)?.changes ?? []
  if (changes.length === 0) return undefined
  const people = [...new Set(changes.flatMap(({ by }) => (by ? [by.name] : [])))]
  const count = counted(changes.length, 'unpublished change')
  return people.length === 0 ? count : `${count} by ${allOf(people, maxNames)}`
}

/** What waits above a list: "1 new revision". Undefined if nothing does. */
export function waitingWords(newest: readonly Place[], shown: Place | undefined): string | undefined {
  const count = newest.filter((place) => shown === undefined || isAfter(place, shown)).length
  if (count === 0) return undefined
  return count === newest.length && count > 1 ? `${count} or more new revisions` : counted(count, 'new revision')
}

const isAfter = (one: Place, other: Place): boolean =>
  one.revision > other.revision || (one.revision === other.revision && one.step > other.step)

interface DraftedFlag {
  flagId: string
  key: string
  name: string
  changes: readonly (Change & { by: { id: string | null; name: string } | null; at: string | null })[]
}

/** The changes that wait for a publish, of one flag or person if that is asked for; the latest first. */
export const draftLines = <Flag extends DraftedFlag>(
  flags: readonly Flag[],
  { flagKey, by }: { flagKey?: string | undefined; by?: string | undefined },
): { flag: Flag; change: Flag['changes'][number] }[] =>
  flags
    .filter(({ key }) => flagKey === undefined || key === flagKey)
    .flatMap((flag) => flag.changes.map((change) => ({ flag, change })))
    .filter(({ change }) => by === undefined || change.by?.id === by)
    .sort((one, other) => (other.change.at ?? '').localeCompare(one.change.at ?? ''))
