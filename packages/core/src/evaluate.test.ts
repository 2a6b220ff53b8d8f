import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Evaluation } from './answer.ts'
import type { DataFile, Flag, Rule, TestRule } from './datafile.ts'
import { parseDataFile } from './datafile.ts'
import type { EvaluationContext } from './evaluate.ts'
import { compile } from './evaluate.ts'

const test: TestRule = {
  id: 'r1',
  type: 'AB_TEST',
  when: { all: [] },
  bucketBy: ['targetingKey'],
  hashVersion: 1,
  salt: 'r1',
  traffic: 10_000,
  split: [
    { variation: 'off', end: 5000 },
    { variation: 'on', end: 10_000 },
  ],
}
const unit = fc.string({ minLength: 1 })
const traffic = fc.nat(10_000)

it('records which flags were evaluated', () => {
  const { evaluate, evaluatedKeys } = compile(fileOf({ flag: flagOf(test), other: flagOf(test) }))
  expect(evaluatedKeys()).toEqual([])
  for (const key of ['flag', 'unknown', 'flag']) evaluate(key, {})
  expect(evaluatedKeys()).toEqual(['flag'])
})

describe('evaluate', () => {
  it('gives the reason for a missing flag, a missing unit, an override and a split', () => {
    const evaluator = compile(fileOf({ flag: flagOf({ ...test, overrides: { 'qa-1': 'on' } }) }))
    const reasonFor = (key: string, context: EvaluationContext) => evaluator.evaluate(key, context).reason
    expect(reasonFor('other', {})).toBe('ERROR')
    expect(reasonFor('flag', {})).toBe('UNIT_MISSING')
    expect(reasonFor('flag', { targetingKey: 'qa-1' })).toBe('OVERRIDE')
    expect(reasonFor('flag', { targetingKey: 'user-1' })).toBe('SPLIT')
  })

  it('marks the answers that are to be counted: those of tests, and of deliveries that send exposures', () => {
    const delivery = {
      id: 'r2',
      type: 'TARGETED_DELIVERY',
      salt: 'r2',
      variation: 'on',
      overrides: { 'qa-1': 'off' },
    } as const
    const measured = (rule: Rule, targetingKey: string) =>
      compile(fileOf({ flag: flagOf(rule) })).evaluate('flag', { targetingKey }).measured
    expect(measured(test, 'u-1')).toBe(true)
    expect(measured({ ...test, overrides: { 'qa-1': 'on' } }, 'qa-1')).toBe(true)
    expect(measured({ ...test, traffic: 0 }, 'u-1')).toBeUndefined()
    for (const user of ['u-1', 'qa-1']) {
      expect(measured(delivery, user)).toBeUndefined()
      expect(measured({ ...delivery, exposures: true }, user)).toBe(true)
    }
  })

  it('gives the same answers all at once as one by one, for any file and context', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', 10_000, 'x', true))
    const context = fc.oneof(
      fc.anything(),
      fc.record({ targetingKey: unit, x: fc.constantFrom('x', 'y'), a: anything }),
    )
    fc.assert(
      fc.property(anything, fc.nat(), fc.array(context, { minLength: 1 }), (junk, place, contexts) => {
        const file = parseDataFile(replaceAt(wholeFile(), place, junk))
        if (!file) return
        const [alone, together] = [compile(file), compile(file)]
        for (const each of contexts as EvaluationContext[]) {
          const answers = Object.keys(file.flags).map((key) => [key, alone.evaluate(key, each, 0)])
          expect(together.evaluateAll(each, 0)).toEqual(new Map(answers as [string, Evaluation][]))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('runs a test that several flags share once per call', () => {
    const when = { attribute: 'plan', operator: 'equals', value: 'beta' } as const
    const delivery: Rule = { ...test, type: 'TARGETED_DELIVERY', variation: 'on', when }
    const evaluator = compile(fileOf({ a: flagOf(delivery), b: flagOf({ ...delivery, id: 'r2' }) }))
    let asked = 0
    const visitor = {
      targetingKey: 'user-1',
      get plan() {
        asked += 1
        return asked > 1 ? 'beta' : 'free'
      },
    }
    const reasons = () => [...evaluator.evaluateAll(visitor).values()].map(({ reason }) => reason)
    expect([asked, reasons(), asked]).toEqual([0, ['DEFAULT', 'DEFAULT'], 1])
    expect([reasons(), asked]).toEqual([['TARGETING_MATCH', 'TARGETING_MATCH'], 2])
    expect([evaluator.evaluate('a', visitor).reason, asked]).toEqual(['TARGETING_MATCH', 3])
    expect(evaluator.evaluateAll({ targetingKey: 'user-1' }).get('a')?.reason).toBe('DEFAULT')
    expect(evaluator.evaluatedKeys()).toEqual(['a'])
  })

  it('does not mix up visitors when evaluations are nested', () => {
    const when = { attribute: 'plan', operator: 'equals', value: 'beta' } as const
    const evaluator = compile(fileOf({ a: flagOf({ ...test, when }), b: flagOf({ ...test, when }) }))
    const other = { targetingKey: 'user-2', plan: 'free' }
    const visitor = {
      targetingKey: 'user-1',
      get plan() {
        expect([...evaluator.evaluateAll(other).values()].map(({ reason }) => reason)).toEqual(['DEFAULT', 'DEFAULT'])
        return 'beta'
      },
    }
    expect([...evaluator.evaluateAll(visitor).values()].map(({ reason }) => reason)).toEqual(['SPLIT', 'SPLIT'])
  })

  it('takes the time from the system clock unless the caller passes it', () => {
    const when = { attribute: '$now', operator: 'after', value: '2026-01-01' } as const
    const { evaluate } = compile(fileOf({ flag: flagOf({ ...test, when, split: [{ variation: 'on', end: 10_000 }] }) }))
    expect(evaluate('flag', {}, 0).reason).toBe('DEFAULT')
    expect(evaluate('flag', {}, Date.parse('2026-01-02')).reason).toBe('SPLIT')
    expect(evaluate('flag', {})).toEqual(evaluate('flag', {}, Date.now()))
  })

  it('takes the time from the clock that was passed to compile', () => {
    const when = { attribute: '$now', operator: 'after', value: '2026-01-01' } as const
    let now = 0
    const everybody = { ...test, when, split: [{ variation: 'on', end: 10_000 }] }
    const { evaluate, evaluateAll } = compile(fileOf({ flag: flagOf(everybody) }), () => now)
    const reasons = () => [evaluate('flag', {}).reason, evaluateAll({}).get('flag')?.reason]
    expect(reasons()).toEqual(['DEFAULT', 'DEFAULT'])
    now = Date.parse('2026-01-02')
    expect(reasons()).toEqual(['SPLIT', 'SPLIT'])
  })

  it('gives equal answers as one frozen object', () => {
    const { evaluate } = compile(fileOf({ flag: flagOf(test) }))
    const first = evaluate('flag', { targetingKey: 'user-1' })
    expect(evaluate('flag', { targetingKey: 'user-1' })).toBe(first)
    expect(Object.isFrozen(first)).toBe(true)
  })

  it('keeps every visitor and variation when traffic grows', () => {
    fc.assert(
      fc.property(unit, traffic, traffic, (targetingKey, one, other) => {
        const narrow = answer({ ...test, traffic: Math.min(one, other) }, { targetingKey })
        const wide = answer({ ...test, traffic: Math.max(one, other) }, { targetingKey })
        if (narrow.reason === 'SPLIT') expect(wide).toEqual(narrow)
      }),
      { numRuns: 2000 },
    )
  })

  it('gives a visitor at most one rule of an exclusion group', () => {
    const exclusionGroups = {
      g: {
        salt: 'g',
        slots: [
          { ruleId: 'r1', from: 0, to: 3000 },
          { ruleId: 'r2', from: 3000, to: 10_000 },
        ],
      },
    }
    const flags = { a: flagOf({ ...test, group: 'g' }), b: flagOf({ ...test, id: 'r2', group: 'g' }) }
    const evaluator = compile({ ...fileOf(flags), exclusionGroups })
    fc.assert(
      fc.property(unit, (targetingKey) => {
        const reasons = ['a', 'b'].map((key) => evaluator.evaluate(key, { targetingKey }).reason)
        expect(reasons.toSorted()).toEqual(['DEFAULT', 'SPLIT'])
      }),
    )
  })

  it('lets a malformed audience affect only the flags that use it', () => {
    const audiences = {
      good: { any: [{ audience: 'bad' }, { attribute: 'x', operator: 'exists' }] },
      bad: { attribute: 'x', operator: 'resembles' },
    } as unknown as DataFile['audiences']
    const flag = flagOf({ ...test, when: { audience: 'good' } })
    const evaluator = compile({ ...fileOf({ first: flag, second: flag }), audiences })
    const context = { targetingKey: 'user-1', x: 1 }
    expect(evaluator.evaluate('first', context)).toEqual(evaluator.evaluate('second', context))
    expect(evaluator.evaluate('second', context).errorCode).toBe('PARSE_ERROR')
  })

  it('never throws, for any file and context', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', 10_000, '10000', true))
    fc.assert(
      fc.property(anything, fc.nat(), fc.anything(), (junk, place, context) => {
        const file = parseDataFile(replaceAt(wholeFile(), place, junk))
        if (!file) return
        for (const key of ['flag', '__proto__', ...Object.keys(file.flags)]) {
          expectWellFormed(compile(file).evaluate(key, context as EvaluationContext))
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('never throws for any JSON as a flag', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (flags) => {
        const evaluator = compile(fileOf(flags as unknown as Record<string, Flag>))
        for (const key of Object.keys(flags)) expectWellFormed(evaluator.evaluate(key, { targetingKey: 'user-1' }))
      }),
    )
  })
})

function flagOf(...rules: Rule[]): Flag {
  const variations = { on: 'true', off: 'false' }
  return { id: 'f1', type: 'BOOLEAN', enabled: true, variations, defaultVariation: 'off', rules }
}

function fileOf(flags: Record<string, Flag>): DataFile {
  const environment = { id: 'e1', key: 'production' }
  return {
    schemaVersion: 1,
    revision: 7,
    environment,
    publishedAt: null,
    audiences: {},
    exclusionGroups: {},
    flags,
    events: {},
  }
}

function wholeFile(): DataFile {
  const when: Rule['when'] = {
    all: [
      { not: { any: [] } },
      { audience: 'au' },
      { attribute: 'a.b', operator: 'notIn', value: ['x'], caseSensitive: false },
    ],
  }
  const rule: TestRule = { ...test, when, group: 'g', overrides: { 'user-2': 'on' }, traffic: 9000 }
  const flag = { ...flagOf(rule, { ...test, id: 'r2' }), overrides: { 'user-3': 'on' } }
  const exclusionGroups = { g: { salt: 'g', slots: [{ ruleId: 'r1', from: 0, to: 10_000 }] } }
  return { ...fileOf({ flag }), audiences: { au: { not: { audience: 'au' } } }, exclusionGroups }
}

function answer(rule: Rule, context: EvaluationContext): Evaluation {
  return compile(fileOf({ flag: flagOf(rule) })).evaluate('flag', context)
}

/** The document with one of its parts, counted in depth-first order, replaced. */
function replaceAt(document: unknown, place: number, part: unknown): unknown {
  const copy = structuredClone(document)
  const spots: [Record<string, unknown>, string][] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      spots.push([node as Record<string, unknown>, key])
      visit((node as Record<string, unknown>)[key])
    }
  }
  visit(copy)
  const [parent, key] = spots[place % spots.length] as [Record<string, unknown>, string]
  parent[key] = part
  return copy
}

function expectWellFormed(got: Evaluation): void {
  expect(got.value === undefined).toBe(got.reason === 'ERROR')
  expect(got.variationKey === null).toBe(got.reason === 'ERROR')
  expect(got.errorCode !== undefined).toBe(got.reason === 'ERROR')
}
