import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { placeSchema } from '../names/index.ts'
import { maxProblems, problemKinds } from './problem.ts'

const objectKinds = [
  'webhook',
  'destination',
  'flag',
  'rule',
  'experiment',
  'environment',
  'job',
  'service_token',
  'personal_token',
  'member',
] as const

const problemSchema = z
  .object({
    kind: z.enum(problemKinds),
    since: timeField,
    object: z
      .object({ kind: z.enum(objectKinds), id: z.string(), name: z.string() })
      .meta({ description: 'What it is about, and where its link leads.' }),
    project: placeSchema.nullable(),
    environment: z.object({ id: z.string(), key: z.string(), name: z.string() }).nullable(),
    flag: placeSchema.nullable(),
    details: z
      .object({
        reason: z.string().optional().meta({
          description:
            'Why a webhook or destination was disabled, a schedule or job failed, results are not whole, or events are stopped: `events` or `bytes` for the quota of the day, `disk` for a disk that is almost full.',
        }),
        job: z.string().optional().meta({ description: 'The kind of a job.' }),
        failures: z.int().optional().meta({ description: 'Deliveries in a row that failed.' }),
        failuresUntilDisabled: z.int().optional(),
        action: z.enum(['RUN', 'PAUSE']).optional().meta({ description: 'Of a schedule.' }),
        runAt: timeField.optional().meta({ description: 'Of a schedule.' }),
        clients: z.int().optional().meta({ description: 'How many clients are behind or silent.' }),
        of: z.int().optional().meta({ description: 'Of how many known clients.' }),
        expiresAt: timeField.optional().meta({ description: 'Of a token.' }),
      })
      .meta({ id: 'ProblemDetails', description: 'The figures of the sentence: only those of this kind.' }),
  })
  .meta({ id: 'Problem' })

export const attentionSchema = z
  .object({
    problems: problemSchema.array().meta({ description: `At most ${maxProblems}, the latest first.` }),
    hasMore: z.boolean(),
  })
  .meta({ id: 'Attention' })
