import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Db, type Tx, tookTooLong } from '../../../platform/db/index.ts'
import { inOneTrip, inSnapshot } from '../../../platform/transaction.ts'
import { experimentOfRule } from '../../model/experiments/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import { type RuleDefinition, statisticsOf } from '../../model/versions/index.ts'
import { type EventStore, maxAgeMs, type Rows } from '../events/index.ts'
import { type Measured, sum } from './figures.ts'
import { historyOf, type RuleHistory } from './history.ts'
import { loadEngine } from './load-engine.ts'
import { closesAt, countedSince, countedUntil, type Measure, type MetricRow, measureOf, rolesOf } from './measure.ts'
import {
  firstSignificantIn,
  metricsOfRule,
  phasesOfResults,
  plannedUnits,
  ruleOfResults,
  servedInResults,
  settingsOf,
  trafficCap,
  variationsOf,
} from './measured.ts'
import * as queries from './queries.ts'
import { metricFrom, openFrom, recentRange, visitorsFrom } from './recent.ts'
import type { Dimension, Results } from './schema.ts'

export interface Snapshots {
  db: Db
  events: EventStore
  now: () => Date
  /** How long raw events are kept. What was computed from older ones stays. */
  eventsKeptForMs: number
  /** How many units one statement adds to the cohorts of a metric, instead of the usual number. */
  unitsCountedAtOnce?: number
  pace: Pace
}

/**
 * The share of its usual work that a step does at once. It halves where the database cannot do more within its limit, and
 * doubles again an hour later, so a slow hour is not remembered for good.
 */
export interface Pace {
  share: number
  changedAt?: Date
}

/** More exposures of one rule in an hour are not caused by a person. */
const mostInHour = 500
/** Those that a rule keeps. What differs for each visitor, such as an address, would only cost. */
const mostDimensions = { names: 20, values: 100 }
const valuesShown = 20
const unitsAtOnce = 20_000
const unitsCountedAtOnce = 200_000
/** A database that needs longer for this little is not slow, but out of order. */
const leastShare = 1 / 1024
const easesAfterMs = 3_600_000
export const leaseMs = 10 * 60_000

/**
 * Computes the results of a rule from all events up to now and stores them. Only events are read that are new since the
 * last snapshot. The caller has claimed the rule.
 */
export async function takeSnapshot(context: Snapshots, rule: queries.MeasuredRule): Promise<void> {
  const { db, events, now, eventsKeptForMs, unitsCountedAtOnce: atOnce = unitsCountedAtOnce, pace } = context
  const { ruleId, envId } = rule
  const asOf = now()
  const position = await events.position()
  const found = await subjectOf(db, rule)
  if (!found) return
  const { measures, ...subject } = found
  const { history } = subject
  if (pace.changedAt && asOf.getTime() >= pace.changedAt.getTime() + easesAfterMs)
    Object.assign(pace, { share: Math.min(1, 2 * pace.share), changedAt: asOf })
  const kept = new Date(asOf.getTime() - eventsKeptForMs)
  await countNewEvents({ db, events, ruleId, envId, history, measures, asOf, position, kept, atOnce, pace })
  const { results, dimensions } = await resultsAsOf(context, rule, subject, asOf)
  await db.transaction().execute((tx) => queries.saveSnapshot(tx, ruleId, asOf, results, dimensions))
}

/** Whether events can have come since the last snapshot of a rule that change its results. */
export async function canHaveChanged({ db }: Snapshots, rule: queries.MeasuredRule): Promise<boolean> {
  const last = await queries.lastSnapshotAt(db, rule.ruleId)
  if (!last) return true
  const subject = await subjectOf(db, rule)
  const closed = subject && closesAt(subject.history.served.at(-1)!.until, subject.measures, maxAgeMs)
  return !closed || last <= closed
}

/** What is measured: the rule as it was served last, with its past and its metrics. */
interface Subject {
  history: RuleHistory
  current: RuleDefinition
  metrics: readonly MetricRow[]
}

