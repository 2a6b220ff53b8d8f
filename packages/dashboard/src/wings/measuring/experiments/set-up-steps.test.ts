import { describe, expect, test } from 'vitest'
import type { Experiment } from './experiment.ts'
import { checklistOf, overlapping, paragraphOf, type Sharing, stepAfter, stepIn } from './set-up-steps.ts'

test('the address names a step, and the last one has none after it', () => {
  expect([stepIn('who'), stepIn('edit'), stepIn(undefined)]).toEqual(['who', undefined, undefined])
  expect([stepAfter('goal'), stepAfter('size'), stepAfter('review')]).toEqual(['variations', 'review', 'review'])
})

describe('running tests that share visitors', () => {
  const mine = { id: 'e-1', flagId: 'f-1', envId: 'production', exclusionGroupId: null }
  const other: Sharing = { ...mine, id: 'e-2', flagId: 'f-2', status: 'RUNNING' }
  const found = (change: Partial<Sharing>, group: string | null = null) =>
    overlapping({ ...mine, exclusionGroupId: group }, [{ ...other, ...change }]).length > 0

  test.each<[string, boolean, Partial<Sharing>, string | null]>([
    ['another flag', true, {}, null],
    ['the same flag, where the first rule wins', false, { flagId: 'f-1' }, null],
    ['another environment', false, { envId: 'staging' }, null],
    ['one that is paused', false, { status: 'PAUSED' }, null],
    ['itself', false, { id: 'e-1' }, null],
    ['one of the same exclusion group', false, { exclusionGroupId: 'g-1' }, 'g-1'],
    ['one of another exclusion group', true, { exclusionGroupId: 'g-2' }, 'g-1'],
  ])('%s: %s', (_what, is, change, group) => expect(found(change, group)).toBe(is))
})

const experiment = {
  hypothesis: 'If we ask for less, then more people pay',
  variations: [
    { key: 'off', name: 'Long form', weight: 5000 },
    { key: 'on', name: 'Short form', weight: 5000 },
  ],
  baselineVariationKey: 'off',
  metrics: { primary: ['paid'], secondary: ['seen'], guardrails: ['errors', 'slow'] },
  statistics: { test: 'SEQUENTIAL', plannedUnitsPerVariation: 31_235 },
  trafficAllocation: 10_000,
  audienceIds: [],
  conditions: { all: [] },
} as unknown as Experiment
const names = { place: 'Production', flag: 'Checkout', metricOf: (key: string) => key.toUpperCase() }

test('a paragraph says the whole test', () => {
  expect(paragraphOf(experiment, names)).toBe(
    'In Production, all visitors take part and get Checkout: 50\u00a0% Long form (baseline) and 50\u00a0% Short form. PAID decides. ERRORS and SLOW must not get worse. SEEN explores. It is planned with 31,235 visitors in each variation. Its results can be read at any time.',
  )
  const small = {
    ...experiment,
    trafficAllocation: 2500,
    audienceIds: ['a-1'],
    metrics: { primary: [], secondary: [], guardrails: [] },
    statistics: { test: 'FIXED_HORIZON', plannedUnitsPerVariation: null },
  } as unknown as Experiment
  expect(paragraphOf(small, names)).toBe(
    'In Production, 25\u00a0% of the visitors it is for take part and get Checkout: 50\u00a0% Long form (baseline) and 50\u00a0% Short form. Its results are read once, at the end, and hidden until then.',
  )
})

describe('the checklist', () => {
  const ready = { place: 'Production', isFlagRunning: true, isConnected: true, overlaps: [], inTheWay: undefined }

  test('is good when everything is there', () => {
    expect(new Set(checklistOf(experiment, ready).map(({ tone }) => tone))).toEqual(new Set(['good']))
  })

  test('says what is missing, and where it can be fixed', () => {
    const empty = {
      metrics: { primary: [], secondary: [], guardrails: [] },
      statistics: { test: 'FIXED_HORIZON', plannedUnitsPerVariation: null },
      hypothesis: null,
    } as unknown as Experiment
    const missing = {
      ...ready,
      isFlagRunning: false,
      isConnected: false,
      overlaps: [{ name: 'Price test' }],
      inTheWay: 'The rule Old comes first.',
    }
    expect(checklistOf(empty, missing).map(({ tone, at }) => [tone, at])).toEqual([
      ['warning', 'flag'],
      ['warning', 'connect'],
      ['warning', 'flag'],
      ['warning', 'goal'],
      ['note', 'goal'],
      ['warning', 'size'],
      ['note', 'who'],
    ])
    expect(checklistOf(empty, missing).at(-1)!.words).toContain('Price test')
  })
})
