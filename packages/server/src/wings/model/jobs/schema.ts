import { z } from 'zod'
import { jobStatuses, jobTriggers } from '../../../catalogue/jobs.ts'
import { timeField } from '../../../fields.ts'
import type { Job } from '../../../platform/jobs/index.ts'

export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string().meta({ description: 'What it does: `visitor_erasure`. Later versions add more.' }),
    source: z
      .object({ type: z.literal('commerce'), id: z.string(), name: z.string() })
      .meta({ description: 'What it is about. For an erasure, this is the project.' }),
    status: z.enum(jobStatuses).meta({
      description:
        'A job that failed because of a passing fault is `QUEUED` again until its last try. `HELD`: a check stopped it before anything went live.',
    }),
    trigger: z.enum(jobTriggers).meta({ description: 'What made the job.' }),
    attempt: z.int().meta({ description: 'Tries so far.' }),
    dueAt: timeField.meta({ description: 'From when on a worker takes it.' }),
    startedAt: timeField.nullable(),
    endedAt: timeField.nullable(),
    progress: z
      .object({ step: z.string(), done: z.int(), of: z.int().nullable() })
      .nullable()
      .meta({ description: 'How far it is. `of` is null if that is not known.' }),
    result: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'What it has done. For an erasure: `visitors` and `rules` (counts), and the `segments` and `allowlists` that name one of the visitors and keep it, because people configured them.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it failed or is tried again.' }),
    itemsSkipped: z.int(),
    appliesJobId: z.string().nullable().meta({ description: 'The held job that it applies.' }),
    retriesJobId: z.string().nullable().meta({ description: 'The failed or cancelled job that it repeats.' }),
    isCancelling: z.boolean().meta({ description: 'Whether it was asked to stop and has not ended yet.' }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Job' })

export function presentJob(job: Job): z.input<typeof jobSchema> {
  const { source, status, dueAt, startedAt, endedAt, createdAt, updatedAt, result, cancelAsked } = job
  const { id, kind, trigger, attempt, progress, reason, itemsSkipped, appliesJobId, retriesJobId } = job
  return {
    ...{ id, kind, status, trigger, attempt, progress, reason, itemsSkipped, appliesJobId, retriesJobId },
    source: { type: 'commerce', ...source },
    result: result as Record<string, unknown> | null,
    isCancelling: cancelAsked && (status === 'QUEUED' || status === 'RUNNING'),
    dueAt: dueAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
