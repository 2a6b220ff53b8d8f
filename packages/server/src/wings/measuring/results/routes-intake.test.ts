import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../testing/clock.ts'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { abTest, addRule, newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import { newId } from '../../../platform/ids.ts'
import type { MeasuredEvents, NewEvent } from '../events/index.ts'
import { type SnapshotWorker, snapshotWorker } from './worker.ts'

// Events from any sender must not stop the results of a rule, and can change them only as the guides say.

const start = Date.UTC(2026, 2, 1, 6)
let now = start
let service: TestService
let project: TestProject
let events: MeasuredEvents

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  const settings = clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {}
  service = await startTestService({ now: () => new Date(now), settings })
  events = eventStoreOn(service.database, clickHouseUrl)
  project = await createProject(service)
  const value = { eventKey: 'paid', valueFrom: 'value' }
  for (const metric of [
    { key: 'buyers', type: 'PROPORTION', eventKey: 'paid' },
    { key: 'revenue', type: 'MEAN', ...value },
    { key: 'capped', type: 'MEAN', ...value, winsorizeAt: 0.9 },
    { key: 'average', type: 'RATIO', ...value, denominator: { eventKey: 'seen' } },
  ])
    await succeed(service, 'POST', `${project.path}/metrics`, { name: metric.key, ...metric })
})
afterAll(() => service.close())

interface Rule {
  id: string
  shortId: string
  flag: TestFlag
  path: string
  launchedAt: number
}

async function newRule(key: string): Promise<Rule> {
  const flag = await newFlag(service, project, { key })
  const { id, shortId } = await addRule(
    service,
    flag.production,
    abTest('Copy', {
      metrics: { primary: ['revenue'], secondary: ['capped', 'average'], guardrails: ['buyers'] },
      statistics: { inProgressConversions: 'INCLUDE' },
    }),
  )
  await succeed(service, 'POST', `${flag.production}/run`)
  return { id, shortId: String(shortId), flag, path: `${flag.path}/rules/${id}/results`, launchedAt: now }
}

function counted({ path }: Rule) {
  // What happened at the very moment of a snapshot counts in the next one.
  now += 1
  return refreshed(service, path)
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
const metricIn = (results: any, key: string) => results.metrics.find((each: { key: string }) => each.key === key)
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
function figuresOf(results: any, key: string, rule: Rule, variation: 'on' | 'off') {
  const id = rule.flag.ids[variation]
  return metricIn(results, key).variations.find((each: { variationId: string }) => each.variationId === id)
}

async function send(told: readonly object[]) {
  for (let from = 0; from < told.length; from += 500) {
    const body = { sdkKey: project.production.sdkKey, events: told.slice(from, from + 500) }
    const { status, text } = await service.call(null, 'POST', '/api/sdk/v1/events', body)
    expect(status, text).toBe(202)
  }
}

const common = () => ({ envId: project.production.id, id: newId(), at: now, clamped: false }) as const
const exposureOf = ({ id, flag }: Rule, unit: string, variation: 'on' | 'off', context: object | null): NewEvent => ({
  ...{ ...common(), type: 'exposure', ruleId: id, unit, variationId: flag.ids[variation]!, kind: 0 },
  dimensions: context && JSON.stringify(context),
})
const paidBy = (unit: string, value: number, eventKey = 'paid'): NewEvent => ({
  ...{ ...common(), type: 'track', eventKey, unit, value, kind: 0 },
})

interface Visit {
  unit: number
  type: 'expose' | 'cross' | 'paid' | 'seen'
  value: number
  /** Of the client’s clock, from the moment of the snapshot. */
  offsetMs: number
  country: unknown
  /** Before which of the snapshots it arrives, and its place. */
  before: number
  place: number
  isRepeated: boolean
}

const snapshots = 3
const anyVisit: fc.Arbitrary<Visit> = fc.record({
  unit: fc.integer({ min: 0, max: 60 }),
  type: fc.oneof(
    { weight: 12, arbitrary: fc.constant('expose' as const) },
    { weight: 1, arbitrary: fc.constant('cross' as const) },
    { weight: 12, arbitrary: fc.constant('paid' as const) },
    { weight: 6, arbitrary: fc.constant('seen' as const) },
  ),
  value: fc.oneof(
    fc.double(),
    fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
    fc.double({ noNaN: true, min: -100, max: 100 }),
    fc.constantFrom(0, -0, 1e-120, 5e-324, -1e-108, 1e-12, -1e-12, 1e12, -1e12, 0.1, 0.2, 999_999_999_999.9),
  ),
  offsetMs: fc.oneof(
    fc.constantFrom(0, -1, 1, 4 * minuteMs, -5 * minuteMs, -40 * dayMs, -30 * dayMs, 400 * dayMs),
    fc.integer({ min: -3 * dayMs, max: 10 * minuteMs }),
  ),
  country: fc.oneof(
    fc.constantFrom('DE', 'NL', '', null, undefined, ' '),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.double(),
    fc.boolean(),
  ),
  before: fc.integer({ min: 0, max: snapshots - 1 }),
  place: fc.nat(),
  isRepeated: fc.boolean(),
})

const isExposure = ({ type }: Visit): boolean => type === 'expose' || type === 'cross'
const variationOf = ({ unit, type }: Visit): 'on' | 'off' => ((unit % 2 === 0) === (type === 'expose') ? 'on' : 'off')

/** Values are added up as decimal numbers: as doubles, a rounding error could replace a zero. */
const decimals = 40
function exact(value: number): bigint {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?]
  return BigInt(`${whole}${fraction}`) * 10n ** BigInt(decimals + Number(exponent) - fraction.length)
}
const double = (exactly: bigint): number => Number(exactly) / 10 ** decimals

