import type { JobTrigger } from '../../catalogue/jobs.ts'
import { type Refusal, refuse } from '../../catalogue/refusals.ts'
import { constraintOf, type Database, type Tx } from '../db/index.ts'
import { newId } from '../ids.ts'
import { type Recurring, recurring } from '../recurring.ts'
import type { Sweep } from '../retention/index.ts'
import { attempt, leaseEnd } from './attempt.ts'
import { findingOf, type Job, NodeStops, watchLimits } from './job.ts'
import type { JobKind, ReceivedFile } from './kind.ts'
import type { JobsObserver } from './metrics.ts'
import {
  type ClaimedJob,
  cancelJob,
  claimJob,
  claimMade,
  countQueued,
  insertJob,
  insertJobUnlessOpen,
  listUntold,
  lockUntold,
  openJob,
  saveIncident,
  sweepJobErrors,
  sweepJobs,
  takeInput,
} from './queries.ts'
import { findMissed, makeDue } from './scheduling.ts'

const pollMs = 1_000
const scheduleMs = 5_000
const watchMs = 30_000
const dayMs = 86_400_000
const keptOfSource = 20
/**
 * Jobs of a source that queue can be asked for without end, and each keeps what it works with. An organization can have any
 * number of projects, and must leave room for others. Calls at the same moment do not see each other, so there can be a few
 * more.
 */
const mostWaiting = { ofSource: 50, ofOrganization: 250, all: 1_000, retryAfterSeconds: 60 }

export interface Jobs extends Recurring {
  /** Adds a kind, before the start. */
  add(kind: JobKind): void
  /** The kinds that only administrators see. */
  confidential(): string[]
  /** Makes a job that is due now, unless too many wait: then nothing has changed. */
  create(tx: Tx, wanted: WantedJob): Promise<Refusal | undefined>
  /** The same for a source that has one open job at a time. Returns false if it has one: then nothing has changed. */
  createUnlessOpen(tx: Tx, wanted: WantedJob): Promise<boolean>
  /** The same for a file that this node receives, whatever its role: the node takes the job as it makes it. */
  createReceived(tx: Tx, wanted: WantedJob): Promise<ClaimedJob | undefined>
  /** Runs such a job to its end, once its transaction is committed. It never rejects for what the job did. */
  receive(job: ClaimedJob, file: ReceivedFile): Promise<void>
  /** Makes a job that does the same once more. Undefined if its source has an open job: then roll back. */
  retry(tx: Tx, job: Job, now: Date): Promise<string | Refusal | undefined>
  /** Ends an open job of which its caller has the lock, or asks the node that has it to stop. */
  cancel(tx: Tx, job: Job, now: Date): Promise<Job>
  /** Makes a job that does what a held one could not. Undefined if its source has an open job: then nothing has changed. */
  apply(tx: Tx, held: Job, now: Date): Promise<string | undefined>
  /** What a job works with that applies a held one. */
  applied(held: Job): unknown
  /** The job of the source that is queued or running. */
  open(sourceId: string, kind: string): Promise<Job | undefined>
  /** Runs all due jobs to their end, also those of slots that have come. The worker does both by itself. */
  run(): Promise<void>
  /** Makes the jobs of all slots that have come. A node that does background work does this every 5 s. */
  schedule(): Promise<void>
  /** Reports jobs that are stuck, and schedules that are not kept. Every node does this every 30 s. */
  watch(): Promise<void>
  watchdog: Recurring
  /** Makes and takes due jobs by itself, from the start on. While it has stopped, `run` still does both. */
  turns: Recurring
  /** Takes no more jobs, and tells those under way to end after their step. `stop` also waits for them. */
  leave(): Promise<void>
}

export interface WantedJob {
  id: string
  projectId: string
  kind: string
  source: Job['source']
  trigger: JobTrigger
  input: unknown
  /** The held job that it applies. */
  appliesJobId?: string
  now: Date
}

interface JobsOptions {
  database: Pick<Database, 'db' | 'kind'>
  now: () => Date
  retryDelaysMs: readonly number[]
  sweeps: Sweep[]
  observe: JobsObserver
  onError: (error: unknown) => void
}

