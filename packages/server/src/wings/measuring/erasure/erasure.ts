import { z } from 'zod'

/** What the job of an erasure works with. */
export const erasureInput = z.object({
  /** The ids of the visitors. The job no longer has them when it has succeeded. */
  units: z.string().array(),
  /** The rules that have counted them. These rules cannot be found any more once the events are deleted. */
  ruleIds: z.string().array().default([]),
  /** Written before the first event is deleted. */
  hasBegun: z.boolean().default(false),
})

export type ErasureInput = z.infer<typeof erasureInput>

/** The steps of an erasure, in order. */
export type Step = 'COUNT' | 'DELETE' | 'RENAME'

export const erasureKind = 'visitor_erasure'
