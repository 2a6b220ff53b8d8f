import { command, type Group } from '../command.ts'
import { usage } from '../problem.ts'
import { wholeNumber } from '../values/option-values.ts'

const types = { share: 'PROPORTION', number: 'MEAN', ratio: 'RATIO' } as const
type TypeName = keyof typeof types

const run = command({
  name: 'sample-size',
  summary: 'Calculate how many visitors an A/B test needs.',
  about:
    'Write percentages with a sign, such as 5%. A guardrail is its baseline and how much worse it can get: 20%:2% is a share of 20 % that can get worse by 2 % of it. For a number per visitor, put its standard deviation in between: 40:25.5:2%.',
  options: {
    baseline: { value: 'NUMBER', about: 'The share now, such as 5%; otherwise the mean or the ratio.' },
    lift: { value: 'PERCENT', about: 'The smallest change to find, in percent of the baseline.' },
    type: {
      value: 'share|number|ratio',
      about: 'What the metric is. Default: share.',
      choices: ['share', 'number', 'ratio'],
    },
    stddev: { value: 'NUMBER', about: 'The standard deviation per visitor. Required for a mean or a ratio.' },
    variations: { value: 'N', about: 'The number of variations, including the baseline. Default: 2.' },
    metrics: { value: 'N', about: 'The number of primary metrics. Default: 1.' },
    guardrail: { value: 'BASELINE:MARGIN', many: true, about: 'A guardrail that the test must show to hold.' },
    fixed: { about: 'Read the result once, at the end, instead of at any time.' },
    daily: { value: 'N', about: 'New visitors per day.' },
  },
  examples: [
    'svc sample-size --baseline 5% --lift 10% --variations 3',
    'svc sample-size --baseline 5% --lift 10% --guardrail 20%:5% --daily 4000',
  ],
  async run({ options, session: { connection, output } }) {
    if (options.baseline === undefined || options.lift === undefined) throw usage('--baseline and --lift are required.')
    const { data } = await connection.api.POST('/api/v1/calculators/sample-size', {
      body: {
        type: types[(options.type ?? 'share') as TypeName],
        baseline: numberOf(options.baseline, '--baseline'),
        minimumDetectableLift: numberOf(options.lift, '--lift', true),
        stddev: options.stddev === undefined ? null : numberOf(options.stddev, '--stddev'),
        variations: wholeNumber(options.variations, '--variations', 2) ?? 2,
        primaryMetrics: wholeNumber(options.metrics, '--metrics', 1) ?? 1,
        guardrails: (options.guardrail ?? []).map(guardrailOf),
        test: options.fixed ? 'FIXED_HORIZON' : 'SEQUENTIAL',
        unitsPerDay: wholeNumber(options.daily, '--daily', 1) ?? null,
      },
    })
    const size = data!.data
    output.data(size, () => {
      const each = (units: number) => units.toLocaleString('en')
      output.details([
        ['Visitors in each variation', each(size.unitsPerVariation)],
        ['Total visitors', each(size.totalUnits)],
        ['For the metric alone', size.guardrails.length > 0 ? each(size.primaryUnitsPerVariation) : null],
        ...size.guardrails.map(({ unitsPerVariation }, at): [string, string] => [
          `For guardrail ${options.guardrail![at]}`,
          each(unitsPerVariation),
        ]),
        ['Days', size.days],
        ['Days, in whole weeks', size.recommendedDays],
      ])
      output.line()
      for (const words of size.assumptions) output.line(words)
    })
  },
})

export const sampleSize: Group = {
  name: 'sample-size',
  summary: 'How many visitors an A/B test needs.',
  commands: [run],
}

/** `5%` is 0.05. Without a sign, a number is itself; a change is in percent with and without it. */
function numberOf(text: string, name: string, isPercent = false): number {
  const [, number, sign] = /^\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text) ?? []
  if (number === undefined) throw usage(`${name} must be a number or a percentage (got ${text}).`)
  return sign || isPercent ? Number(number) / 100 : Number(number)
}

function guardrailOf(text: string) {
  const parts = text.split(':')
  if (parts.length !== 2 && parts.length !== 3)
    throw usage(`--guardrail must be like 20%:2% or 40:25.5:2% (got ${text}).`)
  const [baseline, stddev, margin] =
    parts.length === 2 ? [parts[0]!, null, parts[1]!] : (parts as [string, string, string])
  return {
    type: stddev === null ? ('PROPORTION' as const) : ('MEAN' as const),
    baseline: numberOf(baseline, '--guardrail'),
    stddev: stddev === null ? null : numberOf(stddev, '--guardrail'),
    nonInferiorityMargin: numberOf(margin, '--guardrail', true),
  }
}
