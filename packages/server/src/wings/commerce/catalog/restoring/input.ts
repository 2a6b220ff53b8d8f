import { z } from 'zod'
import type { Changes } from '../../../model/catalog/index.ts'

export const catalogRestoreKind = 'catalog_restore'

/** The `result` of a restore. */
export interface RestoreResult {
  changed: boolean
  /** The revision whose items are shown again. */
  restored: number
  catalog: Changes & { revision: number }
}

export const restoreInput = z.object({
  revision: z.int(),
  /** Written with the revision that the job made visible. */
  activated: z.custom<RestoreResult>().optional(),
})
