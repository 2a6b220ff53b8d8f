import { z } from 'zod'
import { idField } from '../../../fields.ts'

export const stagedQuery = {
  flagId: idField.optional().meta({ description: 'Lists only this flag: what publishing it alone would make live.' }),
  experimentId: idField.optional().meta({ description: 'Lists only this web experiment.' }),
}

const maxPathLength = 300
const maxPaths = 2000

export const discardBody = z
  .strictObject({
    flagId: idField.optional(),
    experimentId: idField.optional().meta({ description: 'A web experiment, in place of `flagId`.' }),
    paths: z
      .string()
      .max(maxPathLength)
      .array()
      .min(1, 'must have at least one path.')
      .max(maxPaths)
      .refine((paths) => new Set(paths).size === paths.length, 'must not have a path twice.')
      .meta({ description: 'Paths from the list of staged changes.', examples: [['overrides']] }),
  })
  .refine(({ flagId, experimentId }) => (flagId === undefined) !== (experimentId === undefined), {
    path: ['flagId'],
    message: 'Send either flagId or experimentId.',
  })
  .meta({ example: { flagId: 'new-checkout', paths: ['overrides'] } })
