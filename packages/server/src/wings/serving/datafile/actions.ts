import { isDeepStrictEqual } from 'node:util'
import { maxDataFileBytes } from '@svc/core'
import type { PublishReason } from '../../../catalogue/payloads.ts'
import { isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { beginSpan, noteRevision, type Span } from '../../../platform/tracing/index.ts'
import { Abandoned, afterCommit, inOneTrip, inTransaction } from '../../../platform/transaction.ts'
import { holdAudiences } from '../../model/audiences/index.ts'
import { noteRenewed } from '../../model/environments/index.ts'
import { triggersOf } from '../../model/metrics/index.ts'
import { conditionReferences } from '../../model/versions/index.ts'
import { defaultWebSettings, goalOf, type WebSettings } from '../../model/web/index.ts'
import { blocksOf, withChanges } from './blocks.ts'
import { dataFileOf, type StoredDataFile } from './file.ts'
import { namesBy } from './names.ts'
import { pagesOf } from './pages.ts'
import {
  audiencePart,
  contentPart,
  hashVisitor,
  idsAmong,
  type Numbered,
  type Part,
  type PartChange,
  partChanges,
  partsAmong,
  segmentPart,
  segmentSalt,
  settingsPart,
} from './parts.ts'
import {
  activatedRules,
  type ChangedFlag,
  changedFlag,
  type EnvironmentChange,
  flagRevision,
  isVisible,
  leavingFlag,
  type NewDataFile,
  nextDataFile,
  type Republished,
  republished,
  type ScriptOf,
} from './publication.ts'
import {
  type Alongside,
  type EnvironmentState,
  type FlagStateRow,
  findChanged,
  findParts,
  findSections,
  findWhole,
  findWholeByKey,
  flagsOf,
  flagsServing,
  liveAudiences,
  lockOutdated,
  notedTag,
  noteVersions,
  outdatedEnvironments,
  type PublishedAudience,
  type PublishedEnvironment,
  planByKeys,
  saveParts,
  saveRevisions,
  segmentMembers,
  segmentsAmong,
  servedEnvironments,
  servedSettings,
  statesOf,
  type WholeDataFile,
} from './queries.ts'
import type { DataFileStore, EnvironmentKeys } from './store.ts'
import { newlyUnservable } from './unservable.ts'
import { dataFileUrl } from './url.ts'

/** The flags that a transaction has changed or is about to delete. */
export type RepublishedFlags = readonly string[] | { leaving: readonly string[] }

/** Why a revision is made, for the history. */
export interface Why {
  reason: PublishReason
  /** Of the publish. */
  comment?: string | null
  /** The edits of audiences that the publish makes live. */
  audiences?: readonly PublishedAudience[]
}

/** Updates the data files of locked environments after the transaction changed these flags. */
export type Republish = (
  tx: Tx,
  environments: readonly PublishedEnvironment[],
  flags: RepublishedFlags,
  by: Author,
  /** Null for a new format of the file, which is not a change. */
  why: Why | null,
) => Promise<Republished>

/** One of several changes that a transaction publishes: a flag as it will be in each environment. */
export interface Turn {
  by: Author
  why: Why
  flags: ReadonlyMap<string, FlagStateRow>
}

/** The result of each turn, with its revisions, which are not written yet. */
export interface Plan {
  outcomes: readonly (Republished | Refusal)[]
  save(alongside?: Alongside): Promise<unknown>
}

/**
 * Plans a revision for each of several consecutive changes in locked environments. Nothing is written before `save`,
 * which must be called after the changes are written. No turn can change which audiences or segments the file needs
 * (`movesParts`), and no two turns can change the same flag.
 */
export type PlanTurns = (tx: Tx, environments: readonly PublishedEnvironment[], turns: readonly Turn[]) => Promise<Plan>

/**
 * Runs a change that visitors may see. One transaction holds the change and the resulting data files. When this
 * returns, the transaction is committed and this node serves the new files.
 */
export type Publishing = <Result>(
  work: (tx: Tx, republish: Republish, planTurns: PlanTurns) => Promise<Result | Refusal>,
) => Promise<Result | Refusal>

interface PublishingOptions {
  /** The address of data files in events. */
  baseUrl: string
  /** The maximum size of a data file. */
  maxBytes?: number
  scriptOf: ScriptOf
}

export function publishing(
  db: Db,
  store: DataFileStore,
  { baseUrl, maxBytes = maxDataFileBytes, scriptOf }: PublishingOptions,
): Publishing {
  const current = (tx: Tx, environment: PublishedEnvironment) => currentFile(tx, store, environment)
  return async (work) => {
    const files = filesUnderWay(store)
    const republish: Republish = async (tx, environments, flags, by, why) => {
      const changes = await changesOf(tx, environments, flags)
      const newFiles: NewDataFile[] = []
      for (const change of changes.filter(isVisible)) {
        const { environment, parts } = change
        const span = beginSpan('datafile.publish')
        const before = await current(tx, environment)
        const sections = parts.length > 0 ? await findSections(tx, environment.id) : before.sections
        const file = nextDataFile(change, sections, before, by.now)
        const refusal =
          refusesSize(environment, file, before, maxBytes) ??
          // A new format is no change of content, and a node must be able to start with whatever is served.
          (why && (refusesUnservable(environment, file, before) ?? refusesScript(environment, file, before)))
        if (refusal) throw new Abandoned(refusal)
        files.keep(file, span)
        const script = environment.projectType === 'WEB' ? () => scriptOf(file, environment.sdkKey) : null
        newFiles.push({ ...change, file, url: dataFileUrl(baseUrl, environment.sdkKey), script })
      }
      await save(tx, [{ changes, newFiles, by, why }])
      files.noteSaved()
      return republished(changes, newFiles, by.now)
    }
    const planTurns: PlanTurns = async (tx, environments, turns) => {
      if (turns.length === 0) return nothing
      const heads = new Map<string, Head>()
      for (const environment of environments)
        heads.set(environment.id, { environment, file: await current(tx, environment) })
      const outcomes = turns.map((turn) => planned(turn, heads, { baseUrl, maxBytes }))
      const saved = outcomes.flatMap((outcome) => (isRefusal(outcome) ? [] : [outcome]))
      return {
        outcomes: outcomes.map((outcome) =>
          isRefusal(outcome) ? outcome : republished(outcome.changes, outcome.newFiles, outcome.by.now),
        ),
        async save(alongside) {
          for (const { file } of saved.flatMap(({ newFiles }) => newFiles))
            files.keep(file, beginSpan('datafile.publish'))
          await save(tx, saved, alongside)
          files.noteSaved()
        },
      }
    }
    try {
      const result = await inTransaction(db, async (tx) => {
        const [, done] = await inOneTrip([planByKeys(tx), work(tx, republish, planTurns)])
        return done
      })
      if (!isRefusal(result)) afterCommit(files.serve)
      return result
    } finally {
      files.end()
    }
  }
}

/** The files that one transaction makes. Those that publish on top of it find them before they are served. */
function filesUnderWay(store: DataFileStore) {
  const { made } = store
  const files = new Map<string, StoredDataFile>()
  const spans = new Map<StoredDataFile, Span | undefined>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  return {
    keep(file: StoredDataFile, span: Span | undefined): void {
      files.set(file.envId, file)
      made.set(file.envId, { file, ended })
      spans.set(file, span)
    },
    noteSaved(): void {
      for (const [{ envId, revision, size }, span] of spans) {
        span?.set({ 'svc.environment.id': envId, 'svc.datafile.bytes': size })
        span?.end()
        noteRevision(revision)
      }
      spans.clear()
    },
    serve(): void {
      for (const file of files.values()) store.put(file)
    },
    end(): void {
      for (const file of files.values()) if (made.get(file.envId)?.file === file) made.delete(file.envId)
      end()
    },
  }
}

/** The data file of a locked environment, as of its row. */
export async function currentFile(
  tx: Tx,
  store: Pick<DataFileStore, 'held' | 'made'>,
  { id, etag }: Pick<PublishedEnvironment, 'id' | 'etag'>,
): Promise<StoredDataFile> {
  const held = store.held(id)
  const file =
    [held, store.made.get(id)?.file].find((file) => file?.etag === etag) ?? (await loadDataFile(tx, id, held))?.file
  if (!file) throw new Abandoned(notFound('Project'))
  return file
}

const nothing: Plan = { outcomes: [], save: async () => {} }

/** SDKs would refuse this file and all later ones, so even a pause would not reach them. */
function refusesSize(
  { id, name }: PublishedEnvironment,
  { size: bytes }: StoredDataFile,
  before: StoredDataFile,
  maxBytes: number,
): Refusal | undefined {
  if (bytes <= maxBytes || bytes <= before.size) return undefined
  const message = `The data file of ${name} would have ${bytes} bytes, but SDKs accept at most ${maxBytes}. Use fewer or smaller segments in running rules.`
  return refuse('invalid_state', message, { envId: id, bytes, maxBytes })
}

/** The script would leave out the visitors of such an experiment: nobody would see it, and nobody would know why. */
function refusesUnservable(
  { projectType }: PublishedEnvironment,
  file: StoredDataFile,
  before: StoredDataFile,
): Refusal | undefined {
  if (projectType !== 'WEB') return undefined
  const missing = newlyUnservable(file, before)
  return missing[0] && refuse('invalid_state', missing[0].message, { missing })
}

/** Data file and web document of an environment, which its script carries. */
const maxScriptContentBytes = 500_000

/** Of an environment: those that run, and those whose winner is rolled out. */
const maxServedExperiments = 100

/** Every visitor loads the script before the page is shown, so it must not grow without limit. */
function refusesScript(
  { projectType, name }: PublishedEnvironment,
  file: StoredDataFile,
  before: StoredDataFile,
): Refusal | undefined {
  if (projectType !== 'WEB') return undefined
  const sizeOf = (stored: StoredDataFile) => {
    const { document, code, largest, experiments } = pagesOf(stored)
    const codeBytes = code.reduce((sum, { js }) => sum + Buffer.byteLength(js), 0)
    return { bytes: stored.size + document.bytes + codeBytes, largest, experiments }
  }
  const { bytes, largest, experiments } = sizeOf(file)
  if (experiments > maxServedExperiments && experiments > sizeOf(before).experiments)
    return refuse(
      'invalid_state',
      `${name} can serve at most ${maxServedExperiments} web experiments. Complete one that runs, or archive one whose winner is rolled out.`,
      { experiments, limit: maxServedExperiments },
    )
  if (bytes <= maxScriptContentBytes || bytes <= sizeOf(before).bytes) return undefined
  const message = `The script of ${name} would carry ${bytes} bytes, but it can carry at most ${maxScriptContentBytes}. Shorten changes, CSS and code, use smaller segments, or end an experiment.`
  return refuse('invalid_state', message, { bytes, limit: maxScriptContentBytes, largest })
}

/** Changes of one author, with the data files that follow from them. */
interface Made {
  changes: readonly EnvironmentChange[]
  newFiles: readonly NewDataFile[]
  by: Author
  why: Why | null
}

/** An environment after the turns so far. */
interface Head {
  environment: PublishedEnvironment
  file: StoredDataFile
}

/** Advances the heads of the environments whose data file the turn changes. A refused turn advances none. */
function planned(
  { by, why, flags }: Turn,
  heads: Map<string, Head>,
  { baseUrl, maxBytes }: { baseUrl: string; maxBytes: number },
): Made | Refusal {
  const moved: Head[] = []
  const changes: EnvironmentChange[] = []
  const newFiles: NewDataFile[] = []
  for (const { environment, file: before } of heads.values()) {
    const flag = flags.get(environment.id)
    if (!flag) continue
    const change = { environment, flags: [changedFlag(flag)], parts: [], affected: [] }
    changes.push(change)
    if (!isVisible(change)) continue
    const file = nextDataFile(change, before.sections, before, by.now)
    const refusal = refusesSize(environment, file, before, maxBytes)
    if (refusal) return refusal
    // What pages load changes with parts, which no turn moves.
    newFiles.push({ ...change, file, url: dataFileUrl(baseUrl, environment.sdkKey), script: null })
    const { revision, etag, size: bytes, publishedAt } = file
    moved.push({ environment: { ...environment, revision, etag, bytes, publishedAt }, file })
  }
  for (const head of moved) heads.set(head.environment.id, head)
  return { changes, newFiles, by, why }
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
    const flags = state.flags.map(leaving.length > 0 ? leavingFlag : changedFlag)
    const parts = await settleParts(tx, environment, state, flags)
    const partIds = parts.map(({ id }) => id)
    const affected = parts.length > 0 ? await flagsServing(tx, environment.id, partIds, changed) : []
    changes.push({ environment, flags, parts, affected })
  }
  return changes
}

