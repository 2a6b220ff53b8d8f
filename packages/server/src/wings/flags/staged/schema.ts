import { z } from 'zod'
import { idField } from '../../../fields.ts'

export const stagedQuery = {
  flagId: idField.optional().meta({ description: 'Lists only this flag: what publishing it alone would make live.' }),
}

const maxPathLength = 300
const maxPaths = 2000

export const discardBody = z.strictObject({
  flagId: idField,
  paths: z
    .string()
    .max(maxPathLength)
    .array()
    .min(1, 'must have at least one path.')
    .max(maxPaths)
    .refine((paths) => new Set(paths).size === paths.length, 'must not have a path twice.')
    .meta({ description: 'Paths from the list of staged changes.', examples: [['overrides']] }),
})
