import { isDeepStrictEqual } from 'node:util'
import { type Db, isUnavailable, type Tx, tookTooLong } from '../../../platform/db/index.ts'
import { LeaseLost } from '../../../platform/due-rows.ts'
import { type RuleDefinition, statisticsOf } from '../../model/versions/index.ts'
import type { MeasuredEvents, Rows } from '../events/index.ts'
import type { SetAside } from './cohort.ts'
import { chooseDimensions, enterDimensions, saveChoice, unitsSinceChoice } from './dimensions/queries.ts'
import { historyOf, type RuleHistory } from './history.ts'
import {
  countedSince,
  countedUntil,
  type Measure,
  type MeasureOf,
  type MeasureState,
  type MetricRow,
  measureOf,
  rolesOf,
} from './measure.ts'
import {
  addEvents,
  capOf,
  countUnits,
  forgetMeasure,
  readMeasures,
  recount,
  saveMeasure,
  trackedKeysOf,
  unitsToRead,
} from './measures/queries.ts'
import {
  batchOfRule,
  changesOfRule,
  dueRules,
  joinByHash,
  type MeasuredRule,
  pastOfRule,
  readMetrics,
  saveChanges,
  saveProgress,
} from './rules/queries.ts'
import { type Failure, isSetAside } from './set-aside.ts'
import {
  addUnits,
  areCounted,
  endOfUnits,
  forgetChangedUnits,
  knownUnits,
  leaveOutReturned,
  nextChangedUnits,
  noteUnits,
} from './units/queries.ts'

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
/**
 * Only the largest names and values have figures. A value that differs for each visitor, such as an address, would only
 * cost.
 */
const mostDimensions = { names: 20, values: 100 }
const unitsAtOnce = 20_000
/** A database that needs longer for this little is broken rather than slow. */
const leastShare = 1 / 1024

/** What is measured: the rule as it was served last, with its history and its metrics. */
export interface Subject {
  history: RuleHistory
  current: RuleDefinition
  metrics: readonly MetricRow[]
}

/** Undefined if the rule was never served. */
export async function subjectOf(db: Db, rule: MeasuredRule): Promise<(Subject & { measures: Measure[] }) | undefined> {
  const history = historyOf(await pastOfRule(db, rule))
  const current = history.phases.at(-1)?.rule
  if (!current) return undefined
  const keys = rolesOf(current).map(({ key }) => key)
  // Read once: the document must describe a metric as it was computed.
  const metrics = await readMetrics(db, rule.projectId, keys)
  const measures = current.type === 'AB_TEST' ? metrics.map((metric) => measureOf(metric, statisticsOf(current))) : []
  return { history, current, metrics, measures }
}

