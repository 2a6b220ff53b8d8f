import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Db, isUnavailable, type Tx, tookTooLong } from '../../../platform/db/index.ts'
import { inOneTrip, inSnapshot } from '../../../platform/transaction.ts'
import { experimentOfRule } from '../../model/experiments/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import { type RuleDefinition, statisticsOf } from '../../model/versions/index.ts'
import { type EventStore, type LargestNetwork, largestNetwork, maxAgeMs, type Rows } from '../events/index.ts'
import { type KeptFigures, leastUnitsOfNetworks, type Measured, type SetAside, sum } from './figures.ts'
import { keptOf } from './finality.ts'
import { historyOf, type RuleHistory } from '../counting/index.ts'
import { loadEngine } from './load-engine.ts'
import {
  closesAt,
  countedSince,
  countedUntil,
  countsOf,
  type Measure,
  type MetricRow,
  measureOf,
  rolesOf,
} from '../counting/index.ts'
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
import { type Failure, failedResults, isSetAside, sentenceOf, wholeFails } from './set-aside.ts'

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
/** The largest of them have figures. What differs for each visitor, such as an address, would only cost. */
const mostDimensions = { names: 20, values: 100 }
const valuesShown = 20
const unitsAtOnce = 20_000
const unitsCountedAtOnce = 200_000
/** A database that needs longer for this little is not slow, but out of order. */
const leastShare = 1 / 1024
const easesAfterMs = 3_600_000
/** SDKs that were silent for longer say nothing about exposures that stay away. */
const heartbeatsWithinMs = 6 * 3_600_000
export const leaseMs = 10 * 60_000

/**
 * Computes the results of a rule from all events up to now and stores them. Only events are read that are new since the
 * last snapshot. The caller has claimed the rule. Returns what failed and is not in the results.
 */
export async function takeSnapshot(context: Snapshots, rule: queries.MeasuredRule): Promise<Failure[]> {
  const { db, events, now, eventsKeptForMs, unitsCountedAtOnce: atOnce = unitsCountedAtOnce, pace } = context
  const { ruleId, envId } = rule
  const asOf = now()
  const position = await events.position()
  const failures: Failure[] = []
  const found = await subjectOf(db, rule)
  if (!found) return failures
  const { measures, ...subject } = found
  const { history } = subject
  if (pace.changedAt && asOf.getTime() >= pace.changedAt.getTime() + easesAfterMs)
    Object.assign(pace, { share: Math.min(1, 2 * pace.share), changedAt: asOf })
  const kept = new Date(asOf.getTime() - eventsKeptForMs)
  await countNewEvents({ db, events, ruleId, envId, history, measures, asOf, position, kept, atOnce, pace, failures })
  const { results, dimensions, final } = await resultsAsOf(context, rule, subject, asOf, failures)
  await db.transaction().execute(async (tx) => {
    for (const figures of final) {
      const counts = countsOf(subject.metrics.find(({ id }) => id === figures.metricId)!)
      await queries.keepFigures(tx, ruleId, history.begin!.number, { ...figures, counts })
    }
    await queries.saveSnapshot(tx, ruleId, asOf, results, dimensions)
    await queries.noteFailing(tx, ruleId, sentenceOf(results.setAside ?? []), asOf)
  })
  return failures
}

/**
 * Notes that a snapshot failed as a whole, so that people are told. Until one succeeds, results show the figures of the
 * last one as failed. Returns whether there is something new to judge.
 */
export async function noteFailed(context: Snapshots, rule: queries.MeasuredRule, error: unknown): Promise<boolean> {
  if (!isOfContent(error)) return false
  const { db, now } = context
  const { ruleId } = rule
  const asOf = now()
  const last = await queries.lastSnapshot(db, ruleId)
  const results = last?.document ?? (await withoutFigures(context, rule, asOf))
  await db.transaction().execute(async (tx) => {
    await queries.noteFailing(tx, ruleId, wholeFails, asOf)
    if (results) await queries.saveFailed(tx, ruleId, asOf, failedResults(results, asOf))
  })
  return results !== undefined
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
  /** What the snapshot has set aside so far. */
  failures: Failure[]
}

const metricOf = ({ metricId }: Pick<Measure, 'metricId'>): SetAside => ({ kind: 'METRIC', id: metricId })

