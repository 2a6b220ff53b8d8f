import type { Tx } from '../../../platform/db/index.ts'
import type { Event } from '../../../platform/outbox.ts'
import { movedOwner } from '../../model/experiments/index.ts'
import { type FlagSummary, type RuleDefinition, ruleSummary } from '../../model/versions/index.ts'
import { withChanges } from './blocks.ts'
import { fragmentText, keyOf, parseFragment, servedBy } from './bytes.ts'
import { dataFileOf, type Sections, type StoredDataFile } from './file.ts'
import { fragmentOf, servedReferences } from './fragment.ts'
import { namesBy } from './names.ts'
import { type PartChange, parsePart } from './parts.ts'
import type { FlagRevision, FlagStateRow, PublishedEnvironment } from './queries.ts'

/** The script of an environment, as the newest SDK key gets it. */
export interface PublishedScript {
  /** Before compression. */
  bytes: number
  etag: string
}

export type ScriptOf = (file: StoredDataFile, sdkKey: string) => PublishedScript

/** The script of a locked environment, as of its row; null in a project of flags. */
export type ScriptIn = (tx: Tx, environment: PublishedEnvironment) => Promise<PublishedScript | null>

/** The result for the data file of an environment. The revision stays the same if no byte changed. */
export interface Publication {
  changed: boolean
  revision: number
  previousRevision: number
  etag: string
  bytes: number
  publishedAt: Date | null
  /** Null if nothing has changed, and in a project of flags. Made when it is asked for. */
  script: (() => PublishedScript) | null
}

/** The results for the data files, in the order of the environments, with the resulting events. */
export interface Republished {
  publications: Publication[]
  /** The flags after the transaction; flags that it deletes, as they were before. */
  flags: FlagSummary[]
  events: PublicationEvent[]
}

export type PublicationEvent = Event<'flag.published' | 'flag.rule_activated' | MovedExperiment>

export type MovedExperiment = ReturnType<typeof movedOwner>['name']

/** A flag after a transaction, with its new fragment. `flag.fragment` is the current one. */
export interface ChangedFlag {
  flag: FlagStateRow
  fragment: string | null
  /** Ids of the audiences and segments that the fragment names. */
  served: readonly string[]
}

/** What a transaction changes in the data file of one environment. */
export interface EnvironmentChange {
  environment: PublishedEnvironment
  flags: readonly ChangedFlag[]
  parts: readonly PartChange[]
  /** Flags with an unchanged fragment that use a changed part. */
  affected: readonly (FlagSummary & { fragment: string })[]
}

/** A change with the resulting data file. */
export interface NewDataFile extends EnvironmentChange {
  file: StoredDataFile
  url: string
  script: Publication['script']
}

export function changedFlag(flag: FlagStateRow): ChangedFlag {
  const state = { ...flag, enabledRules: new Set(flag.enabledRules) }
  const fragment = fragmentOf(state, namesBy(flag.shortIds))
  return { flag, fragment: fragment && fragmentText(flag.key, fragment), served: servedReferences(state) }
}

/** The new fragment; none for a flag that the transaction is about to delete. */
export const leavingFlag = (flag: FlagStateRow): ChangedFlag => ({ flag, fragment: null, served: [] })

export const isVisible = ({ flags, parts }: Pick<EnvironmentChange, 'flags' | 'parts'>): boolean =>
  parts.length > 0 || flags.some(isVisibleFlag)

const isVisibleFlag = ({ flag, fragment }: ChangedFlag): boolean => fragment !== flag.fragment

/** Whether the change may affect which audiences or segments the file needs. */
export const movesParts = ({ flag, served }: ChangedFlag): boolean =>
  new Set(flag.served).symmetricDifference(new Set(served)).size > 0

/** Builds the next revision of the data file of an environment. */
export function nextDataFile(
  { environment, flags }: EnvironmentChange,
  sections: Sections,
  before: StoredDataFile,
  now: Date,
): StoredDataFile {
  const head = { environment, revision: environment.revision + 1, publishedAt: now, sections }
  return dataFileOf(head, withChanges(before.blocks, flags.filter(isVisibleFlag).map(flagRevision)), before)
}

/** What the history of revisions stores about a changed flag. */
export function flagRevision({ flag, fragment, served }: ChangedFlag): FlagRevision {
  const { id, key, name, fragment: before } = flag
  const stays = before !== null && fragment !== null && keyOf(before) === keyOf(fragment)
  return {
    flagId: id,
    key,
    name,
    kind: kindOf(before, fragment),
    leftKey: before && !stays ? keyOf(before) : null,
    fragment,
    served,
  }
}

