import { z } from 'zod'
import type { Changes } from '../../../model/catalog/index.ts'

export const catalogRestoreKind = 'catalog_restore'

/** The `result` of a job that changes the catalog by itself. */
export interface RewriteResult {
  changed: boolean
  catalog: Changes & { revision: number }
}

/** `restored` is the revision whose items are shown again. */
type RestoreResult = RewriteResult & { restored: number }

export const restoreInput = z.object({
  revision: z.int(),
  /** Written with the revision that the job made visible. */
  activated: z.custom<RestoreResult>().optional(),
})