/**
 * Reads the events that are new since the last snapshot, and adds them to what is known of units and cohorts. Each step
 * is a transaction that says how far it got, so after a crash the next snapshot goes on from there. A step that another
 * node has done meanwhile changes nothing.
 */
async function countNewEvents(count: Count): Promise<void> {
  await inStep(count, (tx) => prepareMeasures(tx, count))
  await repeat(count, () => readExposures(count))
  await chooseDimensions(count)
  await repeat(count, () => recountUnits(count))
  for (const measure of count.measures) {
    const of = measureOfRule(count, measure)
    await apart(count.failures, metricOf(measure), async () => {
      await repeat(count, () => readEvents(count, of))
      await repeat(count, () => inStep(count, (tx) => countUnits(tx, count, of)))
    })
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

/** Whether something is wrong with what was read, and not with the database itself, which comes back. */
const isOfContent = (error: unknown): boolean => !isUnavailable(error) || tookTooLong(error)

/**
 * Does a part of a snapshot. If it fails, it is noted and the others go on: one metric or one dimension must not stop the
 * results of a rule, because anybody can send events.
 */
async function apart<Result>(
  failures: Failure[],
  part: SetAside,
  work: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isOfContent(error)) throw error
    if (!isSetAside(failures, part)) failures.push({ ...part, error })
    return undefined
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
  for (const measure of measures) if (!isKnown(measure)) await beginAnew(tx, ruleId, measure, since)
}

async function beginAnew(tx: Tx, ruleId: string, measure: Measure, since: Date): Promise<void> {
  await queries.forgetMeasure(tx, ruleId, measure.metricId, since)
  const nothing = { cap: null, capped: 0, batch: 0, countedFrom: since, countedUntil: since }
  await queries.saveMeasure(tx, ruleId, { measure, ...nothing })
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
    await queries.saveProgress(tx, ruleId, portion.last, portion.rows)
  })
  return true
}

/** Values are chosen again when a rule has this share more units than at the last choice, so it costs little over all. */
const choosesAfterGrowth = 0.1

/**
 * Lets values that have grown take the places of smaller ones. Otherwise one request with many values, which anybody can
 * send, would decide for good which ones results can be split by.
 */
async function chooseDimensions(count: Count): Promise<void> {
  const { ruleId, failures } = count
  await apart(failures, { kind: 'DIMENSION', id: 'all' }, () =>
    inStep(count, async (tx) => {
      const { units, chosenAt } = await queries.unitsSinceChoice(tx, ruleId)
      if (units <= chosenAt * (1 + choosesAfterGrowth)) return
      await queries.chooseDimensions(tx, ruleId, mostDimensions)
      await queries.saveChoice(tx, ruleId, units)
    }).catch((error) => {
      // The values stay as they are for now.
      if (!tookTooLong(error)) throw error
    }),
  )
}

/**
 * Lets metrics count units as they are now, by the events that the metrics have read already. All of them, or none: a
 * metric that fails begins anew with the next snapshot, so that no change is lost to it.
 */
