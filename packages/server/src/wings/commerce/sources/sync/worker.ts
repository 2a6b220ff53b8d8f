import { isRefusal } from '../../../../catalogue/refusals.ts'
import { type Db, isUnavailable, type Tx } from '../../../../platform/db/index.ts'
import { LeaseLost } from '../../../../platform/due-rows.ts'
import {
  type Job,
  JobFailure,
  type JobKind,
  lastResult,
  type OwnedJob,
  type Run,
  sendAgain,
} from '../../../../platform/jobs/index.ts'
import type { Outbound } from '../../../../platform/outbound/index.ts'
import { type Authors, systemActor } from '../../../../platform/outbox.ts'
import type { Seal } from '../../../../platform/seal.ts'
import { countLiveOf, countValuesOf, findCatalog, hasChangedItems } from '../../../model/catalog/index.ts'
import { announceFailed, announceMissed, jobBody } from '../../../model/jobs/index.ts'
import { FeedFault } from '../../feeds/index.ts'
import { credentialsFor } from '../actions.ts'
import { catalogImportKind, costSyncKind, feedSyncKind, stockSyncKind, syncKinds } from '../job-kinds.ts'
import { findSource, type Source } from '../queries.ts'
import { isPaged } from './file/pages.ts'
import { type FetchedFile, fetchFile, fetchPages, receivedFile } from './file/store.ts'
import { findingsOf, guardText } from './guard.ts'
import { acceptedOf, type KnownFile, knownFile, readAs, type SyncInput, type SyncResult, syncInput } from './input.ts'
import { showRevision } from './showing/actions.ts'
import { countsOfValues, readAllValues, removeUnseenValues } from './values/actions.ts'
import {
  atIntervals,
  begin,
  countsOf,
  expectTurn,
  letGo,
  lost,
  readAll,
  removeUnseen,
  type Sums,
  type Writing,
} from './writing/actions.ts'

export interface Syncing {
  db: Db
  seal: Seal
  outbound: Outbound
  authorOf: Authors
  baseUrl: string
  now: () => Date
}

const timeLimitMs = 30 * 60_000

/**
 * The syncs of feeds and supplements: fetched, read, compared with the live items, guarded, and made visible as one
 * revision. Until then nobody sees anything of it, and an attempt that ends early leaves nothing behind.
 */
export const syncJobs = (context: Syncing): JobKind[] => [
  ...[feedSyncKind, costSyncKind, stockSyncKind].map((name) => fetching(context, name)),
  // The same with a file that is sent, read while it comes.
  reading(context, catalogImportKind),
]

const fetching = (context: Syncing, name: string): JobKind => ({
  ...reading(context, name),
  scheduling: {
    input: async () => ({}),
    missed: (tx, of, incident) => announceMissed(tx, context, of, 'sources', incident),
  },
})

const reading = (context: Syncing, name: string): JobKind => ({
  name,
  queues: false,
  isConfidential: false,
  timeLimitMs,
  isTransient: isUnavailable,
  run: (run) => sync(context, run),
  async outcome(_db, { input }) {
    const activated = syncInput.safeParse(input).data?.activated
    return activated && succeeded(activated)
  },
  async ended(tx, job) {
    if (job.status === 'FAILED' || job.status === 'HELD') await announceFailed(tx, context, job, job.reason ?? '')
    // One with a change was recorded with the change.
    if (job.status === 'SUCCEEDED' && !(job.result as SyncResult).changed) await announceUnchanged(tx, context, job)
  },
  applying: ({ input, result }) => ({ accepted: acceptedOf(syncInput.parse(input ?? {}), result as SyncResult) }),
  again: (input) => ({ accepted: syncInput.parse(input).accepted }),
  found: (tx, job, incident) => announceFailed(tx, context, job, incident),
})

async function sync(context: Syncing, run: Run) {
  const input = syncInput.parse(run.job.input)
  const { db, outbound, seal } = context
  const source = await findSource(db, run.job.source.id)
  if (!source) throw new JobFailure('The source was deleted.')
  if (run.job.trigger === 'UPLOAD') {
    if (!run.file) throw new JobFailure(`The service was stopped. ${sendAgain}`)
    return written(context, run, { source, file: receivedFile(run.file), input })
  }
  if (source.url === null) throw new JobFailure('The source has no url.')
  const credentials = await credentialsFor(db, seal, source)
  if (isRefusal(credentials)) throw new JobFailure(credentials.message)
  await expectTurn(context, run)
  const known = await knownOf(db, source)
  const fetchAll = isPaged(source) ? fetchPages : fetchFile
  const file = await fetchAll({
    ...{ download: outbound.download, url: source.url, credentials, known, signal: run.signal },
    progress: atIntervals((bytes) => run.progress({ step: 'FETCH', done: bytes, of: null })),
  })
  if (file === null) return succeeded(await unchanged(db, run, source, known!))
  try {
    if (file.sha256 === known?.sha256)
      return succeeded(await unchanged(db, run, source, { ...known, ...knownAs(source, file) }))
    return await written(context, run, { source, file, input })
  } finally {
    await file.close()
  }
}

