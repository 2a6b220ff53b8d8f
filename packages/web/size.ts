// Prints the size of each engine, of what each part adds, and of all together. Fails if one exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type EngineName, partNames } from './src/parts.ts'

/** What a part may add to an engine. */
const limitOf: Record<(typeof partNames)[number], number> = {
  sticky: 350,
  units: 250,
  consent: 350,
  activation: 500,
  goals: 600,
  redirects: 1_000,
  hydration: 600,
  code: 950,
}

const fileOf = (name: string): string => readFileSync(new URL(`dist/${name}.js`, import.meta.url), 'utf8')
const textOf = (name: EngineName): string => fileOf(`${name}.iife`)
const sizeOf = (...names: EngineName[]): number => gzipSync(names.map(textOf).join(''), { level: 9 }).length
const core = sizeOf('engine')

const rows: [name: string, bytes: number, limitBytes: number][] = [
  ['engine', core, 10_000],
  ['engine-rare', sizeOf('engine-rare'), 12_400],
  ...partNames.map((name): [string, number, number] => [`+ ${name}`, sizeOf(name, 'engine') - core, limitOf[name]]),
  ['engine-rare with all parts', sizeOf(...partNames, 'engine-rare'), 16_000],
  ['bridge', gzipSync(fileOf('bridge'), { level: 9 }).length, 12_000],
]

for (const [name, bytes, limitBytes] of rows) {
  console.log(`${name}: ${bytes} bytes min+gzip (limit ${limitBytes})`)
  if (bytes > limitBytes) process.exitCode = 1
}
