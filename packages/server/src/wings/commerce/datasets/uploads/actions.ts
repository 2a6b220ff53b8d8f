import { createHash } from 'node:crypto'
import { notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { findJob, type Job, type Jobs, openJob } from '../../../../platform/jobs/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import { recordJob } from '../../../model/jobs/index.ts'
import { maxRows } from '../dataset.ts'
import {
  deleteVersion,
  insertArriving,
  insertChunk,
  keepDataset,
  nextChunk,
  refreshKind,
  saveArrived,
  type VersionRow,
} from '../queries.ts'
import { packed, type Related, relating, rowsOfChunk, unpacked } from './chunks.ts'
import { BrokenFile, type Pair, readPairs } from './rows.ts'

interface Which {
  orgId: string
  projectId: string
  id: string
}

/**
 * Stores the rows of a file while it comes, and makes the job that checks them. Until then they are no version, and what
 * an upload leaves that did not end is swept.
 */
export async function takeUpload(
  { db, jobs }: { db: Db; jobs: Jobs },
  by: Author,
  which: Which,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Job | Refusal> {
  const versionId = newId()
  await insertArriving(db, { id: versionId, datasetId: which.id, now: by.now })
  try {
    const stored = await storeRows(db, versionId, bytes)
    const job = 'refusal' in stored ? stored : await queueUpload({ db, jobs }, by, { ...which, versionId })
    if ('refusal' in job) await deleteVersion(db, versionId)
    return job
  } catch (error) {
    await deleteVersion(db, versionId).catch(() => undefined)
    throw error
  }
}

async function storeRows(db: Db, versionId: string, bytes: AsyncIterable<Uint8Array>): Promise<Refusal | object> {
  const hash = createHash('sha256')
  let pairs: Pair[] = []
  let chunks = 0
  let rows = 0
  const store = async () => {
    if (pairs.length === 0) return
    const { lines, bytes: chunk } = packed(pairs)
    hash.update(lines)
    await insertChunk(db, { versionId, number: chunks, rows: pairs.length, bytes: chunk })
    chunks += 1
    pairs = []
  }
  try {
    for await (const pair of readPairs(bytes)) {
      rows += 1
      if (rows > maxRows)
        return refuse('validation_failed', `A version can have up to ${maxRows.toLocaleString('en')} rows.`)
      pairs.push(pair)
      if (pairs.length === rowsOfChunk) await store()
    }
  } catch (error) {
    if (error instanceof BrokenFile) return refuse('validation_failed', error.message)
    throw error
  }
  if (rows === 0) return refuse('validation_failed', 'The file has no row.')
  await store()
  await saveArrived(db, versionId, { rows, sha256: hash.digest('hex') })
  return {}
}

/** A file is not that of another job, so it is refused while one is open. */
const queueUpload = (
  { db, jobs }: { db: Db; jobs: Jobs },
  by: Author,
  { orgId, projectId, id: datasetId, versionId }: Which & { versionId: string },
): Promise<Job | Refusal> =>
  inTransaction(db, async (tx) => {
    const dataset = await keepDataset(tx, datasetId)
    if (!dataset) return notFound('Dataset')
    const id = newId()
    const source = { id: datasetId, name: dataset.name }
    const wanted = { id, projectId, kind: refreshKind, source, trigger: 'UPLOAD' } as const
    if (!(await jobs.createUnlessOpen(tx, { ...wanted, input: { arrived: versionId }, now: by.now }))) {
      const job = await openJob(tx, datasetId, refreshKind)
      return refuse('invalid_state', 'A job of this dataset is queued or running. Send the file after its end.', {
        ...(job && { current: job.status, references: [{ type: 'job', id: job.id }] }),
      })
    }
    await recordJob(tx, by, { ...wanted, orgId, status: 'QUEUED' }, 'request', { after: { datasetId } })
    return (await findJob(tx, { orgId, projectId }, id))!
  })

/** The rows of an uploaded version, as columns. */
export async function relatedOf(
  db: Db,
  { id, rows }: Pick<VersionRow, 'id' | 'rows'>,
  progress: (done: number) => Promise<void> = async () => {},
): Promise<Related> {
  const related = relating(rows)
  for (let after = -1; ; after += 1) {
    const chunk = await nextChunk(db, id, after)
    if (!chunk) return related.end()
    related.add(unpacked(chunk))
    await progress(related.size())
  }
}

/** The first rows of an uploaded version. */
export async function firstPairs(db: Db, versionId: string, most: number): Promise<Pair[]> {
  const chunk = await nextChunk(db, versionId, -1)
  return chunk ? unpacked(chunk).slice(0, most) : []
}