const jobSweeps: Sweep[] = [
  { name: 'job_errors', everyMs: dayMs / 24, keepForMs: 30 * dayMs, sweep: sweepJobErrors },
  {
    name: 'jobs',
    everyMs: dayMs / 24,
    keepForMs: 90 * dayMs,
    sweep: (of, before, limit) => sweepJobs(of, before, keptOfSource, limit),
  },
]

/** Jobs of all kinds: one table, taken like deliveries, each by one node at a time. */
export function openJobs({ database, now, retryDelaysMs, sweeps, observe, onError }: JobsOptions): Jobs {
  const { db, kind: databaseKind } = database
  const mostAtOnce = databaseKind === 'embedded' ? 1 : 2
  const kinds = new Map<string, JobKind>()
  const working = (job: ClaimedJob, stop: AbortController, file?: ReceivedFile) => {
    const kind = kinds.get(job.kind)!
    return attempt({ db, now, retryDelaysMs, observe, onError, job, kind, ...(file && { file }) }, stop).catch(onError)
  }
  const underWay = worked(working)
  /** Jobs whose files this node receives. They wait for no room, because somebody is sending. */
  const received = worked(working)
  let isStopping = false

  sweeps.push(...jobSweeps)
  /** Begins as many due jobs as there is room for. One at a time, so that a claim is never out of sight. */
  const take = inTurn(claimAll)

  async function claimAll(): Promise<void> {
    while (!isStopping && underWay.size() < mostAtOnce) {
      const claimed = await claimJob(db, [...kinds.keys()], { now: now(), until: leaseEnd(now()) }).catch((error) => {
        // Another node was faster with a different job of the source.
        if (constraintOf(error) === 'jobs_one_running') return undefined
        throw error
      })
      if (!claimed) return
      void underWay.begin(claimed)
    }
  }

  async function leave(): Promise<void> {
    isStopping = true
    await turns.stop()
    for (const jobs of [underWay, received]) jobs.leave()
  }

  const slots = () => ({ db, kinds, now: now(), onError, asked: observe.asked })
  const watch = async () => {
    await findSilent(db, kinds, now())
    await findMissed(slots())
  }
  const schedule = () => makeDue(slots())
  const turns = together(recurring(schedule, scheduleMs, onError), recurring(take, pollMs, onError))
  return {
    add: (kind) => void kinds.set(kind.name, kind),
    confidential: () => [...kinds.values()].filter(({ isConfidential }) => isConfidential).map(({ name }) => name),
    ...makingOf(kinds, observe),
    receive: received.begin,
    open: (sourceId, kind) => openJob(db, sourceId, kind),
    async cancel(tx, job, at) {
      const kind = kinds.get(job.kind)
      const isTooLate = (await kind?.outcome?.(tx, job)) !== undefined
      return cancelJob(tx, job.id, { now: at, isTooLate, standing: kind?.standing?.(job) ?? null })
    },
    schedule,
    watch,
    async run() {
      await schedule()
      for (;;) {
        await take()
        if (underWay.size() === 0) return
        await underWay.ended()
      }
    },
    watchdog: recurring(watch, watchMs, onError),
    turns,
    start: turns.start,
    leave,
    async stop() {
      await leave()
      await Promise.all([underWay.ended(), received.ended()])
    },
  }
}

const together = (...all: Recurring[]): Recurring => ({
  start() {
    for (const each of all) each.start()
  },
  stop: async () => void (await Promise.all(all.map((each) => each.stop()))),
})

/** Jobs that this node works on. */
function worked(work: (job: ClaimedJob, stop: AbortController, file?: ReceivedFile) => Promise<void>) {
  const jobs = new Map<string, { done: Promise<void>; stop: AbortController }>()
  let hasLeft = false
  return {
    size: () => jobs.size,
    begin(job: ClaimedJob, file?: ReceivedFile): Promise<void> {
      const stop = new AbortController()
      const done = work(job, stop, file).finally(() => jobs.delete(job.id))
      jobs.set(job.id, { done, stop })
      // One that begins while the node stops ends at its next step.
      if (hasLeft) stop.abort(new NodeStops())
      return done
    },
    leave() {
      hasLeft = true
      for (const { stop } of jobs.values()) stop.abort(new NodeStops())
    },
    async ended() {
      await Promise.all([...jobs.values()].map(({ done }) => done))
    },
  }
}

