import { randomUUID } from 'node:crypto'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isUnavailable, type Tx } from '../../../platform/db/index.ts'
import { LeaseLost } from '../../../platform/due-rows.ts'
import { newId } from '../../../platform/ids.ts'
import {
  addToInput,
  JobFailure,
  type JobKind,
  type Jobs,
  type OwnedJob,
  type Run,
} from '../../../platform/jobs/index.ts'
import { type Author, type Authors, systemActor } from '../../../platform/outbox.ts'
import type { Signer } from '../../../platform/sign.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import type { Project } from '../../flags/projects/index.ts'
import { announceFailed, recordJob } from '../../model/jobs/index.ts'
import { forgetVisitors, hashOfUnit } from '../code-errors/index.ts'
import { keepAsCounted, type MeasuredPlace, renameUnits, rulesKnowing } from '../counting/index.ts'
import type { EventStore } from '../events/index.ts'
import { renameInOrders } from '../orders/index.ts'
import type { SnapshotWorker } from '../results/index.ts'
import { forgetSeen } from '../seen/index.ts'
import { type ErasureInput, erasureInput, erasureKind } from './erasure.ts'
import { environmentsOf, namingUnits, placesOf } from './queries.ts'

export interface Erasing {
  db: Db
  events: EventStore
  snapshots: Pick<SnapshotWorker, 'refreshThen' | 'withoutSnapshots'>
  jobs: Jobs
  authorOf: Authors
  signer: Signer
  baseUrl: string
}

const timeLimitMs = 30 * 60_000

/** Asks for the erasure of visitors. Returns the job. */
export async function requestErasure(
  { db, jobs, signer }: Pick<Erasing, 'db' | 'jobs' | 'signer'>,
  by: Author,
  { id: projectId, orgId, name }: Project,
  units: readonly string[],
): Promise<string | Refusal> {
  const id = newId()
  const input: ErasureInput = { units: [...units], ruleIds: [], hasBegun: false }
  const asked = await inTransaction(db, async (tx) => {
    const wanted = { id, projectId, kind: erasureKind, source: { id: projectId, name }, trigger: 'REQUEST' } as const
    const refusal = await jobs.create(tx, { ...wanted, input, now: by.now })
    if (refusal) return refusal
    // The hash can later show whether a visitor was erased, but it does not reveal the visitor.
    const after = { visitors: units.length, hashes: units.map((unit) => signer.sign(`${projectId} ${unit}`)) }
    await recordJob(tx, by, { ...wanted, orgId, status: 'QUEUED' }, 'request', { after })
    return id
  })
  return isRefusal(asked) ? asked : id
}

/**
 * The erasure of visitors. First what they did is counted to the end, then their events are deleted, and then they get
 * random names in everything that was counted. So results do not move. Each step can be done again.
 */
export const erasing = (context: Erasing): JobKind => ({
  name: erasureKind,
  queues: true,
  isConfidential: true,
  timeLimitMs,
  isTransient: isUnavailable,
  run: (run) => erase(context, run),
  standing: ({ input }) =>
    erasureInput.safeParse(input).data?.hasBegun
      ? 'Events of the visitors are deleted, and their ids can still be in what was counted. Retry the job to finish it.'
      : null,
  async ended(tx, job) {
    if (job.status === 'SUCCEEDED') await recordErased(tx, context, job)
    if (job.status === 'FAILED') await announceFailed(tx, context, job, job.reason ?? '')
  },
  found: (tx, job, incident) => announceFailed(tx, context, job, incident),
})

async function erase({ db, events, snapshots }: Erasing, run: Run) {
  const { job, signal, progress } = run
  const { projectId } = job
  const input = erasureInput.parse(job.input)
  const { units } = input
  // Each attempt has names of its own: a visitor can come back between two, to a rule that knows the first name.
  const renaming = { units, as: units.map(() => randomUUID()) }
  const envIds = await environmentsOf(db, projectId)
  const rules = await concerned({ db, events }, run, input, envIds)
  for (const [done, rule] of rules.entries()) {
    await progress({ step: 'COUNT', done, of: rules.length })
    await alone(snapshots.refreshThen(rule, (tx) => keepAsCounted(tx, rule.ruleId, units)))
  }
  await progress({ step: 'DELETE', done: 0, of: null })
  await run.write((tx) => addToInput(tx, job, { hasBegun: true }))
  await events.deleteUnits({ envIds, units }, signal)
  await forgetVisitors(db, projectId, units.map(hashOfUnit))
  for (const [done, rule] of rules.entries()) {
    await progress({ step: 'RENAME', done, of: rules.length })
    await alone(snapshots.withoutSnapshots(rule, (tx) => renameUnits(tx, rule.ruleId, renaming)))
  }
  await run.write(async (tx) => {
    await renameInOrders(tx, envIds, renaming)
    await forgetSeen(tx, envIds, units)
  })
  const named = await namingUnits(db, projectId, units)
  return { status: 'SUCCEEDED', result: { visitors: units.length, rules: rules.length, ...named } } as const
}

/** The rules that have counted the visitors or are about to. They are noted before the events are deleted. */
async function concerned(
  { db, events }: Pick<Erasing, 'db' | 'events'>,
  { job, signal, write }: Run,
  { units, ruleIds }: ErasureInput,
  envIds: readonly string[],
): Promise<MeasuredPlace[]> {
  const exposed = await events.rulesExposedTo({ envIds, units }, signal)
  const known = await rulesKnowing(db, job.projectId, units)
  const all = [...new Set([...ruleIds, ...exposed, ...known])]
  await write((tx) => addToInput(tx, job, { ruleIds: all }))
  return placesOf(db, job.projectId, all)
}

async function alone(work: Promise<boolean>): Promise<void> {
  const isDone = await work.catch((error) => {
    if (error instanceof LeaseLost) return false
    throw error
  })
  if (!isDone)
    throw new JobFailure('Another node was computing the results of a test with these visitors.', { isTransient: true })
}

async function recordErased(
  tx: Tx,
  { authorOf }: Erasing,
  { projectId, orgId, projectName, result }: OwnedJob,
): Promise<void> {
  const { visitors } = result as { visitors: number }
  await authorOf(systemActor('erasure')).record(tx, {
    orgId,
    projectId,
    action: 'project.erase_visitors',
    object: { type: 'project', id: projectId, name: projectName },
    after: { visitors },
    events: [{ name: 'visitor.erased', payload: { visitors } }],
  })
}