/** A visit as it counts: with the time that the service gives it. */
interface Counted extends Visit {
  id: string
  at: number
}

/** The figures that the guides promise, the long way. */
function expectedOf(arrived: readonly Counted[], launchedAt: number) {
  const inOrder = arrived.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  const exposed = Map.groupBy(inOrder.filter(isExposure), ({ at, unit }) => `${at < launchedAt} ${unit}`)
  const groups = [...exposed].map(([key, all]) => ({ isEarly: key.startsWith('true'), all }))
  const isCrossed = ({ all }: { all: Counted[] }) => all.some((each) => variationOf(each) !== variationOf(all[0]!))
  const launched = groups.filter(({ isEarly }) => !isEarly)
  const units = launched
    .filter((each) => !isCrossed(each))
    .map(({ all: [first] }) => {
      const { unit, at, country } = first!
      const did = inOrder.filter((each) => each.unit === unit && each.at >= at && each.at < at + 168 * hourMs)
      const paid = did.filter((each) => each.type === 'paid').map(({ value }) => (Math.abs(value) < 1e-12 ? 0 : value))
      return {
        ...{ variation: variationOf(first!), country, bought: paid.length > 0 },
        ...{ y: double(paid.map(exact).reduce((all, each) => all + each, 0n)), size: sum(paid.map(Math.abs)) },
        seen: did.filter((each) => each.type === 'seen').length,
      }
    })
  const sizes = units.flatMap(({ y }) => (y === 0 ? [] : [Math.abs(y)])).sort((a, b) => a - b)
  const place = (sizes.length - 1) * 0.9
  const low = sizes[Math.floor(place)] ?? 0
  const cap = low + ((sizes[Math.floor(place) + 1] ?? low) - low) * (place - Math.floor(place))
  const of = (variation: 'on' | 'off') => {
    const arm = units.filter((unit) => unit.variation === variation)
    const capped = arm.map(({ y }) => Math.sign(y) * Math.min(Math.abs(y), cap))
    return {
      ...{ n: arm.length, buyers: arm.filter(({ bought }) => bought).length, seen: sum(arm.map(({ seen }) => seen)) },
      ...{ revenue: sum(arm.map(({ y }) => y)), spread: spreadOf(arm.map(({ y }) => y)) },
      ...{ capped: sum(capped), cappedSpread: spreadOf(capped), size: sum(arm.map(({ size }) => size)) },
    }
  }
  return {
    total: units.length,
    crossover: launched.filter(isCrossed).length,
    paused: groups.filter(({ isEarly }) => isEarly).length,
    without: units.filter(({ country }) => !isFact(country)).length,
    ...{ on: of('on'), off: of('off') },
  }
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

function spreadOf(values: readonly number[]) {
  const mean = sum(values) / values.length
  return values.length < 2 ? null : Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
}

const isFact = (fact: unknown): boolean =>
  typeof fact === 'boolean' ||
  (typeof fact === 'number' && Number.isFinite(fact)) ||
  (typeof fact === 'string' && !fact.includes('\0') && fact.isWellFormed())

const fuzzId = (seed: number, i: number) => `00000000-0000-7000-8000-${String(seed * 10_000 + i).padStart(12, '0')}`

/** Doubles of the brute force are not exact. */
const near = (shown: number | null, wanted: number | null, size: number) =>
  wanted === null ? expect(shown).toBeNull() : expect(Math.abs(shown! - wanted)).toBeLessThanOrEqual(1e-9 * size)

describe('results of whatever is sent', () => {
  test.each(isFull ? [11, 12, 13] : [11])('are what brute force computes (seed %i)', async (seed) => {
    const [visits] = fc.sample(fc.array(anyVisit, { minLength: 400, maxLength: 400 }), { seed, numRuns: 1 }) as [
      Visit[],
    ]
    const rule = await newRule(`fuzz-${seed}`)
    const arrived: Counted[] = []
    for (let round = 0; round < snapshots; round++) {
      now += dayMs
      const told = visits
        .map((visit, i) => ({ ...visit, id: fuzzId(seed, i), ts: now + visit.offsetMs }))
        .filter(({ before }) => before === round)
        .sort((one, other) => one.place - other.place)
      const bodies = told.flatMap((visit) => {
        const { id, ts, unit, type, value, country } = visit
        const body = isExposure(visit)
          ? { type: 'exposure', ruleId: rule.shortId, variationKey: variationOf(visit), context: { country } }
          : { type: 'track', eventKey: type, value }
        const event = { ...body, id, ts, unit: `${seed} ${unit}` }
        return visit.isRepeated ? [event, event] : [event]
      })
      await send(bodies)
      for (const each of told) {
        const isRight = each.ts <= now && each.ts >= now - 30 * dayMs
        // JSON has no NaN and no infinity: they become null.
        const value = Number.isFinite(each.value) ? each.value : 0
        if (Math.abs(value) <= 1e12 || isExposure(each)) arrived.push({ ...each, value, at: isRight ? each.ts : now })
      }
      const results = await counted(rule)
      const { total, crossover, paused, without, ...arms } = expectedOf(arrived, rule.launchedAt)
      expect(results.units).toMatchObject({ total, excluded: { crossover, paused } })
      expect(results.setAside).toBeUndefined()
      for (const variation of ['on', 'off'] as const) {
        const { n, buyers, seen, revenue, spread, capped, cappedSpread, size } = arms[variation]
        expect(figuresOf(results, 'buyers', rule, variation)).toMatchObject({ units: n, sum: buyers })
        expect(figuresOf(results, 'average', rule, variation)).toMatchObject({ units: n, denominatorSum: seen })
        near(figuresOf(results, 'revenue', rule, variation).sum, revenue, size)
        near(figuresOf(results, 'revenue', rule, variation).stddev, spread, size)
        near(figuresOf(results, 'capped', rule, variation).sum, capped, size)
        near(figuresOf(results, 'capped', rule, variation).stddev, cappedSpread, size)
        near(figuresOf(results, 'average', rule, variation).sum, revenue, size)
      }
      const { dimension } = await succeed(service, 'GET', `${rule.path}?dimension=country`)
      expect(sum(dimension.values.map(({ units }: { units: number }) => units))).toBe(total)
      expect(dimension.values.find(({ kind }: { kind: string }) => kind === 'NONE')?.units ?? 0).toBe(without)
      for (const variation of ['on', 'off'] as const) {
        const rows = dimension.values.map((value: object) => figuresOf(value, 'revenue', rule, variation))
        expect(sum(rows.map(({ units }: { units: number }) => units))).toBe(arms[variation].n)
        near(sum(rows.map((row: { sum: number }) => row.sum)), arms[variation].revenue, arms[variation].size)
      }
    }
  })

  test('are computed although the store holds values that ingestion does not take any more', async () => {
    const rule = await newRule('poisoned')
    const visitors = ['a', 'b', 'c'].map((name) => `poisoned ${name}`)
    now += hourMs
    await events.append(
      visitors.flatMap((unit) => [exposureOf(rule, unit, 'on', { country: 'DE' }), paidBy(unit, 1e-120)]),
      new Date(now),
    )
    await events.append([paidBy(visitors[0]!, 5), paidBy(visitors[1]!, 5e-324)], new Date(now))
    const results = await counted(rule)
    expect(figuresOf(results, 'revenue', rule, 'on')).toMatchObject({ units: 3, sum: 5 })
    // As earlier versions have added them up.
    for (const table of ['metric_cohorts', 'dimension_cohorts'])
      await sql`
        update ${sql.table(table)} set sum_y = sum_y + '1e-340', sum_yy = sum_yy + '1e-680', sum_yyy = sum_yyy + '1e-900'
        where rule_id = ${rule.id}`.execute(service.db)
    await sql`update unit_totals set y = y + '1e-340' where rule_id = ${rule.id}`.execute(service.db)
    now += hourMs
    expect(figuresOf(await counted(rule), 'revenue', rule, 'on')).toMatchObject({ units: 3, sum: 5 })
  })

  test('keep zeros when sums that are negative are cut, and say how many were', async () => {
    const rule = await newRule('refunds')
    now += hourMs
    const visitors = Array.from({ length: 40 }, (_, i) => ({ unit: `refund ${i}`, value: i % 2 === 0 ? 0 : -i }))
    await events.append(
      visitors.flatMap(({ unit, value }, i) => [
        exposureOf(rule, unit, i % 4 < 2 ? 'on' : 'off', null),
        // Half of those with 0 have a row, which must not matter.
        ...(value === 0 && i % 4 === 0 ? [] : [paidBy(unit, value)]),
      ]),
      new Date(now),
    )
    const results = await counted(rule)
    const { winsorizedAt, winsorizedUnits } = metricIn(results, 'capped')
    // The sizes are 1, 3 … 39: the 90th percentile is between 35 and 37.
    expect(winsorizedAt).toBeCloseTo(35.2, 9)
    expect(winsorizedUnits).toBe(2)
    const total = (key: string) => sum(['on', 'off'].map((arm) => figuresOf(results, key, rule, arm as 'on').sum))
    expect(total('revenue')).toBe(-400)
    expect(total('capped')).toBeCloseTo(-400 + (37 - 35.2) + (39 - 35.2), 9)
  })
})

describe('an hour of a visitor with more exposures than a person causes', () => {
  const pauses = ({ flag }: Rule) => succeed(service, 'POST', `${flag.production}/pause`)
  const splits = async ({ id, flag }: Rule) => {
    const weights = { on: 3000, off: 7000 }
    const variations = Object.entries(weights).map(([variationKey, weight]) => ({ variationKey, weight }))
    await succeed(service, 'PATCH', `${flag.production}/rules/${id}`, { variations, confirmReassignment: true })
    await succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish`)
  }

  test.each([
    ['a pause', pauses],
    ['a new split', splits],
  ])('is one hour also across %s', async (about, change) => {
    const key = `across-${about.replaceAll(' ', '-')}`
    const rule = await newRule(key)
    now = (Math.floor(now / hourMs) + 1) * hourMs
    const expose = () => exposureOf(rule, key, 'on', null)
    await events.append(Array.from({ length: 499 }, expose), new Date(now))
    expect((await counted(rule)).units).toMatchObject({ total: 1, excluded: { bot: 0 } })
    now += 10 * minuteMs
    const before = expose()
    now += minuteMs
    await change(rule)
    now += minuteMs
    await events.append([before, expose()], new Date(now))
    expect((await counted(rule)).units).toMatchObject({ total: 0, excluded: { bot: 1 } })
  })
})

describe('the values of a dimension', () => {
  test('with the most visitors are kept, whoever came first, and the rows add up', async () => {
    const rule = await newRule('crowded')
    let visitor = 0
    const visit = async (country: string | null, count: number) => {
      const told = Array.from({ length: count }, () => {
        const unit = `crowd ${++visitor}`
        const context = country === null ? null : { country: country === 'any' ? `fake ${visitor}` : country }
        return [exposureOf(rule, unit, visitor % 2 === 0 ? 'on' : 'off', context), paidBy(unit, 1)]
      })
      await events.append(told.flat(), new Date(now))
    }
    now += hourMs
    await visit('any', 150)
    await counted(rule)
    now += hourMs
    await visit('NL', 30)
    await visit('DE', 80)
    await visit(null, 40)
    for (let i = 0; i < 25; i++) await visit(`small ${i}`, 2)
    await counted(rule)
    now += hourMs
    await visit('NL', 70)
    const results = await counted(rule)
    const { dimension } = await succeed(service, 'GET', `${rule.path}?dimension=country`)
    const { values } = dimension
    expect(values.slice(0, 3).map(({ value, kind, units }: Record<string, unknown>) => [value, kind, units])).toEqual([
      ['NL', 'VALUE', 100],
      ['DE', 'VALUE', 80],
      ['small 0', 'VALUE', 2],
    ])
    expect(values.slice(-2).map(({ value, kind, units }: Record<string, unknown>) => [value, kind, units])).toEqual([
      ['(other)', 'OTHER', 150 + 50 - 18 * 2],
      ['(none)', 'NONE', 40],
    ])
    expect(values).toHaveLength(20 + 2)
    expect(sum(values.map(({ units }: { units: number }) => units))).toBe(results.units.total)
    // Each visitor has paid 1 once, so each row has as much as it has visitors, also after its value has come late.
    for (const value of values) {
      const all = ['on', 'off'].map((arm) => figuresOf(value, 'revenue', rule, arm as 'on'))
      expect(sum(all.map((each) => each.sum))).toBe(value.units)
      expect(sum(all.map((each) => each.units))).toBe(value.units)
    }
  })

  test('cannot be kept out by one visitor with many names', async () => {
    const rule = await newRule('names')
    now += hourMs
    const fakes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`fake${i}`, 'x']))
    await events.append([exposureOf(rule, 'names fake', 'on', fakes)], new Date(now))
    await counted(rule)
    now += hourMs
    const visitors = Array.from({ length: 10 }, (_, i) => `names ${i}`)
    await events.append(
      visitors.map((unit) => exposureOf(rule, unit, 'off', { os: 'iOS' })),
      new Date(now),
    )
    expect((await counted(rule)).dimensions).toContain('os')
    const { dimension } = await succeed(service, 'GET', `${rule.path}?dimension=os`)
    expect(dimension.values).toMatchObject([
      { value: 'iOS', units: 10 },
      { value: '(none)', units: 1 },
    ])
  })
})

describe('what fails', () => {
  const failsFor = (eventKey: string): MeasuredEvents => ({
    ...events,
    async trackedAfter(of, batches, share) {
      if (of.eventKeys.includes(eventKey)) throw new Error('out of range')
      return events.trackedAfter(of, batches, share)
    },
  })
  const judged: string[] = []
  const errors: unknown[] = []
  const nodeWith = (store: MeasuredEvents): SnapshotWorker =>
    snapshotWorker(
      {
        ...{ db: service.db, events: store, now: () => new Date(now), eventsKeptForMs: 90 * dayMs },
        ...{ judge: async (ruleId) => void judged.push(ruleId), pace: { share: 1 } },
      },
      (error) => errors.push(error),
    )
  const take = (node: SnapshotWorker, { id, flag }: Rule) => {
    now += 1
    return node.refresh({ ruleId: id, projectId: project.id, flagId: flag.id, envId: project.production.id })
  }
  const failureOf = async ({ id }: Rule) => {
    const { rows } = await sql<{ failure: string | null }>`
      select failure from measured_rules where rule_id = ${id}`.execute(service.db)
    return rows[0]!.failure
  }
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API
  const computation = (results: any) =>
    results.health.checks.find(({ check }: { check: string }) => check === 'COMPUTATION')

  test('is set aside and shown, the others go on, and it comes back', async () => {
    const rule = await newRule('parts')
    now += hourMs
    await events.append(
      ['a', 'b', 'c', 'd'].flatMap((name, i) => [
        exposureOf(rule, `parts ${name}`, i < 2 ? 'on' : 'off', null),
        ...[paidBy(`parts ${name}`, 3), paidBy(`parts ${name}`, 1, 'seen')],
      ]),
      new Date(now),
    )
    expect(await take(nodeWith(failsFor('seen')), rule)).toBe(true)
    const results = await succeed(service, 'GET', rule.path)
    expect(results.setAside).toEqual([{ kind: 'METRIC', name: 'average' }])
    expect(computation(results)).toMatchObject({ status: 'WARNING', observed: 1 })
    expect(figuresOf(results, 'revenue', rule, 'on')).toMatchObject({ units: 2, sum: 6 })
    expect(figuresOf(results, 'average', rule, 'on')).toMatchObject({ units: 0, mean: null })
    expect(await failureOf(rule)).toBe('The metric average cannot be computed.')
    expect(errors.splice(0).map((error) => String((error as Error).cause))).toEqual(['Error: out of range'])
    now += hourMs
    // A primary metric or a guardrail decides, so nothing may be recommended without it.
    await take(nodeWith(failsFor('paid')), rule)
    const failed = await succeed(service, 'GET', rule.path)
    expect(computation(failed)).toMatchObject({ status: 'FAILED' })
    expect(failed.recommendation.action).toBe('UNHEALTHY')
    now += hourMs
    const mended = await counted(rule)
    expect([mended.setAside, computation(mended), await failureOf(rule)]).toEqual([undefined, undefined, null])
    expect(figuresOf(mended, 'average', rule, 'on')).toMatchObject({ units: 2, sum: 6, denominatorSum: 2 })
    expect(figuresOf(mended, 'buyers', rule, 'off')).toMatchObject({ units: 2, sum: 2 })
    errors.splice(0)
  })

  test('when visitors are counted again is set aside too, and no change of a visitor is lost', async () => {
    const rule = await newRule('changes')
    now += hourMs
    await events.append([exposureOf(rule, 'change a', 'on', null), paidBy('change a', 3)], new Date(now))
    await counted(rule)
    now += hourMs
    const early = { ...exposureOf(rule, 'change b', 'on', null), at: now - hourMs }
    await events.append([paidBy('change b', 4), early], new Date(now))
    const failing = { ...events, trackedOfUnits: () => Promise.reject(new Error('out of range')) }
    expect(await take(nodeWith(failing), rule)).toBe(true)
    expect((await succeed(service, 'GET', rule.path)).units.total).toBe(2)
    errors.splice(0)
    now += hourMs
    expect(figuresOf(await counted(rule), 'revenue', rule, 'on')).toMatchObject({ units: 2, sum: 7 })
  })

  test('as a whole shows the last figures as failed and is judged, also before the first snapshot', async () => {
    const rule = await newRule('whole')
    const broken = nodeWith({ ...events, exposuresAfter: () => Promise.reject(new Error('out of range')) })
    now += hourMs
    expect(await take(broken, rule)).toBe(true)
    const first = await succeed(service, 'GET', rule.path)
    expect([first.health.status, first.recommendation.action, first.units.total]).toEqual(['FAILED', 'UNHEALTHY', 0])
    now += hourMs
    await events.append([exposureOf(rule, 'whole a', 'on', null)], new Date(now))
    const { dataThrough } = await counted(rule)
    now += hourMs
    judged.splice(0)
    expect(await take(broken, rule)).toBe(true)
    const shown = await succeed(service, 'GET', rule.path)
    expect([shown.dataThrough, shown.units.total, computation(shown).status]).toEqual([dataThrough, 1, 'FAILED'])
    expect(await failureOf(rule)).toBe('The results cannot be computed.')
    expect([judged, errors.splice(0).length]).toEqual([[rule.id], 2])
    now += hourMs
    expect((await counted(rule)).health.status).not.toBe('FAILED')
    expect(await failureOf(rule)).toBeNull()
  })
})
