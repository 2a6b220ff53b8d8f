// The work of bench/evaluation in Python: the client beside functions written by hand.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFileOf, piecesOf, stranger, users } from '../evaluation/work.ts'

const flags = 500
const rounds = 3
const texts = {
  hand: 'functions by hand that return only values (limit)',
  value: 'Svc: `get_boolean`, `get_string`, `get_all_details`',
  sdk: 'Svc: `get_details`, `get_all_details`',
}
const columns = { a: 'a, k/s', b: 'b, k/s', c: 'c, k/s', d: 'd, users/s', load: 'load 500, ms' }

type Name = keyof typeof texts
type Measured = Record<keyof typeof columns, number>

/** Measures each contender in its own process, in turns. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const file = join(folder, 'work.json')
  const keys = { a: 'flag-0', b: 'flag-1', c: 'flag-2' }
  writeFileSync(file, JSON.stringify({ file: dataFileOf(piecesOf(flags)), keys, users, stranger }))
  const found = new Map<Name, Measured[]>()
  for (let round = 0; round < rounds; round += 1)
    for (const name of Object.keys(texts) as Name[])
      found.set(name, [
        ...(found.get(name) ?? []),
        JSON.parse(python([join(import.meta.dirname, 'measure.py'), name, file])),
      ])
  rmSync(folder, { recursive: true })
  print(new Map([...found].map(([name, all]) => [name, medians(all)])))
}

const python = (parameters: string[]) => execFileSync('python3', parameters, { encoding: 'utf8' })

function medians(all: Measured[]): Measured {
  const medianOf = (of: keyof Measured) => all.map((each) => each[of]).sort((x, y) => x - y)[all.length >> 1]
  return Object.fromEntries(Object.keys(columns).map((of) => [of, medianOf(of as keyof Measured)])) as Measured
}

function print(found: Map<Name, Measured>): void {
  const row = (cells: unknown[]) => console.log(`| ${cells.join(' | ')} |`)
  console.log(`\nEvaluation in Python: ${cpus().length} cores, ${python(['-V']).trim()}, median of ${rounds} rounds.`)
  row(['', ...Object.values(columns)])
  row(['---', ...Object.keys(columns).map(() => '---')])
  for (const [name, { a, b, c, d, load }] of found)
    row([texts[name], ...[a, b, c].map((rate) => (rate / 1000).toFixed(0)), d.toFixed(0), load.toFixed(3)])
  const limit = found.get('hand')!
  for (const name of ['value', 'sdk'] as const) {
    const own = found.get(name)!
    row([`${name} / limit`, ...(['a', 'b', 'c', 'd'] as const).map((of) => (own[of] / limit[of]).toFixed(2)), ''])
  }
}
