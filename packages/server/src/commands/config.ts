import { parseArgs } from 'node:util'
import { settings, telemetrySettings } from '../config.ts'

/** `svc-server config` */
export function printSettings(args: string[]): void {
  parseArgs({ args })
  const rows = Object.entries({ ...settings, ...telemetrySettings }).map(([name, setting]) => {
    const { fallback, meaning, secret }: Setting = setting
    const notes = [meaning, secret && 'Secret.'].filter(Boolean)
    return [name, fallback ?? '', notes.join(' ').replaceAll('`', '')] as const
  })
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length)) + 2
  const lines = rows.map(([name, fallback, meaning]) => name.padEnd(width(0)) + fallback.padEnd(width(1)) + meaning)
  process.stdout.write(`${lines.join('\n')}\n`)
}

type Setting = { fallback: string | null; meaning: string; secret?: true }
