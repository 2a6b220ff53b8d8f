import { maxDataFileBytes } from '@svc/core'
import { isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author, Event } from '../../../platform/outbox.ts'
import { afterCommit, inOneTrip, inTransaction } from '../../../platform/transaction.ts'
import { conditionReferences, type FlagSummary, ruleSummary } from '../../model/versions/index.ts'
import { blocksOf, withChanges } from './blocks.ts'
import { fragmentText, keyOf, parseFragment } from './bytes.ts'
import { dataFileOf, type Sections, type StoredDataFile } from './file.ts'
import { fragmentOf } from './fragment.ts'
import {
  audiencePart,
  hashVisitor,
  type Part,
  type PartChange,
  parsePart,
  partChanges,
  segmentPart,
  segmentSalt,
  servedReferences,
} from './parts.ts'
import {
  type EnvironmentState,
  type FlagRevision,
  type FlagStateRow,
  findChanged,
  findParts,
  findSections,
  findWhole,
  findWholeByKey,
  flagsServing,
  holdAudiences,
  liveAudiences,
  markServed,
  noteVersions,
  type PublishedEnvironment,
  planByKeys,
  saveParts,
  saveRevisions,
  segmentMembers,
  segmentsAmong,
  statesOf,
  type WholeDataFile,
} from './queries.ts'
import type { DataFileStore } from './store.ts'
import { dataFileUrl } from './url.ts'

/** What became of an environment's data file: the same revision again when no byte changed. */
export interface Publication {
  changed: boolean
  revision: number
  previousRevision: number
  etag: string
  bytes: number
  publishedAt: Date | null
}

/** The flags that a transaction has changed, or those that it is about to delete. */
export type RepublishedFlags = readonly string[] | { leaving: readonly string[] }

/** What became of the data files of environments, in their order, and what there is to tell of it. */
export interface Republished {
  publications: Publication[]
  /** As the transaction leaves them, or finds those that it deletes. */
  flags: FlagSummary[]
  events: PublicationEvent[]
}

export type PublicationEvent = Event<'flag.published' | 'flag.rule_activated'>

/** Brings the data files of locked environments up to date with what the transaction does to these flags. */
export type Republish = (
  tx: Tx,
  environments: readonly PublishedEnvironment[],
  flags: RepublishedFlags,
  by: Author,
) => Promise<Republished>

/**
 * Runs a change that visitors may see: one transaction holds the change and the data files that follow from it, and
 * once it has committed, and before this answers, this node serves them.
 */
export type Publishing = <Result>(
  work: (tx: Tx, republish: Republish) => Promise<Result | Refusal>,
) => Promise<Result | Refusal>

/** `baseUrl`: where receivers of events find the data files; `maxBytes`: the most that one of them may have. */
export function publishing(
  db: Db,
  store: DataFileStore,
  baseUrl: string,
  maxBytes: number = maxDataFileBytes,
): Publishing {
  // Files of transactions that have not ended here. The next in the queue may see a commit before this node is told of
  // it: a file whose ETag the environment's row bears is the one that was committed.
  const made = new Map<string, StoredDataFile>()
  const current = async (tx: Tx, { id, etag }: PublishedEnvironment) => {
    const held = store.held(id)
    return [held, made.get(id)].find((file) => file?.etag === etag) ?? (await loadDataFile(tx, id, held))!
  }
  return async (work) => {
    const files: StoredDataFile[] = []
    const make = async (tx: Tx, change: EnvironmentChange, now: Date): Promise<NewDataFile> => {
      const { environment, states, parts } = change
      const before = await current(tx, environment)
      const sections = parts.length > 0 ? await findSections(tx, environment.id) : before.sections
      const flags = states.map(flagRevision)
      const file = nextDataFile(environment, { flags, sections }, before, now)
      if (file.size > maxBytes && file.size > before.size) throw new TooLarge(environment, file.size, maxBytes)
      files.push(file)
      made.set(environment.id, file)
      const activated = activatedRules(change.visible)
      return { ...change, flags, activated, file, url: dataFileUrl(baseUrl, environment.sdkKey) }
    }
    const republish: Republish = async (tx, environments, flags, by) => {
      const changes = await changesOf(tx, environments, flags)
      const newFiles: NewDataFile[] = []
      for (const change of changes.filter(isVisible)) newFiles.push(await make(tx, change, by.now))
      await save(tx, changes, newFiles, by)
      return republished(changes, newFiles, by.now)
    }
    try {
      const result = await inTransaction(db, async (tx) => {
        const [, done] = await inOneTrip([planByKeys(tx), work(tx, republish)])
        return done
      })
      if (!isRefusal(result)) afterCommit(() => files.forEach(store.put))
      return result
    } catch (error) {
      if (error instanceof TooLarge) return error.refusal
      throw error
    } finally {
      for (const file of files) if (made.get(file.envId) === file) made.delete(file.envId)
    }
  }
}

/** SDKs would not take the file, nor any after it: a switch in the environment would reach nobody. */
class TooLarge extends Error {
  readonly refusal: Refusal

