import { expect, it } from 'vitest'
import {
  decisionWords,
  differs,
  type ExplainedFlag,
  type ExplainedRule,
  elseWords,
  failedWords,
  paired,
  ruleReason,
  valueWords,
} from './reasons.ts'

const names = { audiences: new Map([['a-1', 'Beta users']]), segments: new Map([['s-1', 'Testers']]) }

const rule = (part: Partial<ExplainedRule>): ExplainedRule => ({
  ruleId: 'r-1',
  name: 'Rule',
  type: 'TARGETED_DELIVERY',
  outcome: 'MATCHED',
  variationKey: null,
  failed: [],
  moreFailed: 0,
  unit: null,
  traffic: null,
  split: null,
  ...part,
})

const flag = (part: Partial<ExplainedFlag> = {}): ExplainedFlag => ({
  flagId: 'f-1',
  experimentId: null,
  flagKey: 'checkout',
  enabled: true,
  value: true,
  variationKey: 'on',
  ruleId: 'r-1',
  reason: 'TARGETING_MATCH',
  errorCode: null,
  rules: [rule({})],
  ...part,
})

it.each([
  [flag(), 'by rule 1'],
  [flag({ reason: 'SPLIT', ruleId: 'r-2', rules: [rule({}), rule({ ruleId: 'r-2' })] }), 'by rule 2'],
  [flag({ reason: 'OVERRIDE' }), 'always, by rule 1'],
  [flag({ reason: 'OVERRIDE', ruleId: null }), 'always, by the list of the flag'],
  [flag({ reason: 'DEFAULT', ruleId: null }), 'else'],
  [flag({ reason: 'DISABLED', ruleId: null, enabled: false }), 'the flag is paused'],
  [
    flag({ reason: 'UNIT_MISSING', ruleId: null }),
    'no rule applies, because the visitor lacks the id or attribute that a rule splits by',
  ],
  [flag({ reason: 'ERROR', ruleId: null, errorCode: 'FLAG_NOT_FOUND' }), 'not in what this environment serves'],
  [flag({ reason: 'ERROR', ruleId: null, errorCode: 'PARSE_ERROR' }), 'it cannot be evaluated'],
  [flag({ experimentId: 'e-1', reason: 'SPLIT' }), 'takes part'],
  [
    flag({ experimentId: 'e-1', reason: 'UNIT_MISSING' }),
    'does not take part, because the id or attribute that splits visitors is missing',
  ],
  [flag({ experimentId: 'e-1', reason: 'OVERRIDE' }), 'always, by the list of the experiment'],
  [flag({ experimentId: 'e-1', reason: 'DEFAULT', ruleId: null }), 'does not take part'],
  [flag({ experimentId: 'e-1', reason: 'DISABLED', ruleId: null }), 'the experiment does not run'],
])('a decision in words (%#)', (decided, words) => {
  expect(decisionWords(decided)).toBe(words)
})

