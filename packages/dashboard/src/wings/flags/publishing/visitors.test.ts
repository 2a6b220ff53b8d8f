import { expect, it } from 'vitest'
import { visitorsIn } from './visitors.ts'

const ada = { targetingKey: 'u-17', country: 'NL' }

it.each([
  ['', { fault: 'Paste at least one visitor.' }],
  [JSON.stringify([ada]), { visitors: [ada] }],
  [`${JSON.stringify(ada)}\n\n${JSON.stringify({ targetingKey: 'b' })}\n`, { visitors: [ada, { targetingKey: 'b' }] }],
  ['[1', { fault: 'The text is not a JSON array.' }],
  [`${JSON.stringify(ada)}\n{`, { fault: 'Line 2 is not JSON.' }],
  ['{"country":"NL"}', { fault: 'Line 1 must be an object with the text “targetingKey”.' }],
  ['[{"targetingKey":1}]', { fault: 'Visitor 1 must be an object with the text “targetingKey”.' }],
  [
    JSON.stringify(Array.from({ length: 10_001 }, () => ada)),
    { fault: 'These are 10,001 visitors. At most 10,000 can be tried.' },
  ],
])('the review reads %s', (text, expected) => {
  expect(visitorsIn(text)).toEqual(expected)
})
