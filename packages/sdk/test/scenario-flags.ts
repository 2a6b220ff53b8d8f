import type { Condition, Flag, JsonValue } from '@svc/core'
import { typeOf } from '../src/details.ts'

/** A flag with named variations, which serves the first one unless a rule decides. */
export function variedFlag(variations: Record<string, JsonValue>, changes: Partial<Flag> = {}): Flag {
  const [[first, value]] = Object.entries(variations) as [[string, JsonValue]]
  const texts = Object.entries(variations).map(([key, each]) => [
    key,
    typeof each === 'string' ? each : JSON.stringify(each),
  ])
  return {
    ...{ id: 'f', type: typeOf(value), enabled: true },
    ...{ variations: Object.fromEntries(texts), defaultVariation: first },
    ...changes,
  }
}

/** A rule that gives a variation to everybody who matches. */
export const ruleFor = (variation: string, when: Condition): Partial<Flag> => ({
  rules: [{ id: '1', type: 'TARGETED_DELIVERY', salt: 's', variation, when }],
})

export const equalTo = (attribute: string, value: string | number | boolean): Condition => ({
  ...{ attribute, operator: 'equals', value },
})

export const pictures = { showImages: true, title: 'Check out these pics!', imagesPerPage: 100 }
const values = {
  boolean: { on: true, off: false },
  string: { greeting: 'hi', parting: 'bye' },
  integer: { ten: 10, one: 1 },
  float: { half: 0.5, tenth: 0.1 },
  object: { template: pictures, empty: {} },
}
const zeros = {
  boolean: { zero: false, 'non-zero': true },
  string: { zero: '', 'non-zero': 'str' },
  integer: { zero: 0, 'non-zero': 1 },
  float: { zero: 0, 'non-zero': 1 },
  object: { zero: {}, 'non-zero': pictures },
}
const ballmer = equalTo('email', 'ballmer@macrosoft.com')

const each = (sets: Record<string, Record<string, JsonValue>>, ending: string, changes?: Partial<Flag>) =>
  Object.entries(sets).map(([type, variations]) => [`${type}-${ending}`, variedFlag(variations, changes)])

/** The flags that the scenarios of the specification's Appendix B speak of. */
export const flagsOfAppendixB: Record<string, Flag> = {
  ...Object.fromEntries([
    ...each(values, 'flag'),
    ...each(values, 'disabled-flag', { enabled: false }),
    ...each(zeros, 'zero-flag'),
    ...each(zeros, 'targeted-zero-flag', ruleFor('zero', ballmer)),
  ]),
  'metadata-flag': variedFlag(values.boolean),
  'wrong-flag': variedFlag({ one: 'uno', two: 'dos' }),
  'complex-targeted': variedFlag(
    { external: 'EXTERNAL', internal: 'INTERNAL' },
    ruleFor('internal', {
      all: [equalTo('customer', false), ballmer, { attribute: 'age', operator: 'greaterThan', value: 10 }],
    }),
  ),
  'context-aware': variedFlag(
    { external: 'EXTERNAL', internal: 'INTERNAL' },
    ruleFor('internal', {
      all: [equalTo('fn', 'Sulisław'), equalTo('ln', 'Świętopełk'), equalTo('age', 29), equalTo('customer', false)],
    }),
  ),
}

export const uuidOfHit = '5c3d8535-f81a-4478-a6d3-afaa4d51199e'

/** The flags of the specification's Appendix F. */
export const flagsOfAppendixF: Record<string, Flag> = {
  ...Object.fromEntries([...each(values, 'flag'), ...each(zeros, 'zero-flag')]),
  'large-integer-flag': variedFlag({ 'max-int32': 2_147_483_647, one: 1 }),
  'huge-integer-flag': variedFlag({ 'max-safe': 9_007_199_254_740_991, one: 1 }),
  'integral-float-flag': variedFlag({ ten: 10, tenth: 0.1 }),
  'wrong-flag': variedFlag({ one: 'uno', two: 'dos' }),
  'targeting-key-flag': variedFlag({ miss: 'miss', hit: 'hit' }, ruleFor('hit', equalTo('targetingKey', uuidOfHit))),
  'changing-flag': variedFlag({ foo: 'foo', bar: 'bar' }),
}
