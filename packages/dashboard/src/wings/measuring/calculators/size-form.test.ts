import { describe, expect, test } from 'vitest'
import {
  initialSize,
  lifts,
  liftText,
  placeOf,
  questionOf,
  type SizeValues,
  sizeWords,
  withSignOf,
} from './size-form.ts'

const asked = (change: Partial<SizeValues>) => questionOf({ ...initialSize, ...change })

describe('what is typed', () => {
  test.each<[Partial<SizeValues>, object]>([
    [
      {},
      {
        type: 'PROPORTION',
        baseline: 0.05,
        minimumDetectableLift: 0.1,
        stddev: null,
        unitsPerDay: null,
        variations: 2,
        guardrails: [],
      },
    ],
    [
      { baseline: '2,5 %', lift: '-10', visitorsPerDay: '4,000' },
      { baseline: 0.025, minimumDetectableLift: -0.1, unitsPerDay: 4000 },
    ],
    [
      { type: 'MEAN', baseline: '40', stddev: '25.5', variations: '3' },
      { type: 'MEAN', baseline: 40, stddev: 25.5, variations: 3 },
    ],
    [
      { guardrail: '20 %', margin: '5' },
      { guardrails: [{ type: 'PROPORTION', baseline: 0.2, nonInferiorityMargin: 0.05 }] },
    ],
  ])('%j is a question', (change, question) => expect(asked(change)).toMatchObject({ question }))

  test.each<[Partial<SizeValues>, (keyof SizeValues)[]]>([
    [{ baseline: '' }, ['baseline']],
    [{ baseline: '100' }, ['baseline']],
    [{ baseline: 'five', lift: '0' }, ['baseline', 'lift']],
    [{ lift: '-100' }, ['lift']],
    [{ type: 'MEAN' }, ['stddev']],
    [{ lift: '10000', type: 'MEAN', stddev: '1' }, ['lift']],
    [{ baseline: '99.9' }, ['lift']],
    [{ baseline: '50', lift: '100' }, ['lift']],
    [{ guardrail: '0' }, ['guardrail']],
    [{ guardrail: '20', margin: '' }, ['margin']],
    [{ visitorsPerDay: '0' }, ['visitorsPerDay']],
    [{ visitorsPerDay: '1000000001' }, ['visitorsPerDay']],
  ])('%j has faults', (change, fields) => {
    const answer = asked(change)
    expect('faults' in answer && Object.keys(answer.faults)).toEqual(fields)
  })
})

test.each([
  ['0', 'Enter a change in percent, such as 10 or -10.'],
  ['ten', 'Enter a change in percent, such as 10 or -10.'],
  ['10000', 'Enter a change above -100 and below 10,000 percent.'],
  ['-100', 'Enter a change above -100 and below 10,000 percent.'],
])('a change of %s has the fault “%s”', (lift, fault) => {
  expect(asked({ type: 'MEAN', stddev: '1', lift })).toEqual({ faults: { lift: fault } })
})

describe('the answer in words', () => {
  const { question } = asked({ visitorsPerDay: '4000' }) as Extract<ReturnType<typeof questionOf>, { question: object }>
  const size = {
    unitsPerVariation: 31_234,
    totalUnits: 62_468,
    primaryUnitsPerVariation: 31_234,
    guardrails: [],
    comparisons: 1,
    days: 16,
    recommendedDays: 21,
    durations: null,
    assumptions: [],
  }

  test('has visitors, days and whole weeks', () => {
    expect(sizeWords(size, question)).toEqual([
      '31,234 visitors in each variation, 62,468 in both.',
      'At 4,000 visitors a day that takes 16 days. Plan 3 weeks, so that every day of the week counts the same.',
    ])
  })

  test('says that a guardrail needs more', () => {
    const large = { ...size, unitsPerVariation: 168_000, guardrails: [{ unitsPerVariation: 168_000 }] }
    expect(sizeWords(large, { ...question, unitsPerDay: null })[1]).toBe(
      'The guardrail decides that: the metric alone needs 31,234 visitors in each. Allow it to get worse by more, or watch it without a verdict.',
    )
  })

  test('warns of a test that takes long', () => {
    expect(sizeWords({ ...size, days: 100, recommendedDays: 105 }, question)[2]).toContain('That is long.')
  })

  test('has no days without visitors a day', () => {
    expect(sizeWords({ ...size, days: null, recommendedDays: null }, { ...question, unitsPerDay: null })).toHaveLength(
      1,
    )
  })
})

describe('the slider of changes', () => {
  test('is at the typed value, or at the nearest place', () => {
    expect(['10', '-10', '11', '0.2', '', '500'].map((text) => lifts[placeOf(text)])).toEqual([10, 10, 10, 1, 1, 100])
    expect([withSignOf('-10', '5'), withSignOf('10', '5'), withSignOf('', '5')]).toEqual(['-5', '5', '5'])
  })

  test('follows a duration, rounded up to three digits', () => {
    expect([0.123412, -0.0500001, 0.1, 0.00987654, 1.5].map(liftText)).toEqual(['12.4', '-5.01', '10', '0.988', '150'])
  })
})