/** Updates the parts of the file: it contains exactly what running rules need. */
async function settleParts(
  tx: Tx,
  environment: PublishedEnvironment,
  { named, served, held, placed }: EnvironmentState,
  flags: readonly ChangedFlag[],
): Promise<PartChange[]> {
  const { id: envId, revision, projectId } = environment
  const webSettings = await servedSettings(tx, environment)
  const references = [...served, ...flags.flatMap((flag) => flag.served)]
  const needed = idsAmong(references)
  if (named.length + held.length + references.length + placed.length === 0 && !webSettings) return []
  await holdAudiences(tx, envId, named)
  const audiences = await liveAudiences(tx, envId, needed)
  const before = await findParts(tx, envId)
  const inAudiences = audiences.flatMap(({ live }) => conditionReferences(live).map(({ id }) => id))
  const segments = await segmentsAmong(tx, [...needed, ...inAudiences])
  const nameOf = namesBy(Object.fromEntries(segments.map(({ id, shortId }) => [id, shortId])))
  const wanted = [
    ...audiences.map((audience) => audiencePart(audience, nameOf)),
    ...partsAmong(references),
    ...(await contentParts(tx, { projectId, held: before, needed, flags })),
    ...(webSettings ? [settingsPart(projectId, webSettings)] : []),
  ]
  for (const segment of segments)
    wanted.push(
      before.find(({ id, part }) => id === segment.id && part !== '') ?? (await makeSegmentPart(tx, envId, segment)),
    )
  const changes = partChanges(before, wanted)
  if (changes.length > 0) await saveParts(tx, envId, revision + 1, changes)
  return changes
}