  constructor({ id, name }: PublishedEnvironment, bytes: number, maxBytes: number) {
    const message = `The data file of ${name} would have ${bytes} bytes, and SDKs take up to ${maxBytes}. Have running rules name fewer or smaller segments.`
    super(message)
    this.refusal = refuse('invalid_state', message, { envId: id, bytes, maxBytes })
  }
}

interface ChangedFlag {
  flag: FlagStateRow
  fragment: string | null
}

/** What a transaction has done to flags, as far as the data file of one environment goes. */
interface EnvironmentChange {
  environment: PublishedEnvironment
  states: ChangedFlag[]
  visible: ChangedFlag[]
  parts: PartChange[]
  /** Flags that say what they said, and of whose audiences or segments another part says something else. */
  affected: (FlagSummary & { fragment: string })[]
}

const isVisible = ({ visible, parts }: EnvironmentChange): boolean => visible.length + parts.length > 0

/** A change with the file that follows from it. */
interface NewDataFile extends EnvironmentChange {
  flags: FlagRevision[]
  /** Rules that the new file serves and the old one did not. */
  activated: { flag: FlagStateRow; ruleId: string }[]
  file: StoredDataFile
  url: string
}

async function changesOf(
  tx: Tx,
  environments: readonly PublishedEnvironment[],
  flags: RepublishedFlags,
): Promise<EnvironmentChange[]> {
  const leaving = 'leaving' in flags ? flags.leaving : []
  const changed = 'leaving' in flags ? flags.leaving : flags
  const envIds = environments.map(({ id }) => id)
  const found = await statesOf(tx, envIds, { changed, leaving })
  const changes: EnvironmentChange[] = []
  for (const environment of environments) {
    const state = found.get(environment.id)!
    const states = state.flags.map((flag) => ({ flag, fragment: leaving.length > 0 ? null : newFragment(flag) }))
    const visible = states.filter(({ flag, fragment }) => fragment !== flag.fragment)
    const parts = await settleParts(tx, environment, state, states)
    const partIds = parts.map(({ id }) => id)
    const affected = parts.length > 0 ? await flagsServing(tx, environment.id, partIds, changed) : []
    changes.push({ environment, states, visible, parts, affected })
  }
  return changes
}

/** Brings the parts of the file beside its flags up to date: what running rules need is there, and nothing else. */
async function settleParts(
  tx: Tx,
  { id: envId, revision }: PublishedEnvironment,
  { named, served, held, placed }: EnvironmentState,
  states: readonly ChangedFlag[],
): Promise<PartChange[]> {
  const needed = [...served, ...states.flatMap(({ fragment }) => servedReferences(fragment))]
  if (named.length + held.length + needed.length + placed.length === 0) return []
  await holdAudiences(tx, envId, named)
  const audiences = await liveAudiences(tx, envId, needed)
  const before = await findParts(tx, envId)
  const inAudiences = audiences.flatMap(({ live }) => conditionReferences(live).map(({ id }) => id))
  const wanted = audiences.map(audiencePart)
  for (const id of await segmentsAmong(tx, [...needed, ...inAudiences]))
    wanted.push(
      before.find(({ id: held, part }) => held === id && part !== '') ?? (await makeSegmentPart(tx, envId, id)),
    )
  const changes = partChanges(before, wanted)
  if (changes.length > 0) await saveParts(tx, envId, revision + 1, changes)
  return changes
}

// Every so many ids other requests have their turn.
const idsPerTurn = 5_000

async function makeSegmentPart(tx: Tx, envId: string, segmentId: string): Promise<Part> {
  const salt = segmentSalt(envId, segmentId)
  const hashes: string[] = []
  for (const [index, id] of (await segmentMembers(tx, segmentId)).entries()) {
    if (index % idsPerTurn === idsPerTurn - 1) await new Promise(setImmediate)
    hashes.push(hashVisitor(salt, id))
  }
  return segmentPart(segmentId, salt, hashes)
}

function flagRevision({ flag, fragment }: ChangedFlag): FlagRevision {
  const { id, key, name, fragment: before } = flag
  const stays = before !== null && fragment !== null && keyOf(before) === keyOf(fragment)
  return {
    flagId: id,
    key,
    name,
    kind: kindOf(before, fragment),
    leftKey: before && !stays ? keyOf(before) : null,
    fragment,
  }
}

function kindOf(before: string | null, after: string | null): FlagRevision['kind'] {
  if (before === after) return null
  if (before === null) return 'ADDED'
  return after === null ? 'REMOVED' : 'CHANGED'
}

const unchanged = ({ revision, etag, bytes, publishedAt }: PublishedEnvironment): Publication => ({
  changed: false,
  revision,
  previousRevision: revision,
  etag,
  bytes,
  publishedAt,
})

function nextDataFile(
  environment: PublishedEnvironment,
  { flags, sections }: { flags: readonly FlagRevision[]; sections: Sections },
  before: StoredDataFile,
  now: Date,
): StoredDataFile {
  const head = { environment, revision: environment.revision + 1, publishedAt: now, sections }
  return dataFileOf(head, withChanges(before.blocks, flags), before)
}