function kindOf(before: string | null, after: string | null): FlagRevision['kind'] {
  if (before === after) return null
  if (before === null) return 'ADDED'
  return after === null ? 'REMOVED' : 'CHANGED'
}

/** Rules that are in the new file but not in the old one. */
export const activatedRules = ({ flags }: EnvironmentChange): { flag: FlagStateRow; rule: RuleDefinition }[] =>
  flags.flatMap(({ flag, fragment }) => newRules(flag, fragment).map((rule) => ({ flag, rule })))

function newRules({ fragment: before, live }: FlagStateRow, after: string | null): RuleDefinition[] {
  if (before === after) return []
  const [wasServed, isServed] = [servedBy(before), servedBy(after)]
  return live.rules.filter((rule) => isServed(rule) && !wasServed(rule))
}

/** Whatever starts or stops serving the rule of an experiment, this adds the event that the experiment moves. */
function movedExperiments({ flag: { owners, live, fragment: before }, fragment: after }: ChangedFlag) {
  if (owners.length === 0 || before === after) return []
  const [wasServed, isServed] = [servedBy(before), servedBy(after)]
  return owners.flatMap((owner): Event<MovedExperiment>[] => {
    const rule = live.rules.find(({ id }) => id === owner.ruleId)
    if (!rule || wasServed(rule) === isServed(rule)) return []
    const { name, experiment } = movedOwner(owner, isServed(rule))
    return [{ name, payload: { experiment } }]
  })
}

/** The results and events of changes in environments. A change that visitors see has a new file. */
export function republished(
  changes: readonly EnvironmentChange[],
  newFiles: readonly NewDataFile[],
  now: Date,
): Republished {
  const publications = changes.map(({ environment }): Publication => {
    const made = newFiles.find(({ file }) => file.envId === environment.id)
    if (!made) return unchanged(environment)
    const { revision, etag, size: bytes } = made.file
    const { script } = made
    return { changed: true, revision, previousRevision: environment.revision, etag, bytes, publishedAt: now, script }
  })
  const events = newFiles.flatMap((made): PublicationEvent[] => {
    const moved = made.flags.flatMap(movedExperiments)
    if (made.environment.projectType === 'WEB') return moved
    const activated = activatedRules(made).map(({ flag, rule }) => activatedEvent(made.environment, flag, rule))
    return [publishedEvent(made), ...activated, ...moved]
  })
  const [first] = changes
  return { publications, events, flags: first?.flags.map(({ flag }) => summaryOf(flag)) ?? [] }
}

const unchanged = ({ revision, etag, bytes, publishedAt }: PublishedEnvironment): Publication => ({
  changed: false,
  revision,
  previousRevision: revision,
  etag,
  bytes,
  publishedAt,
  script: null,
})

const summaryOf = ({ id, shortId, key, name, status }: FlagSummary): FlagSummary => ({
  id,
  shortId,
  key,
  name,
  status,
})

function publishedEvent({ environment, file, url, flags, parts, affected }: NewDataFile): Event<'flag.published'> {
  const audiences = parts
    .filter(({ section }) => section === 'audiences')
    .map(({ id, before, part }) => ({ id, before: parsePart(before), after: parsePart(part) }))
  const visible = flags.filter(isVisibleFlag)
  return {
    name: 'flag.published',
    payload: {
      environment: { id: environment.id, name: environment.name },
      dataFile: {
        revision: file.revision,
        previousRevision: environment.revision,
        etag: file.etag,
        url,
      },
      flags: [...visible, ...affected.map((flag) => ({ flag, fragment: flag.fragment }))].map(({ flag, fragment }) => ({
        ...summaryOf(flag),
        before: parseFragment(flag.fragment),
        after: parseFragment(fragment),
      })),
      ...(audiences.length > 0 && { audiences }),
    },
  }
}

function activatedEvent(
  environment: PublishedEnvironment,
  flag: FlagStateRow,
  rule: RuleDefinition,
): Event<'flag.rule_activated'> {
  return {
    name: 'flag.rule_activated',
    payload: {
      environment: { id: environment.id, name: environment.name },
      flag: summaryOf(flag),
      rule: ruleSummary(rule),
    },
  }
}