interface WebParts {
  projectId: string
  held: readonly Part[]
  needed: readonly string[]
  flags: readonly ChangedFlag[]
}

/** What web experiments do to pages: of flags that change, as it is live now; of others, as it is held. */
async function contentParts(tx: Tx, { projectId, held, needed, flags }: WebParts): Promise<Part[]> {
  const changed = new Set(flags.map(({ flag }) => flag.id))
  const served = flags.filter((each) => each.served.includes(each.flag.id)).map(({ flag }) => flag)
  // The trigger of a metric of a test that has begun does not change, so what is held stays right.
  const triggers = await triggersOf(tx, projectId, served.flatMap(measuredBy))
  return [
    ...held.filter(({ section, id }) => section === 'web' && needed.includes(id) && !changed.has(id)),
    ...served.map((flag) => {
      const measured = measuredBy(flag)
      const own = triggers.filter(({ key }) => measured.includes(key))
      return contentPart(
        flag,
        own.map(({ eventKey, trigger }) => goalOf(eventKey, trigger)),
      )
    }),
  ]
}

/** The metrics of the tests that a flag serves, by key. */
const measuredBy = ({ live, enabledRules }: FlagStateRow): string[] =>
  live.rules.flatMap((rule) =>
    rule.type === 'AB_TEST' && enabledRules.includes(rule.id) ? Object.values(rule.metrics).flat() : [],
  )

