import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { inOneTrip, inSnapshot } from '../../../platform/transaction.ts'
import { experimentOfRule } from '../../model/experiments/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import {
  apart,
  closesAt,
  countNewEvents,
  countsOf,
  dimensionNames,
  dueRules,
  type Failure,
  haveOrdersChanged,
  isOfContent,
  isSetAside,
  lastExposureAt,
  type MeasuredRule,
  metricOf,
  noteFailing,
  type Pace,
  readDimensions,
  readMeasures,
  readMetricCohorts,
  readMetrics,
  readUnitCohorts,
  type Subject,
  subjectOf,
} from '../counting/index.ts'
import { isReserved, type LargestNetwork, largestNetwork, type MeasuredEvents, maxAgeMs } from '../events/index.ts'
import { type KeptFigures, leastUnitsOfNetworks, type Measured, sum } from './figures.ts'
import { areAllKept } from './finality.ts'
import { loadEngine } from './load-engine.ts'
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
import { failedResults, sentenceOf, wholeFails } from './set-aside.ts'

export interface Snapshots {
  db: Db
  events: MeasuredEvents
  now: () => Date
  /** How long raw events are kept. What was computed from older ones stays. */
  eventsKeptForMs: number
  /** How many units one statement adds to the cohorts of a metric, instead of the usual number. */
  unitsCountedAtOnce?: number
  pace: Pace
}

const valuesShown = 20
const unitsCountedAtOnce = 200_000
const easesAfterMs = 3_600_000
/** SDKs that were silent for longer say nothing about exposures that stay away. */
const heartbeatsWithinMs = 6 * 3_600_000
/** A snapshot gets a new lease with each step, so this is the time of the longest step. */
const leaseMs = 10 * 60_000

export const leaseEndAt = (now: Date): Date => new Date(now.getTime() + leaseMs)

/**
 * Computes the results of a rule from all events up to now and stores them. Only events are read that are new since the
 * last snapshot. The caller has claimed the rule. Returns what failed and is not in the results.
 */
export async function takeSnapshot(context: Snapshots, rule: MeasuredRule): Promise<Failure[]> {
  const { db, events, now, eventsKeptForMs, unitsCountedAtOnce: atOnce = unitsCountedAtOnce, pace } = context
  const { ruleId } = rule
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
  const leaseEnd = () => leaseEndAt(now())
  await countNewEvents({
    ...{ db, events, rule, leaseEnd, history, measures, asOf, position, kept, atOnce, pace, failures },
  })
  const { results, dimensions, final } = await resultsAsOf(context, rule, subject, asOf, failures)
  await db.transaction().execute(async (tx) => {
    await dueRules.renew(tx, rule, leaseEnd())
    for (const figures of final) {
      const counts = countsOf(subject.metrics.find(({ id }) => id === figures.metricId)!)
      await queries.keepFigures(tx, ruleId, history.begin!.number, { ...figures, counts })
    }
    await queries.saveSnapshot(tx, ruleId, asOf, results, dimensions)
    await noteFailing(tx, ruleId, sentenceOf(results.setAside ?? []), asOf)
  })
  return failures
}

/**
 * Notes that a snapshot failed as a whole, so that people are notified. Until one succeeds, results show the figures of
 * the last one as failed. Returns whether there is something new to judge.
 */
export async function noteFailed(context: Snapshots, rule: MeasuredRule, error: unknown): Promise<boolean> {
  if (!isOfContent(error)) return false
  const { db, now } = context
  const { ruleId } = rule
  const asOf = now()
  const last = await queries.lastSnapshot(db, ruleId)
  const results = last?.document ?? (await withoutFigures(context, rule, asOf))
  await db.transaction().execute(async (tx) => {
    await dueRules.renew(tx, rule, leaseEndAt(asOf))
    await noteFailing(tx, ruleId, wholeFails, asOf)
    if (results) await queries.saveFailed(tx, ruleId, asOf, failedResults(results, asOf))
  })
  return results !== undefined
}

/** Whether events can have come since the last snapshot of a rule that change its results. */
export async function canHaveChanged(context: Snapshots, rule: MeasuredRule): Promise<boolean> {
  const { db } = context
  const last = await queries.lastSnapshotAt(db, rule.ruleId)
  if (!last) return true
  const subject = await subjectOf(db, rule)
  const closed = subject && closesAt(subject.history.served.at(-1)!.until, subject.measures, maxAgeMs)
  if (!closed || last <= closed) return true
  const namesOrders = subject.measures.some(({ eventKey, denominator }) =>
    [eventKey, denominator?.eventKey ?? ''].some(isReserved),
  )
  return namesOrders && (await haveOrdersChanged(context, rule))
}

/** What the steps before have computed, as it is read. */
interface Read {
  kept: Awaited<ReturnType<typeof queries.readKeptFigures>>
  lastExposureAt: Awaited<ReturnType<typeof lastExposureAt>>
  units: Awaited<ReturnType<typeof readUnitCohorts>>
  cohorts: Awaited<ReturnType<typeof readMetricCohorts>>
  values: Awaited<ReturnType<typeof readDimensions>>
  measures: Awaited<ReturnType<typeof readMeasures>>
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
  measured: MeasuredRule,
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
  const isKept = areAllKept(computed)
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
    final: finalFigures(whole(shown)),
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
  { ruleId, envId, flagId }: MeasuredRule,
  { history, metrics }: Subject,
  asOf: Date,
  failures: Failure[],
): Promise<Read> {
  const { number: phase, startedAt: since } = history.begin!
  const heardSince = latest(history.served.at(-1)!.from, new Date(asOf.getTime() - heartbeatsWithinMs))
  const others = (tx: Tx) =>
    [
      readUnitCohorts(tx, ruleId, phase),
      readMeasures(tx, ruleId),
      queries.readKeptFigures(tx, ruleId, phase),
      findFlagEnvironment(tx, flagId, envId),
      experimentOfRule(tx, ruleId),
      queries.lastDocument(tx, ruleId),
      queries.hasHeartbeats(tx, envId, heardSince),
      lastExposureAt(tx, ruleId),
      largestNetwork(tx, ruleId, { since, leastUnits: leastUnitsOfNetworks }),
    ] as const
  const named = (others: OthersRead) => {
    const [units, measures, kept, row, experiment, last, hasHeartbeats, lastExposureAt, network] = others
    return { units, measures, kept, row, experiment, last, hasHeartbeats, lastExposureAt, network }
  }
  const metricIds = metrics.map(({ id }) => id).filter((id) => !isSetAside(failures, { kind: 'METRIC', id }))
  const cohortsOf = (tx: Tx, ids: readonly string[]) => readMetricCohorts(tx, ruleId, { phase, metricIds: ids })
  const valuesOf = (tx: Tx, ids: readonly string[], name: string | null) =>
    readDimensions(tx, ruleId, { phase, values: valuesShown, metricIds: ids, name })
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
  for (const name of await dimensionNames(db, ruleId))
    values.push(
      ...((await apart(failures, { kind: 'DIMENSION', id: name }, () =>
        inSnapshot(db, (tx) => valuesOf(tx, readable, name)),
      )) ?? []),
    )
  return { cohorts, values, ...named(await inSnapshot(db, (tx) => inOneTrip(others(tx)))) }
}

async function measuredFrom(
  { now }: Pick<Snapshots, 'now'>,
  measured: MeasuredRule,
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

/** Results of a rule whose first snapshot failed. Undefined if the rule was never served. */
async function withoutFigures(context: Snapshots, rule: MeasuredRule, asOf: Date): Promise<Results | undefined> {
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
  const asked = await readMetrics(db, projectId, metricKeys)
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