/** What a snapshot counts. */
export interface Count {
  db: Db
  events: MeasuredEvents
  rule: MeasuredRule
  /** The end of a lease that begins now. */
  leaseEnd: () => Date
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

export const metricOf = ({ metricId }: Pick<Measure, 'metricId'>): SetAside => ({ kind: 'METRIC', id: metricId })

/**
 * Reads the events that are new since the last snapshot, and adds them to what is known of units and cohorts. Each step
 * is a transaction that says how far it got, so after a crash the next snapshot goes on from there. A step that another
 * node has done meanwhile changes nothing.
 */
export async function countNewEvents(count: Count): Promise<void> {
  await inStep(count, (tx) => prepareMeasures(tx, count))
  await repeat(count, () => readExposures(count))
  await choose(count)
  await repeat(count, () => readChanges(count))
  await repeat(count, () => recountUnits(count))
  for (const measure of count.measures) {
    const of = measureOfRule(count, measure)
    await apart(count.failures, metricOf(measure), async () => {
      await repeat(count, () => readEvents(count, of))
      await repeat(count, () => inStep(count, (tx) => countMore(tx, count, of)))
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

/**
 * Whether something is wrong with what was read, and not with the database itself, which comes back, or with this node,
 * which was too slow.
 */
export const isOfContent = (error: unknown): boolean =>
  !(error instanceof LeaseLost) && (!isUnavailable(error) || tookTooLong(error))

/**
 * Does a part of a snapshot. If it fails, it is noted and the others go on: one metric or one dimension must not stop the
 * results of a rule, because anyone can send events.
 */
export async function apart<Result>(
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

/** A transaction that no other node has with this rule. Each is given the time of a new lease. */
const inStep = <Result>({ db, rule, leaseEnd }: Count, work: (tx: Tx, batch: number) => Promise<Result>) =>
  db.transaction().execute(async (tx) => {
    const { batch } = await dueRules.renew(tx, rule, leaseEnd())
    await joinByHash(tx)
    return work(tx, batch)
  })

const measureOfRule = ({ rule: { ruleId, envId }, history }: Count, measure: Measure): MeasureOf => ({
  ...{ ruleId, envId, measure },
  servedSince: history.served[0]!.from,
})

/** A metric that is new, or whose definition changed, is computed from all events that are kept. */
async function prepareMeasures(tx: Tx, { rule: { ruleId }, measures, history, kept }: Count): Promise<void> {
  const stored = await readMeasures(tx, ruleId)
  const isKnown = (measure: Measure) => stored.some((each) => isDeepStrictEqual(each.measure, measure))
  const isWanted = ({ measure }: MeasureState) => measures.some((each) => isDeepStrictEqual(each, measure))
  const since = countedSince(history.served[0]!.from, kept)
  for (const state of stored) if (!isWanted(state)) await forgetMeasure(tx, ruleId, state.measure.metricId, since)
  for (const measure of measures) if (!isKnown(measure)) await beginAnew(tx, ruleId, measure, since)
}

async function beginAnew(tx: Tx, ruleId: string, measure: Measure, since: Date): Promise<void> {
  await forgetMeasure(tx, ruleId, measure.metricId, since)
  const nothing = { cap: null, capped: 0, batch: 0, countedFrom: since, countedUntil: since }
  await saveMeasure(tx, ruleId, { measure, ...nothing })
}

/** Returns whether there may be more. */
async function readExposures(count: Count): Promise<boolean> {
  const { db, events, rule, history, position, kept, pace } = count
  const { ruleId, envId } = rule
  const after = await batchOfRule(db, ruleId)
  if (after === undefined) return false
  const portion = await events.exposuresAfter({ envId, ruleId }, { after, through: position }, pace.share)
  if (!portion) return false
  const starts = history.phases.map(({ startedAt }) => startedAt)
  const switches = history.served.flatMap(({ from, until }) => (until ? [from, until] : [from]))
  await inStep(count, async (tx, batch) => {
    if (batch !== after) return
    await enterDimensions(tx, ruleId, portion.rows, mostDimensions)
    const known = batch === 0 ? 'none' : await knownUnits(tx, ruleId, portion.size)
    const last = await addUnits(tx, ruleId, portion.rows, { starts, switches, mostInHour, kept, known })
    if (starts.length > 1) await leaveOutReturned(tx, ruleId, portion.rows, history.begins)
    await saveProgress(tx, ruleId, portion.last, last)
  })
  return true
}

/** Values are chosen again when a rule has this share more units than at the last choice, so it costs little over all. */
const choosesAfterGrowth = 0.1

/**
 * Lets values that have grown take the places of smaller ones. Otherwise one request with many values, which anybody can
 * send, would decide for good which ones results can be split by.
 */
async function choose(count: Count): Promise<void> {
  const { failures } = count
  const { ruleId } = count.rule
  await apart(failures, { kind: 'DIMENSION', id: 'all' }, () =>
    inStep(count, async (tx) => {
      const { units, chosenAt } = await unitsSinceChoice(tx, ruleId)
      if (units <= chosenAt * (1 + choosesAfterGrowth)) return
      await chooseDimensions(tx, ruleId, mostDimensions)
      await saveChoice(tx, ruleId, units)
    }).catch((error) => {
      // The values stay as they are for now.
      if (!tookTooLong(error)) throw error
    }),
  )
}

/**
 * Notes the units whose orders have changed since the last snapshot, so that metrics count them again. Returns whether
 * there may be more.
 */
async function readChanges(count: Count): Promise<boolean> {
  const { db, events, rule, position } = count
  const { ruleId, envId } = rule
  const after = await changesOfRule(db, ruleId)
  if (after === undefined) return false
  const portion = await events.changedAfter({ envId }, { after, through: position })
  await inStep(count, async (tx) => {
    if ((await changesOfRule(tx, ruleId)) !== after) return
    if (portion) await noteUnits(tx, ruleId, portion.rows)
    await saveChanges(tx, ruleId, portion?.last ?? position)
  })
  return portion !== undefined
}

/**
 * Whether orders of units that count have changed since the last snapshot. Other changes are noted as read, so that each is
 * looked at once.
 */
export async function haveOrdersChanged(
  { db, events }: Pick<Count, 'db' | 'events'>,
  { ruleId, envId }: Pick<MeasuredRule, 'ruleId' | 'envId'>,
): Promise<boolean> {
  for (;;) {
    const after = await changesOfRule(db, ruleId)
    // The project was deleted meanwhile: nothing could be noted as read.
    if (after === undefined) return false
    // Ingestion waits for a position, and mostly there is no change.
    if (!(await events.changedAfter({ envId }, { after, through: Number.MAX_SAFE_INTEGER }))) return false
    const through = await events.position()
    const portion = await events.changedAfter({ envId }, { after, through })
    if (!portion) return false
    if (await areCounted(db, ruleId, portion.rows)) return true
    await db.transaction().execute((tx) => saveChanges(tx, ruleId, portion.last))
  }
}

/**
 * Lets metrics count units as they are now, by the events that the metrics have read already. Either all metrics count
 * the units or the page is tried again. A metric that fails starts over with the next snapshot, so that it loses no
 * change.
 */
async function recountUnits(count: Count): Promise<boolean> {
  const { db, events, pace, failures, history, kept } = count
  const { ruleId } = count.rule
  const page = await nextChangedUnits(db, ruleId, Math.ceil(unitsAtOnce * pace.share))
  if (!page) return false
  const told: { of: MeasureOf; batch: number; rows: Rows }[] = []
  /** A statement that fails ends its transaction, so the others of the page are done again without this metric. */
  let failing: Measure | undefined
  for (const { measure, batch } of await readMeasures(db, ruleId))
    if (batch > 0) {
      const of = measureOfRule(count, measure)
      const units = unitsToRead(of, page)
      const rows = await apart(failures, metricOf(measure), () =>
        events.trackedOfUnits(trackedKeysOf(of), units, batch),
      )
      if (rows) told.push({ of, batch, rows })
      else failing ??= measure
    }
  await inStep(count, async (tx) => {
    const states = await readMeasures(tx, ruleId)
    const stateOf = ({ of, batch }: (typeof told)[number]) =>
      states.find((state) => state.batch === batch && state.measure.metricId === of.measure.metricId)
    if (failing || !told.every(stateOf)) return
    for (const each of told) {
      failing = each.of.measure
      await recount(tx, each.of, stateOf(each)!, page, each.rows)
    }
    failing = undefined
    await forgetChangedUnits(tx, ruleId, page)
  }).catch(async (error) => {
    // A step that takes too long is tried again with less.
    if (!failing || (tookTooLong(error) && pace.share > leastShare)) throw error
    await apart(failures, metricOf(failing), () => Promise.reject(error))
  })
  const beginning = failing
  if (beginning)
    await inStep(count, (tx) => beginAnew(tx, ruleId, beginning, countedSince(history.served[0]!.from, kept)))
  return true
}

/** Adds new events of a metric to the totals of units. Returns whether there may be more. */
async function readEvents(count: Count, of: MeasureOf): Promise<boolean> {
  const { db, events, position, pace } = count
  const { ruleId } = count.rule
  const known = stateIn(await readMeasures(db, ruleId), of)
  if (!known) return false
  const portion = await events.trackedAfter(trackedKeysOf(of), { after: known.batch, through: position }, pace.share)
  if (!portion) return false
  await inStep(count, async (tx) => {
    const state = stateIn(await readMeasures(tx, ruleId), of)
    if (state?.batch !== known.batch) return
    const units = await knownUnits(tx, ruleId, portion.size)
    await addEvents(tx, of, state, portion.rows, units)
    await saveMeasure(tx, ruleId, { ...state, batch: portion.last })
  })
  return true
}

/** Lets some of the units count whose time has come. Returns whether there may be more. */
async function countMore(
  tx: Tx,
  { rule: { ruleId }, history, asOf, position, atOnce, pace }: Count,
  of: MeasureOf,
): Promise<boolean> {
  const state = stateIn(await readMeasures(tx, ruleId), of)
  // Another node has read further.
  if (!state || state.batch > position) return false
  const { countedUntil: from } = state
  const until = countedUntil(of.measure, asOf)
  const end = await endOfUnits(tx, ruleId, from, Math.ceil(atOnce * pace.share))
  const isPart = end !== null && end < until
  const next = { ...state, batch: position, countedUntil: isPart ? end : until > from ? until : from }
  await countUnits(tx, of, { countedFrom: from, countedUntil: next.countedUntil })
  if (isPart) {
    await saveMeasure(tx, ruleId, next)
    return true
  }
  const cut =
    of.measure.winsorizeAt === null ? { cap: null, capped: 0 } : await capOf(tx, of, next, history.begin!.number)
  await saveMeasure(tx, ruleId, { ...next, ...cut })
  return false
}

const stateIn = (states: readonly MeasureState[], { measure }: MeasureOf) =>
  states.find((state) => state.measure.metricId === measure.metricId)