it.each([
  [flag(), 'Not reached.'],
  [flag({ experimentId: 'e-1', reason: 'DEFAULT', variationKey: 'a' }), 'The visitor does not take part, and gets a.'],
  [flag({ reason: 'DEFAULT', variationKey: 'off' }), 'No rule applies, so the flag gives off.'],
  [flag({ reason: 'DISABLED', variationKey: 'off' }), 'While the flag is paused, every visitor gets off.'],
  [flag({ reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' }), 'An SDK returns the default in the code.'],
  [
    flag({ reason: 'ERROR', errorCode: 'PARSE_ERROR' }),
    'This version of the service cannot read the flag. An SDK returns the default in the code.',
  ],
  [flag({ experimentId: 'e-1', reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' }), 'The script leaves the page as it is.'],
  [
    flag({ experimentId: 'e-1', reason: 'ERROR', errorCode: 'PARSE_ERROR' }),
    'This version of the service cannot read the experiment. The script leaves the page as it is.',
  ],
  [
    flag({ experimentId: 'e-1', reason: 'DISABLED', variationKey: 'a' }),
    'While the experiment does not run, every visitor gets a.',
  ],
])('the last line (%#)', (decided, words) => {
  expect(elseWords(decided)).toBe(words)
})

it.each<[Partial<ExplainedRule>, Partial<ExplainedFlag>, string, string[]]>([
  [{ variationKey: 'on' }, {}, 'Gives on', []],
  [
    { variationKey: 'on', unit: 'u-17', split: { bucket: 1234 } },
    {},
    'Gives on',
    ['u-17 has bucket 1,234 in the split'],
  ],
  [{ ruleId: 'r-2', variationKey: 'on' }, {}, 'Would match, but an earlier rule decided', []],
  [{ variationKey: 'on' }, { ruleId: null }, 'Would match, but the list of the flag decided', []],
  [{ outcome: 'OVERRIDE', variationKey: 'on' }, {}, 'Always gives on', ['the visitor is on the list of the rule']],
  [
    {
      outcome: 'CONDITIONS_FAILED',
      failed: [{ attribute: 'plan', operator: 'equals', value: 'beta', actual: 'pro', negated: false }],
      moreFailed: 2,
    },
    {},
    'Conditions not met',
    ['plan is pro, wanted beta', '2 more conditions not met'],
  ],
  [
    { outcome: 'OUTSIDE_TRAFFIC', traffic: { bucket: 8277, allocation: 2500 } },
    {},
    'Outside the 25\u00a0%',
    ['bucket 8,277, must be below 2,500'],
  ],
  [
    { outcome: 'OUTSIDE_TRAFFIC', traffic: { bucket: 8277, allocation: 0 } },
    {},
    'Outside the 0\u00a0%',
    ['the share of the rule is 0\u00a0%'],
  ],
  [{ outcome: 'OUTSIDE_TRAFFIC' }, {}, 'Outside the share', []],
  [
    { outcome: 'OUTSIDE_GROUP' },
    {},
    'Taken by its exclusion group',
    ['the slot of the visitor belongs to another rule'],
  ],
  [
    { outcome: 'UNIT_MISSING' },
    {},
    'Nothing to split by',
    ['the visitor lacks the id or attribute that the rule splits by'],
  ],
  [{ outcome: 'PAUSED' }, {}, 'Paused', []],
  [{ outcome: 'PAUSED' }, { enabled: false }, 'The flag is paused', []],
  [{ outcome: 'UNKNOWN_HASH' }, {}, 'Cannot be evaluated', ['this version of the service does not know the rule']],
  [{ outcome: 'ERROR' }, {}, 'Cannot be evaluated', ['this version of the service does not know the rule']],
])('a rule in words (%#)', (given, whole, words, details) => {
  expect(ruleReason(rule(given), flag(whole), names)).toEqual({ words, details })
})

const failed = (attribute: string, operator: string, value: unknown, actual: unknown, negated = false) => ({
  attribute,
  operator,
  value,
  actual,
  negated,
})

it.each([
  [failed('plan', 'equals', 'beta', 'pro'), 'plan is pro, wanted beta'],
  [failed('country', 'in', ['NL', 'BE', 'LU'], null), 'country is not set, wanted NL, BE or LU'],
  [failed('country', 'in', [1, 2, 3, 4, 5, 6, 7], 'DE'), 'country is DE, wanted 1, 2, 3, 4, 5 or 2 more'],
  [failed('country', 'notIn', ['NL'], 'NL'), 'country is NL, wanted anything but NL'],
  [failed('country', 'in', ['NL'], 'NL', true), 'country is NL, wanted anything but NL'],
  [failed('plan', 'notEquals', 'beta', 'beta', true), 'plan is beta, wanted beta'],
  [failed('plan', 'exists', undefined, null), 'plan is not set, wanted any value'],
  [failed('plan', 'exists', undefined, '', true), 'plan is (empty), wanted none'],
  [failed('mail', 'endsWith', '@acme.com', 'a@b.c'), 'mail is a@b.c, wanted: ends with @acme.com'],
  [failed('mail', 'endsWith', '@b.c', 'a@b.c', true), 'mail is a@b.c, not wanted: ends with @b.c'],
  [failed('age', 'greaterThan', 17, 16), 'age is 16, wanted: greater than 17'],
  [failed('app', 'semverGreaterThanOrEquals', '2.0.0', '1.9.0'), 'app is 1.9.0, wanted: at least version 2.0.0'],
  [failed('tags', 'includesAny', ['a', 'b'], ['c']), 'tags is ["c"], wanted: includes any of a or b'],
  [
    failed('$now', 'after', '2026-12-01T00:00:00.000Z', Date.UTC(2026, 10, 23, 10)),
    'the time is 23 Nov 2026 10:00 UTC, wanted: after 1 Dec 2026 00:00 UTC',
  ],
  [{ segment: 's-1', negated: false }, 'not in the segment Testers'],
  [{ segment: 's-1', negated: true }, 'in the segment Testers, which is excluded'],
  [{ segment: 's-2', negated: false }, 'not in the segment (deleted)'],
  [{ ...failed('plan', 'equals', 'beta', 'pro'), audience: 'a-1' }, 'Beta users: plan is pro, wanted beta'],
  [{ ...failed('plan', 'equals', 'beta', 'pro'), audience: 'a-2' }, 'an audience: plan is pro, wanted beta'],
])('a failed condition in words (%#)', (condition, words) => {
  expect(failedWords(condition, names)).toBe(words)
})

it('the playground compares what the visitor gets, not why', () => {
  const compared = (other: Partial<ExplainedFlag>) => differs({ flag: flag(), other: flag(other) })
  expect(differs({ flag: flag() })).toBe(false)
  expect(compared({ reason: 'DEFAULT', ruleId: null })).toBe(false)
  expect(compared({ variationKey: 'off', value: false })).toBe(true)
  expect(compared({ value: { a: 1 } })).toBe(true)
})

it('the playground pairs the flags of two sides, also those that only one side serves', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((flagKey) => flag({ flagKey }))
  expect(paired([a!, c!], undefined)).toEqual([{ flag: a }, { flag: c }])
  const pairs = paired([a!, c!], [a!, b!])
  const said = pairs.map((pair) => [decisionWords(pair.flag), decisionWords(pair.other!), differs(pair)])
  const absent = 'not in what this environment serves'
  expect(said).toEqual([
    ['by rule 1', 'by rule 1', false],
    [absent, 'by rule 1', true],
    ['by rule 1', absent, true],
  ])
})

it('a web experiment that one side does not serve is named as an experiment there', () => {
  const [pair] = paired([flag({ experimentId: 'e-1', flagKey: 'xu3k' })], [])
  expect(elseWords(pair!.other!)).toBe('The script leaves the page as it is.')
})

it('the playground shows values that are not true or false', () => {
  expect([valueWords(flag()), valueWords(flag({ value: 'red' })), valueWords(flag({ value: { a: 1 } }))]).toEqual([
    undefined,
    '"red"',
    '{"a":1}',
  ])
})

it.each(['OVERRIDE', 'OUTSIDE_TRAFFIC', 'OUTSIDE_GROUP', 'UNIT_MISSING', 'PAUSED', 'ERROR', 'MATCHED'] as const)(
  'nothing of a web experiment is called a flag or a rule: %s',
  (outcome) => {
    const traffic = { bucket: 7, allocation: 0 }
    const decided = flag({ experimentId: 'e-1', enabled: false, ruleId: null })
    const { words, details } = ruleReason(rule({ outcome, traffic }), decided, {})
    expect([words, ...details].join(' ')).not.toMatch(/\b(flag|rule)\b/)
  },
)
