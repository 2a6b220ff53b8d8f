import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { projectPath, readJson } from '../configuration/state.ts'
import { usage } from '../problem.ts'
import type { Session } from '../session.ts'
import { plain } from '../terminal/terminal.ts'
import { shownTime } from '../terminal/times.ts'
import { inLowerCase, recommended } from '../values/recommendation.ts'

type Results = Data<'/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results', 'get'>
type Metric = Results['metrics'][number]
type Row = Metric['variations'][number]

const run = command({
  name: 'results',
  summary: 'Show the results of an A/B rule or an experiment.',
  watch: true,
  about:
    'Two arguments name a flag and a rule; one names an experiment. With --env, RULE can be the key of a rule in that environment.',
  args: ['FLAG_OR_EXPERIMENT', '[RULE]'],
  options: {
    metric: { value: 'KEY', about: 'Only this metric.', keys: 'metric' },
    dimension: { value: 'NAME', about: 'Split by this fact of the context of exposures, such as country.' },
    csv: { about: 'Print CSV, with a row for each metric and variation.' },
    refresh: { about: 'Compute the results now. Otherwise, they are computed every hour.' },
  },
  examples: ['svc results checkout copy-test', 'svc results 12 --csv > results.csv'],
  async run({ args, options, session }) {
    const { connection, output, project } = session
    if (options.csv && output.isJson) throw usage('Use either --csv or --json.')
    const one = encodeURIComponent(args.FLAG_OR_EXPERIMENT)
    const place =
      args.RULE === undefined ? `experiments/${one}` : `flags/${one}/rules/${await ruleOf(session, one, args.RULE)}`
    const path = `/api/v1/projects/${encodeURIComponent(project)}/${place}/results`
    if (options.refresh) {
      const { status } = await connection.send('POST', `${path}/refresh`)
      if (status === 202) output.say('The computation is still running. These are the previous results.')
    }
    const query = new URLSearchParams({
      ...(options.metric !== undefined && { metricId: options.metric }),
      ...(options.dimension !== undefined && { dimension: options.dimension }),
      ...(options.csv && { format: 'csv' }),
    }).toString()
    const response = await connection.send('GET', query ? `${path}?${query}` : path)
    if (options.csv) return output.raw(new Uint8Array(await response.arrayBuffer()))
    const { data } = (await response.json()) as { data: Results }
    output.data(data, () => show(data, session))
  },
})

/** An id, or a number that counts the rules of a project. */
const isUnique = (rule: string): boolean => /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i.test(rule)

/** Rules of different environments can have the same key, and the address of results names no environment. */
async function ruleOf({ connection, project, settings }: Session, flag: string, rule: string): Promise<string> {
  const name = encodeURIComponent(rule)
  if (!settings.env || isUnique(rule)) return name
  const path = `flags/${flag}/envs/${encodeURIComponent(settings.env.value)}/rules/${name}`
  return (await readJson(connection, `${projectPath(project)}/${path}`)).data.id
}

export const results: Group = { name: 'results', summary: 'The results of A/B tests.', commands: [run] }

/** A value of visitors that reads like the row of all others, or of those without a value, is in quotes. */
const shownValue = (value: string, kind = 'VALUE'): string =>
  kind === 'VALUE' && /^\s*\((other|none)\)\s*$/.test(value) ? `"${value}"` : value.trim() || '(blank)'

function show(found: Results, { output }: Session): void {
  // Readers must see harm first.
  if (found.recommendation?.breached?.length)
    output.line(output.paint('red', recommended(found.recommendation, found.ruleStatus)))
  const { units, dataThrough, runtimeDays, health, recommendation, progress, dimension, ruleStatus, setAside } = found
  const { excluded } = units
  output.details([
    ['Through', shownTime(dataThrough) || 'nothing yet'],
    ['Days', Math.floor(runtimeDays)],
    ['Units', units.total],
    ['Excluded', excludedWords(excluded)],
  ])
  showMetrics(found.metrics, found, output)
  for (const line of waitingLines(found)) output.line(line)
  for (const { value, kind, metrics } of dimension?.values ?? []) {
    output.line()
    // Visitors send both, so they can contain anything.
    output.line(output.paint('bold', plain(`${dimension!.name}: ${shownValue(value, kind)}`)))
    showMetrics(metrics, found, output)
  }
  output.line()
  output.line(`Health: ${inLowerCase(health.status)}.`)
  for (const { check, status } of health.checks)
    if (status === 'FAILED' || status === 'WARNING') output.line(`Check ${inLowerCase(check)}: ${inLowerCase(status)}.`)
  for (const { kind, name } of setAside ?? [])
    output.line(plain(`The ${kind.toLowerCase()} ${name} could not be computed.`))
  if (progress?.fraction != null)
    output.line(`Progress: ${inPercent(progress.fraction)} of the planned sample has been measured.`)
  if (recommendation)
    output.line(
      `${recommended(recommendation, ruleStatus)}${variationWords(found)} (${recommendation.reasons.map(inLowerCase).join(', ')})`,
    )
}

