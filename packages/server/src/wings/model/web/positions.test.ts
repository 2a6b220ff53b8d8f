import { expect, test } from 'vitest'
import { type Change, changeSchema } from './changes.ts'
import { shiftsItself } from './positions.ts'

const insert = (selector: string, position: string, value = '<li>New</li>'): Change =>
  changeSchema.parse({ id: 'c1', type: 'INSERT', selector, position, value })

test.each([
  ['li:nth-child(2)', 'BEFORE', true],
  ['li:nth-child(2)', 'AFTER', false],
  ['li:nth-child( +2 )', 'AFTER', false],
  ['li:nth-child(2)', 'FIRST', false],
  ['li:first-child', 'BEFORE', true],
  ['li:first-child', 'AFTER', false],
  ['li:last-of-type', 'BEFORE', false],
  ['li:last-of-type', 'AFTER', true],
  ['li:nth-last-child(2)', 'AFTER', true],
  ['li:only-child', 'AFTER', true],
  ['li:nth-child(odd)', 'AFTER', true],
  ['li:nth-child(2n+1)', 'BEFORE', true],
  ['h1 + li', 'BEFORE', true],
  ['h1 + li', 'AFTER', false],
  ['ul:first-child > li', 'BEFORE', false],
  ['h1, li:not(:first-child)', 'BEFORE', true],
  [':is(li:nth-of-type(2), .x)', 'BEFORE', true],
  ['li:has(a:first-child)', 'BEFORE', false],
  ['#second', 'BEFORE', false],
])('what is inserted at %j %s makes its selector find a different element: %j', (selector, position, isShifted) =>
  expect(shiftsItself(insert(selector, position))).toBe(isShifted),
)

test.each([
  ['h2:nth-of-type(2)', '<p>New</p>', false],
  ['h2:nth-of-type(2)', '<p>New</p><H2>New</H2>', true],
  ['h2:nth-child(2)', '<p>New</p>', true],
  ['h2:nth-child(2)', 'New', false],
])('of %j, %j shifts only what is counted with it: %j', (selector, value, isShifted) =>
  expect(shiftsItself(insert(selector, 'BEFORE', value))).toBe(isShifted),
)

test.each([
  ['li:nth-child(2)', true],
  ['h1 + p', true],
  ['ul:first-child > .a', false],
  ['.a', false],
])('a move of %j makes its selector find a different element: %j', (selector, isShifted) =>
  expect(shiftsItself(changeSchema.parse({ id: 'c1', type: 'MOVE', selector, to: '.hero', position: 'AFTER' }))).toBe(
    isShifted,
  ),
)

test('a text leaves positions alone', () => {
  const change = { id: 'c1', type: 'TEXT', selector: 'li:nth-child(2)', value: 'New' }
  expect(shiftsItself(changeSchema.parse(change))).toBe(false)
})