async function recountUnits(count: Count): Promise<boolean> {
  const { db, events, ruleId, pace, failures, history, kept } = count
  const page = await queries.nextChangedUnits(db, ruleId, Math.ceil(unitsAtOnce * pace.share))
  if (!page) return false
  const told: { of: queries.MeasureOf; batch: number; rows: Rows }[] = []
  /** A statement that fails ends its transaction, so the others of the page are done again without this metric. */
  let failing: Measure | undefined
  for (const { measure, batch } of await queries.readMeasures(db, ruleId))
    if (batch > 0) {
      const of = measureOfRule(count, measure)
      const units = queries.unitsToRead(of, page)
      const rows = await apart(failures, metricOf(measure), () =>
        events.trackedOfUnits(queries.trackedKeysOf(of), units, batch),
      )
      if (rows) told.push({ of, batch, rows })
      else failing ??= measure
    }
  await inStep(count, async (tx) => {
    const states = await queries.readMeasures(tx, ruleId)
    const stateOf = ({ of, batch }: (typeof told)[number]) =>
      states.find((state) => state.batch === batch && state.measure.metricId === of.measure.metricId)
    if (failing || !told.every(stateOf)) return
    for (const each of told) {
      failing = each.of.measure
      await queries.recount(tx, each.of, stateOf(each)!, page, each.rows)
    }
    failing = undefined
    await queries.forgetChangedUnits(tx, ruleId, page)
  }).catch(async (error) => {
    // What takes too long is tried again with less.
    if (!failing || (tookTooLong(error) && pace.share > leastShare)) throw error
    await apart(failures, metricOf(failing), () => Promise.reject(error))
  })
  const beginning = failing
  if (beginning)
    await inStep(count, (tx) => beginAnew(tx, ruleId, beginning, countedSince(history.served[0]!.from, kept)))
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

/** What the steps before have computed, as it is read. */
interface Read {
  kept: Awaited<ReturnType<typeof queries.readKeptFigures>>
  lastExposureAt: Awaited<ReturnType<typeof queries.lastExposureAt>>
  units: Awaited<ReturnType<typeof queries.readUnitCohorts>>
  cohorts: Awaited<ReturnType<typeof queries.readMetricCohorts>>
  values: Awaited<ReturnType<typeof queries.readDimensions>>
  measures: Awaited<ReturnType<typeof queries.readMeasures>>
  row: Awaited<ReturnType<typeof findFlagEnvironment>>
  experiment: Awaited<ReturnType<typeof experimentOfRule>>
  last: string | undefined
  hasHeartbeats: boolean
  network: LargestNetwork | null
}

type OthersRead = [
  Read['units'],
  Read['measures'],
  Read['kept'],
  Read['row'],
  Read['experiment'],
  Read['last'],
  Read['hasHeartbeats'],
  Read['lastExposureAt'],
  Read['network'],
]

/** Reads what the steps before have computed, and makes the documents from it while no transaction is open. */
async function resultsAsOf(
  context: Snapshots,
  measured: queries.MeasuredRule,
  subject: Subject,
  asOf: Date,
  failures: Failure[],
): Promise<{ results: Results; dimensions: Dimension[]; final: KeptFigures[] }> {
  const { dimensionOf, finalFigures, resultsOf } = await loadEngine()
  const read = await readComputed(context, measured, subject, asOf, failures)
  const computed = await measuredFrom(context, measured, subject, asOf, read)
  /** A metric whose figures fail is set aside, and has none. */
  const whole = (of: Measured): Measured => ({
    ...of,
    cohorts: of.cohorts.filter((row) => !isSetAside(failures, metricOf(row))),
    setAside: failures.map(({ kind, id }) => ({ kind, id })),
  })
  const dimensions: Dimension[] = []
  // What a fixed test has shown of its dimensions at its end stays, too.
  const isKept = computed.metrics.length > 0 && computed.metrics.every((metric) => keptOf(computed, metric))
  for (const name of isKept ? [] : computed.dimensions) {
    // Each takes a while, and requests must not wait for all of them.
    await setImmediate()
    const made = await apart(failures, { kind: 'DIMENSION', id: name }, () =>
      dimensionOf(whole(computed), name, read.values),
    )
    if (made) dimensions.push(made)
  }
  const shown = { ...computed, dimensions: isKept ? computed.dimensions : dimensions.map(({ name }) => name) }
  const answer = () => ({
    results: resultsOf(whole(shown)),
    dimensions,
    // Figures that are not there now must not be kept as the last word.
    final: finalFigures(whole(shown)).filter(({ metricId }) => !isSetAside(failures, { kind: 'METRIC', id: metricId })),
  })
  try {
    return answer()
  } catch {
    for (const metric of computed.metrics)
      await apart(failures, metricOf(metric), () => resultsOf({ ...computed, metrics: [metric] }))
    return answer()
  }
}

/** Reads all in one trip. Where that fails, each metric and dimension by itself. */
async function readComputed(
  { db }: Snapshots,
  { ruleId, envId, flagId }: queries.MeasuredRule,
  { history, metrics }: Subject,
  asOf: Date,
  failures: Failure[],
): Promise<Read> {
  const { number: phase, startedAt: since } = history.begin!
  const heardSince = latest(history.served.at(-1)!.from, new Date(asOf.getTime() - heartbeatsWithinMs))
  const others = (tx: Tx) =>
    [
      queries.readUnitCohorts(tx, ruleId, phase),
      queries.readMeasures(tx, ruleId),
      queries.readKeptFigures(tx, ruleId, phase),
      findFlagEnvironment(tx, flagId, envId),
      experimentOfRule(tx, ruleId),
      queries.lastDocument(tx, ruleId),
      queries.hasHeartbeats(tx, envId, heardSince),
      queries.lastExposureAt(tx, ruleId),
      largestNetwork(tx, ruleId, { since, leastUnits: leastUnitsOfNetworks }),
    ] as const
  const named = (others: OthersRead) => {
    const [units, measures, kept, row, experiment, last, hasHeartbeats, lastExposureAt, network] = others
    return { units, measures, kept, row, experiment, last, hasHeartbeats, lastExposureAt, network }
  }
  const metricIds = metrics.map(({ id }) => id).filter((id) => !isSetAside(failures, { kind: 'METRIC', id }))
  const cohortsOf = (tx: Tx, ids: readonly string[]) => queries.readMetricCohorts(tx, ruleId, { phase, metricIds: ids })
  const valuesOf = (tx: Tx, ids: readonly string[], name: string | null) =>
    queries.readDimensions(tx, ruleId, { phase, values: valuesShown, metricIds: ids, name })
  try {
    const [cohorts, values, ...rest] = await inSnapshot(db, (tx) =>
      inOneTrip([cohortsOf(tx, metricIds), valuesOf(tx, metricIds, null), ...others(tx)]),
    )
    return { cohorts, values, ...named(rest) }
  } catch (error) {
    if (!isOfContent(error)) throw error
  }
  const cohorts: Read['cohorts'] = []
  for (const id of metricIds)
    cohorts.push(
      ...((await apart(failures, { kind: 'METRIC', id }, () => inSnapshot(db, (tx) => cohortsOf(tx, [id])))) ?? []),
    )
  const readable = metricIds.filter((id) => !isSetAside(failures, { kind: 'METRIC', id }))
  const values: Read['values'] = []
  for (const name of await queries.dimensionNames(db, ruleId))
    values.push(
      ...((await apart(failures, { kind: 'DIMENSION', id: name }, () =>
        inSnapshot(db, (tx) => valuesOf(tx, readable, name)),
      )) ?? []),
    )
  return { cohorts, values, ...named(await inSnapshot(db, (tx) => inOneTrip(others(tx)))) }
}

async function measuredFrom(
  { now }: Pick<Snapshots, 'now'>,
  measured: queries.MeasuredRule,
  { history, current, metrics }: Subject,
  asOf: Date,
  { units, cohorts, values, measures, kept, row, experiment, last, hasHeartbeats, lastExposureAt, network }: Read,
): Promise<Measured> {
  const { defaultTuningParameter } = await loadEngine()
  return {
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
    kept: kept.filter(({ metricId, counts }) => {
      const metric = metrics.find(({ id }) => id === metricId)
      return metric && isDeepStrictEqual(countsOf(metric), counts)
    }),
    dimensions: [...new Set(values.map(({ name }) => name))],
    firstSignificant: firstSignificantIn(
      last === undefined ? undefined : (JSON.parse(last) as Results),
      history.begin!.startedAt,
    ),
    hasHeartbeats,
    lastExposureAt,
    largestNetwork: network,
    served: servedInResults(history),
  }
}

const nothingRead: Omit<Read, 'row'> = {
  ...{ units: [], cohorts: [], values: [], measures: [], kept: [], experiment: undefined, last: undefined },
  ...{ hasHeartbeats: false, lastExposureAt: null, network: null },
}

/** Results of a rule whose first snapshot failed. Undefined if there is nothing to say of it. */
async function withoutFigures(
  context: Snapshots,
  rule: queries.MeasuredRule,
  asOf: Date,
): Promise<Results | undefined> {
  const subject = await subjectOf(context.db, rule)
  if (!subject) return undefined
  const { resultsOf } = await loadEngine()
  const row = await findFlagEnvironment(context.db, rule.flagId, rule.envId)
  return resultsOf(await measuredFrom(context, rule, subject, asOf, { ...nothingRead, row }))
}

const latest = (one: Date, other: Date): Date => (one > other ? one : other)

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
