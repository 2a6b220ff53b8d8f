import { z } from 'zod'
import type { ImportCounts } from '../../../measuring/orders/index.ts'
import { type SyncResult, syncInput } from '../sync/input.ts'

/** The `result` of an import of orders. */
export interface ImportResult extends Omit<SyncResult, 'catalog'> {
  orders: ImportCounts
}

export const importInput = syncInput
  .pick({ accepted: true })
  /** Written when everything is stored and recorded. */
  .extend({ ended: z.custom<ImportResult>().optional() })

export type ImportInput = z.output<typeof importInput>