/** Undefined if the rule was never served. */
async function subjectOf(db: Db, rule: queries.MeasuredRule): Promise<(Subject & { measures: Measure[] }) | undefined> {
  const history = historyOf(await queries.pastOfRule(db, rule))
  const current = history.phases.at(-1)?.rule
  if (!current) return undefined
  const keys = rolesOf(current).map(({ key }) => key)
  // Read once: the document must describe a metric as it was computed.
  const metrics = await queries.readMetrics(db, rule.projectId, keys)
  const measures = current.type === 'AB_TEST' ? metrics.map((metric) => measureOf(metric, statisticsOf(current))) : []
  return { history, current, metrics, measures }
}

/** What a snapshot counts. */
interface Count {
  db: Db
  events: EventStore
  ruleId: string
  envId: string
  history: RuleHistory
  measures: readonly Measure[]
  asOf: Date
  /** Later batches do not count, so that all figures of a snapshot are of one moment. */
  position: number
  /** Events from before may be deleted. */
  kept: Date
  /** See `Snapshots.unitsCountedAtOnce`. */
  atOnce: number
  pace: Pace
}

/**
 * Reads the events that are new since the last snapshot, and adds them to what is known of units and cohorts. Each step
 * is a transaction that says how far it got, so after a crash the next snapshot goes on from there. A step that another
 * node has done meanwhile changes nothing.
 */
async function countNewEvents(count: Count): Promise<void> {
  await inStep(count, (tx) => prepareMeasures(tx, count))
  await repeat(count, () => readExposures(count))
  await repeat(count, () => recountUnits(count))
  for (const measure of count.measures) {
    const of = measureOfRule(count, measure)
    await repeat(count, () => readEvents(count, of))
    await repeat(count, () => inStep(count, (tx) => countUnits(tx, count, of)))
  }
}

/**
 * Repeats a step until nothing is left. One that takes longer than the database allows has done nothing; it is tried
 * again with half as much. Otherwise a backlog, or a slow database, would stop the results of a rule for good.
 */
async function repeat({ pace, asOf }: Count, step: () => Promise<boolean>): Promise<void> {
  for (;;)
    try {
      if (!(await step())) return
    } catch (error) {
      if (!tookTooLong(error) || pace.share <= leastShare) throw error
      Object.assign(pace, { share: pace.share / 2, changedAt: asOf })
    }
}

/** A transaction that no other node has with this rule. */
const inStep = <Result>({ db, ruleId }: Count, work: (tx: Tx, batch: number | undefined) => Promise<Result>) =>
  db.transaction().execute(async (tx) => {
    const rule = await queries.lockRule(tx, ruleId)
    await queries.joinByHash(tx)
    return work(tx, rule?.batch)
  })

const measureOfRule = ({ ruleId, envId, history }: Count, measure: Measure): queries.MeasureOf => ({
  ...{ ruleId, envId, measure },
  servedSince: history.served[0]!.from,
})

/** A metric that is new, or defined otherwise than before, is computed from all events that are kept. */
async function prepareMeasures(tx: Tx, { ruleId, measures, history, kept }: Count): Promise<void> {
  const stored = await queries.readMeasures(tx, ruleId)
  const isKnown = (measure: Measure) => stored.some((each) => isDeepStrictEqual(each.measure, measure))
  const isWanted = ({ measure }: queries.MeasureState) => measures.some((each) => isDeepStrictEqual(each, measure))
  const since = countedSince(history.served[0]!.from, kept)
  for (const state of stored)
    if (!isWanted(state)) await queries.forgetMeasure(tx, ruleId, state.measure.metricId, since)
  for (const measure of measures)
    if (!isKnown(measure)) {
      await queries.forgetMeasure(tx, ruleId, measure.metricId, since)
      const nothing = { cap: null, capped: 0, batch: 0, countedFrom: since, countedUntil: since }
      await queries.saveMeasure(tx, ruleId, { measure, ...nothing })
    }
}

