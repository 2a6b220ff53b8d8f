import { z } from 'zod'
import { jobStatuses, jobTriggers } from '../../../catalogue/jobs.ts'
import { timeField } from '../../../fields.ts'
import type { Job } from '../../../platform/jobs/index.ts'

export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string().meta({
      description:
        'What the job does: `feed_sync`, `catalog_import`, `cost_sync`, `stock_sync`, `order_import`, `catalog_removal`, `catalog_restore`, `dataset_refresh`, `recommendation_run` or `visitor_erasure`. Later versions add more kinds.',
    }),
    source: z
      .object({ type: z.literal('commerce'), id: z.string(), name: z.string() })
      .meta({ description: 'What the job is about. For an erasure, a restore or a removal, this is the project.' }),
    status: z.enum(jobStatuses).meta({
      description:
        'A job that failed because of a temporary fault is `QUEUED` again until its last attempt. `HELD`: a check stopped the job before anything went live.',
    }),
    trigger: z.enum(jobTriggers).meta({ description: 'What started the job.' }),
    attempt: z.int().meta({ description: 'The number of attempts so far.' }),
    dueAt: timeField.meta({ description: 'When a worker can start the job.' }),
    startedAt: timeField.nullable(),
    endedAt: timeField.nullable(),
    progress: z
      .object({ step: z.string(), done: z.int(), of: z.int().nullable() })
      .nullable()
      .meta({ description: 'How far the job is. `of` is null if the total is unknown.' }),
    result: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'What the job has done. For a sync of a feed: `changed`, `rows`, `rowsSkipped`, counts of problems by code in `skipped` and `warnings`, the `catalog` with its revision and counts of items, and the `file`; of one that is held, `guard` has the limit that stopped it, and `guards` has all of them. For a restore: `changed`, the revision that was `restored`, and the `catalog`; for a removal, the same with the `sourceId`. For a version of a dataset: `changed`, `versionId`, `number`, `rows` and `checks`. For a run of a model: `runId`, `runNumber`, `activated`, `products`, `bytes`, `metrics` and the `reason` why it does not serve. For an erasure: `visitors` and `rules` (counts), and the `segments` and `allowlists` that still name one of the visitors, because people configured them.',
    }),
    reason: z.string().nullable().meta({ description: 'Why the job failed, is held, or is retried.' }),
    itemsSkipped: z.int(),
    appliesJobId: z.string().nullable().meta({ description: 'The held job that this job applies.' }),
    retriesJobId: z.string().nullable().meta({ description: 'The failed or cancelled job that this job retries.' }),
    isCancelling: z.boolean().meta({ description: 'Whether a person has cancelled the job and it is still ending.' }),
    sending: z
      .string()
      .nullable()
      .meta({ description: 'What the sender of a file called it, while the job reads the file.' }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Job' })

export function presentJob(job: Job): z.input<typeof jobSchema> {
  const { source, status, dueAt, startedAt, endedAt, createdAt, updatedAt, result, cancelAsked, input } = job
  const { id, kind, trigger, attempt, progress, reason, itemsSkipped, appliesJobId, retriesJobId } = job
  return {
    ...{ id, kind, status, trigger, attempt, progress, reason, itemsSkipped, appliesJobId, retriesJobId },
    source: { type: 'commerce', ...source },
    result: result as Record<string, unknown> | null,
    sending: (input as { sending?: string } | null)?.sending ?? null,
    isCancelling: cancelAsked && (status === 'QUEUED' || status === 'RUNNING'),
    dueAt: dueAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
