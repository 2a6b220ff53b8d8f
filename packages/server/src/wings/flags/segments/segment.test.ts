import { expect, test } from 'vitest'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { visitorIdField } from '../../../fields.ts'
import { maxMembers, parseMembers, readCsv } from './segment.ts'

test.each([
  ['lines', 'b\na\nb', ['b', 'a', 'b']],
  ['a heading, a byte order mark and Windows line ends', '\ufeffID,name\r\nb,Bea\r\n\r\na,Ada\r\n', ['b', 'a']],
  ['quotes', '"a, ""the first""",x\n "b" ,y', ['a, "the first"', 'b']],
  ['spaces around ids', ' a , x', ['a']],
  ['an id that equals the heading, further down', 'a\nid', ['a', 'id']],
  ['semicolons as separators', 'id;name\r\nu;1;Ada\r\n"u;2";Bea', ['u', 'u;2']],
  ['tabs', '"ID"\tname\na\tAda\n"b"\tBea', ['a', 'b']],
  ['semicolons in ids', 'a;b\nc', ['a;b', 'c']],
  ['quotes in other columns', 'id,name\na,"Ada, ""the first"""\nb,5" screen\nc,', ['a', 'b', 'c']],
])('a CSV file with %s is read', (_what, text, ids) => expect(readCsv(text)).toEqual({ ids }))

const quotes = 'A quotation mark is not closed on this line, or is followed by other text.'

test.each(['', '\n\n', 'id\n', 'id,name\r\n'])('the CSV file %j without ids is refused', (text) => {
  const refusal = readCsv(text)
  expect(isRefusal(refusal) && refusal.details?.issues).toMatchObject([
    { message: expect.stringContaining('contains no ids') },
  ])
})

test.each([
  ['an empty first column', 'id\na\n,x\n', 3, 'The id is empty.'],
  ['an id that is too long', `a\n${'x'.repeat(513)}`, 2, 'An id can have up to 512 characters.'],
  ['NUL', 'a\0', 1, 'An id must not contain NUL.'],
  ['an unclosed quotation mark', 'a\n"b\n', 2, quotes],
  ['a line end inside quotation marks', '"a\nb', 1, quotes],
  ['text after a quotation mark', '"a"b,c', 1, quotes],
  ['a line end inside another column', 'id,address\na,"Street 1\nCity, NL"\nb,x', 2, quotes],
])('a CSV file with %s is refused, and the message names the line', (_what, text, line, message) => {
  const refusal = readCsv(text)
  const issues = [{ path: ['line', line], message: `Line ${line}: ${message}` }]
  expect(isRefusal(refusal) && refusal.details?.issues).toEqual(issues)
})

test('spaces around ids are dropped, as in a CSV file', () =>
  expect(parseMembers([' u-3 ', 'u-5\n', '\tu-3', '\ufeffü-1'])).toEqual(['u-3', 'u-5', 'ü-1']))

test.each(['\u200bu-4', 'u\u00ad4', 'u\n4', 'u\u202e4', 'u\u00004', ' ', 'x'.repeat(513)])(
  'the id %j is refused, by every door',
  (id) => {
    expect(isRefusal(parseMembers([id]))).toBe(true)
    if (id.trim() !== '' && !/\n/.test(id)) expect(isRefusal(readCsv(id))).toBe(true)
    expect(visitorIdField.safeParse(id).success).toBe(false)
  },
)

test('the id of a visitor has no spaces around it', () =>
  expect([' qa-2 ', '12 34', 'é\n'].map((id) => visitorIdField.parse(id))).toEqual(['qa-2', '12 34', 'é']))

test('duplicate ids are removed', () => expect(parseMembers(['b', 'a', 'b'])).toEqual(['b', 'a']))

test('an empty id is refused with its path', () => {
  const refusal = parseMembers(['a', ''])
  expect(isRefusal(refusal) && refusal.details?.issues).toEqual([{ path: ['ids', 1], message: 'The id is empty.' }])
})

test(`up to ${maxMembers} ids are accepted, not counting duplicates`, () => {
  const ids = Array.from({ length: maxMembers }, (_, index) => `u-${index}`)
  expect(parseMembers([...ids, 'u-0'])).toHaveLength(maxMembers)
  expect(isRefusal(parseMembers([...ids, 'one more']))).toBe(true)
})
