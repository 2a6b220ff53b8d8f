import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { invalid, type Refusal } from '../refusals.ts'

export const defaultPageSize = 20
export const maxPageSize = 100
const macBytes = 12

/** The two query parameters of every list. */
export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxPageSize)
    .default(defaultPageSize)
    .meta({
      description: `How many to answer, 1 to ${maxPageSize}.`,
    }),
  cursor: z.string().optional().meta({ description: 'The previous page’s `page.nextCursor`.' }),
}

export const pageSchema = z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() })

export type Page = z.infer<typeof pageSchema>

/** Makes and reads cursors: the last row's id, sealed to one list, so that no cursor works on another's. */
export interface Cursors {
  /** `list` names the list with everything it is bound to: its kind, organization, project and filters. */
  read(cursor: string | undefined, list: readonly unknown[]): { after: string | null } | Refusal
  /** Cuts the extra row that was read to learn whether more follow. */
  page<Row extends { id: string }>(rows: Row[], limit: number, list: readonly unknown[]): { rows: Row[]; page: Page }
}

export function cursors(secretKey: Buffer): Cursors {
  const seal = (id: string, list: readonly unknown[]) =>
    createHmac('sha256', secretKey)
      .update(JSON.stringify(['cursor', id, ...list]))
      .digest()
      .subarray(0, macBytes)
  return {
    read(cursor, list) {
      if (cursor === undefined) return { after: null }
      const bytes = Buffer.from(cursor, 'base64url')
      const id = bytes.subarray(macBytes).toString('latin1')
      const expected = seal(id, list)
      // Decoding skips what is not base64url, so only a cursor that encodes back to itself counts.
      const whole = bytes.length > macBytes && bytes.toString('base64url') === cursor
      return whole && timingSafeEqual(bytes.subarray(0, macBytes), expected)
        ? { after: id }
        : invalid({ path: ['cursor'], message: 'This cursor is not of this list.' })
    },
    page(rows, limit, list) {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = rows.length > limit && last !== undefined
      const nextCursor = hasMore
        ? Buffer.concat([seal(last.id, list), Buffer.from(last.id, 'latin1')]).toString('base64url')
        : null
      return { rows: shown, page: { nextCursor, hasMore } }
    },
  }
}
