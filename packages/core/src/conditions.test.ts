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
