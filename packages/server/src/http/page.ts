import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { invalid, isRefusal, type Refusal } from '../catalogue/refusals.ts'

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

/** Lists page by page: a cursor is the last row's id, sealed to one list, so that no cursor works on another's. */
export interface Cursors {
  /**
   * Answers one page. `list` names the list with everything it is bound to: its kind, organization, project and
   * filters; `read` is asked for one row more than are shown, to learn whether others follow.
   */
  list<Row extends { id: string }, Shown>(
    query: { limit: number; cursor?: string | undefined },
    list: readonly unknown[],
    read: (after: string | null, limit: number) => Promise<Row[] | Refusal>,
    show: (rows: Row[]) => Shown[] | Promise<Shown[]>,
  ): Promise<{ data: Shown[]; page: Page } | Refusal>
}

export function cursors(secretKey: Buffer): Cursors {
  const seal = (id: string, list: readonly unknown[]) =>
    createHmac('sha256', secretKey)
      .update(JSON.stringify(['cursor', id, ...list]))
      .digest()
      .subarray(0, macBytes)
  const open = (cursor: string, list: readonly unknown[]): string | Refusal => {
    const bytes = Buffer.from(cursor, 'base64url')
    const id = bytes.subarray(macBytes).toString()
    // Decoding skips what is not base64url, so only a cursor that encodes back to itself counts.
    const whole = bytes.length > macBytes && bytes.toString('base64url') === cursor
    return whole && timingSafeEqual(bytes.subarray(0, macBytes), seal(id, list))
      ? id
      : invalid({ path: ['cursor'], message: 'This cursor is not of this list.' })
  }
  return {
    async list({ cursor, limit }, list, read, show) {
      const after = cursor === undefined ? null : open(cursor, list)
      if (isRefusal(after)) return after
      const rows = await read(after, limit + 1)
      if (isRefusal(rows)) return rows
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = rows.length > limit && last !== undefined
      const nextCursor = hasMore
        ? Buffer.concat([seal(last.id, list), Buffer.from(last.id)]).toString('base64url')
        : null
      return { data: await show(shown), page: { nextCursor, hasMore } }
    },
  }
}
