import { z } from 'zod'
import { idField } from '../../../../fields.ts'

export const measureBody = z
  .strictObject({
    envId: idField.optional().meta({ description: 'The environment of the test. Default: Production.' }),
    controlShare: z.int().min(100).max(5_000).default(500).meta({
      description: 'The share of visitors who get no recommendations, in basis points.',
    }),
  })
  .meta({ example: { controlShare: 500 } })
