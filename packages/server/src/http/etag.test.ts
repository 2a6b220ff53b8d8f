import { expect, test } from 'vitest'
import { contentEtag, ifMatch, versionEtag } from './etag.ts'

const current = versionEtag('flag', 7)

test('an ETag is strong and counts changes of content', () => expect(current).toBe('"f7"'))

test('the ETag of an answer without a version changes with its content', () => {
  expect(contentEtag({ a: 1 })).toBe(contentEtag({ a: 1 }))
  expect(contentEtag({ a: 1 })).not.toBe(contentEtag({ a: 2 }))
})

test.each([
  ['no header', {}],
  ['X-Svc-If-Match', { 'x-svc-if-match': '"f7"' }],
  ['Svc-If-Match', { 'svc-if-match': '"f7"' }],
  ['If-Match', { 'if-match': '"f7"' }],
  ['no quotes', { 'x-svc-if-match': 'f7' }],
  ['a star', { 'x-svc-if-match': '*' }],
  ['a list', { 'if-match': '"f6", "f7"' }],
  ['all three', { 'x-svc-if-match': '"f7"', 'svc-if-match': 'f7', 'if-match': '*' }],
  ['one that a proxy has made weak', { 'if-match': 'W/"f7"' }],
  ['one in which a proxy has named its encoding', { 'x-svc-if-match': '"f7-gzip"' }],
])('%s holds', (_what, headers) => expect(ifMatch(headers)(current)).toBeUndefined())

test.each([
  ['an older version', { 'x-svc-if-match': '"f6"' }],
  ['a longer version', { 'x-svc-if-match': '"f77"' }],
  ['a different letter', { 'x-svc-if-match': '"r7"' }],
  ['an empty header', { 'x-svc-if-match': '' }],
  ['one of two headers', { 'x-svc-if-match': '"f7"', 'if-match': '"f6"' }],
])('%s fails with the current ETag', (_what, headers) => {
  expect(ifMatch(headers)(current)).toMatchObject({ refusal: 'precondition_failed', details: { expected: '"f7"' } })
})
