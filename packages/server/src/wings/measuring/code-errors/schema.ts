import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { maxErrorsPerExperiment, maxVisitorsPerError } from './error.ts'

export const codeErrorsSchema = z
  .object({
    id: z.string(),
    variationKey: z.string(),
    codeVersion: z
      .string()
      .meta({ description: 'The beginning of the SHA-256 of the code. A new code has new errors.' }),
    message: z.string(),
    line: z.int().nullable().meta({ description: 'Within the code, from 1; null if it is not known.' }),
    excerpt: z.string().nullable().meta({ description: 'This line of the code.' }),
    count: z.int().meta({ description: 'How often it was thrown. A page view tells at most 5 errors.' }),
    visitors: z.int().meta({ description: `How many visitors have met it, at most ${maxVisitorsPerError}.` }),
    share: z.number().nullable().meta({
      description:
        'Of the visitors of the variation in the last snapshot, 0 to 1. Null before the first snapshot, and without the scope `results:read`.',
    }),
    firstSeenAt: timeField,
    lastSeenAt: timeField,
  })
  .meta({ id: 'CodeError' })
  .array()
  .meta({ description: `At most ${maxErrorsPerExperiment}, those that most visitors have met first.` })