// Yields to other requests after this many ids.
const idsPerTurn = 5_000

async function makeSegmentPart(tx: Tx, envId: string, segment: Numbered): Promise<Part> {
  const salt = segmentSalt(envId, segment.id)
  const hashes: string[] = []
  for (const [index, id] of (await segmentMembers(tx, segment.id)).entries()) {
    if (index % idsPerTurn === idsPerTurn - 1) await new Promise(setImmediate)
    hashes.push(hashVisitor(salt, id))
  }
  return segmentPart(segment, salt, hashes)
}

/** Writes the revisions and the rest of their history. */
async function save(tx: Tx, made: readonly Made[], alongside?: Alongside): Promise<void> {
  const revisions = made.flatMap(({ newFiles, ...each }) =>
    newFiles.map(({ file, flags }) => ({ file, flags: flags.map(flagRevision), ...toldBy(each) })),
  )
  const hidden = made.flatMap(({ changes, ...each }) =>
    changes
      .filter((change) => !isVisible(change) && (change.flags.length > 0 || each.why?.reason === 'PUBLISHED'))
      .map(({ environment: { id, revision, etag, bytes }, flags }) => ({
        file: { envId: id, revision, etag, size: bytes },
        flagIds: flags.map(({ flag }) => flag.id),
        ...toldBy(each),
      })),
  )
  const served = made.flatMap(({ newFiles, by: { now } }) =>
    newFiles.flatMap(activatedRules).map(({ rule }) => ({ ruleId: rule.id, at: now })),
  )
  const statements: Promise<void>[] = []
  if (revisions.length > 0) statements.push(saveRevisions(tx, revisions, served, alongside))
  if (hidden.length > 0) statements.push(noteVersions(tx, hidden))
  await inOneTrip(statements)
}

