import { expect, it } from 'vitest'
import { type Trial, trialWords } from './trial-words.ts'

type Evaluation = Trial['evaluation']
type Rule = Evaluation['rules'][number]

const tried = {
  pages: [{ key: 'pricing', name: 'Pricing' }],
  variations: [
    { key: 'original', name: 'Original' },
    { key: 'price', name: 'With price' },
  ],
  baselineVariationKey: 'original',
}

const rule = (more: Partial<Rule>): Rule =>
  ({
    ...{
      ruleId: 'r',
      name: 'Test',
      type: 'AB_TEST',
      outcome: 'MATCHED',
      variationKey: 'price',
      failed: [],
      moreFailed: 0,
    },
    ...{ traffic: null, split: null, unit: 'u-1', group: null, holdout: null },
    ...(more as object),
  }) as Rule

const trial = (pages: string[], evaluation: Partial<Evaluation>): Trial => ({
  pages,
  evaluation: {
    ...{ flagId: null, experimentId: 'e', flagKey: 'x1', enabled: true, value: 'price', variationKey: 'price' },
    ...{ ruleId: 'r', reason: 'SPLIT', errorCode: null, rules: [rule({})] },
    ...evaluation,
  } as Evaluation,
})
const original = { variationKey: 'original', ruleId: null }
const country = { attribute: 'country', operator: 'equals', value: 'NL', actual: 'DE', negated: false }

it.each<[string, Trial, string, string[]]>([
  [
    'takes part',
    trial(['pricing'], { rules: [rule({ split: { bucket: 4312 } } as Partial<Rule>)] }),
    'The visitor gets With price and is counted.',
    ['The address is Pricing.', 'u-1 has bucket 4,312 in the split.'],
  ],
  [
    'is elsewhere',
    trial([], {}),
    'The visitor sees Original and is not counted.',
    ['This address is no page of the experiment.', 'On its pages, the visitor gets With price.'],
  ],
  [
    'is elsewhere and not in the audience',
    trial([], { ...original, reason: 'DEFAULT' }),
    'The visitor sees Original and is not counted.',
    ['This address is no page of the experiment.'],
  ],
  [
    'is not in the audience',
    trial(['pricing'], {
      ...{ ...original, reason: 'DEFAULT' },
      rules: [rule({ outcome: 'CONDITIONS_FAILED', failed: [country] } as unknown as Partial<Rule>)],
    }),
    'The visitor sees Original and is not counted.',
    ['The address is Pricing.', 'country is DE, wanted NL.'],
  ],
  [
    'is named',
    trial(['pricing'], { reason: 'OVERRIDE', rules: [rule({ outcome: 'OVERRIDE' })] }),
    'The visitor always gets With price and is not counted.',
    ['The address is Pricing.', 'The id is on the list of individual visitors.'],
  ],
  [
    'has no id',
    trial(['pricing'], { ...original, reason: 'UNIT_MISSING' }),
    'The visitor sees Original and is not counted.',
    ['Without a visitor id, nobody can be assigned to a variation. Enter one.'],
  ],
  [
    'is kept out',
    trial(['pricing'], { ...original, reason: 'HOLDOUT' }),
    'The visitor sees Original and is not counted.',
    ['The address is Pricing.', 'A holdout keeps the visitor out of all tests.'],
  ],
  [
    'comes during a pause',
    trial(['pricing'], { ...original, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND', rules: [] }),
    'The visitor sees Original.',
    ['The experiment is not served now.'],
  ],
])('a visitor who %s', (_what, tryOf, headline, reasons) => {
  expect(trialWords(tryOf, tried, {})).toMatchObject({ headline, reasons })
})
