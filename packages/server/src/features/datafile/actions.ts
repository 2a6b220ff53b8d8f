import type { Db, Tx } from '../../platform/db/index.ts'
import type { Author, Event } from '../../platform/outbox.ts'
import { inTransaction } from '../../platform/transaction.ts'
import { isRefusal, type Refusal } from '../../refusals.ts'
import { conditionReferences, type FlagSummary, ruleSummary } from '../versions/index.ts'
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
  type FlagRevision,
  type FlagStateRow,
  findChanged,
  findParts,
  findSections,
  findWhole,
  findWholeByKey,
  flagStates,
  flagsServing,
  holdAudiences,
  liveAudiences,
  markServed,
  noteVersions,
  type PublishedEnvironment,
  referencesIn,
  saveParts,
  saveRevision,
  segmentMembers,
  segmentsAmong,
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
  events: Event[]
}

/** The flags that a transaction has changed, or those that it is about to delete. */
export type RepublishedFlags = readonly string[] | { leaving: readonly string[] }

/** Brings the data file of a locked environment up to date with what the transaction does to these flags. */
export type Republish = (
  tx: Tx,
  environment: PublishedEnvironment,
  flags: RepublishedFlags,
  by: Author,
) => Promise<Publication>

/**
 * Runs a change that visitors may see: one transaction holds the change and the data files that follow from it, and
 * once it has committed, and before this answers, this node serves them.
 */
export type Publishing = <Result>(
  work: (tx: Tx, republish: Republish) => Promise<Result | Refusal>,
) => Promise<Result | Refusal>

/** `baseUrl`: where receivers of events find the data files. */
export function publishing(db: Db, store: DataFileStore, baseUrl: string): Publishing {
  // Files of transactions that have not ended here. The next in the queue may see a commit before this node is told of
  // it: a file whose ETag the environment's row bears is the one that was committed.
  const made = new Map<string, StoredDataFile>()
  const current = async (tx: Tx, { id, etag }: PublishedEnvironment) => {
    const held = store.held(id)
    return [held, made.get(id)].find((file) => file?.etag === etag) ?? (await loadDataFile(tx, id, held))
  }
  return async (work) => {
    const files: StoredDataFile[] = []
    try {
      const result = await inTransaction(db, (tx) =>
        work(tx, async (_tx, environment, flags, by) => {
          const change = await changeOf(tx, environment, flags)
          const isVisible = change.visible.length + change.parts.length > 0
          const before = isVisible ? await current(tx, environment) : undefined
          if (!before) return unchanged(environment)
          const sections = change.parts.length > 0 ? await findSections(tx, environment.id) : before.sections
          const file = nextDataFile(environment, { flags: change.flags, sections }, before, by.now)
          files.push(file)
          made.set(environment.id, file)
          return republish(tx, { ...environment, url: dataFileUrl(baseUrl, environment.sdkKey) }, change, file, by)
        }),
      )
      if (!isRefusal(result)) for (const file of files) store.put(file)
      return result
    } finally {
      for (const file of files) if (made.get(file.envId) === file) made.delete(file.envId)
    }
  }
}

interface ChangedFlag {
  flag: FlagStateRow
  fragment: string | null
}

interface RevisionChange {
  flags: FlagRevision[]
  visible: ChangedFlag[]
  parts: PartChange[]
  /** Flags that say what they said, and of whose audiences or segments another part says something else. */
  affected: (FlagSummary & { fragment: string })[]
}

/** What the transaction has done to these flags, as far as the data file goes. */
async function changeOf(tx: Tx, environment: PublishedEnvironment, flags: RepublishedFlags): Promise<RevisionChange> {
  const leaving = 'leaving' in flags
  const states = (await flagStates(tx, environment.id, leaving ? flags.leaving : flags)).map((flag) => ({
    flag,
    fragment: leaving ? null : newFragment(flag),
  }))
  const visible = states.filter(({ flag, fragment }) => fragment !== flag.fragment)
  const parts = await settleParts(tx, environment, states, leaving)
  const changedIds = states.map(({ flag }) => flag.id)
  const partIds = parts.map(({ id }) => id)
  const affected = parts.length > 0 ? await flagsServing(tx, environment.id, partIds, changedIds) : []
  if (visible.length + parts.length > 0) return { flags: states.map(flagRevision), visible, parts, affected }
  await noteVersions(tx, environment, changedIds)
  return { flags: [], visible, parts, affected }
}

/** Brings the parts of the file beside its flags up to date: what running rules need is there, and nothing else. */
async function settleParts(
  tx: Tx,
  { id: envId, revision }: PublishedEnvironment,
  states: readonly ChangedFlag[],
  leaving: boolean,
): Promise<PartChange[]> {
  const changed = states.map(({ flag }) => flag.id)
  const { named, served, held, placed } = await referencesIn(tx, envId, { changed, leaving: leaving ? changed : [] })
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
  events: [],
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

async function republish(
  tx: Tx,
  environment: PublishedEnvironment & { url: string },
  { flags, visible, parts, affected }: RevisionChange,
  file: StoredDataFile,
  { actor: { type, id, name }, now }: Author,
): Promise<Publication> {
  await saveRevision(tx, { ...file, publishedAt: now }, flags, { type, id, name })
  const activated = visible.flatMap(({ flag, fragment }) =>
    newRules(flag.fragment, fragment).map((ruleId) => ({ flag, ruleId })),
  )
  if (activated.length > 0)
    await markServed(
      tx,
      activated.map(({ ruleId }) => ruleId),
      now,
    )
  return {
    changed: true,
    revision: file.revision,
    previousRevision: environment.revision,
    etag: file.etag,
    bytes: file.size,
    publishedAt: now,
    events: [
      publishedEvent(environment, file, { visible, parts, affected }),
      ...activated.map(({ flag, ruleId }) => activatedEvent(environment, flag, ruleId)),
    ],
  }
}

/** The file of an environment that nobody published yet: revision 0, every flag paused. */
export async function firstDataFile(
  tx: Tx,
  environment: Pick<PublishedEnvironment, 'id' | 'key' | 'sdkKey'>,
  flagIds: readonly string[],
): Promise<void> {
  const states = await flagStates(tx, environment.id, flagIds)
  const flags = states.map((flag) => flagRevision({ flag, fragment: newFragment(flag) }))
  const fragments = flags.flatMap(({ fragment }) => fragment ?? [])
  const file = dataFileOf({ environment, revision: 0, publishedAt: null }, blocksOf(fragments))
  await saveRevision(tx, { ...file, publishedAt: null }, flags, null)
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

function publishedEvent(
  environment: PublishedEnvironment & { url: string },
  file: StoredDataFile,
  { visible, parts, affected }: Omit<RevisionChange, 'flags'>,
): Event {
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
        url: environment.url,
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

function activatedEvent(environment: PublishedEnvironment, flag: FlagStateRow, ruleId: string): Event {
  const rule = flag.live.rules.find(({ id }) => id === ruleId)
  return {
    name: 'flag.rule_activated',
    payload: {
      environment: { id: environment.id, name: environment.name },
      flag: summaryOf(flag),
      rule: rule && ruleSummary(rule),
    },
  }
}
