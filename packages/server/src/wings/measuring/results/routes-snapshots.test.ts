import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { abTest, addRule, newFlag, nobody, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import type { Route } from '../../../http/route.ts'
import { TooBusy } from '../../../turns.ts'
import type { MeasuredEvents, NewEvent } from '../events/index.ts'
import { resultRoutes } from './routes.ts'
import { type SnapshotWorker, snapshotWorker } from './worker.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 1, 6)
let now = start
let service: TestService
let project: TestProject
let flag: TestFlag
let events: MeasuredEvents
let rule: { id: string; path: string }
/** Like `rule`, but its split changes, visitors count at once, and a decrease is good. */
let changing: { id: string; path: string }
const metricIds: Record<string, string> = {}
let sent: Sent[]

beforeAll(async () => {
  const clickHouseUrl = await clickHouseForTest()
  const settings = clickHouseUrl ? { SVC_CLICKHOUSE_URL: clickHouseUrl } : {}
  service = await startTestService({ now: () => new Date(now), settings })
  events = eventStoreOn(service.database, clickHouseUrl)
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  const metrics = [
    { key: 'paid', type: 'PROPORTION', eventKey: 'paid' },
    { key: 'revenue', type: 'MEAN', eventKey: 'paid', valueFrom: 'value' },
    { key: 'capped', type: 'MEAN', eventKey: 'paid', valueFrom: 'value', winsorizeAt: 0.9 },
    { key: 'average', type: 'RATIO', eventKey: 'paid', valueFrom: 'value', denominator: { eventKey: 'paid' } },
    { key: 'costs', type: 'MEAN', eventKey: 'paid', valueFrom: 'value', direction: 'DECREASE' },
  ]
  for (const metric of metrics)
    metricIds[metric.key] = (
      await succeed(service, 'POST', `${project.path}/metrics`, {
        name: metric.key,
        conversionWindowHours: 24,
        direction: 'INCREASE',
        ...metric,
      })
    ).id
  const { id } = await addRule(
    service,
    flag.production,
    abTest('Copy', {
      metrics: { primary: ['paid'], secondary: ['revenue', 'capped'], guardrails: ['average'] },
      statistics: { cuped: true },
    }),
  )
  rule = { id, path: `${flag.path}/rules/${id}/results` }
  const other = await addRule(
    service,
    flag.production,
    abTest('Split', {
      metrics: { primary: ['costs'], secondary: [], guardrails: [] },
      statistics: { inProgressConversions: 'INCLUDE' },
    }),
  )
  changing = { id: other.id, path: `${flag.path}/rules/${other.id}/results` }
  await succeed(service, 'POST', `${flag.production}/run`)
})
afterAll(() => service.close())

/** Numbers that look random and are the same in each run. */
function chances(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** An event, and the snapshot before which it arrives. */
interface Sent {
  event: NewEvent
  before: number
}

const instalments = 5
const momentOf = (instalment: number) => start + (instalment + 1) * day
/** When the flag is paused, and when the split of one rule changes. */
const pause = { from: start + 1.2 * day, until: start + 1.4 * day }
const newSplit = { from: start + 1.6 * day, off: 0.3 }

let serial = 0
const nextId = () => `00000000-0000-7000-8000-${String(++serial).padStart(12, '0')}`

/**
 * Visitors of three days, and their events before and after what counts. Events arrive before any of the snapshots after
 * their time, and a tenth of them arrives again.
 */
function visitors(count: number, chance: () => number): Sent[] {
  const sent: Sent[] = []
  const among = (from: number) => from + Math.floor(chance() * (instalments - from))
  const send = (event: NewEvent) => {
    const before = among(Math.max(0, Math.ceil((event.at - start) / day) - 1))
    sent.push({ event, before })
    if (chance() < 0.1) sent.push({ event, before: among(before) })
  }
  for (let i = 0; i < count; i++) {
    const unit = `user-${i}`
    const variation = chance() < 0.5 ? 'on' : 'off'
    const at = start + Math.floor(chance() * 3 * day)
    const fate = chance()
    const kind = fate < 0.05 ? 2 : fate < 0.1 ? 1 : 0
    const countries = ['DE', 'NL', 'FR', null]
    const expose = (moment: number, given: 'on' | 'off') => {
      const country = countries[Math.floor(chance() * countries.length)]
      for (const { id: ruleId } of [rule, changing])
        send({
          ...{ type: 'exposure', envId: project.production.id, id: nextId(), ruleId, unit, at: moment, kind },
          ...{ variationId: flag.ids[given] as string, clamped: false },
          // An address differs for each visitor.
          dimensions: country ? JSON.stringify({ country, address: `${i} Main Street`, isNew: true }) : null,
        })
    }
    expose(at, variation)
    // Half of these arrive before the first one.
    if (chance() < 0.3) expose(at + hour + Math.floor(chance() * day), variation)
    if (fate > 0.9) expose(at + 2 * hour, variation === 'on' ? 'off' : 'on')
    for (let times = Math.floor(chance() * 4); times > 0; times--) {
      const moment = at + Math.floor((chance() * 2.2 - 0.6) * day)
      const value = Math.round(chance() * 10_000) / 100
      send({
        ...{ type: 'track', envId: project.production.id, id: nextId(), eventKey: 'paid', unit, value, at: moment },
        ...{ kind: 0, clamped: false },
      })
    }
  }
  const places = new Map(sent.map((each) => [each, chance()]))
  return sent.sort((one, other) => one.before - other.before || places.get(one)! - places.get(other)!)
}

const pausedKind = 3
const kindOf = ({ kind, at }: NewEvent) => (kind === 0 && at >= pause.from && at < pause.until ? pausedKind : kind)

interface Counting {
  window?: number
  ruleId?: string
  /** Which exposures. */
  only?: (exposure: NewEvent) => boolean
  onlyClosed?: boolean
}

/** The totals of the units that count as of a moment, computed the long way from the events that have arrived. */
function expected(
  arrived: readonly NewEvent[],
  asOf: number,
  { window = day, ruleId = rule.id, only, onlyClosed = true }: Counting = {},
) {
  const events = [...new Map(arrived.map((event) => [event.id, event])).values()].sort((a, b) => a.at - b.at)
  const exposures = events
    .filter((event) => event.type === 'exposure')
    .filter((event) => event.ruleId === ruleId)
    .filter((event) => only?.(event) ?? true)
  const unitsOf = (kind: number) =>
    [...Map.groupBy(exposures, (event) => (kindOf(event) === kind ? event.unit : '')).entries()]
      .filter(([unit]) => unit !== '')
      .map(([unit, [first, ...more]]) => {
        const { at, variationId, dimensions } = first!
        const paid = events.filter((event) => event.type === 'track').filter((event) => event.unit === unit)
        return {
          ...{
            at,
            variationId,
            country: dimensions && JSON.parse(dimensions).country,
            crossed: more.some((event) => event.variationId !== variationId),
          },
          during: paid.filter((event) => event.at >= at && event.at < at + window).map(({ value }) => value!),
          before: paid.filter((event) => event.at < at).map(({ value }) => value!),
        }
      })
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const units = unitsOf(0)
  const closed = units.filter(({ crossed, at }) => !crossed && (!onlyClosed || at + window <= asOf))
  const sorted = closed
    .map(({ during }) => sum(during))
    .filter((value) => value !== 0)
    .sort((a, b) => a - b)
  const place = (sorted.length - 1) * 0.9
  const low = sorted[Math.floor(place)] ?? 0
  const cap = low + ((sorted[Math.floor(place) + 1] ?? low) - low) * (place - Math.floor(place))
  const spread = (values: readonly number[]) => {
    const mean = sum(values) / values.length
    return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
  }
  const skewness = (values: readonly number[]) => {
    const mean = sum(values) / values.length
    const central = (power: number) => sum(values.map((value) => (value - mean) ** power)) / values.length
    return central(3) / central(2) ** 1.5
  }
  const [y, x] = [closed.map(({ during }) => sum(during)), closed.map(({ before }) => sum(before))]
  const [meanY, meanX] = [sum(y) / y.length, sum(x) / x.length]
  const covariance = sum(y.map((value, place) => (value - meanY) * (x[place]! - meanX)))
  const of = (variation: 'on' | 'off', country?: string) => {
    const arm = closed.filter(
      (unit) => unit.variationId === flag.ids[variation] && (country === undefined || unit.country === country),
    )
    const totals = arm.map(({ during }) => sum(during))
    const capped = totals.map((total) => Math.min(total, cap))
    return {
      n: arm.length,
      paid: arm.filter(({ during }) => during.length > 0).length,
      revenue: sum(totals),
      spread: spread(totals),
      skewness: skewness(totals),
      capped: sum(capped),
      cappedSpread: spread(capped),
      cappedSkewness: skewness(capped),
      orders: sum(arm.map(({ during }) => during.length)),
    }
  }
  return {
    total: units.filter(({ crossed }) => !crossed).length,
    excluded: {
      crossover: units.filter(({ crossed }) => crossed).length,
      bot: unitsOf(2).length,
      override: unitsOf(1).length,
      paused: unitsOf(pausedKind).length,
    },
    theta: covariance / sum(x.map((value) => (value - meanX) ** 2)),
    ...{ cap, on: of('on'), off: of('off') },
    countries: ['DE', 'FR', 'NL'].map((value) => ({
      value,
      units: units.filter(({ crossed, country }) => !crossed && country === value).length,
      ...{ on: of('on', value), off: of('off', value) },
    })),
  }
}

/** What happens to the rules before the second snapshot: a pause, and a new split of one of them. */
async function change() {
  now = pause.from
  await succeed(service, 'POST', `${flag.production}/pause`)
  now = pause.until
  await succeed(service, 'POST', `${flag.production}/run`)
  now = newSplit.from
  await succeed(service, 'PATCH', `${flag.production}/rules/${changing.id}`, {
    variations: [
      { variationKey: 'off', weight: newSplit.off * 10_000 },
      { variationKey: 'on', weight: (1 - newSplit.off) * 10_000 },
    ],
    confirmReassignment: true,
  })
  await succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish`)
}

/**
 * Visitors of each split, counted and compared by themselves, and the difference as the mean of both. Who has come before
 * the new split counts there only.
 */
function expectedOfPhases(arrived: readonly NewEvent[], asOf: number) {
  const isBefore = ({ at }: NewEvent) => at < newSplit.from
  const came = new Set(
    arrived
      .filter((event) => event.type === 'exposure' && event.ruleId === changing.id && isBefore(event))
      .filter((event) => kindOf(event) === 0)
      .map(({ unit }) => unit),
  )
  const returns = ({ kind, unit }: NewEvent) => kind === 0 && came.has(unit)
  const phases = [isBefore, (event: NewEvent) => !isBefore(event) && !returns(event)].map((only) =>
    expected(arrived, asOf, { ruleId: changing.id, only, onlyClosed: false }),
  )
  const both = (of: (phase: (typeof phases)[number]) => number) => phases.reduce((all, phase) => all + of(phase), 0)
  const units = ({ on, off }: (typeof phases)[number]) => on.n + off.n
  return {
    total: both(({ total }) => total),
    paused: both(({ excluded }) => excluded.paused),
    crossover: both(({ excluded }) => excluded.crossover),
    revenue: both(({ on }) => on.revenue),
    difference: both(
      (phase) => (units(phase) * (phase.on.revenue / phase.on.n - phase.off.revenue / phase.off.n)) / both(units),
    ),
  }
}

/** The next snapshot of the rule counts all events again. */
async function forgetCounted(ruleId: string) {
  const tables = ['measured_rules', 'rule_units', 'unit_cohorts', 'rule_measures', 'unit_totals', 'metric_cohorts']
  for (const table of [...tables, 'dimension_units', 'dimension_cohorts', 'rule_dimensions'])
    await sql`delete from ${sql.table(table)} where rule_id = ${ruleId}`.execute(service.db)
}

const refresh = () => refreshed(service, rule.path)

const measuredRule = () => ({
  ruleId: rule.id,
  projectId: project.id,
  flagId: flag.id,
  envId: project.production.id,
})

const anotherNode = (more: Partial<Parameters<typeof snapshotWorker>[0]>) =>
  snapshotWorker(
    {
      ...{ db: service.db, events, now: () => new Date(now), eventsKeptForMs: 90 * day },
      ...{ judge: async () => {}, pace: { share: 1 }, ...more },
    },
    (error) => expect.unreachable(String(error)),
  )

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
function figuresOf(results: any, key: string, variation: 'on' | 'off') {
  const metric = results.metrics.find((each: { key: string }) => each.key === key)
  return metric.variations.find((each: { variationId: string }) => each.variationId === flag.ids[variation])
}

/** All units can have the same value. Then there is none. */
function expectSkewness(shown: { skewness: number | null }, wanted: number) {
  if (Number.isNaN(wanted)) expect(shown.skewness).toBeNull()
  else expect(shown.skewness).toBeCloseTo(wanted, 6)
}

/** What answers a read of results, and what computes them now, with these snapshots. */
function handlersOf(snapshots: SnapshotWorker) {
  const handlers: ((call: object) => Promise<unknown>)[] = []
  const route = ({ handle }: { handle: (call: object) => Promise<unknown> }) => handlers.push(handle)
  resultRoutes(route as unknown as Route, { db: service.db, now: () => new Date(now), snapshots })
  return handlers
}

describe('a snapshot', () => {
  test('equals what brute force computes, with repeats, late and mixed-up events, crossovers, bots, overrides, pauses and new splits', async () => {
    sent = visitors(600, chances(7))
    for (let instalment = 0; instalment < instalments; instalment++) {
      if (instalment === 1) await change()
      now = momentOf(instalment)
      const arriving = sent.filter(({ before }) => before === instalment).map(({ event }) => event)
      for (let i = 0; i < arriving.length; i += 100) await events.append(arriving.slice(i, i + 100), new Date(now))
      const results = await refresh()
      const arrived = sent.filter(({ before }) => before <= instalment).map(({ event }) => event)
      const { total, excluded, cap, theta, countries, ...wanted } = expected(arrived, now)
      expect(results).toMatchObject({
        refreshing: false,
        ruleStatus: 'RUNNING',
        dataThrough: new Date(now).toISOString(),
        units: { total, excluded },
      })
      if (instalment === 0) continue
      expect(excluded.paused).toBeGreaterThan(0)
      const wantedOfPhases = expectedOfPhases(arrived, now)
      const ofPhases = await refreshed(service, changing.path)
      const { total: all, paused, crossover } = wantedOfPhases
      expect(ofPhases.units).toMatchObject({ total: all, excluded: { paused, crossover } })
      const costs = figuresOf(ofPhases, 'costs', 'on')
      expect(costs.sum).toBeCloseTo(wantedOfPhases.revenue, 6)
      expect(costs.comparison.difference.estimate).toBeCloseTo(wantedOfPhases.difference, 6)
      const check = (shown: object, wanted: Record<'on' | 'off', ReturnType<typeof expected>['on']>) => {
        for (const variation of ['on', 'off'] as const) {
          const { n, paid, revenue, spread, skewness, capped, cappedSpread, cappedSkewness, orders } = wanted[variation]
          expect(figuresOf(shown, 'paid', variation)).toMatchObject({ units: n, sum: paid })
          expect(figuresOf(shown, 'revenue', variation).sum).toBeCloseTo(revenue, 6)
          expect(figuresOf(shown, 'revenue', variation).stddev).toBeCloseTo(spread, 6)
          expectSkewness(figuresOf(shown, 'revenue', variation), skewness)
          expect(figuresOf(shown, 'capped', variation).sum).toBeCloseTo(capped, 6)
          expect(figuresOf(shown, 'capped', variation).stddev).toBeCloseTo(cappedSpread, 6)
          expectSkewness(figuresOf(shown, 'capped', variation), cappedSkewness)
          expect(figuresOf(shown, 'average', variation).sum).toBeCloseTo(revenue, 6)
          expect(figuresOf(shown, 'average', variation).denominatorSum).toBeCloseTo(orders, 6)
        }
      }
      check(results, wanted)
      const { dimension } = await succeed(service, 'GET', `${rule.path}?dimension=country`)
      for (const { value, units, ...wanted } of countries) {
        const shown = dimension.values.find((each: { value: string }) => each.value === value)
        expect(shown.units).toBe(units)
        check(shown, wanted)
      }
      const { winsorizedAt } = results.metrics.find(({ key }: { key: string }) => key === 'capped')
      expect(winsorizedAt).toBeCloseTo(cap, 6)
      expect(figuresOf(results, 'revenue', 'on').comparison.cuped.theta).toBeCloseTo(theta, 6)
    }
  })

  test('is the same if all events are read at once', async () => {
    const read = async () => {
      const { units, metrics, health } = await succeed(service, 'GET', changing.path)
      return { units, metrics, health }
    }
    await refreshed(service, changing.path)
    const inParts = await read()
    await forgetCounted(changing.id)
    await refreshed(service, changing.path)
    expect(JSON.stringify(await read())).toBe(JSON.stringify(inParts))
  })

  test('is the same if the database has no time for so many events, and does less at once for an hour', async () => {
    const before = await succeed(service, 'GET', rule.path)
    await forgetCounted(rule.id)
    const mostShare = 1 / 512
    const inTime = (share = 1) => {
      if (share > mostShare)
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    }
    const slow: MeasuredEvents = {
      ...events,
      async exposuresAfter(of, batches, share) {
        inTime(share)
        return events.exposuresAfter(of, batches, share)
      },
      async trackedAfter(of, batches, share) {
        inTime(share)
        return events.trackedAfter(of, batches, share)
      },
    }
    const pace: Parameters<typeof snapshotWorker>[0]['pace'] = { share: 1 }
    expect(await anotherNode({ events: slow, pace }).refresh(measuredRule())).toBe(true)
    expect(pace).toEqual({ share: mostShare, changedAt: new Date(now) })
    pace.changedAt = new Date(now - hour)
    expect(await anotherNode({ pace }).refresh(measuredRule())).toBe(true)
    expect(pace).toEqual({ share: 2 * mostShare, changedAt: new Date(now) })
    const { dataThrough: _then, generatedAt: _at, ...same } = before
    expect(await succeed(service, 'GET', rule.path)).toMatchObject(same)
    const never = { ...events, exposuresAfter: async () => inTime() as never }
    await expect(anotherNode({ events: never }).refresh(measuredRule())).rejects.toThrow('statement timeout')
  })

  test('has no skewness of units that were counted before it was kept, until they are counted again', async () => {
    const taken = async () => {
      const { metrics } = await refreshed(service, changing.path)
      return metrics
    }
    const before = await taken()
    expect(figuresOf({ metrics: before }, 'costs', 'on').unitsForSkewness).toBeGreaterThan(0)
    for (const table of ['metric_cohorts', 'dimension_cohorts'])
      await sql`update ${sql.table(table)} set sum_yyy = null where rule_id = ${changing.id}`.execute(service.db)
    now += 1
    expect(figuresOf({ metrics: await taken() }, 'costs', 'on')).toMatchObject({
      skewness: null,
      unitsForSkewness: null,
    })
    // As the migration does.
    await sql`
      update rule_measures set measure = measure || '{"hasThirdMoments": false}'
      where rule_id = ${changing.id}`.execute(service.db)
    now += 1
    expect(await taken()).toEqual(before)
  })

  test('is what results show until the next one, to the byte', async () => {
    const read = () => service.call(service.people.owner, 'GET', rule.path)
    const first = await read()
    now += 10 * 60_000
    const second = await read()
    expect(second.text).toBe(first.text)
    expect(second.body.data.dataThrough).not.toBe(new Date(now).toISOString())
  })

  test('can be read by metric and over time', async () => {
    const one = await succeed(service, 'GET', `${rule.path}?metricId=${metricIds.paid}&include=timeseries`)
    expect(one.metrics.map(({ key }: { key: string }) => key)).toEqual(['paid'])
    expect(one.timeseries.map(({ asOf }: { asOf: string }) => asOf.slice(0, 10))).toEqual([
      '2026-01-02',
      '2026-01-03',
      '2026-01-04',
      '2026-01-05',
      '2026-01-06',
    ])
  })

  test('can be split by the dimensions of exposures, by the 20 largest values', async () => {
    const read = (query: string) => succeed(service, 'GET', `${rule.path}?${query}`)
    const { dimensions, dimension } = await read(`dimension=isNew&metricId=${metricIds.paid}`)
    expect(dimensions).toEqual(['address', 'country', 'isNew'])
    const told = { value: 'true', kind: 'VALUE', metrics: [{ key: 'paid' }] }
    expect(dimension.values).toMatchObject([told, { value: '(none)', kind: 'NONE', metrics: [{ key: 'paid' }] }])
    expect((await read('dimension=address')).dimension.values).toHaveLength(20 + 2)
    expect((await read('dimension=unheard')).dimension).toEqual({ name: 'unheard', values: [] })
    const { dimension: largest } = await read('dimension=country')
    const csv = await service.call(service.people.owner, 'GET', `${rule.path}?format=csv&dimension=country`)
    const rows = csv.text.trimEnd().split('\r\n').slice(1)
    // Three countries, and visitors without a country.
    expect(rows).toHaveLength(4 * 4 * 2)
    expect(rows[0]!.split(',').slice(2, 4)).toEqual(['"country"', `"${largest.values[0].value}"`])
  })

  test('answers 304 while it is the one that the caller has', async () => {
    const read = (etag: string) =>
      service.call(service.people.owner, 'GET', rule.path, undefined, { 'if-none-match': etag })
    const { status, headers } = await read('"other"')
    expect(status).toBe(200)
    expect((await read(String(headers.etag))).status).toBe(304)
  })

  test('can be downloaded as CSV, without a time series', async () => {
    const read = (query: string) => service.call(service.people.owner, 'GET', `${rule.path}?format=csv${query}`)
    const { status, headers, text } = await read(`&metricId=${metricIds.paid}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="results-${rule.id}-2026-01-\\d\\d.csv"$`),
    )
    const [header, ...rows] = text.trimEnd().split('\r\n')
    expect(header).toMatch(/^\uFEFF"ruleId","dataThrough","dimension","dimensionValue","dimensionKind","metric",/)
    expect(rows.map((row) => row.split(',')[11])).toEqual(['"off"', '"on"'])
    const refused = await read('&include=timeseries')
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.issues).toMatchObject([{ path: ['include'] }])
  })

  test('is taken every hour by itself, once by two workers', async () => {
    now += 2 * hour
    await Promise.all([service.snapshots.run(), service.snapshots.run()])
    const { dataThrough } = await succeed(service, 'GET', rule.path)
    expect(dataThrough).toBe(new Date(now).toISOString())
    now += hour / 2
    await service.snapshots.run()
    expect((await succeed(service, 'GET', rule.path)).dataThrough).toBe(dataThrough)
  })

  test('computes metrics again from all events when the settings of the rule change', async () => {
    const before = await succeed(service, 'GET', rule.path)
    const settings = async (statistics: object, take: () => Promise<unknown>) => {
      await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, {
        statistics: { cuped: true, ...statistics },
      })
      await succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish`)
      await take()
      return succeed(service, 'GET', rule.path)
    }
    const short = await settings({ conversionWindowHours: 12 }, refresh)
    const wanted = expected(
      sent.map(({ event }) => event),
      now,
      { window: day / 2 },
    )
    for (const variation of ['on', 'off'] as const)
      expect(figuresOf(short, 'average', variation).denominatorSum).toBe(wanted[variation].orders)
    const inSmallSteps = anotherNode({ unitsCountedAtOnce: 50 })
    const again = await settings({ conversionWindowHours: 24 }, () => inSmallSteps.refresh(measuredRule()))
    expect(again.metrics).toEqual(before.metrics)
  })

  test('that is under way is joined on its node, and answered with 202 and the old results on others', async () => {
    const call = () => service.call(service.people.admin, 'POST', `${rule.path}/refresh`)
    const earlier = await refresh()
    now += hour / 2
    const begun = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    let taken = 0
    const position = async () => {
      taken += 1
      begun.resolve()
      await released.promise
      return events.position()
    }
    const node = anotherNode({ events: { ...events, position } })
    const both = Promise.all([node.refresh(measuredRule()), node.refresh(measuredRule())])
    await begun.promise
    const { status, body } = await call()
    expect([status, body.data.refreshing, body.data.dataThrough]).toEqual([202, true, earlier.dataThrough])
    released.resolve()
    expect([await both, taken]).toEqual([[true, true], 1])
    expect((await succeed(service, 'GET', rule.path)).dataThrough).toBe(new Date(now).toISOString())
    let done = await call()
    while (done.status === 202) done = await call()
    expect([done.status, done.body.data.refreshing]).toEqual([200, false])
  })

  test('on request waits for those of other rules, a crowd is refused, and due ones do not wait', async () => {
    now += 2 * hour
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let [running, most] = [0, 0]
    const held = async () => {
      most = Math.max(most, ++running)
      begun.resolve()
      await released.promise
      running -= 1
      return events.position()
    }
    const judged: string[] = []
    const judge = async (ruleId: string) => void judged.push(ruleId)
    let position = held
    const node = anotherNode({ judge, events: { ...events, position: () => position() } })
    const asked = node.refresh(measuredRule())
    await begun.promise
    position = events.position
    const others = Array.from({ length: 21 }, (_, index) => ({
      ...measuredRule(),
      ruleId: nobody.replace(/..$/, `${10 + index}`),
    }))
    const crowd = others.map((other) => node.refresh(other))
    await expect(crowd.at(-1)).rejects.toThrow(TooBusy)
    // A rule that waits is joined.
    expect(node.refresh(others[0]!)).toBe(crowd[0])
    const found = { ...others.at(-1)!, launched: true, rule: undefined }
    for (const handle of handlersOf(node))
      expect(await handle({ found, query: {} })).toMatchObject({ refusal: 'unavailable' })
    await node.run()
    expect(judged).toContain(changing.id)
    expect(judged).not.toContain(rule.id)
    released.resolve()
    expect(await asked).toBe(true)
    expect((await Promise.allSettled(crowd)).filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect([most, judged]).toEqual([1, expect.arrayContaining([rule.id])])
    await sql`delete from measured_rules where rule_id in (${sql.join(others.map(({ ruleId }) => ruleId))})`.execute(
      service.db,
    )
  })

  test('begins a phase when the split changes, so that visitors are not pooled', async () => {
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, {
      variations: [
        { variationKey: 'off', weight: 1000 },
        { variationKey: 'on', weight: 9000 },
      ],
      confirmReassignment: true,
    })
    await succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish`)
    now += hour
    const exposure = (unit: string): NewEvent => ({
      ...{ type: 'exposure', envId: project.production.id, id: nextId(), ruleId: rule.id, unit, at: now },
      ...{ variationId: flag.ids.on as string, kind: 0, clamped: false, dimensions: null },
    })
    const before = (await refresh()).units.total
    now += hour
    await events.append([exposure('user-new'), exposure('user-newer')], new Date(now))
    const { units } = await refresh()
    expect(units.total).toBe(before + 2)
    expect(units.variations[1].weight).toBe(0.9)
    expect(units.variations[1].expectedShare).toBeCloseTo((before * 0.5 + 2 * 0.9) / (before + 2), 6)
  })

  test('is taken every hour only while events can change the results, also after the rule runs again', async () => {
    const expectTaken = async (moment: number, taken: number) => {
      now = moment
      await service.snapshots.run()
      expect(Date.parse((await succeed(service, 'GET', rule.path)).dataThrough)).toBe(taken)
    }
    const ended = now
    await succeed(service, 'POST', `${flag.production}/pause`)
    // The window of the metrics, and the time by which events can be late.
    const closed = ended + day + 30 * day
    await expectTaken(closed, closed)
    await expectTaken(closed + hour, closed + hour)
    await expectTaken(closed + 2 * hour, closed + hour)
    expect((await refresh()).dataThrough).toBe(new Date(now).toISOString())
    await succeed(service, 'POST', `${flag.production}/run`)
    await expectTaken(closed + 4 * hour, closed + 4 * hour)
  })
})
