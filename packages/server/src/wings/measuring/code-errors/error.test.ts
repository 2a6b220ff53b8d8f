import { expect, test } from 'vitest'
import { type CodeError, excerptOf, fingerprintOf, hashOfUnit, maxVisitorsPerError, pausesFor } from './error.ts'

const error: CodeError = {
  ...{ envId: 'e', ruleId: 'r', variationId: 'v', variationKey: 'price', codeVersion: '12345678', line: 2 },
  ...{ message: 'Order 17 has no price', excerpt: null },
}

test.each<[string, Partial<CodeError>, boolean]>([
  ['the same', {}, true],
  ['other digits', { message: 'Order 4711 has no price' }, true],
  ['another message', { message: 'Order 17 has no name' }, false],
  ['another line', { line: 3 }, false],
  ['an unknown line', { line: null }, false],
  ['another code', { codeVersion: '12345679' }, false],
  ['another variation', { variationId: 'w' }, false],
])('an error with %s: the same fingerprint is %s', (_what, more, isSame) => {
  expect(fingerprintOf({ ...error, ...more }) === fingerprintOf(error)).toBe(isSame)
})

test.each([
  [19, 100, false],
  [20, undefined, false],
  [20, 0, true],
  [20, 1000, true],
  [20, 1001, false],
  [21, 1050, true],
  [maxVisitorsPerError - 1, 10_000_000, false],
  [maxVisitorsPerError, 10_000_000, true],
])('an error that %i of %s visitors have met pauses: %s', (visitors, units, pauses) => {
  expect(pausesFor(visitors, units)).toBe(pauses)
})

test.each([
  ['a\n  b()\nc', 2, 'b()'],
  ['a\r\nb', 2, 'b'],
  ['a', 2, null],
  ['a', null, null],
  ['x'.repeat(500), 1, 'x'.repeat(200)],
])('the excerpt of %j at %s is %j', (code, line, excerpt) => {
  expect(excerptOf(code, line)).toBe(excerpt)
})

test('a visitor leaves a hash of 128 bits', () => {
  expect(hashOfUnit('visitor-1')).toMatch(/^[0-9a-f]{32}$/)
  expect(hashOfUnit('visitor-1')).not.toBe(hashOfUnit('visitor-2'))
})
