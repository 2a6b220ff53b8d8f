import { expect, test } from 'vitest'
import {
  chance,
  change,
  dayOf,
  difference,
  fromTo,
  mean,
  ofPlan,
  onceIn,
  points,
  pValue,
  share,
  withError,
} from './figures.ts'
import { plain } from './verdict-cases.ts'

const rate = { type: 'PROPORTION' as const, unit: null }
const revenue = { type: 'MEAN' as const, unit: 'EUR' }

test.each([
  [share(0.056), '5.6 %'],
  [share(0.05), '5.0 %'],
  [share(0), '0.0 %'],
  [share(0.0004), '0.04 %'],
  [share(1), '100.0 %'],
  [chance(0.997), '99.7 %'],
  [chance(0.99999), 'over 99.9 %'],
  [chance(0), 'under 0.1 %'],
  [ofPlan(0), '0 %'],
  [ofPlan(0.004), 'Under 1 %'],
  [ofPlan(0.329), '32 %'],
  [change(0.12), '+12.0 %'],
  [change(-0.071556), '−7.2 %'],
  [change(0.0002), '+0.02 %'],
  [change(0), '0.0 %'],
  [change(12.5), '+1,250.0 %'],
  [points(0.006), '+0.6 points'],
  [points(-0.003907), '−0.4 points'],
  [mean(rate, 0.056), '5.6 %'],
  [mean(revenue, 12.4), '€12.40'],
  [mean(revenue, 1204), '€1,204.00'],
  [mean({ type: 'RATIO', unit: null }, -0.001), '−0.001'],
  [difference(rate, 0.006), '+0.6 points'],
  [difference(revenue, -1.5), '−€1.50'],
  [mean({ type: 'MEAN', unit: 'ms' }, 841), '841 ms'],
  [mean({ type: 'MEAN', unit: 'ms' }, 830.91), '830.91 ms'],
  [fromTo(rate, 0.0474, 0.055), '4.7 % → 5.5 %'],
  [fromTo(rate, 14 / 12_402, 18 / 12_377), '0.11 % → 0.15 %'],
  [fromTo(rate, 0.05, 0.05), '5.0 % → 5.0 %'],
  [fromTo(revenue, 2.38, 2.7), '€2.38 → €2.70'],
  [withError(rate, 0.008, 0.001), '+0.8 ± 0.1 points'],
  [withError(revenue, -0.38, 0.1), '−€0.38 ± €0.10'],
  [withError({ type: 'MEAN', unit: 'ms' }, 2.52, 3.36), '+2.52 ± 3.36 ms'],
  [pValue(0.0156), '0.016'],
  [pValue(0.00001), 'below 0.001'],
  [onceIn(0.0003), 'less than once in 3,000'],
  [onceIn(0.0005), 'less than once in 2,000'],
  [onceIn(0), 'less than once in 1,000,000'],
  [dayOf('2026-12-12T23:30:00.000Z'), '12 Dec'],
])('%s reads %s', (words, expected) => expect(plain(words)).toBe(expected))

test('a figure and its sign stay in one line', () => {
  for (const words of [share(0.05), change(0.12), points(0.006), ofPlan(0.3), ofPlan(0.004)])
    expect(words).toMatch(/\d\u00a0(%|points)$/)
})
