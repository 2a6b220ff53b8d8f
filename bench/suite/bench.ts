import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameOf } from './by-seconds.ts'
import type { FileCost } from './costs-reporter.ts'

const limitSeconds = 720
const slowest = 40
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Runs all tests and prints what they take: by project, and the slowest files. Writes the same to `costs.md`, and the
 * durations to `seconds.json`, by which the next run starts the slowest files first.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-costs-'))
  try {
    const file = join(folder, 'costs.json')
    const at = Date.now()
    const reporters = ['default', here('../../e2e/second-tries.ts'), here('costs-reporter.ts')]
    const tests = spawn('npx', ['vitest', 'run', ...reporters.flatMap((name) => ['--reporter', name])], {
      env: { ...process.env, SVC_TEST_COSTS: file },
      stdio: ['ignore', process.stderr, process.stderr],
    })
    const [code] = await once(tests, 'exit')
    const seconds = (Date.now() - at) / 1_000
    const costs = JSON.parse(readFileSync(file, 'utf8')) as FileCost[]
    const page = pageOf(costs, seconds)
    console.log(page)
    if (code !== 0) throw new Error('tests failed, so nothing was written')
    await writeFile(here('costs.md'), `${page}\n`)
    const byName = costs.map((cost) => [nameOf(cost.project, cost.file), Math.round(cost.seconds)] as const)
    const sorted = byName.filter(([, seconds]) => seconds > 1).sort(([one], [other]) => (one < other ? -1 : 1))
    await writeFile(here('seconds.json'), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function pageOf(costs: FileCost[], seconds: number): string {
  const projects = [...Map.groupBy(costs, ({ project }) => project)]
  return [
    '# What the tests take',
    '',
    `\`npm run bench -- suite\` prints this page. The run took ${round(seconds)} s, which is ${(seconds / limitSeconds).toFixed(2)} of the limit of ${limitSeconds} s. Processor time is that of the workers and of all that they started. The server of PostgreSQL and Vitest itself are not in it.`,
    '',
    '| project | files | tests | seconds of files | processor seconds |',
    '| --- | --- | --- | --- | --- |',
    ...projects.map(([name, files]) =>
      row([
        name,
        files.length,
        sum(files, 'tests'),
        round(sum(files, 'seconds')),
        round(sum(files, 'processorSeconds')),
      ]),
    ),
    row([
      'all',
      costs.length,
      sum(costs, 'tests'),
      round(sum(costs, 'seconds')),
      round(sum(costs, 'processorSeconds')),
    ]),
    '',
    `The ${slowest} files that take most processor time:`,
    '',
    '| file | project | tests | seconds | processor seconds |',
    '| --- | --- | --- | --- | --- |',
    ...costs
      .toSorted((one, other) => other.processorSeconds - one.processorSeconds)
      .slice(0, slowest)
      .map((cost) =>
        row([cost.file, cost.project, cost.tests, cost.seconds.toFixed(1), cost.processorSeconds.toFixed(1)]),
      ),
  ].join('\n')
}

const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
const round = (seconds: number): number => Math.round(seconds)
const sum = (costs: FileCost[], of: 'tests' | 'seconds' | 'processorSeconds'): number =>
  costs.reduce((all, cost) => all + cost[of], 0)
