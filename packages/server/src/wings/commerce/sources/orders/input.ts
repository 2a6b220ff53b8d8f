import { z } from 'zod'
import type { ImportCounts } from '../../../measuring/orders/index.ts'
import { type KnownFile, type SyncResult, syncInput } from '../sync/input.ts'

/** The file of an import that succeeded. */
export interface ImportedFile extends KnownFile {
  /** When an order of it that was in the future can be taken, in ISO 8601. From then on, the same file is read again. */
  laterFrom?: string | null
}

/** The `result` of an import of orders. */
export interface ImportResult extends Omit<SyncResult, 'catalog' | 'file'> {
  orders: ImportCounts
  file: ImportedFile
}

export const importInput = syncInput
  .pick({ accepted: true })
  /** Written when everything is stored and recorded. */
  .extend({
    ended: z.custom<ImportResult>().optional(),
    /** How many orders are as the file has them, of how many, written with them. An attempt that is repeated counts anew. */
    stored: z.object({ orders: z.int(), of: z.int() }).optional(),
  })

export type ImportInput = z.output<typeof importInput>
