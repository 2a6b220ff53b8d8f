import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  adjustedMean,
  count,
  type ExactMean,
  meanOf,
  Rational,
  ratioOf,
  slopeOf,
  sumOf,
} from '../../../../../stats/testing/rational.ts'
import { dayMs, hourMs } from '../../../../testing/clock.ts'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { abTest, addRule, newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { rowsOf } from '../../../../testing/full.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import { newId } from '../../../platform/ids.ts'
import type { EventStore, NewEvent } from '../events/index.ts'

// Values that are large beside their differences, from the event store to the answer, against fractions without rounding.

let now = Date.UTC(2026, 2, 1, 6)
let service: TestService
let project: TestProject
let events: EventStore

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  const settings = clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {}
  service = await startTestService({ now: () => new Date(now), settings })
  events = eventStoreOn(service.database, clickHouseUrl)
  project = await createProject(service)
  for (const metric of [
    { key: 'price', type: 'MEAN', eventKey: 'priced', valueFrom: 'value' },
    { key: 'average', type: 'RATIO', eventKey: 'paid', valueFrom: 'value', denominator: { eventKey: 'seen' } },
  ])
    await succeed(service, 'POST', `${project.path}/metrics`, { name: metric.key, ...metric })
})
afterAll(() => service.close())

interface Visitor {
  unit: string
  variation: 'on' | 'off'
  country: 'DE' | null
  /** Of `priced` events, before and after the exposure. */
  before: number
  after: number
  /** Of `paid` events; each is seen once. */
  paid: number[]
}

const snapshots = 3
const inSnapshot = 40
const anyValues = fc.record({
  before: fc.integer({ min: -50, max: 50 }),
  after: fc.integer({ min: -50, max: 50 }),
  paid: fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 3 }),
})
const ranges = rowsOf(
  {
    '1 beside 0': { from: 0, step: 1 },
    '0.001 beside 1000000': { from: 1e6, step: 1e-3 },
    '0.000001 beside 123456789.125': { from: 123_456_789.125, step: 1e-6 },
    '1 beside 900000000000': { from: 9e11, step: 1 },
    '0.001 beside 999999999000': { from: 999_999_999_000, step: 1e-3 },
    '1000 beside -900000000000': { from: -9e11, step: 1000 },
  },
  // Most digits behind the point and before it, and values below zero.
  ['0.000001 beside 123456789.125', '0.001 beside 999999999000', '1000 beside -900000000000'],
)

const event = () => ({ envId: project.production.id, id: newId(), clamped: false, kind: 0 }) as const

async function newRule(key: string, cuped: boolean) {
  const flag = await newFlag(service, project, { key })
  const statistics = { inProgressConversions: 'INCLUDE', cuped, minConversions: 0 }
  const { id } = await addRule(
    service,
    flag.production,
    abTest('Copy', { metrics: { primary: ['price'], secondary: ['average'] }, statistics }),
  )
  await succeed(service, 'POST', `${flag.production}/run`)
  return { id, flag, path: `${flag.path}/rules/${id}/results` }
}

