import { describe, expect, it } from 'vitest'
import {
  type DimensionUnits,
  daysBefore,
  lastUntil,
  mismatchSince,
  worstDrop,
  worstGuardrail,
  worstSplit,
} from './evidence.ts'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))
const revisions = [
  { revision: 3, publishedAt: at(1) },
  { revision: 7, publishedAt: at(5) },
  { revision: 8, publishedAt: at(9) },
]
const even = { A: 0.5, B: 0.5 }

it.each([
  [at(1), 3],
  [at(8), 7],
  [at(30), 8],
])('the last revision until %o is %i', (moment, revision) => {
  expect(lastUntil(revisions, moment)).toMatchObject({ revision })
})

it('there is no revision before the first', () => expect(lastUntil(revisions, at(0))).toBeNull())

/** Units of A and B while each revision was the newest. */
const units = (...counts: [number, number][]) =>
  counts.flatMap(([a, b], place) => [
    { place, phase: 1, variationId: 'A', units: a },
    { place, phase: 1, variationId: 'B', units: b },
  ])

describe('a mismatch', () => {
  it.each<[string, [number, number][], number]>([
    [
      'was there from the start',
      [
        [600, 400],
        [600, 400],
        [600, 400],
      ],
      3,
    ],
    [
      'began with the second revision',
      [
        [1010, 990],
        [600, 400],
        [600, 400],
      ],
      7,
    ],
    [
      'began with the last revision',
      [
        [1010, 990],
        [990, 1010],
        [600, 400],
      ],
      8,
    ],
    [
      'was over for a while',
      [
        [600, 400],
        [500, 500],
        [500, 500],
      ],
      3,
    ],
    [
      'is new since a revision without visitors',
      [
        [1000, 1000],
        [0, 0],
        [700, 300],
      ],
      7,
    ],
  ])('%s', (_what, counts, revision) => {
    expect(mismatchSince(revisions, units(...counts), new Map([[1, even]]))).toMatchObject({ revision })
  })

  it('is not seen in a new split', () => {
    const later = [
      { place: 1, phase: 2, variationId: 'A', units: 900 },
      { place: 1, phase: 2, variationId: 'B', units: 100 },
      { place: 2, phase: 2, variationId: 'A', units: 500 },
      { place: 2, phase: 2, variationId: 'B', units: 500 },
    ]
    const phases = new Map([
      [1, even],
      [2, { A: 0.9, B: 0.1 }],
    ])
    expect(mismatchSince(revisions, [...units([1000, 1000]), ...later], phases)).toMatchObject({ revision: 8 })
  })

  it('has no revision without visitors', () => {
    expect(mismatchSince(revisions, [], new Map([[1, even]]))).toBeNull()
  })
})

const seen = (name: string, value: string, variationId: string, units: number, day = '2026-01-09'): DimensionUnits => ({
  ...{ name, value, variationId, units, day },
})

describe('the worst value of a dimension', () => {
  it('is the one whose split is the least likely', () => {
    const rows = [
      seen('country', 'DE', 'A', 1000),
      seen('country', 'DE', 'B', 1010),
      seen('browser', 'Safari', 'A', 300),
      seen('browser', 'Safari', 'B', 100, '2026-01-08'),
      seen('browser', 'Safari', 'B', 20),
      seen('browser', 'Chrome', 'A', 700),
      seen('browser', 'Chrome', 'B', 890),
    ]
    expect(worstSplit(rows, even)).toEqual({
      name: 'browser',
      value: 'Safari',
      variations: [
        { id: 'A', units: 300, expected: 210 },
        { id: 'B', units: 120, expected: 210 },
      ],
    })
  })

  it('needs 8 visitors for each variation, and leaves out variations without a weight', () => {
    expect(worstSplit([seen('country', 'MT', 'A', 15)], even)).toBeNull()
    expect(worstSplit([seen('country', 'MT', 'A', 16)], { ...even, C: 0 })?.variations).toHaveLength(2)
    expect(worstSplit([], even)).toBeNull()
  })

  it('is the one that lost the most', () => {
    const days = daysBefore(new Date('2026-01-10T03:00:00Z'), at(1))
    const daily = (name: string, value: string, before: number, last: number) => [
      ...days.previous.map((day) => seen(name, value, 'A', before, day)),
      seen(name, value, 'A', last, days.last),
    ]
    const rows = [
      ...daily('country', 'DE', 900, 400),
      ...daily('country', 'FR', 100, 100),
      ...daily('os', 'iOS', 500, 5),
    ]
    expect(worstDrop(rows, days)).toEqual({ name: 'os', value: 'iOS', observed: 5, expected: 500 })
    expect(worstDrop(daily('country', 'FR', 100, 120), days)).toBeNull()
  })
})

it.each([
  ['the same weekday of a week before', at(1), ['2026-01-02']],
  ['the days before, in the first week', at(5), ['2026-01-06', '2026-01-07', '2026-01-08']],
  [
    'the same weekday of four weeks before',
    new Date('2025-01-01'),
    ['2025-12-12', '2025-12-19', '2025-12-26', '2026-01-02'],
  ],
])('the last complete day is compared with %s', (_with, begin, previous) => {
  expect(daysBefore(new Date('2026-01-10T00:00:00Z'), begin)).toEqual({
    previous,
    last: '2026-01-09',
    since: new Date(`${previous[0]}T00:00:00.000Z`),
    until: new Date('2026-01-10T00:00:00Z'),
  })
})

it.each(['INCREASE', 'DECREASE'] as const)(
  'the worst value of a guardrail of %s has many visitors and much harm',
  (direction) => {
    const sign = direction === 'INCREASE' ? -1 : 1
    const value = (name: string, harm: number, units: number) => {
      const contrast = sign * harm
      const guardrail = { contrast, lowerBound: contrast, upperBound: contrast }
      return {
        value: name,
        metrics: [{ metricId: 'm', direction, variations: [{ variationId: 'B', units, comparison: { guardrail } }] }],
      }
    }
    const dimensions = [
      { name: 'os', values: [value('iOS', -3, 900), value('Android', 2, 4)] },
      { name: 'country', values: [value('DE', 1, 100)] },
    ] as never
    expect(worstGuardrail(dimensions, 'm', 'B')).toMatchObject({ name: 'country', value: 'DE', contrast: sign })
    expect(worstGuardrail(dimensions, 'other', 'B')).toBeNull()
  },
)
