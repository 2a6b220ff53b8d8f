import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { invalid, isRefusal, type Refusal } from '../catalogue/refusals.ts'
import { inDigits } from '../fields.ts'

export const defaultPageSize = 20
export const maxPageSize = 100
const macBytes = 12

/** The two query parameters of every list. */
export const pageQuery = {
  limit: inDigits(z.int().min(1).max(maxPageSize))
    .default(defaultPageSize)
    .meta({ description: `Number of items per page, 1 to ${maxPageSize}.`, default: defaultPageSize }),
  cursor: z.string().optional().meta({ description: '`page.nextCursor` of the previous page.' }),
}

export const pageSchema = z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() })

export type Page = z.infer<typeof pageSchema>

/** For a list that is answered whole. */
export const onlyPage: Page = { nextCursor: null, hasMore: false }

/** Reads pages out of a list that is short enough to be read whole. */
export const rowsAfter =
  <Row extends { id: string }>(rows: Row[]) =>
  async (after: string | null): Promise<Row[] | Refusal> => {
    const last = rows.findIndex(({ id }) => id === after)
    return after !== null && last < 0
      ? invalid({
          path: ['cursor'],
          message: 'The entry of this cursor no longer exists. Start again without a cursor.',
        })
      : rows.slice(last + 1)
  }

/** What a reader has found that stops before a page is full: all rows up to the id `through`. Null: there are no others. */
export interface PartOfList<Row> {
  rows: Row[]
  through: string | null
}

/**
 * Lists page by page. A cursor is the last row's id, sealed for one list, so that it cannot be used for a different
 * list.
 */
export interface Cursors {
  /**
   * Answers one page. `list` identifies the list: kind, organization, project and filters. `read` is called for one
   * extra row, to find out whether there is a next page. If it stops early, the page is short and has a cursor.
   */
  list<Row extends { id: string }, Shown>(
    query: { limit: number; cursor?: string | undefined },
    list: readonly unknown[],
    read: (after: string | null, limit: number) => Promise<Row[] | PartOfList<Row> | Refusal>,
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
    // Decoding ignores characters that are not base64url, so a valid cursor must encode back to itself.
    const whole = bytes.length > macBytes && bytes.toString('base64url') === cursor
    return whole && timingSafeEqual(bytes.subarray(0, macBytes), seal(id, list))
      ? id
      : invalid({ path: ['cursor'], message: 'Must be a `nextCursor` of this list, with the same filters.' })
  }
  return {
    async list({ cursor, limit }, list, read, show) {
      const after = cursor === undefined ? null : open(cursor, list)
      if (isRefusal(after)) return after
      const found = await read(after, limit + 1)
      if (isRefusal(found)) return found
      const { rows, through } = Array.isArray(found) ? { rows: found, through: null } : found
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1)!.id : through
      const nextCursor =
        last === null ? null : Buffer.concat([seal(last, list), Buffer.from(last)]).toString('base64url')
      return { data: await show(shown), page: { nextCursor, hasMore: nextCursor !== null } }
    },
  }
}
