import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalid, isRefusal } from '../catalogue/refusals.ts'
import { cursors, pageQuery } from './page.ts'

const sealed = cursors(randomBytes(32))
const list = ['flags', 'org', 'project', null]
const query = z.strictObject(pageQuery)
const ids = ['a', 'b', 'c', 'd', 'e']

/** A page of the list above. */
const pageOf = (cursor?: string, { of = list, by = sealed, all = ids, limit = 2 } = {}) =>
  by.list(
    { cursor, limit },
    of,
    async (after, count) =>
      all
        .slice(after === null ? 0 : all.indexOf(after) + 1)
        .slice(0, count)
        .map((id) => ({ id })),
    (rows) => rows.map(({ id }) => id),
  )

async function cursorAfter(all: readonly string[]): Promise<string> {
  const first = await pageOf(undefined, { all: [...all, 'last'], limit: all.length })
  return isRefusal(first) ? '' : first.page.nextCursor!
}

test('pages follow each other without gaps, and the last page is marked', async () => {
  const seen: string[][] = []
  let cursor: string | undefined
  do {
    const answered = await pageOf(cursor)
    if (isRefusal(answered)) throw new Error(answered.message)
    seen.push(answered.data)
    cursor = answered.page.nextCursor ?? undefined
    expect(answered.page.hasMore).toBe(cursor !== undefined)
  } while (cursor)
  expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test.each([[[]], [['a']], [['a', 'b']]])('%j is one page', async (all) => {
  expect(await pageOf(undefined, { all })).toEqual({ data: all, page: { nextCursor: null, hasMore: false } })
})

test('a refusal while reading is returned', async () => {
  const refusal = invalid({ path: ['cursor'], message: 'Gone.' })
  expect(
    await sealed.list(
      { limit: 1 },
      list,
      async () => refusal,
      (rows) => rows,
    ),
  ).toBe(refusal)
})

test.each([
  ['a different kind', ['rules', 'org', 'project', null]],
  ['a different organization', ['flags', 'other', 'project', null]],
  ['a different project', ['flags', 'org', 'other', null]],
  ['other filters', ['flags', 'org', 'project', 'RUNNING']],
  ['fewer parts', ['flags', 'org', 'project']],
])('a cursor does not work on a list with %s', async (_what, of) => {
  const refused = { details: { issues: [{ path: ['cursor'] }] } }
  expect(await pageOf(await cursorAfter(['a']), { of })).toMatchObject(refused)
})

test('a cursor does not work with a different key', async () => {
  expect(await pageOf(await cursorAfter(['a']), { by: cursors(randomBytes(32)) })).toHaveProperty('refusal')
})

test('every other text is refused as a cursor', async () => {
  const good = await cursorAfter(['0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'])
  const changed = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...'Aa0-_~ ')).map(([at, letter]) => {
    return good.slice(0, at) + letter + good.slice(at + 1)
  })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), changed, fc.constant(`${good}=`), fc.constant(good.slice(1))),
      async (cursor) => {
        fc.pre(cursor !== good)
        expect(await pageOf(cursor)).toHaveProperty('refusal', 'validation_failed')
      },
    ),
  )
})

test.each([
  [{}, 20],
  [{ limit: '1' }, 1],
  [{ limit: '100' }, 100],
])('%j means a page of %i', (sent, limit) => expect(query.parse(sent).limit).toBe(limit))

test.each([
  [{ limit: '0' }],
  [{ limit: '101' }],
  [{ limit: '-1' }],
  [{ limit: '1.5' }],
  [{ limit: 'x' }],
  [{ limit: '' }],
  [{ limit: ['1', '2'] }],
  [{ offset: '1' }],
])('%j is refused and not clamped', (sent) => expect(query.safeParse(sent).success).toBe(false))

test('a reader that stops early has a short page, which the next one follows', async () => {
  const found = (after: string | null) => (after === 'd' ? { rows: [], through: null } : { rows: [], through: 'd' })
  const page = (cursor?: string) =>
    sealed.list(
      { cursor, limit: 2 },
      list,
      async (after) => found(after),
      (rows: { id: string }[]) => rows,
    )
  const first = await page()
  if (isRefusal(first)) throw new Error(first.message)
  expect(first).toMatchObject({ data: [], page: { hasMore: true } })
  expect(await page(first.page.nextCursor!)).toEqual({ data: [], page: { nextCursor: null, hasMore: false } })
})