async function save(
  tx: Tx,
  changes: readonly EnvironmentChange[],
  newFiles: readonly NewDataFile[],
  { actor: { type, id, name }, now }: Author,
): Promise<void> {
  const hidden = changes.filter((change) => !isVisible(change) && change.states.length > 0)
  if (hidden.length > 0) {
    const envIds = hidden.map(({ environment }) => environment.id)
    const flagIds = new Set(hidden.flatMap(({ states }) => states.map(({ flag }) => flag.id)))
    await noteVersions(tx, envIds, [...flagIds])
  }
  if (newFiles.length > 0) await saveRevisions(tx, newFiles, now, { type, id, name })
  const activated = newFiles.flatMap((made) => made.activated.map(({ ruleId }) => ruleId))
  if (activated.length > 0) await markServed(tx, activated, now)
}

function republished(changes: readonly EnvironmentChange[], newFiles: readonly NewDataFile[], now: Date): Republished {
  const publications = changes.map(({ environment }): Publication => {
    const made = newFiles.find(({ file }) => file.envId === environment.id)
    if (!made) return unchanged(environment)
    const { revision, etag, size: bytes } = made.file
    return { changed: true, revision, previousRevision: environment.revision, etag, bytes, publishedAt: now }
  })
  const events = newFiles.flatMap((made): PublicationEvent[] => [
    publishedEvent(made),
    ...made.activated.map(({ flag, ruleId }) => activatedEvent(made.environment, flag, ruleId)),
  ])
  const [first] = changes
  return { publications, events, flags: first?.states.map(({ flag }) => summaryOf(flag)) ?? [] }
}

const activatedRules = (visible: readonly ChangedFlag[]): NewDataFile['activated'] =>
  visible.flatMap(({ flag, fragment }) => newRules(flag.fragment, fragment).map((ruleId) => ({ flag, ruleId })))

/** The file of an environment that nobody published yet: revision 0, every flag paused. */
export async function firstDataFile(
  tx: Tx,
  environment: Pick<PublishedEnvironment, 'id' | 'key' | 'sdkKey'>,
  flagIds: readonly string[],
): Promise<void> {
  await planByKeys(tx)
  const states = await statesOf(tx, [environment.id], { changed: flagIds, leaving: [] })
  const flags = states.get(environment.id)!.flags.map((flag) => flagRevision({ flag, fragment: newFragment(flag) }))
  const fragments = flags.flatMap(({ fragment }) => fragment ?? [])
  const file = dataFileOf({ environment, revision: 0, publishedAt: null }, blocksOf(fragments))
  await saveRevisions(tx, [{ file, flags }], null, null)
}

/** The data file of an environment as the database has it, at the cost of what changed since `held`. */
export async function loadDataFile(
  db: Db,
  envId: string,
  held: StoredDataFile | undefined,
): Promise<StoredDataFile | undefined> {
  const changed = held && (await findChanged(db, envId, held.revision))
  if (held && changed) {
    if (changed.etag === held.etag) return held
    const { revision, publishedAt } = changed
    const file = dataFileOf(
      { environment: changed, revision, publishedAt, sections: held.sections },
      withChanges(held.blocks, changed.changes),
      held,
    )
    if (file.etag === changed.etag) return file
  }
  return wholeFile(await findWhole(db, envId))
}

export async function findDataFileByKey(db: Db, sdkKey: string): Promise<StoredDataFile | undefined> {
  return wholeFile(await findWholeByKey(db, sdkKey))
}

function wholeFile(row: WholeDataFile | undefined): StoredDataFile | undefined {
  if (!row) return undefined
  const { revision, publishedAt, sections, fragments } = row
  return dataFileOf({ environment: row, revision, publishedAt, sections }, blocksOf(fragments))
}

function newFragment(flag: FlagStateRow): string | null {
  const fragment = fragmentOf({ ...flag, enabledRules: new Set(flag.enabledRules) })
  return fragment && fragmentText(flag.key, fragment)
}

/** Rules that the new fragment serves and the old one did not. */
function newRules(before: string | null, after: string | null): string[] {
  const served = (fragment: string | null) => parseFragment(fragment)?.rules.map(({ id }) => id) ?? []
  const old = new Set(served(before))
  return served(after).filter((id) => !old.has(id))
}

const summaryOf = ({ id, shortId, key, name, status }: FlagSummary): FlagSummary => ({
  id,
  shortId,
  key,
  name,
  status,
})

function publishedEvent({ environment, file, url, visible, parts, affected }: NewDataFile): Event<'flag.published'> {
  const audiences = parts
    .filter(({ section }) => section === 'audiences')
    .map(({ id, before, part }) => ({ id, before: parsePart(before), after: parsePart(part) }))
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
  ruleId: string,
): Event<'flag.rule_activated'> {
  const rule = flag.live.rules.find(({ id }) => id === ruleId)!
  return {
    name: 'flag.rule_activated',
    payload: {
      environment: { id: environment.id, name: environment.name },
      flag: summaryOf(flag),
      rule: ruleSummary(rule),
    },
  }
}