function showMetrics(metrics: Metric[], { units }: Results, output: Session['output']): void {
  for (const metric of metrics) {
    output.line()
    output.line(output.paint('bold', `${metric.key} (${metric.role.toLowerCase()})`))
    const keyOf = (id: string) => units.variations.find(({ variationId }) => variationId === id)?.key ?? id
    const lift = ({ comparison }: Metric['variations'][number]) =>
      comparison && 'lift' in comparison ? comparison.lift : undefined
    output.rows(
      [
        { head: 'VARIATION', cell: ({ variationId }) => keyOf(variationId) },
        { head: 'UNITS', cell: ({ units: count }) => count, right: true },
        { head: 'VALUE', cell: ({ mean }) => shownMean(mean, metric), right: true },
        { head: 'LIFT', cell: (row) => signed(lift(row)?.estimate), right: true },
        { head: 'INTERVAL', cell: (row) => interval(lift(row)) },
        { head: 'SIGNIFICANT', cell: ({ comparison }) => (comparison ? (comparison.significant ? 'yes' : 'no') : '') },
        ...(metric.role === 'GUARDRAIL'
          ? [
              {
                head: 'GUARDRAIL',
                cell: ({ comparison }: Row) => inLowerCase(comparison?.guardrail?.state ?? ''),
                color: ({ comparison }: Row) =>
                  comparison?.guardrail?.state === 'BREACHED' ? ('red' as const) : undefined,
              },
            ]
          : []),
      ],
      metric.variations,
      'Nothing is measured yet.',
    )
  }
}

/** The visitors who do not count for a metric yet. Without this, visitors of a new test would seem to do nothing. */
function waitingLines({ metrics, units, settings }: Results): string[] {
  if (settings?.inProgressConversions !== 'EXCLUDE') return []
  return metrics.flatMap(({ key, variations }) => {
    const waiting = units.total - variations.reduce((sum, { units: counted }) => sum + counted, 0)
    return waiting > 0
      ? [`${key}: ${waiting} more ${waiting === 1 ? 'counts once its' : 'count once their'} conversion window is over.`]
      : []
  })
}

/** Who was seen and does not count, such as `1 crossover, 3 bot`. */
function excludedWords(excluded: Results['units']['excluded']): string {
  const some = Object.entries(excluded).filter(([, units]) => units > 0)
  return some.map(([kind, units]) => `${units} ${kind}`).join(', ') || 'none'
}

/** Which variation a recommendation is about. */
function variationWords({ recommendation, units }: Results): string {
  const found = units.variations.find(({ variationId }) => variationId === recommendation?.variationId)
  return found ? ` Variation: ${found.key}.` : ''
}

const inPercent = (share: number): string => `${(share * 100).toFixed(1)} %`

const signed = (share: number | null | undefined): string =>
  share == null ? '' : `${share > 0 ? '+' : ''}${inPercent(share)}`

function interval(lift: { ciLow: number | null; ciHigh: number | null } | undefined): string {
  if (!lift || (lift.ciLow === null && lift.ciHigh === null)) return ''
  return `${signed(lift.ciLow) || '−∞'} to ${signed(lift.ciHigh) || '∞'}`
}

function shownMean(mean: number | null, { type, unit }: Metric): string {
  if (mean === null) return ''
  if (type === 'PROPORTION') return inPercent(mean)
  return `${Number(mean.toPrecision(5))}${unit ? ` ${unit}` : ''}`
}
