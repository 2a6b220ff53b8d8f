import { expect, test } from 'vitest'
import type { Experiment } from './experiment.ts'
import { type ExperimentValues, updateOf, valuesOf } from './experiment-form.ts'

const experiment = {
  name: 'Shorter form',
  hypothesis: 'Less is more',
  description: null,
  tags: [],
  audienceIds: [],
  conditions: { all: [] },
  trafficAllocation: 10_000,
  bucketBy: 'targetingKey',
  variations: [
    { key: 'off', weight: 5000 },
    { key: 'on', weight: 5000 },
  ],
  baselineVariationKey: 'off',
  metrics: { primary: ['paid'], secondary: [], guardrails: ['errors'] },
  statistics: { test: 'FIXED_HORIZON', alpha: 0.1, plannedUnitsPerVariation: 56_000, maxUnits: null },
  exclusionGroupId: null,
  holdoutId: null,
  sticky: false,
  allowlist: [{ variationKey: 'on', userIds: ['u-1', 'u-2'] }],
  autoPause: { srm: true, traffic: false, guardrailMetric: false, codeErrors: false },
} as unknown as Experiment

test.each<[string, Partial<ExperimentValues>, object]>([
  ['nothing', {}, {}],
  ['an emptied hypothesis', { hypothesis: ' ' }, { hypothesis: null }],
  ['tags', { tags: ['checkout'] }, { tags: ['checkout'] }],
  [
    'checks',
    { autoPause: ['traffic', 'codeErrors'] },
    { autoPause: { srm: false, traffic: true, guardrailMetric: false, codeErrors: true } },
  ],
  [
    'the plan, which leaves the other settings as they are',
    { plannedUnits: '60,000' },
    { statistics: { test: 'FIXED_HORIZON', alpha: 0.1, plannedUnitsPerVariation: 60_000, maxUnits: null } },
  ],
  [
    'no plan',
    { plannedUnits: '' },
    { statistics: { test: 'FIXED_HORIZON', alpha: 0.1, plannedUnitsPerVariation: null, maxUnits: null } },
  ],
  [
    'the most visitors',
    { maxUnits: '200,000' },
    { statistics: { test: 'FIXED_HORIZON', alpha: 0.1, plannedUnitsPerVariation: 56_000, maxUnits: 200_000 } },
  ],
  [
    'when results are read',
    { test: 'SEQUENTIAL' },
    { statistics: { test: 'SEQUENTIAL', alpha: 0.1, plannedUnitsPerVariation: 56_000, maxUnits: null } },
  ],
  ['visitors who are no longer allowed in', { always: [] }, { allowlist: [] }],
  [
    'the split',
    {
      variations: [
        { variationKey: 'off', weight: 2000 },
        { variationKey: 'on', weight: 8000 },
      ],
    },
    {
      variations: [
        { key: 'off', weight: 2000 },
        { key: 'on', weight: 8000 },
      ],
    },
  ],
])('an edit of %s sends only that', (_, edit, body) =>
  expect(updateOf({ ...valuesOf(experiment), ...edit }, experiment)).toEqual(body),
)
