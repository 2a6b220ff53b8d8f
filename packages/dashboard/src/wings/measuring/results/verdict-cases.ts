import example from './example.json' with { type: 'json' }
import type { Comparison, MetricResult, Results } from './figures.ts'

/** The example of results, which the cases change. */
export const results = example as Results
const [purchase, , fast] = results.metrics as [MetricResult, MetricResult, MetricResult]

/** The primary metric with this about the short form. */
export const withComparison = (change: Partial<Comparison>, metric = purchase): MetricResult => ({
  ...metric,
  variations: metric.variations.map((each) => ({
    ...each,
    comparison: each.comparison && { ...each.comparison, ...change },
  })),
})
export const open: Partial<Comparison> = {
  significant: false,
  difference: { estimate: 0.006, standardError: 0.003, ciLow: -0.0039, ciHigh: 0.0159 },
  lift: { estimate: 0.12, ciLow: -0.0716, ciHigh: 0.354, method: 'FIELLER' },
}
const worse: Partial<Comparison> = {
  significant: true,
  difference: { estimate: -0.006, standardError: 0.001, ciLow: -0.009, ciHigh: -0.003 },
  lift: { estimate: -0.12, ciLow: -0.18, ciHigh: -0.06, method: 'FIELLER' },
}
type Action = NonNullable<Results['recommendation']>['action']
type Reasons = NonNullable<Results['recommendation']>['reasons']
export const advice = (action: Action, reasons: Reasons = [], variationId: string | null = null) => ({
  recommendation: { action, reasons, variationId },
})
export const progress = {
  plannedUnitsPerVariation: 31_235,
  fraction: 0.32,
  estimatedDaysRemaining: 26,
  minimumDetectableLift: 0.18,
}
const ended = { ruleStatus: 'COMPLETED' } as const
const at = (stage: NonNullable<NonNullable<Results['progress']>['stage']>) => ({
  progress: { ...results.progress!, stage, estimatedDaysRemaining: null },
})
export const keepRunning = advice('KEEP_RUNNING', ['PLANNED_SAMPLE_NOT_REACHED'])
export const guardrail = fast.variations[1]!.comparison!.guardrail!
export const settings = results.settings!
export const nobody = { ...results.units, total: 0, excluded: { crossover: 0, bot: 0, override: 0 } }
export const failedSplit: Results['health'] = {
  status: 'FAILED',
  checks: [{ check: 'SRM', status: 'FAILED', pValue: 0.0003, threshold: 0.0005, bayesFactor: 200, chi2: 13, df: 1 }],
}
const skewed = results.units.variations.map((each) => ({ ...each, share: each.isBaseline ? 0.477 : 0.523 }))
export const few = (units: number, sum: number, waitingUnits = 0): MetricResult => ({
  ...withComparison({ status: 'insufficient_data', significant: false }),
  waitingUnits,
  variations: withComparison({
    status: 'insufficient_data',
    smallCounts: { ciLow: -0.03, ciHigh: 0.124, fisherPValue: 0.213 },
  }).variations.map((each) => ({ ...each, units, sum, converted: sum })),
})

/** Words as people read them: which spaces keep figures in one line is tested elsewhere. */
export const plain = <Given>(given: Given): Given => JSON.parse(JSON.stringify(given).replaceAll('\u00a0', ' '))