/** The file of the last success, unless reading it once more could change something. */
async function knownOf(db: Db, source: Source): Promise<KnownFile | null> {
  const known = knownFile(await lastResult(db, source.id, syncKinds), source)
  if (known?.itemsOf === undefined) return known
  return (await hasChangedItems(db, { projectId: source.projectId, revision: known.itemsOf })) ? null : known
}

const knownAs = (source: Source, { headers, sha256 }: FetchedFile): KnownFile => ({
  ...{ etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null },
  ...{ sha256, readAs: readAs(source) },
})

const succeeded = (result: SyncResult) => ({ status: 'SUCCEEDED', result, itemsSkipped: result.rowsSkipped }) as const

/** The file is the one of the last success. No row of it is read. */
async function unchanged(db: Db, { job }: Run, { type }: Source, file: KnownFile): Promise<SyncResult> {
  const { projectId } = job
  const catalog = await findCatalog(db, { orgId: job.orgId, projectId })
  const count = type === 'SUPPLEMENT' ? countValuesOf : countLiveOf
  const live = await count(db, { projectId, sourceId: job.source.id })
  return {
    ...{ changed: false, rows: 0, rowsSkipped: 0, skipped: {}, warnings: {}, file },
    catalog: { revision: catalog?.revision ?? 0, added: 0, changed: 0, removed: 0, unchanged: live },
  }
}

interface Wanted {
  source: Source
  file: FetchedFile
  input: SyncInput
}

const ofItems = { read: readAll, count: countsOf, removeUnseen }
const ofValues = { read: readAllValues, count: countsOfValues, removeUnseen: removeUnseenValues }

async function written(context: Syncing, run: Run, wanted: Wanted) {
  const writing = await begin(context, run)
  const ways = wanted.source.type === 'SUPPLEMENT' ? ofValues : ofItems
  try {
    const sums = await ways.read(context, run, wanted, writing)
    const counts = await ways.count(context, run, wanted.source, sums, writing)
    const found = findingsOf(counts, wanted.source.guards, wanted.input.accepted)
    if (found.length > 0) {
      if (!(await letGo(context, run, writing))) throw lost()
      const reason = found.map(guardText).join(' ')
      const result: SyncResult = { ...resultOf(sums, writing, wanted), guard: found[0]!, guards: found }
      return { status: 'HELD', reason, result, itemsSkipped: result.rowsSkipped } as const
    }
    if (wanted.source.mode === 'FULL') await ways.removeUnseen(context, run, sums, writing)
    return succeeded(await makeVisible(context, run, wanted, sums, writing))
  } catch (error) {
    // Whoever takes the job next undoes what is left.
    if (!(error instanceof LeaseLost)) await letGo(context, run, writing).catch(() => false)
    if (error instanceof FeedFault)
      throw new JobFailure(error.line === null ? error.message : `Line ${error.line}: ${error.message}`)
    throw error
  }
}

/** Why rows are skipped that count when other sources have changed the catalog. */
const dependingOnOthers = ['owned_by_other_source', 'unknown_item', 'too_many_items']

/** What a sync has come to, before anything of it is visible. */
const resultOf = (
  { rows, rowsSkipped, report, changes, hasNames }: Sums,
  { revision }: Writing,
  { source, file }: Wanted,
): SyncResult => ({
  ...{ changed: false, rows, rowsSkipped, skipped: report.skipped, warnings: report.warnings },
  catalog: { revision, ...changes },
  // When the other source has gone or items have come, more rows of the same file count.
  file: {
    ...knownAs(source, file),
    ...(hasNames && { itemsOf: revision }),
    ...(dependingOnOthers.some((code) => report.skipped[code]) && { readAs: null }),
  },
})

const makeVisible = (context: Syncing, run: Run, wanted: Wanted, sums: Sums, writing: Writing): Promise<SyncResult> => {
  const { job } = run
  const { sourceId } = writing
  const before = resultOf(sums, writing, wanted)
  return showRevision(context, run, writing, sums, {
    sourceId,
    result: (changed, revision) => ({ ...before, changed, catalog: { ...before.catalog, revision } }),
    record(tx, by, { about, result }) {
      const { action, event } = endedAs(job.kind, payloadOf(context.baseUrl, job, result))
      return by.record(tx, { ...about, action, after: { jobId: job.id, sourceId, ...result.catalog }, events: [event] })
    },
  })
}

const announceUnchanged = (tx: Tx, { authorOf, baseUrl }: Syncing, job: OwnedJob): Promise<void> =>
  authorOf(systemActor('jobs')).announce(
    tx,
    { orgId: job.orgId, projectId: job.projectId },
    endedAs(job.kind, payloadOf(baseUrl, job, job.result as SyncResult)).event,
  )

type Ended = ReturnType<typeof payloadOf>

/** What is told of the end of a job, by its kind. */
const endedAs = (kind: string, payload: Ended) =>
  kind === feedSyncKind
    ? { action: 'catalog.sync' as const, event: { name: 'catalog.feed_sync.completed' as const, payload } }
    : { action: 'catalog.import' as const, event: { name: 'commerce.import.completed' as const, payload } }

const payloadOf = (baseUrl: string, job: Job, { changed, rowsSkipped, catalog }: SyncResult) => ({
  ...jobBody(baseUrl, job),
  ...{ itemsSkipped: rowsSkipped, changed, catalog },
})
