import { describe, expect, it } from 'vitest'
import { type Condition, compileCondition } from './conditions/conditions.ts'
import { type Operator, operators } from './conditions/operators.ts'
import type { DataFile, Flag } from './datafile.ts'
import { compile, type EvaluationContext } from './evaluate.ts'

const megabyte = 1_000_000
/**
 * The limit is in processor time, which does not depend on other programs. Each takes milliseconds; with a step for
 * each pair of characters, it would take a quarter of an hour.
 */
const limitMs = 20_000
const names = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__']

/** A megabyte each. They begin like values that operators parse: dates, versions, addresses. */
const texts = ['a', '9', ' ', '1.', ':', '0:', '-', '2026-11-20T', '\ud800', '😀', '__proto__.'].map((text) =>
  text.repeat(Math.ceil(megabyte / text.length)),
)

/** A usable value for each operator. */
const values: Partial<Record<Operator, unknown>> = {
  in: ['a'],
  notIn: ['a'],
  matches: '^(?:a|b)[^@]*@',
  notMatches: '[ab]+$',
  before: '2026-11-20',
  after: '2026-11-20',
  includesAny: ['a'],
  includesAll: ['a'],
  includesNone: ['a'],
  inCidr: '10.0.0.0/8',
}

describe('A3 hostile attributes', () => {
  it.each(Object.keys(operators) as Operator[])('%s answers in bounded time for a megabyte', (operator) => {
    const value =
      values[operator] ?? (operator.startsWith('semver') ? '4.2.0' : operators[operator] === 'number' ? 1 : 'a')
    for (const caseSensitive of [true, false]) {
      const holds = compileCondition({ attribute: 'x', operator, value, caseSensitive } as Condition)
      for (const text of texts)
        for (const x of [text, [text], { [text]: text }]) {
          const begun = process.cpuUsage()
          expect(typeof holds({ x }, 0)).toBe('boolean')
          expect(process.cpuUsage(begun).user / 1000).toBeLessThan(limitMs)
        }
    }
  })

  it.each(names)('%s works as the name of an attribute, a flag and a variation', (name) => {
    const own = (value: unknown) => Object.fromEntries([[name, value]])
    const rule = {
      id: 'r1',
      type: 'TARGETED_DELIVERY',
      when: { attribute: name, operator: 'equals', value: 'x' },
      bucketBy: ['targetingKey'],
      hashVersion: 1,
      salt: 'r1',
      traffic: 10_000,
      variation: name,
    }
    const variations = { ...own('special'), off: 'usual' }
    const flag = { id: 'f1', type: 'STRING', enabled: true, variations, defaultVariation: 'off', rules: [rule] }
    const file: DataFile = {
      schemaVersion: 1,
      revision: 1,
      environment: { id: 'e1', key: 'production' },
      publishedAt: null,
      audiences: {},
      exclusionGroups: {},
      flags: own(flag) as Record<string, Flag>,
      events: {},
    }
    const { evaluate } = compile(file)
    const valueFor = (context: unknown) => evaluate(name, context as EvaluationContext).value
    expect(valueFor({ targetingKey: 'u' })).toBe('usual')
    expect(valueFor(JSON.parse(`{"targetingKey":"u","${name}":"x"}`))).toBe('special')
    for (const other of names.filter((each) => each !== name)) expect(evaluate(other, {}).reason).toBe('ERROR')
  })
})
