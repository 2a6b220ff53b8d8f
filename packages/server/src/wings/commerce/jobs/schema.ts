import { z } from 'zod'
import { jobStatuses } from '../../../catalogue/jobs.ts'
import { idField } from '../../../fields.ts'

export const jobParams = { projectId: idField, jobId: idField }

export const jobFilters = {
  kind: z.string().optional().meta({ description: 'Only jobs of this kind.' }),
  status: z.enum(jobStatuses).optional(),
  sourceId: idField.optional().meta({ description: 'Only jobs of this source.' }),
}

export const jobErrorSchema = z
  .object({
    line: z.int().nullable(),
    itemId: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    isWarning: z.boolean().meta({ description: 'Whether this is only a warning: the row was used.' }),
  })
  .meta({ id: 'JobError' })
