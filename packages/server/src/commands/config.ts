import { parseArgs } from 'node:util'
import { settings } from '../config.ts'

/** `svc-server config` */
export function printSettings(args: string[]): void {
  parseArgs({ args })
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { fallback, meaning, secret, reserved }: Setting = setting
    const notes = [meaning, secret && 'Secret.', reserved && 'No effect yet.'].filter(Boolean)
    return [name, fallback ?? '', notes.join(' ').replaceAll('`', '')] as const
  })
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length)) + 2
  const lines = rows.map(([name, fallback, meaning]) => name.padEnd(width(0)) + fallback.padEnd(width(1)) + meaning)
  process.stdout.write(`${lines.join('\n')}\n`)
}

type Setting = { fallback: string | null; meaning: string; secret?: true; reserved?: true }
