import { describe, expect, it } from 'vitest'
import { type ArmVerdict, decide, type Evidence } from './decide.ts'
import { guardrail, nonInferiority } from './non-inferiority.ts'

const better = (
  variation: string,
  guardrails: ArmVerdict['guardrails'] = 'passed',
  primaryLift = 0.05,
): ArmVerdict => ({
  variation,
  primarySignificantAdjusted: true,
  primaryLift,
  guardrails,
})
const worse = (variation: string) => better(variation, 'passed', -0.05)
const breached = (variation: string): ArmVerdict => ({ ...same(variation), guardrails: 'breached' })
const same = (variation: string): ArmVerdict => ({ ...better(variation), primarySignificantAdjusted: false })

const ready: Evidence = { health: 'ok', runtimeDays: 14, minRuntimeDays: 7, plannedSampleReached: false, arms: [] }

describe('the recommendation', () => {
  it.each<[string, Partial<Evidence>, string | null]>([
    ['unhealthy', { health: 'failed', arms: [better('B')] }, null],
    ['unhealthy', { health: 'failed', runtimeDays: 1 }, null],
    ['keep_running', { runtimeDays: 6.9, arms: [better('B')] }, null],
    ['ship', { runtimeDays: 7, arms: [better('B')] }, 'B'],
    ['ship', { health: 'warning', arms: [better('B')] }, 'B'],
    ['ship', { arms: [better('B'), better('C', 'passed', 0.06), same('D')] }, 'C'],
    ['ship', { arms: [better('B'), better('C', 'breached', 0.06)] }, 'B'],
    ['review', { arms: [better('B', 'inconclusive'), worse('C')] }, null],
    ['review', { arms: [better('B', 'breached')] }, null],
    ['rollback', { arms: [worse('B'), worse('C')] }, null],
    ['keep_running', { arms: [worse('B'), same('C')] }, null],
    ['no_effect', { arms: [worse('B'), same('C')], plannedSampleReached: true }, null],
    ['keep_running', { arms: [] }, null],
    // Harm is said at any time.
    ['rollback', { arms: [breached('B')] }, null],
    ['rollback', { arms: [breached('B')], runtimeDays: 0.1 }, null],
    ['rollback', { arms: [breached('B'), worse('C')] }, null],
    ['review', { arms: [breached('B'), same('C')] }, null],
    ['review', { arms: [better('B', 'breached')], runtimeDays: 0.1 }, null],
    ['review', { arms: [better('B'), better('C', 'breached', 0.06)], runtimeDays: 0.1 }, null],
    ['unhealthy', { arms: [breached('B')], health: 'failed' }, null],
    ['keep_running', { arms: [better('B', 'inconclusive')], guardrailsOpen: true }, null],
  ])('is %s', (recommendation, evidence, variation) => {
    expect(decide({ ...ready, ...evidence })).toMatchObject({ recommendation, variation })
  })

  it('names the next best variation', () => {
    const arms = [better('B'), better('C', 'passed', 0.06), better('D', 'passed', 0.01)]
    expect(decide({ ...ready, arms }).runnerUp).toBe('B')
  })
})

describe('a guardrail', () => {
  const control = { n: 10_000, mean: 10, variance: 4 }
  const settings = { margin: 0.02, alpha: 0.05, tuningParameter: 5000 }
  const stateOf = (mean: number, direction: 'INCREASE' | 'DECREASE', isSequential: boolean) =>
    guardrail(control, { ...control, mean }, { ...settings, direction, isSequential }).state

  it.each([
    [10, 'passed', 'passed'],
    [9.85, 'inconclusive', 'passed'],
    [9.8, 'inconclusive', 'inconclusive'],
    // A fixed bound of 1.64 standard errors is below 0 here. It breaches nothing, because it is read every day.
    [9.74, 'inconclusive', 'inconclusive'],
    [9.6, 'breached', 'breached'],
  ])('at %f is %s under a sequential test and %s under a fixed one', (mean, sequential, fixed) => {
    expect([stateOf(mean, 'INCREASE', true), stateOf(mean, 'INCREASE', false)]).toEqual([sequential, fixed])
    const mirrored = 20 - mean
    expect([stateOf(mirrored, 'DECREASE', true), stateOf(mirrored, 'DECREASE', false)]).toEqual([sequential, fixed])
  })

  it('with a negative control mean accepts a little more below it, not above', () => {
    const negative = { ...control, mean: -10 }
    const contrastAt = (mean: number) =>
      nonInferiority(negative, { ...control, mean }, { margin: 0.02, direction: 'INCREASE', alpha: 0.05 }).contrast
    expect(contrastAt(-10.2)).toBeCloseTo(0, 12)
  })

  it('passes where nothing happens', () => {
    const nothing = { n: 1000, mean: 0, variance: 0 }
    for (const isSequential of [true, false])
      expect(guardrail(nothing, nothing, { ...settings, direction: 'DECREASE', isSequential }).state).toBe('passed')
  })

  it('has no bounds without units', () => {
    const nothing = { n: 0, mean: Number.NaN, variance: Number.NaN }
    const found = guardrail(nothing, control, { ...settings, direction: 'INCREASE', isSequential: true })
    expect(found).toMatchObject({ contrast: null, lowerBound: null, state: 'inconclusive' })
  })
})
