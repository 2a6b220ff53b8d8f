import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { negations } from './negations.ts'
import type { Operator } from './operators.ts'
import { compileOperator, operators } from './operators.ts'
import { searchedPattern } from './rare-operators.ts'

const names = Object.keys(operators) as Operator[]
const scalar = fc.oneof(
  fc.constantFrom('a', 'A', '1', '1.0.0', '2026-11-20', '10.0.0.0/8', '10.1.1.1', '(', ''),
  fc.string(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
)
const value = fc.oneof(scalar, fc.array(scalar), fc.anything())

describe('operators', () => {
  it.each(Object.entries(negations) as [Operator, Operator][])('%s is exactly NOT %s', (negative, positive) => {
    fc.assert(
      fc.property(value, value, fc.boolean(), (wanted, attribute, caseSensitive) => {
        const holds = compileOperator(positive, wanted, caseSensitive)(attribute)
        expect(compileOperator(negative, wanted, caseSensitive)(attribute)).toBe(!holds)
      }),
    )
  })

  it.each(names)('%s holds for a missing attribute if and only if it is negative', (operator) => {
    fc.assert(
      fc.property(value, fc.constantFrom(null, undefined), (wanted, missing) => {
        expect(compileOperator(operator, wanted, true)(missing)).toBe(Object.hasOwn(negations, operator))
      }),
    )
  })

  it.each(names)('%s returns true or false for any attribute and value', (operator) => {
    fc.assert(
      fc.property(value, value, fc.boolean(), (wanted, attribute, caseSensitive) => {
        expect(compileOperator(operator, wanted, caseSensitive)(attribute)).toBeTypeOf('boolean')
      }),
    )
  })

  it.each(['toString', '__proto__', 'resembles', ''])('refuses %j as an operator', (operator) => {
    expect(() => compileOperator(operator as Operator, 'x', true)).toThrow(TypeError)
  })

  const words = fc.string({ unit: fc.constantFrom('Σ', 'σ', 'ς', 'a', 'A', 'İ', 'ß', ' ', '-') })
  const insensitive = ['equals', 'contains', 'startsWith', 'endsWith', 'in', 'includesAny', 'includesAll'] as const

  it.each(insensitive)('%s holds without case wherever it holds with case', (operator) => {
    const isList = operator === 'in' || operator.startsWith('includes')
    fc.assert(
      fc.property(words, words, words, (before, part, after) => {
        const wanted = isList ? [before, part, after] : part
        for (const text of [part, before + part, part + after, before + part + after]) {
          const attribute = operator.startsWith('includes') ? [after, text, before] : text
          const holds = (caseSensitive: boolean) => compileOperator(operator, wanted, caseSensitive)(attribute)
          expect(holds(true) && !holds(false)).toBe(false)
        }
      }),
    )
  })

  const rest = fc.array(fc.constantFrom('a', '.', '.+', 'a?', '$', '^', '|', '(?:b|)', '[^a]*'), { maxLength: 4 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\u2028', '😀') })

  it('matches gives the same result with and without a leading .*', () => {
    fc.assert(
      fc.property(fc.constantFrom('.*', '.*?', '.*.*', '.*?.*', '^.*'), rest, text, (begin, parts, attribute) => {
        const pattern = begin + parts.join('')
        expect(new RegExp(searchedPattern(pattern), 'u').test(attribute)).toBe(new RegExp(pattern, 'u').test(attribute))
        expect(searchedPattern(pattern).startsWith('.*')).toBe(false)
        expect(compileOperator('matches', pattern, true)(attribute)).toBe(new RegExp(pattern, 'u').test(attribute))
      }),
    )
  })

  it.each(['.**', '.*+', '.*??', '.*{2}'])('matches treats %s as an invalid pattern', (pattern) => {
    expect(() => new RegExp(pattern, 'u')).toThrow()
    expect(compileOperator('matches', pattern, true)('a')).toBe(false)
  })
})