/** Returns whether there may be more. */
async function readExposures(count: Count): Promise<boolean> {
  const { db, events, ruleId, envId, history, position, kept, pace } = count
  const rule = await queries.findMeasuredRule(db, ruleId)
  if (!rule) return false
  const portion = await events.exposuresAfter({ envId, ruleId }, { after: rule.batch, through: position }, pace.share)
  if (!portion) return false
  const starts = history.phases.map(({ startedAt }) => startedAt)
  const switches = history.served.flatMap(({ from, until }) => (until ? [from, until] : [from]))
  await inStep(count, async (tx, batch) => {
    if (batch !== rule.batch) return
    await queries.enterDimensions(tx, ruleId, portion.rows, mostDimensions)
    const busy = await queries.busyUnits(tx, ruleId, portion.rows, mostInHour)
    const known = batch === 0 ? 'none' : await queries.knownUnits(tx, ruleId, portion.size)
    await queries.addUnits(tx, ruleId, portion.rows, { starts, switches, busy, kept, known })
    if (starts.length > 1) await queries.leaveOutReturned(tx, ruleId, portion.rows, history.begins)
    await queries.saveProgress(tx, ruleId, portion.last)
  })
  return true
}

/** Lets metrics count units as they are now, by the events that the metrics have read already. */
async function recountUnits(count: Count): Promise<boolean> {
  const { db, events, ruleId, pace } = count
  const page = await queries.nextChangedUnits(db, ruleId, Math.ceil(unitsAtOnce * pace.share))
  if (!page) return false
  const told: { of: queries.MeasureOf; batch: number; rows: Rows }[] = []
  for (const { measure, batch } of await queries.readMeasures(db, ruleId))
    if (batch > 0) {
      const of = measureOfRule(count, measure)
      const rows = await events.trackedOfUnits(queries.trackedKeysOf(of), queries.unitsToRead(of, page), batch)
      told.push({ of, batch, rows })
    }
  await inStep(count, async (tx) => {
    const states = await queries.readMeasures(tx, ruleId)
    const stateOf = ({ of, batch }: (typeof told)[number]) =>
      states.find((state) => state.batch === batch && state.measure.metricId === of.measure.metricId)
    if (!told.every(stateOf)) return
    for (const each of told) await queries.recount(tx, each.of, stateOf(each)!, page, each.rows)
    await queries.forgetChangedUnits(tx, ruleId, page)
  })
  return true
}

/** Adds new events of a metric to the totals of units. Returns whether there may be more. */
async function readEvents(count: Count, of: queries.MeasureOf): Promise<boolean> {
  const { db, events, ruleId, position, pace } = count
  const known = stateIn(await queries.readMeasures(db, ruleId), of)
  if (!known) return false
  const portion = await events.trackedAfter(
    queries.trackedKeysOf(of),
    { after: known.batch, through: position },
    pace.share,
  )
  if (!portion) return false
  await inStep(count, async (tx) => {
    const state = stateIn(await queries.readMeasures(tx, ruleId), of)
    if (state?.batch !== known.batch) return
    const units = await queries.knownUnits(tx, ruleId, portion.size)
    await queries.addEvents(tx, of, state, portion.rows, units)
    await queries.saveMeasure(tx, ruleId, { ...state, batch: portion.last })
  })
  return true
}

/** Lets some of the units count whose time has come. Returns whether there may be more. */
async function countUnits(
  tx: Tx,
  { ruleId, history, asOf, position, atOnce, pace }: Count,
  of: queries.MeasureOf,
): Promise<boolean> {
  const state = stateIn(await queries.readMeasures(tx, ruleId), of)
  // Another node is further.
  if (!state || state.batch > position) return false
  const { countedUntil: from } = state
  const until = countedUntil(of.measure, asOf)
  const end = await queries.endOfUnits(tx, ruleId, from, Math.ceil(atOnce * pace.share))
  const isPart = end !== null && end < until
  const next = { ...state, batch: position, countedUntil: isPart ? end : until > from ? until : from }
  await queries.countUnits(tx, of, { countedFrom: from, countedUntil: next.countedUntil })
  if (isPart) {
    await queries.saveMeasure(tx, ruleId, next)
    return true
  }
  const cut =
    of.measure.winsorizeAt === null
      ? { cap: null, capped: 0 }
      : await queries.capOf(tx, of, next, history.begin!.number)
  await queries.saveMeasure(tx, ruleId, { ...next, ...cut })
  return false
}

