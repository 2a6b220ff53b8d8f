import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Measured } from './contender.ts'
import { contenders } from './contenders.ts'

const rounds = 3

const texts: Record<string, string> = {
  bare: 'closures by hand that return only values (limit)',
  detailed: 'closures by hand with details, overrides and exposure ring (realistic limit)',
  core: 'Svc, core: `evaluate`',
  sdk: 'Svc, SDK: `getDetails`',
}

const columns: { of: keyof Measured; head: string; digits: number; target: number; less?: true }[] = [
  { of: 'a', head: 'a, M/s', digits: 2, target: 34 },
  { of: 'b', head: 'b, M/s', digits: 2, target: 8 },
  { of: 'c', head: 'c, M/s', digits: 2, target: 14 },
  { of: 'd', head: 'd, users/s', digits: 0, target: 23_000 },
  { of: 'init500', head: 'load 500, ms', digits: 3, target: 0.4, less: true },
  { of: 'init5000', head: 'load 5,000, ms', digits: 3, target: 3.5, less: true },
  { of: 'heap', head: 'heap 5,000, KB', digits: 0, target: 1_400, less: true },
  { of: 'heapAsked', head: 'heap after asking all, KB', digits: 0, target: Number.NaN, less: true },
]

/** Measures the work of `work.ts` by hand, by the product and by the installed peers, each in its own process. */
export async function run(): Promise<void> {
  const names = Object.keys(contenders)
  const found = new Map<string, Measured[]>()
  const absent = new Set<string>()
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) {
      const measured = absent.has(name) ? null : await measure(name)
      if (measured) found.set(name, [...(found.get(name) ?? []), measured])
      else absent.add(name)
    }
  print(new Map([...found].map(([name, all]) => [name, medians(all)])))
  if (absent.size === 0) return
  console.log(`\nNot installed: ${[...absent].join(', ')}. To measure them too:`)
  console.log('npm install --prefix bench/evaluation/peers --ignore-scripts --no-package-lock')
}

async function measure(name: string): Promise<Measured | null> {
  const program = fileURLToPath(new URL('contender.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, name])
  const measured: Measured | { wrong: string } | null = JSON.parse(stdout)
  if (measured && 'wrong' in measured) throw new Error(`${name} gives wrong answers: ${measured.wrong}`)
  return measured
}

function medians(all: Measured[]): Measured {
  const medianOf = (of: keyof Measured) => all.map((each) => each[of]).sort((x, y) => x - y)[all.length >> 1]
  return Object.fromEntries(columns.map(({ of }) => [of, medianOf(of)])) as Measured
}

function print(found: Map<string, Measured>): void {
  const row = (cells: unknown[]) => console.log(`| ${cells.join(' | ')} |`)
  const cell = (value: number | undefined, digits: number) =>
    value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits)
  console.log(`\nEvaluation: ${cpus().length} cores, Node ${process.version}, median of ${rounds} rounds.`)
  row(['', ...columns.map(({ head }) => head)])
  row(['---', ...columns.map(() => '---')])
  for (const [name, measured] of found)
    row([texts[name] ?? name, ...columns.map(({ of, digits }) => cell(measured[of], digits))])
  row(['target', ...columns.map(({ target }) => cell(target, 1))])

  const peers = [...found].filter(([name]) => !texts[name]).map(([, measured]) => measured)
  const best = ({ of, less }: (typeof columns)[number]) =>
    peers.length === 0 ? undefined : Math[less ? 'min' : 'max'](...peers.map((each) => each[of]))
  for (const name of ['core', 'sdk']) {
    const own = found.get(name) as Measured
    const ratios = (to: (column: (typeof columns)[number]) => number | undefined) =>
      columns.map((column) => cell(own[column.of] / (to(column) ?? Number.NaN), 2))
    row([`${name} / the realistic limit`, ...ratios(({ of }) => found.get('detailed')?.[of])])
    row([`${name} / the best peer`, ...ratios(best)])
    row([`${name} / the target`, ...ratios(({ target }) => target)])
  }
}
