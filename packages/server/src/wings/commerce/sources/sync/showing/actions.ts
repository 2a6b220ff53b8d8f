import type { Tx } from '../../../../../platform/db/index.ts'
import { addToInput, type Run } from '../../../../../platform/jobs/index.ts'
import { type Author, type Authors, systemActor } from '../../../../../platform/outbox.ts'
import { activate, endWriting, isWriting, lockCatalog } from '../../../../model/catalog/index.ts'
import { type ItemSums, lost, type Writing } from '../writing/actions.ts'

/** A revision that has just become visible. */
interface Shown<Result> {
  /** What its audit entry says in any case. */
  about: {
    orgId: string
    projectId: string
    object: { type: 'catalog'; id: string; name: string }
    before: { revision: number }
  }
  catalog: { id: string; revision: number; items: number; products: number }
  result: Result
}

interface Showing<Result> {
  /** The source that brought the items; null: none did. */
  sourceId: string | null
  /** Throws if what was written must not be shown any more. */
  check?(tx: Tx): Promise<void>
  /** The result of the job. Its revision is the visible one. */
  result(changed: boolean, revision: number): Result
  /** Writes the audit entry and the events. */
  record(tx: Tx, by: Author, shown: Shown<Result>): Promise<void>
}

/** Makes what was written visible as one revision. Without a change, there is none. */
export const showRevision = <Result extends object>(
  { now, authorOf }: { now: () => Date; authorOf: Authors },
  { job, write }: Run,
  writing: Writing,
  { changes, moreProducts }: ItemSums,
  { sourceId, check, result: resultOf, record }: Showing<Result>,
): Promise<Result> =>
  write(async (tx) => {
    const { projectId, revision: before } = writing
    const { orgId } = job
    const catalog = await lockCatalog(tx, { orgId, projectId }, now())
    if (catalog?.revision !== before || !(await isWriting(tx, projectId, writing))) throw lost()
    await check?.(tx)
    if (changes.added + changes.changed + changes.removed === 0) {
      await endWriting(tx, projectId)
      return resultOf(false, before)
    }
    const by = authorOf(systemActor('jobs'))
    const { type, id, name } = by.actor
    const revision = before + 1
    const made = { madeBy: { type, id, name }, jobId: job.id, sourceId, now: now() }
    const counts = await activate(tx, { projectId, revision, ...changes, moreProducts, ...made })
    const result = resultOf(true, revision)
    const object = { type: 'catalog', id: catalog.id, name: catalog.projectName } as const
    const about = { orgId, projectId, object, before: { revision: before } }
    await record(tx, by, { about, catalog: { id: catalog.id, revision, ...counts }, result })
    // If this node dies now, the next one only writes how the job ended.
    await addToInput(tx, job, { activated: result })
    return result
  })
