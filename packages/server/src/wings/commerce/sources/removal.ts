import { z } from 'zod'

export const catalogRemovalKind = 'catalog_removal'

/** What becomes of the items of a source that is deleted. */
export const removalFields = {
  items: z.enum(['keep', 'remove']).default('keep').meta({
    description:
      '`keep`: the items stay, and nobody owns them any more. `remove`: a job removes them as one revision of the catalog. Default: keep.',
  }),
}

/** What a job works with that removes the items of a deleted source. */
export const removalInput = z.object({
  sourceId: z.string(),
  sourceName: z.string(),
  /** Written with the revision that the job made visible. */
  activated: z.record(z.string(), z.unknown()).optional(),
})