/** What the history stores about a change. */
const toldBy = ({ by: { actor, now }, why }: Pick<Made, 'by' | 'why'>) => ({
  publishedAt: now,
  publisher: { type: actor.type, id: actor.id, name: actor.name },
  reason: why?.reason ?? null,
  comment: why?.comment ?? null,
  audiences: why?.audiences ?? [],
})

/** The history has no author. */
const untold = { publisher: null, reason: null, comment: null, audiences: [] }

/** The file of an environment before its first publish: revision 0, all flags paused. */
export async function firstDataFile(
  tx: Tx,
  environment: Pick<PublishedEnvironment, 'id' | 'key'>,
  flagIds: readonly string[],
): Promise<void> {
  await planByKeys(tx)
  const states = await statesOf(tx, [environment.id], { changed: flagIds, leaving: [] })
  const flags = states.get(environment.id)!.flags.map((flag) => flagRevision(changedFlag(flag)))
  const fragments = flags.flatMap(({ fragment }) => fragment ?? [])
  const file = dataFileOf({ environment, revision: 0, publishedAt: null }, blocksOf(fragments))
  await saveRevisions(tx, [{ file, flags, publishedAt: null, ...untold }], [])
}

/** What a new environment of a web project needs from the beginning. */
export async function firstWebSettings(tx: Tx, envId: string, projectId: string, settings: WebSettings): Promise<void> {
  if (isDeepStrictEqual(settings, defaultWebSettings)) return
  await saveParts(tx, envId, 0, partChanges([], [settingsPart(projectId, settings)]))
}

