import { expect, test } from 'vitest'
import {
  flagOf,
  incrementalInWords,
  type Measurement,
  marginInWords,
  perVisitorInWords,
  verdictOf,
} from './measurement-words.ts'

const measurement = (ciLow: number, ciHigh: number): Measurement => ({
  ...{ experimentId: 'e', flagKey: 'recommend-home', status: 'RUNNING', asOf: '', currency: 'EUR' },
  visitors: { shown: 19_000, control: 1000 },
  perVisitor: { estimate: 0, ciLow: ciLow / 19_000, ciHigh: ciHigh / 19_000 },
  incrementalRevenue: { estimate: 0, ciLow, ciHigh },
  margin: null,
})

test('incremental revenue is an interval, in money', () => {
  const found = measurement(-190, 1900)
  expect(incrementalInWords(found)).toBe(
    'Incremental revenue, between -€190.00 and €1,900.00, of 19,000 visitors who got the list. 1,000 got none.',
  )
  expect(perVisitorInWords(found)).toBe('That is between -€0.01 and €0.10 a visitor (95\u00a0%, valid at every look).')
  expect(incrementalInWords({ ...found, currency: null })).toContain('between -190.00 and 1900.00')
  const { perVisitor, incrementalRevenue: incremental } = found
  expect(marginInWords({ ...found, margin: { perVisitor, incremental } })).toBe(
    'Incremental margin, between -€190.00 and €1,900.00, which is between -€0.01 and €0.10 a visitor.',
  )
  expect(marginInWords(found)).toContain('The margin is not measured')
  expect(flagOf('home')).toBe('recommend-home')
})

test.each([
  [1, 9, 'RUNNING', 'It brings revenue so far.'],
  [1, 9, 'COMPLETED', 'It brings revenue.'],
  [-9, -1, 'PAUSED', 'It costs revenue so far.'],
  [-9, -1, 'COMPLETED', 'It costs revenue.'],
  [0, 9, 'RUNNING', 'No difference shown yet.'],
  [-9, 9, 'COMPLETED', 'No difference shown yet.'],
])('an interval from %s to %s of a test that is %s: %s', (ciLow, ciHigh, status, title) =>
  expect(verdictOf({ ...measurement(ciLow, ciHigh), status }).title).toBe(title),
)
