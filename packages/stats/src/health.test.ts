import { describe, expect, it } from 'vitest'
import { prePeriodBalance } from './balance.ts'
import { crossoverCheck } from './crossover.ts'
import { momentsOf } from './moments.ts'
import { impossibleVariations, srmChiSquare, srmOfPeriods, srmSequential, srmStatus } from './srm.ts'
import { allocation, noExposures, starvedVariations, trafficDrop } from './traffic.ts'

const even = [0.5, 0.5]

describe('a sample ratio mismatch', () => {
  it.each<[string, number[], number[]]>([
    // The small arm expects fewer than 5.
    ['not_enough_data', [14, 2], [0.99, 0.01]],
    ['not_enough_data', [390, 12], [0.99, 0.01]],
    // Chi-square has p = 0.0003, and the exact test 0.004.
    ['warning', [487, 13], [0.99, 0.01]],
    ['failed', [480, 20], [0.99, 0.01]],
    ['not_enough_data', [8, 7], even],
    ['not_enough_data', [1000], [1]],
    ['ok', [5050, 4950], even],
    ['warning', [5150, 4850], even],
    ['failed', [5200, 4800], even],
    ['ok', [0, 5050, 4950], [0, 5, 5]],
  ])('is %s for %j', (status, observed, weights) => {
    expect(srmStatus({ observed, weights })).toBe(status)
  })

  it('is not seen in periods that were each split as they should be', () => {
    const periods = [
      { observed: [5000, 5000], weights: even },
      { observed: [9000, 1000], weights: [0.9, 0.1] },
    ]
    expect(srmOfPeriods(periods)).toEqual({ chi2: 0, df: 2, pValue: 1 })
    expect(srmStatus({ observed: [14_000, 6000], weights: even })).toBe('failed')
    expect(srmOfPeriods([])).toEqual({ chi2: null, df: 0, pValue: null })
  })

  it('has no figures without units', () => {
    expect(srmChiSquare({ observed: [0, 0], weights: even })).toEqual({ chi2: null, df: 1, pValue: null })
  })

  it('has sequential evidence only if units are missing', () => {
    expect(srmSequential({ observed: [50_010, 49_990], weights: even })).toMatchObject({ pValue: 1 })
    const { logBayesFactor } = srmSequential({ observed: [45_600, 4400], weights: [0.9, 0.1] })
    expect(logBayesFactor).toBeGreaterThan(Math.log(1000))
  })
})

it.each([
  ['not_enough_data', 5, 50],
  ['not_enough_data', 0, 0],
  ['ok', 90, 10_000],
  ['failed', 100, 10_000],
])('crossovers are %s: %i of %i', (status, crossed, total) => {
  expect(crossoverCheck({ crossed, total }).status).toBe(status)
})

describe('a drop of traffic', () => {
  const week = [1000, 1050, 980, 1010, 1020, 990, 1005]

  it.each<[string, (number | null)[], number]>([
    ['ok', week, 600],
    ['failed', week, 400],
    // Before a full week, nothing is compared but silence.
    ['not_enough_data', [1000, 1050, 980], 100],
    ['failed', [1000, 1050, 980], 0],
    ['failed', [1000, 1050], 0],
    // Days that a small test can have by chance.
    ['failed', [30, 30, 30], 0],
    ['not_enough_data', [29, 29, 29], 0],
    ['failed', Array(7).fill(10), 0],
    ['ok', Array(7).fill(9), 0],
    ['not_enough_data', [0, 0, 0], 0],
    ['not_enough_data', [], 0],
    // Noise of little traffic, and of traffic that varies by itself.
    ['ok', [12, 9, 15, 11, 10, 8, 13], 4],
    ['ok', [1000, 200, 1500, 300, 2000, 100, 1200], 400],
    // A weekend, and one after which nobody comes.
    ['ok', [400, 300, 1000, 1000, 1000, 1000, 1000], 390],
    ['failed', [400, 300, 1000, 1000, 1000, 1000, 1000], 0],
    ['failed', [400, 300, 1000, 1000, 1000, 1000, 1000], 150],
    // The same weekday had a pause; the week before it counts.
    ['failed', [1000, ...week.slice(1), null, ...week.slice(1)], 100],
    ['not_enough_data', [null, ...week.slice(1)], 100],
    // On its second day, a drop beside a weekend must not count as the usual variation of days.
    ['failed', [600, 640, 560, 610, 300, 310, 590, 620, 120], 118],
  ])('is %s', (status, previousDays, lastDay) => {
    expect(trafficDrop({ previousDays, lastDay }).status).toBe(status)
  })

  it('expects what the same weekday had, and no more than the last days', () => {
    const drop = (first: number) => trafficDrop({ previousDays: [first, ...week.slice(1)], lastDay: 900 })
    expect(drop(90_000)).toMatchObject({ status: 'ok', expected: 1010 })
    expect(drop(800)).toMatchObject({ status: 'ok', expected: 800 })
  })
})

it.each([
  ['failed', 24, 30],
  ['ok', 23.9, 1000],
  ['ok', 1000, 29],
])('exposures that stopped are %s after %f hours in which %i were expected', (status, silentHours, expected) => {
  const silence = { servingHours: 2000, exposures: 40, silentHours, expected }
  expect(noExposures({ ...silence, hasHeartbeats: true })).toBe(status)
  expect(noExposures({ ...silence, hasHeartbeats: false })).toBe('ok')
})

it.each([
  [[], [300, 300, 0], [1, 1, 0]],
  [[2], [300, 300, 300], [1, 1, 0]],
  [[], [300, 300, 4], [1, 1, 0]],
  [[], [3_000_000, 3_000_000, 50], [1, 1, 0]],
])('the impossible variations are %j of %j', (places, observed, weights) => {
  expect(impossibleVariations({ observed, weights })).toEqual(places)
})

it.each([
  ['failed', 6, true, 0],
  ['not_enough_data', 5.9, true, 0],
  ['not_enough_data', 9, false, 0],
  ['ok', 9, true, 1],
])('no exposures are %s after %f hours', (status, servingHours, hasHeartbeats, exposures) => {
  expect(noExposures({ servingHours, hasHeartbeats, exposures })).toBe(status)
})

it.each([
  ['failed', [20, 0], even, [1]],
  ['ok', [19, 0], even, []],
  ['ok', [1000, 0], [1, 0], []],
  ['not_enough_data', [0, 0], even, []],
])('arms without units are %s for %j', (status, observed, weights, starved) => {
  expect(starvedVariations({ observed, weights })).toEqual({ status, starved })
})

it.each([
  ['ok', 2010, 10_000, 0.2],
  ['failed', 2200, 10_000, 0.2],
  ['not_enough_data', 100, 100, 1],
])('the share of units that enter is %s', (status, entered, evaluated, share) => {
  expect(allocation({ entered, evaluated, share }).status).toBe(status)
})

it('arms that differed before the test are a warning', () => {
  const [low, high] = [momentsOf([1, 2, 3, 2, 1, 2, 3, 2]), momentsOf([5, 6, 7, 6, 5, 6, 7, 6])]
  expect(prePeriodBalance(low, high).status).toBe('warning')
  expect(prePeriodBalance(low, low).status).toBe('ok')
  expect(prePeriodBalance(momentsOf([1]), low)).toEqual({ status: 'not_enough_data', pValue: null })
})