/**
 * Publishes a new revision for each environment whose data file has an outdated format after an upgrade. Visitors get
 * the same values, so there are no events. Each environment has its own transaction: the next start continues after a
 * crash, and only one of several nodes renews an environment.
 *
 * @param onRefused called with the reason if SDKs would refuse the new file; the environment keeps its file
 */
export async function renewDataFiles(
  db: Db,
  change: Publishing,
  by: Author,
  onRefused: (envId: string, reason: string) => void,
): Promise<void> {
  for (const envId of await outdatedEnvironments(db)) {
    const renewed = await change(async (tx, republish) => {
      const environment = await lockOutdated(tx, envId)
      if (!environment) return null
      await republish(tx, [environment], await flagsOf(tx, envId), by, null)
      await noteRenewed(tx, envId)
      return null
    })
    if (isRefusal(renewed)) onRefused(envId, renewed.message)
  }
}

/**
 * Gives the data file of every environment a higher number, with the same flags, because SDKs never go back to a lower
 * one. No process may serve this database meanwhile.
 */
export async function raiseRevisions(
  db: Db,
  by: number,
  { comment, now }: { comment: string; now: Date },
): Promise<void> {
  for (const envId of await servedEnvironments(db))
    await db.transaction().execute(async (tx) => {
      const row = (await findWhole(tx, envId))!
      const publishedAt = row.publishedAt && now
      const revision = row.revision + by
      const { sections, fragments } = row
      const file = dataFileOf({ environment: row, revision, publishedAt, sections }, blocksOf(fragments))
      await saveRevisions(tx, [{ file, flags: [], publishedAt, ...untold, comment }], [])
    })
}

/** The ETags of all data files: as the service made them last, and of the bytes that it would serve now. */
export async function dataFileTags(db: Db): Promise<{ envId: string; noted: string; served: string }[]> {
  const tags: { envId: string; noted: string; served: string }[] = []
  for (const envId of await servedEnvironments(db)) {
    const row = (await findWhole(db, envId))!
    tags.push({ envId, noted: await notedTag(db, envId), served: wholeFile(row).etag })
  }
  return tags
}

/** A data file, and the keys of its environment. */
export interface LoadedDataFile {
  file: StoredDataFile
  keys: EnvironmentKeys
}

/** Reads the data file of an environment. It only reads what has changed since `held`. */
export async function loadDataFile(
  db: Db,
  envId: string,
  held: StoredDataFile | undefined,
): Promise<LoadedDataFile | undefined> {
  const changed = held && (await findChanged(db, envId, held.revision))
  if (held && changed) {
    const keys = keysIn(changed)
    if (changed.etag === held.etag) return { file: held, keys }
    // A data file does not show what pages need besides it, so its ETag says nothing about that.
    if (changed.webChanged) return loaded(await findWhole(db, envId))
    const { revision, publishedAt } = changed
    const file = dataFileOf(
      { environment: changed, revision, publishedAt, sections: held.sections },
      withChanges(held.blocks, changed.changes),
      held,
    )
    if (file.etag === changed.etag) return { file, keys }
  }
  return loaded(await findWhole(db, envId))
}

export async function findDataFileByKey(db: Db, sdkKey: string): Promise<LoadedDataFile | undefined> {
  return loaded(await findWholeByKey(db, sdkKey))
}

const loaded = (row: WholeDataFile | undefined): LoadedDataFile | undefined =>
  row && { file: wholeFile(row), keys: keysIn(row) }

const keysIn = ({
  id: envId,
  version,
  sdkKeys,
  ingest,
  projectType,
}: Omit<EnvironmentKeys, 'envId'> & { id: string }): EnvironmentKeys => ({
  ...{ envId, version, sdkKeys, ingest, projectType },
})

function wholeFile(row: WholeDataFile): StoredDataFile {
  const { revision, publishedAt, sections, fragments } = row
  return dataFileOf({ environment: row, revision, publishedAt, sections }, blocksOf(fragments))
}
