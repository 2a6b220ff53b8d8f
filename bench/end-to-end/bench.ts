import { cpus } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { openSite, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'
import { countsOf, type Kind, type Outcome, openTests, resultsOf, send, variationOf } from './tests.ts'

const seed = 20_260_101
const tests = 300
const alpha = 0.05
const power = 0.8
const plan = { type: 'PROPORTION', baseline: 0.5, minimumDetectableLift: 0.1, alpha, power, test: 'FIXED_HORIZON' }

interface Row {
  what: string
  low: number
  high: number
  seen: number
}

/**
 * Runs whole tests through the API of a running service: the SDK decides and sends, events come in, a snapshot is
 * taken, and results are read. Sets the exit code 1 if a row leaves its limits.
 */
export async function run(): Promise<void> {
  console.log(
    `\nEnd to end: ${tests} tests of a kind, seed ${seed}, ${cpus().length} cores shared by clients, process and database, Node ${process.version}.\n`,
  )
  console.log('| database | what | limits | seen | |\n|---|---|---|---|---|')
  const cluster = await startCluster({ fsync: 'on', synchronous_commit: 'on' })
  try {
    await measure('PostgreSQL', await createDatabase(cluster.url))
  } finally {
    await cluster.stop()
  }
  await measure('embedded')
}

async function measure(database: string, url?: string): Promise<void> {
  const begun = performance.now()
  const site = await openSite(url)
  const { unitsPerVariation } = await site.call<{ unitsPerVariation: number }>(
    'POST',
    '/api/v1/calculators/sample-size',
    plan,
  )
  const { baseline, minimumDetectableLift: lift } = plan
  const same = await outcomes(site, { seed, tests, unitsPerVariation: 1_000, rates: { off: 0.1, on: 0.1 } })
  const better = await outcomes(site, {
    ...{ seed: seed + 1, tests, unitsPerVariation },
    rates: { off: baseline, on: baseline * (1 + lift) },
  })
  await site.close()
  const spread = 3 * Math.sqrt((power * (1 - power)) / tests)
  const rows: Row[] = [
    { what: 'no effect, 1,000 a side: p below 0.05', low: 2, high: 9, seen: share(same, isFound) },
    ...alwaysOf('no effect', same),
    {
      what: `10 % more, ${unitsPerVariation.toLocaleString('en')} a side: found`,
      ...{ low: 100 * (power - spread), high: 100 * (power + spread) },
      seen: share(better, (outcome) => isFound(outcome) && comparisonOf(outcome).difference.estimate! > 0),
    },
    ...alwaysOf('10 % more', better),
  ]
  for (const { what, low, high, seen } of rows) {
    const isKept = low <= seen && seen <= high
    console.log(
      `| ${database} | ${what} | ${shown(low)} to ${shown(high)} | ${shown(seen)} | ${isKept ? 'ok' : 'OUTSIDE'} |`,
    )
    if (!isKept) process.exitCode = 1
  }
  console.log(`\n${database}: ${((performance.now() - begun) / 1000).toFixed(0)} s.\n`)
}

async function outcomes(site: Site, kind: Kind): Promise<Outcome[]> {
  const opened = await openTests(site, kind)
  await send(site, kind, opened)
  return resultsOf(site, opened)
}

const shown = (figure: number): string => String(Math.round(figure * 10) / 10)

/** In percent. */
const share = (all: readonly Outcome[], holds: (outcome: Outcome) => boolean): number =>
  (100 * all.filter(holds).length) / all.length

/** What must be true with an effect and without one: how many tests break it. */
const alwaysOf = (what: string, all: readonly Outcome[]): Row[] => [
  { what: `${what}: SRM failed`, low: 0, high: 2, seen: all.filter(hasWrongSplit).length },
  { what: `${what}: counts differ from what clients saw`, low: 0, high: 0, seen: all.filter(hasWrongCounts).length },
]

const comparisonOf = (outcome: Outcome) => variationOf(outcome, 'on').comparison!

const isFound = (outcome: Outcome): boolean => comparisonOf(outcome).pValue! < alpha

const hasWrongSplit = ({ results }: Outcome): boolean =>
  results.health.checks.some(({ check, status }) => check === 'SRM' && status === 'FAILED')

const hasWrongCounts = (outcome: Outcome): boolean => !isDeepStrictEqual(countsOf(outcome), outcome.saw)
