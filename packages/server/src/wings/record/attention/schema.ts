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
  'source',
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
      .meta({ description: 'What the problem is about. Its link leads there.' }),
    project: placeSchema.nullable(),
    environment: z.object({ id: z.string(), key: z.string(), name: z.string() }).nullable(),
    flag: placeSchema.nullable(),
    details: z
      .object({
        reason: z.string().optional().meta({
          description:
            'Why a webhook or destination was disabled, a schedule or job failed, results are incomplete, what the code of an experiment has thrown, or why events are refused: `events` or `bytes` for the quota of the day, `disk` for a disk that is full or almost full.',
        }),
        variation: z.string().optional().meta({ description: 'The key of the variation whose code fails.' }),
        job: z.string().optional().meta({ description: 'The kind of a job.' }),
        failures: z.int().optional().meta({ description: 'The number of consecutive deliveries that failed.' }),
        failuresUntilDisabled: z.int().optional(),
        action: z.enum(['RUN', 'PAUSE']).optional().meta({ description: 'What the schedule does.' }),
        runAt: timeField.optional().meta({ description: 'When the schedule runs.' }),
        clients: z.int().optional().meta({ description: 'How many clients are behind or silent.' }),
        of: z.int().optional().meta({ description: 'How many clients are known.' }),
        expiresAt: timeField.optional().meta({ description: 'When the token expires.' }),
      })
      .meta({ id: 'ProblemDetails', description: 'Details of the problem. Each kind has its own fields.' }),
  })
  .meta({ id: 'Problem' })

export const attentionSchema = z
  .object({
    problems: problemSchema.array().meta({ description: `At most ${maxProblems}, the latest first.` }),
    hasMore: z.boolean(),
  })
  .meta({ id: 'Attention' })
