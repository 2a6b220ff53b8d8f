import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cursors, pageQuery } from './page.ts'

const { read, page } = cursors(randomBytes(32))
const list = ['flags', 'org', 'project', null]
const row = (id: string) => ({ id })
const query = z.strictObject(pageQuery)
const cursorOf = (id: string, of: readonly unknown[] = list) => page([row(id), row('next')], 1, of).page.nextCursor!

test('a full page says where it ended, the last page says that it is the last', () => {
  const first = page(['a', 'b', 'c'].map(row), 2, list)
  expect(first).toMatchObject({ rows: [{ id: 'a' }, { id: 'b' }], page: { hasMore: true } })
  expect(read(first.page.nextCursor!, list)).toEqual({ after: 'b' })
  expect(page(['c'].map(row), 2, list)).toEqual({ rows: [{ id: 'c' }], page: { nextCursor: null, hasMore: false } })
  expect(page([], 2, list).page).toEqual({ nextCursor: null, hasMore: false })
})

test('no cursor begins at the beginning', () => expect(read(undefined, list)).toEqual({ after: null }))

test.each([
  ['another kind', ['rules', 'org', 'project', null]],
  ['another organization', ['flags', 'other', 'project', null]],
  ['another project', ['flags', 'org', 'other', null]],
  ['other filters', ['flags', 'org', 'project', 'RUNNING']],
  ['fewer parts', ['flags', 'org', 'project']],
])('a cursor does not work on a list of %s', (_what, other) => {
  expect(read(cursorOf('a'), other)).toMatchObject({ details: { issues: [{ path: ['cursor'] }] } })
})

test('a cursor does not work under another key', () => {
  expect(cursors(randomBytes(32)).read(cursorOf('a'), list)).toHaveProperty('refusal')
})

test('whatever else is sent as a cursor is refused', () => {
  const good = cursorOf('0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11')
  const changed = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...'Aa0-_~ ')).map(([at, letter]) => {
    return good.slice(0, at) + letter + good.slice(at + 1)
  })
  fc.assert(
    fc.property(fc.oneof(fc.string(), changed, fc.constant(`${good}=`), fc.constant(good.slice(1))), (cursor) => {
      fc.pre(cursor !== good)
      expect(read(cursor, list)).toHaveProperty('refusal', 'validation_failed')
    }),
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
])('%j is refused, not clamped', (sent) => expect(query.safeParse(sent).success).toBe(false))
