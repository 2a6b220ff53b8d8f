import { webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { newVisitorId, visitorIdOf } from './visitor-id.ts'

const id = '0123456789abcdef0123456789abcdef'
const long = 'a'.repeat(512)

test.each<[string, string | undefined, string]>([
  ['nothing', undefined, ''],
  ['the only cookie', id, `svc_id=${id}`],
  ['a cookie after others', id, `a=1; b=2; svc_id=${id}; c=3`],
  ['a cookie without a space before it', id, `a=1;svc_id=${id}`],
  ['the first of two', 'first', `svc_id=first; svc_id=second`],
  ['an id of the site', 'user:17@shop.example/a=b', 'svc_id=user:17@shop.example/a=b'],
  ['an id as long as an event takes', long, `svc_id=${long}`],
  ['a readable id after one that is too long', 'next', `svc_id=${long}a; svc_id=next`],
  ['no empty id', undefined, 'svc_id=; a=1'],
  ['no cookie whose name only ends alike', undefined, `my_svc_id=${id}; xsvc_id=${id}`],
  ['no cookie whose value contains ours', undefined, `a=svc_id=${id}`],
  ['no id with a space', undefined, 'svc_id=a b'],
  ['no id with a line break', undefined, 'svc_id=a\r\nSet-Cookie: b=1'],
  ['no id with quotes', undefined, 'svc_id="a"'],
  ['no id with a comma', undefined, 'svc_id=a,b'],
  ['no id with a backslash', undefined, 'svc_id=a\\b'],
  ['no id with letters outside of ASCII', undefined, 'svc_id=é'],
  ['no id with a control character', undefined, 'svc_id=a\u0000b'],
])('a header with cookies names %s', (_what, expected, cookies) => {
  expect(visitorIdOf(cookies)).toBe(expected)
})

test('a new id has 128 random bits', () => {
  const ids = Array.from({ length: 100 }, () => newVisitorId(webcrypto as Crypto))
  expect(new Set(ids).size).toBe(100)
  for (const each of ids) expect(each).toMatch(/^[0-9a-f]{32}$/)
})