/** How jobs are made that somebody asks for. */
function makingOf(
  kinds: ReadonlyMap<string, JobKind>,
  observe: JobsObserver,
): Pick<Jobs, 'create' | 'createUnlessOpen' | 'createReceived' | 'retry' | 'apply' | 'applied'> {
  // A newer node can have made the kind known.
  const rowQueues = (kind: string) => kinds.get(kind)?.queues ?? true
  const rowOf = (wanted: WantedJob, retriesJobId: string | null) => ({
    ...wanted,
    ...{ queues: rowQueues(wanted.kind), retriesJobId, dueAt: wanted.now },
  })
  const insertUnlessOpen = async (tx: Tx, wanted: WantedJob, retriesJobId: string | null) => {
    const isMade = await insertJobUnlessOpen(tx, rowOf(wanted, retriesJobId))
    if (isMade) observe.asked(wanted.kind)
    return isMade
  }
  const applied = (held: Job) => kinds.get(held.kind)?.applying?.(held) ?? {}
  return {
    applied,
    async create(tx, wanted) {
      const refusal = await refusesWaiting(tx, wanted)
      if (refusal) return refusal
      await insertJob(tx, rowOf(wanted, null))
      observe.asked(wanted.kind)
    },
    createUnlessOpen: (tx, wanted) => insertUnlessOpen(tx, wanted, null),
    async createReceived(tx, wanted) {
      const isMade = await insertUnlessOpen(tx, wanted, null)
      return isMade ? claimMade(tx, wanted.id, { now: wanted.now, until: leaseEnd(wanted.now) }) : undefined
    },
    async apply(tx, held, at) {
      const id = newId()
      const { projectId, kind, source } = held
      const wanted = {
        id,
        projectId,
        kind,
        source,
        trigger: 'REQUEST',
        input: applied(held),
        appliesJobId: held.id,
        now: at,
      } as const
      return (await insertUnlessOpen(tx, wanted, null)) ? id : undefined
    },
    async retry(tx, job, at) {
      const id = newId()
      const { projectId, kind, source, trigger, appliesJobId } = job
      const refusal = rowQueues(kind) ? await refusesWaiting(tx, job) : undefined
      if (refusal) return refusal
      const taken = await takeInput(tx, job.id)
      const input = kinds.get(kind)?.again?.(taken) ?? taken
      const applies = appliesJobId !== null && { appliesJobId }
      const wanted = { id, projectId, kind, source, trigger, input, ...applies, now: at }
      const isMade = await insertUnlessOpen(tx, wanted, job.id)
      return isMade ? id : undefined
    },
  }
}

async function refusesWaiting(
  tx: Tx,
  wanted: Pick<Job, 'kind' | 'projectId' | 'source'>,
): Promise<Refusal | undefined> {
  const { ofSource, ofOrganization, all } = await countQueued(tx, wanted)
  const { retryAfterSeconds } = mostWaiting
  const limited = (what: string) =>
    refuse('rate_limited', `${what} wait already. Ask again when some of them have ended.`, { retryAfterSeconds })
  if (ofSource >= mostWaiting.ofSource) return limited(`${mostWaiting.ofSource} jobs of this kind`)
  if (ofOrganization >= mostWaiting.ofOrganization)
    return limited(`${mostWaiting.ofOrganization} jobs of the organization`)
  if (all < mostWaiting.all) return undefined
  return refuse('unavailable', 'The service has too many jobs that wait. Try again later.', { retryAfterSeconds })
}

/** Begins the work when that of the call before has ended. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  return async () => {
    while (underWay) await underWay.catch(() => undefined)
    underWay = work().finally(() => {
      underWay = undefined
    })
    await underWay
  }
}

/**
 * Notes what is wrong with stuck jobs, and hands it to the owner of the kind, once for each incident. Each job has its own
 * transaction, so that it never waits for the counter of events while it holds that of another project.
 */
async function findSilent(db: Database['db'], kinds: ReadonlyMap<string, JobKind>, now: Date): Promise<void> {
  const names = [...kinds.keys()]
  const before = new Date(now.getTime() - watchLimits.silentMs)
  for (const id of await listUntold(db, names, before))
    await db.transaction().execute(async (tx) => {
      const job = await lockUntold(tx, id, names, before)
      const incident = job ? findingOf(job, now) : null
      if (!job || incident === null) return
      await saveIncident(tx, job.id, incident, now)
      await kinds.get(job.kind)!.found(tx, job, incident)
    })
}
