import { describe, expect, it } from 'vitest'
import type { Condition } from './conditions.ts'
import { compileCondition } from './conditions.ts'

const beta: Condition = { attribute: 'plan', operator: 'equals', value: 'beta' }

describe('compileCondition', () => {
  it.each<[string, Condition, boolean]>([
    ['an attribute', beta, true],
    ['not', { not: beta }, false],
    ['all', { all: [beta, { attribute: 'age', operator: 'greaterThan', value: 17 }] }, false],
    ['any', { any: [beta, { attribute: 'age', operator: 'greaterThan', value: 17 }] }, true],
    ['an audience', { audience: 'beta' }, true],
    ['an unknown audience', { audience: 'toString' }, false],
    ['the time of the evaluation', { attribute: '$now', operator: 'after', value: '1970-01-01' }, true],
  ])('evaluates %s', (_name, condition, expected) => {
    expect(compileCondition(condition, { audiences: { beta } })({ plan: 'beta' }, 1)).toBe(expected)
  })

  it('terminates when audiences form a cycle, in repeated evaluations too', () => {
    const ring: Record<string, Condition> = { a: { any: [{ audience: 'b' }, beta] }, b: { all: [{ audience: 'a' }] } }
    const decide = compileCondition({ audience: 'a' }, { audiences: ring })
    expect([decide({}, 0), decide({ plan: 'beta' }, 0), decide({}, 0)]).toEqual([false, true, false])
  })

  it('evaluates correctly after an attribute threw', () => {
    const decide = compileCondition({ audience: 'beta' }, { audiences: { beta } })
    const hostile = Object.defineProperty({}, 'plan', {
      get: () => {
        throw new Error('no')
      },
    })
    expect(() => decide(hostile, 0)).toThrow('no')
    expect(decide({ plan: 'beta' }, 0)).toBe(true)
  })

  it.each([[null], [[]], ['all'], [{}], [{ all: 1 }], [{ not: null }], [{ attribute: 1, operator: 'exists' }]])(
    'throws at compile time for %j',
    (condition) => {
      expect(() => compileCondition(condition as unknown as Condition)).toThrow(TypeError)
    },
  )
})

describe('A19 a BigInt', () => {
  it.each([
    ['equals', 1, 1n, true],
    ['equals', 1, 2n, false],
    ['equals', '1', 1n, false],
    ['in', [1, 2], 2n, true],
    ['notIn', [1, 2], 2n, false],
    ['greaterThan', 18, 19n, true],
    ['lessThanOrEquals', 18, 18n, true],
    ['includesAny', [1], [2n, 1n], true],
    ['includesAll', [1, 2], [2n, 1n], true],
    ['includesNone', [1], [1n], false],
    ['after', 0, 1n, true],
    ['exists', undefined, 0n, true],
    // JSON reads the same digits as this double.
    ['equals', 2 ** 53, 9007199254740993n, true],
  ] as const)('%s %j of %s is %s', (operator, value, attribute, matches) => {
    for (const caseSensitive of [true, false]) {
      const holds = compileCondition({ attribute: 'a', operator, value, caseSensitive } as unknown as Condition)
      expect(holds({ a: attribute })).toBe(matches)
    }
  })
})
