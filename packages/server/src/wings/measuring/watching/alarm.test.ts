import { assert, constantFrom, array as listOf, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HealthCheck, MetricResult, Results } from '../results/index.ts'
import { type Finding, findingsOf, judge } from './alarm.ts'

const check = (name: HealthCheck['check'], status: HealthCheck['status']): HealthCheck => ({ check: name, status })

type Verdict = 'PASSED' | 'INCONCLUSIVE' | 'BREACHED'

const metric = (state: Verdict) =>
  ({
    metricId: 'm',
    variations: [
      { variationId: 'A', comparison: null },
      { variationId: 'B', comparison: { guardrail: { state } } },
    ],
  }) as MetricResult

function results({
  checks = [],
  guardrail,
  units = 0,
}: {
  checks?: HealthCheck[]
  guardrail?: Verdict
  units?: number
}) {
  return {
    health: { status: 'OK', checks },
    metrics: guardrail ? [metric(guardrail)] : [],
    progress: { plannedUnitsPerVariation: 100 },
    units: { variations: [{ units: 100 }, { units }] },
  } as unknown as Results
}

describe('what a snapshot says', () => {
  it.each<[HealthCheck['check'], HealthCheck['status'], Finding['state']]>([
    ['SRM', 'FAILED', 'FAILED'],
    ['SRM', 'WARNING', 'UNKNOWN'],
    ['SRM', 'NOT_ENOUGH_DATA', 'UNKNOWN'],
    ['SRM', 'OK', 'HEALTHY'],
    ['TRAFFIC_DROP', 'FAILED', 'FAILED'],
    ['NO_EXPOSURES', 'FAILED', 'FAILED'],
    ['VARIATION_STARVED', 'FAILED', 'FAILED'],
    ['TRAFFIC_CAP', 'WARNING', 'FAILED'],
    ['TRAFFIC_CAP', 'OK', 'HEALTHY'],
    ['COMPUTATION', 'WARNING', 'FAILED'],
    ['COMPUTATION', 'FAILED', 'FAILED'],
  ])('%s %s is %s', (name, status, state) => {
    expect(findingsOf(results({ checks: [check(name, status)] }))).toMatchObject([{ key: name, state }])
  })

  it.each<[HealthCheck['check']]>([['CROSSOVER'], ['BALANCE']])('%s causes no alarm', (name) => {
    expect(findingsOf(results({ checks: [check(name, 'FAILED')] }))).toEqual([])
  })

  it.each<[Verdict, number, Finding['state']]>([
    ['BREACHED', 0, 'FAILED'],
    ['PASSED', 0, 'HEALTHY'],
    ['INCONCLUSIVE', 99, 'UNKNOWN'],
    // Most harmless metrics do not prove that they are not worse. That is no harm, and no reason for a pause.
    ['INCONCLUSIVE', 100, 'UNKNOWN'],
    ['PASSED', 100, 'HEALTHY'],
  ])('a guardrail metric that is %s with %i of 100 visitors is %s', (guardrail, units, state) => {
    const [finding, ...others] = findingsOf(results({ guardrail, units }))
    expect(finding).toMatchObject({ key: 'GUARDRAIL_METRIC m B', state })
    expect(others).toEqual([])
  })
})

const finding = (state: Finding['state'], key = 'SRM'): Finding => ({
  key,
  state,
  kind: 'SRM',
  check: check('SRM', 'OK'),
})

describe('an alarm', () => {
  it.each<[string, (Finding['state'] | null)[], boolean[]]>([
    ['fires once', ['HEALTHY', 'FAILED', 'FAILED'], [false, true, false]],
    ['fires at the first snapshot', ['FAILED'], [true]],
    ['is armed again by a healthy snapshot', ['FAILED', 'HEALTHY', 'FAILED'], [true, false, true]],
    ['is not armed by a warning', ['FAILED', 'UNKNOWN', 'FAILED'], [true, false, false]],
    ['is not armed by a pause, in which nothing is checked', ['FAILED', null, 'FAILED'], [true, false, false]],
  ])('%s', (_what, states, fires) => {
    let told: readonly string[] = []
    const fired = states.map((state) => {
      const verdict = judge(told, state ? [finding(state)] : [])
      told = verdict.told
      return verdict.fired.length > 0
    })
    expect(fired).toEqual(fires)
  })

  it('about what cannot be computed is armed again only by a complete snapshot', () => {
    const failing: Finding = {
      key: 'COMPUTATION',
      state: 'FAILED',
      kind: 'COMPUTATION',
      check: check('COMPUTATION', 'FAILED'),
    }
    const first = judge([], [failing])
    expect([first.fired, first.told]).toEqual([[failing], ['COMPUTATION']])
    expect(judge(first.told, [failing])).toEqual({ fired: [], told: ['COMPUTATION'] })
    expect(judge(first.told, [finding('UNKNOWN')]).told).toEqual([])
  })

  it('does not silence another one', () => {
    const { fired, told } = judge(['SRM'], [finding('FAILED'), finding('FAILED', 'TRAFFIC_DROP')])
    expect(fired.map(({ key }) => key)).toEqual(['TRAFFIC_DROP'])
    expect(told).toEqual(['SRM', 'TRAFFIC_DROP'])
  })

  it('fires as often as a failure follows a healthy snapshot, and never twice for the same snapshot', () => {
    const states = listOf(constantFrom<Finding['state'][]>('HEALTHY', 'FAILED', 'UNKNOWN'), { maxLength: 30 })
    assert(
      property(states, (sequence) => {
        let told: readonly string[] = []
        let fired = 0
        for (const state of sequence) {
          const once = judge(told, [finding(state)])
          fired += once.fired.length
          expect(judge(once.told, [finding(state)])).toEqual({ fired: [], told: once.told })
          told = once.told
        }
        const clear = ['HEALTHY', ...sequence.filter((state) => state !== 'UNKNOWN')]
        const turns = clear.filter((state, at) => state === 'FAILED' && clear[at - 1] === 'HEALTHY')
        expect(fired).toBe(turns.length)
      }),
      { numRuns: 50 },
    )
  })
})