/** Every row of the words that results have: what differs from the example, the first sentence, and the lines below it. */
export const rows: [about: string, change: Partial<Results>, headline: string, ...lines: string[]][] = [
  [
    'not started',
    { ...advice('KEEP_RUNNING', ['NO_EXPOSURES']), units: nobody, ruleStatus: 'DRAFT', startedAt: null },
    'This test has not started.',
    'From its start on, visitors are counted.',
  ],
  [
    'no exposures',
    { ...advice('KEEP_RUNNING', ['NO_EXPOSURES']), units: nobody },
    'Waiting for the first visitor.',
    'Started 2 hours ago.',
  ],
  [
    'exposures that do not count',
    {
      ...advice('KEEP_RUNNING', ['NO_EXPOSURES']),
      units: { ...nobody, excluded: { crossover: 0, bot: 1, override: 12, paused: 2 } },
    },
    'Waiting for the first visitor.',
    'Started 2 hours ago.',
    'Seen, but not counted: 1 bot, 12 visitors of an allowlist, and 2 visitors seen while the test did not run.',
  ],
  [
    'unhealthy',
    {
      ...advice('UNHEALTHY', ['HEALTH_FAILED']),
      health: failedSplit,
      units: { ...results.units, variations: skewed },
    },
    'Do not use these results.',
    'Original should have 50.0 % of the visitors and has 47.7 %. Chance alone does this less than once in 3,000 tests.',
  ],
  [
    'without a primary metric',
    { ...advice('KEEP_RUNNING', ['NO_PRIMARY_METRIC']), metrics: [] },
    'This test has no primary metric.',
    'Visitors are counted. Choose a primary metric in the test and publish it.',
  ],
  [
    'too few visitors',
    { ...keepRunning, metrics: [few(61, 9, 1)], units: { ...results.units, total: 123 } },
    'Collecting data.',
    '61 of 100 visitors in the smaller variation, 18 of 25 conversions in both.',
    '1 visitor is still inside the 1-day window and counts later.',
  ],
  [
    'only visitors inside the window, who are told before the zeros',
    { ...keepRunning, metrics: [few(0, 0, 400)], units: { ...results.units, total: 400 } },
    'Collecting data.',
    '400 visitors are still inside the 1-day window and count later.',
    '0 of 100 visitors in the smaller variation, 0 of 25 conversions in both.',
  ],
  [
    'too few visitors in a paused test',
    { ...keepRunning, metrics: [few(61, 9)], units: { ...results.units, total: 122 }, ruleStatus: 'PAUSED' },
    'Paused with too little data.',
    '61 of 100 visitors in the smaller variation, 18 of 25 conversions in both.',
  ],
  [
    'too few visitors for a metric that does not count those from before it',
    { ...keepRunning, metrics: [few(61, 9, 2)], units: { ...results.units, total: 900 } },
    'Collecting data.',
    '61 of 100 visitors in the smaller variation, 18 of 25 conversions in both.',
    '2 visitors are still inside the 1-day window and count later.',
  ],
  [
    'ended without a visitor',
    { ...advice('KEEP_RUNNING', ['NO_EXPOSURES']), units: nobody, ...ended },
    'Ended without a visitor.',
    'Started 2 hours ago.',
  ],
  [
    'ended without a primary metric',
    { ...advice('KEEP_RUNNING', ['NO_PRIMARY_METRIC']), metrics: [], ...ended },
    'This test has no primary metric.',
    'Visitors were counted, without a primary metric.',
  ],
  [
    'ended with too few visitors, of whom one can still convert',
    {
      ...keepRunning,
      metrics: [few(61, 9, 1)],
      units: { ...results.units, total: 123 },
      ...ended,
      ...at('WINDOWS_OPEN'),
    },
    'Collecting data.',
    '61 of 100 visitors in the smaller variation, 18 of 25 conversions in both.',
    '1 visitor is still inside the 1-day window and counts later.',
  ],
  [
    'ended with too few visitors',
    { ...keepRunning, metrics: [few(61, 9)], units: { ...results.units, total: 122 }, ...ended, ...at('FINAL') },
    'Ended with too little data.',
    '61 of 100 visitors in the smaller variation, 18 of 25 conversions in both.',
  ],
  [
    'ended with a metric that came after the events of all visitors were deleted',
    { ...keepRunning, metrics: [few(0, 0)], ...ended, ...at('COLLECTING') },
    'Ended with too little data.',
    '0 of 100 visitors in the smaller variation, 0 of 25 conversions in both.',
    'The primary metrics were added after the events of these visitors had been deleted.',
  ],
  [
    'ended early, and open',
    {
      ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']),
      ...{ runtimeDays: 2.4, metrics: [withComparison(open)], ...ended },
    },
    'Ended too early to tell.',
    'It ended on day 3 of at least 7.',
    'So far: Short form: Purchase +12.0 %, between −7.2 % and +35.4 %.',
  ],
  [
    'ended early, and ahead',
    { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']), runtimeDays: 2.4, ...ended },
    'Ahead, but it ended too early.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'It ended on day 3 of at least 7. Clear difference, but the test was shorter than 7 days.',
  ],
  [
    'paused early, and ahead',
    { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']), runtimeDays: 2.4, ruleStatus: 'PAUSED' },
    'Ahead so far. The test is paused.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'Day 3 of at least 7. Clear difference, but run at least 7 days.',
  ],
  [
    'a fixed test before its end',
    { ...keepRunning, settings: { ...settings, test: 'FIXED_HORIZON' }, progress },
    'Opens on about 21 Feb.',
    'A test of a fixed length is read once. Until then there are counts and health.',
  ],
  [
    'a fixed test without a rate',
    {
      ...keepRunning,
      settings: { ...settings, test: 'FIXED_HORIZON' },
      progress: { ...progress, estimatedDaysRemaining: null },
    },
    'Opens when each variation has 31,235 visitors.',
    'A test of a fixed length is read once. Until then there are counts and health.',
  ],
  [
    'a fixed test whose rule was paused for good, with visitors who can still convert',
    {
      ...keepRunning,
      ...{ settings: { ...settings, test: 'FIXED_HORIZON' }, ruleStatus: 'PAUSED' },
      ...{ endedAt: '2026-01-20T00:00:00.000Z', ...at('WINDOWS_OPEN') },
    },
    'Opens when the last visitors have had their time to convert.',
    'A test of a fixed length is read once. Until then there are counts and health.',
  ],
  [
    'a fixed test that has ended, with a metric that measured nobody',
    { ...keepRunning, settings: { ...settings, test: 'FIXED_HORIZON' }, ...ended, ...at('COLLECTING') },
    'Ended without a verdict.',
    'Not every primary metric has measured visitors. There are counts and health.',
  ],
  [
    'early, and open',
    { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']), runtimeDays: 2.4, metrics: [withComparison(open)] },
    'Too early to tell.',
    'Day 3 of at least 7.',
    'So far: Short form: Purchase +12.0 %, between −7.2 % and +35.4 %.',
  ],
  [
    'early, and ahead',
    { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']), runtimeDays: 2.4 },
    'Ahead so far. Keep running.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'Day 3 of at least 7. Clear difference, but run at least 7 days.',
  ],
  [
    'early, and behind',
    { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']), runtimeDays: 2.4, metrics: [withComparison(worse)] },
    'Behind so far. Keep running.',
    'Short form: Purchase −12.0 %, between −18.0 % and −6.0 %.',
    'Day 3 of at least 7. Clear difference, but run at least 7 days.',
  ],
  [
    'zero excluded only before the correction',
    {
      ...keepRunning,
      progress,
      metrics: [withComparison({ significant: false }), { ...withComparison(open), metricId: 'm2' }],
    },
    'No difference shown yet.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %. That excludes zero by itself, but not after the correction for 2 comparisons.',
    '32 % of the planned visitors; about 26 days left.',
    'With the visitors so far, it can show a lift of 18.0 % or more.',
  ],
  [
    'open',
    { ...keepRunning, progress, metrics: [withComparison(open)] },
    'No difference shown yet.',
    '32 % of the planned visitors; about 26 days left.',
    'With the visitors so far, it can show a lift of 18.0 % or more.',
  ],
  [
    'one of several is worse',
    { ...keepRunning, progress: null, metrics: [withComparison(worse)] },
    'No variation is better yet.',
    'Short form: Purchase −12.0 %, between −18.0 % and −6.0 %. That is worse.',
  ],
  [
    'ship',
    {},
    'Short form is better.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'The guardrail holds.',
  ],
  [
    'ship with a tie',
    {
      ...advice('SHIP', ['PRIMARY_BETTER', 'TIE'], 'short'),
      metrics: [
        { ...purchase, variations: [...purchase.variations, { ...purchase.variations[1]!, variationId: 'long' }] },
      ],
    },
    'Short form is better.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'Long form is better too. Neither of the two is shown to beat the other.',
  ],
  [
    'a guardrail is breached',
    {
      ...advice('REVIEW', ['PRIMARY_BETTER', 'GUARDRAIL_BREACHED']),
      metrics: [purchase, withComparison({ guardrail: { ...guardrail, state: 'BREACHED' } }, fast)],
    },
    'Short form makes Fast pages worse.',
    'Short form: Fast pages +0.3 %, between −1.2 % and +1.8 %. Worse than the allowed 2 %.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %. That is better.',
  ],
  [
    'a guardrail is open',
    {
      ...advice('REVIEW', ['PRIMARY_BETTER', 'GUARDRAIL_INCONCLUSIVE']),
      metrics: [purchase, withComparison({ guardrail: { ...guardrail, state: 'INCONCLUSIVE' } }, fast)],
    },
    'Better, but check Fast pages.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'Short form, Fast pages: not enough data to rule out a drop of 2 %.',
  ],
  [
    'another primary metric is worse',
    {
      ...advice('REVIEW', ['PRIMARY_BETTER', 'PRIMARY_WORSE']),
      metrics: [purchase, withComparison(worse, { ...purchase, metricId: 'm2', name: 'Sign-up' })],
    },
    'Better, but check Sign-up.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
    'Short form: Sign-up −12.0 %, between −18.0 % and −6.0 %. That is worse.',
  ],
  [
    'worse where a decrease is good',
    {
      ...advice('ROLLBACK', ['PRIMARY_WORSE']),
      metrics: [{ ...purchase, direction: 'DECREASE' }],
    },
    'Worse than the baseline.',
    'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
  ],
  [
    'no effect',
    { ...advice('NO_EFFECT', ['PLANNED_SAMPLE_REACHED']), progress, metrics: [withComparison(open)] },
    'No effect of the planned size.',
    'A lift of 18.0 % or more would have been found 4 times in 5.',
  ],
  [
    'no effect without a plan',
    {
      ...advice('NO_EFFECT', ['PLANNED_SAMPLE_REACHED']),
      progress: { ...progress, plannedUnitsPerVariation: null, minimumDetectableLift: null },
      metrics: [withComparison(open)],
    },
    'No effect shown.',
  ],
  [
    'no lift',
    {
      metrics: [
        withComparison({
          status: 'zero_baseline',
          lift: { estimate: null, ciLow: null, ciHigh: null, method: 'FIELLER' },
        }),
      ],
    },
    'Short form is better.',
    'Short form: Purchase +1.1 points, between +0.4 points and +1.8 points.',
  ],
  ['a rollout', { recommendation: null }, 'A rollout compares nothing.', 'Its visitors are counted.'],
]
