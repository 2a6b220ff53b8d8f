import { sql } from 'kysely'
import { newId } from '../src/platform/ids.ts'
import { JobFailure, type JobKind, type Schedule, setSchedule } from '../src/platform/jobs/index.ts'
import { authors } from '../src/platform/outbox.ts'
import { announceFailed, announceMissed } from '../src/wings/model/jobs/index.ts'
import type { TestProject, TestService } from './service.ts'

interface TestSource {
  id: string
  /** Its jobs, the oldest first. */
  jobs(): Promise<{ id: string; status: string; trigger: string; input: unknown }[]>
  set(schedule: Schedule | null, name?: string): Promise<void>
  /** Makes a job as a request would. */
  ask(): Promise<void>
}

/** A kind of job whose sources can have schedules, known to each node that was told of it. */
export interface ScheduledKind {
  addTo(...nodes: TestService[]): void
  source(project: TestProject): TestSource
  /** What the next runs do. Default: they end well. */
  runs(work: () => Promise<void>): void
}

const name = 'test_sync'

export function scheduledKind(service: TestService, now: () => Date): ScheduledKind {
  const context = { authorOf: authors([], now), baseUrl: service.baseUrl }
  let work = async () => {}
  const kind: JobKind = {
    ...{ name, queues: false, isConfidential: false, timeLimitMs: 60_000 },
    isTransient: () => false,
    async run() {
      await work()
      return { status: 'SUCCEEDED', result: {} }
    },
    async ended(tx, job) {
      if (job.status === 'FAILED') await announceFailed(tx, context, job, job.reason!)
    },
    found: (tx, job, incident) => announceFailed(tx, context, job, incident),
    scheduling: {
      input: async (_tx, { sourceId }) => ({ of: sourceId }),
      missed: (tx, of, incident) => announceMissed(tx, context, of, 'sources', incident),
    },
  }
  return {
    addTo: (...nodes) => {
      for (const { jobs } of nodes) jobs.add(kind)
    },
    runs(next) {
      work = next
    },
    source({ id: projectId }) {
      const id = newId()
      const source = { id, name: 'Main feed' }
      const inOne = service.db.transaction()
      return {
        id,
        async jobs() {
          const { rows } = await sql<{ id: string; status: string; trigger: string; input: unknown }>`
            select id, status, trigger, input from jobs where source_id = ${id} order by id`.execute(service.db)
          return rows
        },
        set: (schedule, as = source.name) =>
          inOne.execute((tx) =>
            setSchedule(tx, { projectId, sourceId: id, name: as, kind: name, schedule, now: now() }),
          ),
        ask: () =>
          inOne.execute(async (tx) => {
            const wanted = { id: newId(), projectId, kind: name, source, trigger: 'REQUEST', input: {} } as const
            const refusal = await service.jobs.create(tx, { ...wanted, now: now() })
            if (refusal) throw new Error(refusal.message)
          }),
      }
    },
  }
}

export const failing = async (): Promise<void> => {
  throw new JobFailure('The shop did not answer.')
}
