import { Readable } from 'node:stream'
import { setTimeout as later } from 'node:timers/promises'
import type { z } from 'zod'
import { invalid, isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { contentEtag } from '../../../http/etag.ts'
import type { Download, Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { orTooBusy } from '../../../turns.ts'
import { findFlag, flagParams } from '../../flags/flags/index.ts'
import { ruleStatus } from '../../flags/rules/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import { findRuleRows } from '../../model/rules/index.ts'
import { csvHeader, resultsCsv } from './csv.ts'
import { emptyResults, type ResultsOf } from './document.ts'
import { loadEngine } from './load-engine.ts'
import { dailyDocuments, environmentOfRule, failingSince, lastDimension, lastDocument } from './queries.ts'
import { type Dimension, type Results, resultsQuery, resultsSchemas } from './schema.ts'
import type { SnapshotWorker } from './worker.ts'

const refreshMs = 10_000
const pollMs = 100
const csvType = 'text/csv; charset=utf-8'

export interface ResultsContext {
  db: Db
  now: () => Date
  snapshots: Pick<SnapshotWorker, 'refresh'>
}

/** A rule with results. */
export interface MeasuredRule {
  projectId: string
  flagId: string
  envId: string
  ruleId: string
  launched: boolean
  /** Undefined for a launched rule that is in no version any more. */
  rule: ResultsOf | undefined
}

/** What has results: a rule by itself, or an experiment. */
interface Measures<Params extends z.ZodRawShape> {
  /** `Rule`: the tag, and a part of the operation ids. */
  name: string
  /** `one rule’s` */
  whose: string
  url: string
  params: Params
  find: (
    params: z.output<z.ZodObject<Params>>,
    caller: InOrganization,
  ) => Promise<(MeasuredRule & { extra: object }) | undefined>
  /** Those of `extra`: fields of the answers besides the results. */
  schemas: ReturnType<typeof resultsSchemas>
}

export function resultRoutes(route: Route, context: ResultsContext): void {
  const { db } = context
  routesOfResults(route, context, {
    name: 'Rule',
    whose: 'one rule’s',
    url: '/api/v1/projects/:projectId/flags/:flagId/rules/:ruleId/results',
    params: { ...flagParams, ruleId: idField },
    async find(params, caller) {
      const found = await findMeasured(db, caller.organization.id, params)
      return found?.rule && { ...found, extra: {} }
    },
    schemas: resultsSchemas('', {}),
  })
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function routesOfResults<Params extends z.ZodRawShape>(
  route: Route,
  { db, now, snapshots }: ResultsContext,
  { name, whose, url, params, find, schemas }: Measures<Params>,
): void {
  route({
    method: 'GET',
    url,
    operationId: `get${name}Results`,
    summary: `Read ${whose} results`,
    tag: name,
    scope: 'results:read',
    params,
    query: resultsQuery,
    data: schemas.withSeries,
    downloads: { [csvType]: csvHeader },
    revalidates: true,
    find,
    async handle({ found, query: { metricId, dimension: name, include, format } }) {
      const results = await lastResults(found)
      if (isRefusal(results)) return results
      const isWanted = (metric: { metricId: string }) => !metricId || metric.metricId === metricId
      const ofMetric = <Of extends Pick<Results, 'metrics'>>(of: Of) => ({
        ...of,
        metrics: of.metrics.filter(isWanted),
      })
      const dimension = name === undefined ? undefined : await dimensionNamed(found, name)
      const data = {
        ...ofMetric(results),
        ...(dimension && { dimension: { ...dimension, values: dimension.values.map(ofMetric) } }),
        ...found.extra,
      }
      if (format === 'csv') return include ? noSeriesInCsv : { download: fileOf(data) }
      if (!include) return answerOf(data)
      const { timeSeriesOf } = await loadEngine()
      const days = timeSeriesOf(await dailyDocuments(db, found.ruleId))
      return answerOf({
        ...data,
        timeseries: days.map(ofMetric),
      })
    },
  })

  route({
    method: 'POST',
    url: `${url}/refresh`,
    operationId: `refresh${name}Results`,
    idempotent: false,
    summary: `Compute ${whose} results now`,
    description:
      'Results are computed every hour. This computes them at once and returns them. If that takes more than 10 s, the answer is 202 with the previous results and `refreshing: true`, and the computation continues. One computation runs at a time for a rule: later callers join it. Different rules of a project are computed one after the other: up to 20 wait, and further ones answer 503.',
    tag: name,
    scope: 'results:read',
    params,
    data: schemas.refreshed,
    canGoOn: true,
    find,
    async handle({ found }) {
      const isDone = !found.launched || (await refreshed(found))
      if (isRefusal(isDone)) return isDone
      const results = await lastResults(found)
      if (isRefusal(results)) return results
      return { data: { ...results, ...found.extra, refreshing: !isDone }, goesOn: !isDone }
    },
  })

  /** A name that no exposure had has no values. */
  async function dimensionNamed({ ruleId }: MeasuredRule, name: string): Promise<Dimension> {
    const last = await lastDimension(db, ruleId, name)
    return last === undefined ? { name, values: [] } : JSON.parse(last)
  }

  async function lastResults(found: MeasuredRule): Promise<Results | Refusal> {
    const last = await lastDocument(db, found.ruleId)
    // A document from before dimensions has none.
    if (last !== undefined) return withSince(found, { dimensions: [], ...JSON.parse(last) })
    if (found.rule) return emptyResults(found.rule, now())
    const first = await firstDocument(found)
    if (first !== undefined) return isRefusal(first) ? first : JSON.parse(first)
    return refuse('unavailable', 'The first results are still being computed. Try again shortly.')
  }

  const refreshed = (found: MeasuredRule) =>
    orTooBusy('The results of too many rules of this project are being computed.', inTime(snapshots.refresh(found)))

  /** The document of a rule that ended before its first snapshot. Another node may be at it, or have died at it. */
  async function firstDocument(found: MeasuredRule): Promise<string | Refusal | undefined> {
    const endsAt = performance.now() + refreshMs
    for (;;) {
      const isDone = await refreshed(found)
      if (isRefusal(isDone)) return isDone
      if (!isDone) await later(pollMs)
      const document = await lastDocument(db, found.ruleId)
      if (document !== undefined || isDone || performance.now() >= endsAt) return document
    }
  }

  /** A snapshot is judged after it was written, so what was found out about its failures is kept apart. */
  async function withSince({ ruleId }: MeasuredRule, { health, ...results }: Results): Promise<Results> {
    const hasFailed = ({ status }: Results['health']['checks'][number]) => status === 'FAILED'
    if (!health.checks.some(hasFailed)) return { ...results, health }
    const since = await failingSince(db, ruleId)
    const checks = health.checks.map((each) => {
      const found = hasFailed(each) ? since[each.check] : undefined
      return found ? { ...each, since: found } : each
    })
    return { ...results, health: { ...health, checks } }
  }
}

/** Finds a rule by its flag. It can be in no version any more. */
export async function findMeasured(
  db: Db,
  orgId: string,
  path: { projectId: string; flagId: string; ruleId: string },
  find: typeof findFlag = findFlag,
): Promise<MeasuredRule | undefined> {
  const { ruleId } = path
  const flag = isId(ruleId) ? await find(db, orgId, path) : undefined
  const envId = flag && (await environmentOfRule(db, flag.id, ruleId))
  const row = envId ? await findFlagEnvironment(db, flag.id, envId) : undefined
  if (!flag || !row) return undefined
  const stored = (await findRuleRows(db, row)).find(({ id }) => id === ruleId)
  const holds = ({ rules }: { rules: { id: string }[] }) => rules.some(({ id }) => id === ruleId)
  const isLive = holds(row.live)
  // Results are about the live version. A rule that never went live is shown as drafted.
  const version = isLive ? row.live : row.draft
  const rule = version.rules.find(({ id }) => id === ruleId)
  if (!stored || !rule) return undefined
  const servedNow = isLive && row.enabled && stored.enabled && flag.archivedAt === null
  const status = ruleStatus(stored, servedNow)
  return {
    ...{ projectId: flag.projectId, flagId: flag.id, envId: row.envId, ruleId },
    launched: stored.firstServedAt !== null,
    rule: { rule, version, row: stored, status },
  }
}

const answerOf = <Data extends Results>(data: Data) => ({ data, etag: contentEtag(data) })

const noSeriesInCsv = invalid({
  path: ['include'],
  message: 'A CSV file has no time series. Omit include or format.',
})

const fileOf = (results: Results & { dimension?: Dimension }): Download['download'] => ({
  name: `results-${results.ruleId}-${results.generatedAt.slice(0, 10)}.csv`,
  mediaType: csvType,
  content: Readable.from([resultsCsv(results)]),
})

/** Waits for the work, but not for long: then the answer is false, and the work goes on by itself. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, refreshMs, false).unref()
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