async function come(rules: readonly { id: string; flag: TestFlag }[], visitors: readonly Visitor[]): Promise<void> {
  const told = visitors.flatMap(({ unit, variation, country, before, after, paid }): NewEvent[] => {
    const track = (eventKey: string, at: number, value: number | null): NewEvent => {
      return { ...event(), type: 'track', unit, eventKey, at, value }
    }
    return [
      track('priced', now - hourMs, before),
      ...rules.map(({ id: ruleId, flag }): NewEvent => {
        const dimensions = country && JSON.stringify({ country })
        return { ...event(), type: 'exposure', unit, ruleId, variationId: flag.ids[variation]!, at: now, dimensions }
      }),
      track('priced', now, after),
      ...paid.flatMap((value) => [track('paid', now, value), track('seen', now, null)]),
    ]
  })
  await events.append(told, new Date(now))
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
const comparisonIn = (told: any, key: string) =>
  told.metrics
    .find((each: { key: string }) => each.key === key)
    .variations.find(({ comparison }: { comparison: object | null }) => comparison !== null).comparison

/** @param share of a standard error: a verdict depends on how many of them a difference has */
function expectLike(comparison: ReturnType<typeof comparisonIn>, [c, t]: readonly ExactMean[], share = 1e-9): void {
  const error = Math.sqrt(c!.variance.plus(t!.variance).toNumber())
  const { estimate, standardError } = comparison.difference
  expect(Math.abs(estimate - t!.mean.minus(c!.mean).toNumber()), 'difference').toBeLessThanOrEqual(share * error)
  expect(Math.abs(standardError - error), 'standard error').toBeLessThanOrEqual(share * error)
}

const decimals = (values: readonly number[]) => values.map(Rational.ofDecimal)
const arms = ['off', 'on'] as const

/** What the guides promise. Of a baseline `off`, as of `abTest`. */
function expectFigures(plain: object, adjusted: object, visitors: readonly Visitor[]): void {
  const of = (arm: 'on' | 'off', all: readonly Visitor[]) => all.filter(({ variation }) => variation === arm)
  const afterOf = (all: readonly Visitor[]) => decimals(all.map(({ after }) => after))
  const beforeOf = (all: readonly Visitor[]) => decimals(all.map(({ before }) => before))
  expectLike(
    comparisonIn(plain, 'price'),
    arms.map((arm) => meanOf(afterOf(of(arm, visitors)))),
  )
  const slope = slopeOf(afterOf(visitors), beforeOf(visitors))
  expectLike(
    comparisonIn(adjusted, 'price'),
    arms.map((arm) => adjustedMean(afterOf(of(arm, visitors)), beforeOf(of(arm, visitors)), slope)),
  )
  for (const told of [plain, adjusted])
    expectLike(
      comparisonIn(told, 'average'),
      arms.map((arm) => {
        const ofArm = of(arm, visitors)
        return ratioOf(
          ofArm.map(({ paid }) => sumOf(decimals(paid))),
          ofArm.map(({ paid }) => count(paid.length)),
        )
      }),
    )
}

describe('differences of large values', () => {
  test.each(ranges)('have all of their digits: %s', async (name, { from, step }) => {
    const seed = ranges.findIndex(([each]) => each === name)
    const rules = [await newRule(`plain-${seed}`, false), await newRule(`adjusted-${seed}`, true)] as const
    const visitors: Visitor[] = []
    const sampled = fc.sample(anyValues, { seed, numRuns: snapshots * inSnapshot })
    // Written with the digits that a program would send.
    const inRange = (steps: number) => Number((from + step * steps).toFixed(6))
    for (let snapshot = 0; snapshot < snapshots; snapshot++) {
      now += dayMs
      const here = sampled.slice(snapshot * inSnapshot, (snapshot + 1) * inSnapshot).map((each, i): Visitor => {
        return {
          unit: `${seed} ${snapshot} ${i}`,
          ...{ variation: i % 2 === 0 ? 'on' : 'off', country: i % 4 < 2 ? 'DE' : null },
          ...{ before: inRange(each.before), after: inRange(each.after + each.before) },
          paid: each.paid.map(inRange),
        }
      })
      await come(rules, here)
      visitors.push(...here)
      now += 1
      const [plain, adjusted] = [await refreshed(service, rules[0].path), await refreshed(service, rules[1].path)]
      expectFigures(plain, adjusted, visitors)
    }
    const [plain, adjusted] = await Promise.all(
      rules.map(async ({ path }) => (await succeed(service, 'GET', `${path}?dimension=country`)).dimension.values),
    )
    for (const [i, country] of (['DE', null] as const).entries()) {
      const here = visitors.filter((visitor) => visitor.country === country)
      expectFigures(plain[i], adjusted[i], here)
    }
  })
})