const stateIn = (states: readonly queries.MeasureState[], { measure }: queries.MeasureOf) =>
  states.find((state) => state.measure.metricId === measure.metricId)

/** Reads what the steps before have computed, and makes the documents from it while no transaction is open. */
async function resultsAsOf(
  { db, now }: Snapshots,
  measured: queries.MeasuredRule,
  { history, current, metrics }: Subject,
  asOf: Date,
): Promise<{ results: Results; dimensions: Dimension[] }> {
  const { defaultTuningParameter, dimensionOf, resultsOf } = await loadEngine()
  const { ruleId, envId, flagId } = measured
  const { number: phase, startedAt: begin } = history.begin!
  const [units, cohorts, values, measures, row, experiment, last, hasHeartbeats] = await inSnapshot(db, (tx) =>
    inOneTrip([
      queries.readUnitCohorts(tx, ruleId, phase),
      queries.readMetricCohorts(tx, ruleId, phase),
      queries.readDimensions(tx, ruleId, { phase, values: valuesShown }),
      queries.readMeasures(tx, ruleId),
      findFlagEnvironment(tx, flagId, envId),
      experimentOfRule(tx, ruleId),
      queries.lastDocument(tx, ruleId),
      queries.hasHeartbeats(tx, envId, history.served.at(-1)!.from),
    ]),
  )
  const names = [...new Set(values.map(({ name }) => name))]
  const computed: Measured = {
    rule: ruleOfResults(measured, current, history, experiment),
    generatedAt: now(),
    dataThrough: asOf,
    settings: settingsOf(current, history, defaultTuningParameter),
    plannedUnitsPerVariation: plannedUnits(history.first),
    maxUnits: trafficCap(current),
    variations: variationsOf(current, new Map((row?.live.variations ?? []).map(({ id, key }) => [id, key]))),
    phases: phasesOfResults(history),
    units,
    excluded: {
      bot: sum(units, ({ bots }) => bots),
      override: sum(units, ({ overrides }) => overrides),
      paused: sum(units, ({ paused }) => paused),
    },
    metrics: metricsOfRule(current, metrics, measures),
    cohorts,
    dimensions: names,
    firstSignificant: firstSignificantIn(last === undefined ? undefined : (JSON.parse(last) as Results), begin),
    hasHeartbeats,
    served: servedInResults(history),
  }
  const dimensions: Dimension[] = []
  for (const name of names) {
    // Each takes a while, and requests must not wait for all of them.
    await setImmediate()
    dimensions.push(dimensionOf(computed, name, values))
  }
  return { results: resultsOf(computed), dimensions }
}

interface Planned {
  projectId: string
  envId: string
  flagId: string
  metricKeys: readonly string[]
}

/** What the tests of an environment have measured in the last two weeks, to plan another one. */
export async function recentFigures(db: Db, { projectId, envId, flagId, metricKeys }: Planned, now: Date) {
  const asked = await queries.readMetrics(db, projectId, metricKeys)
  const of = { projectId, envId, ...recentRange(now) }
  const windows = asked.map(({ id, conversionWindowHours }) => ({ id, openFrom: openFrom(conversionWindowHours, now) }))
  const [visitors, sums] = await Promise.all([queries.recentVisitors(db, of), queries.recentSums(db, of, windows)])
  return {
    from: of.from,
    until: of.until,
    visitors: visitorsFrom(visitors, flagId, now),
    metrics: metricKeys.flatMap((key) => {
      const metric = asked.find((each) => each.key === key)
      if (!metric) return []
      const { id, type } = metric
      const ofMetric = sums.filter(({ metricId }) => metricId === id)
      return [{ key, type, figures: metricFrom(type, ofMetric, flagId) }]
    }),
  }
}
