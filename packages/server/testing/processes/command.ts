import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { nodeFlags } from './node-flags.ts'
import { programOf } from './program.ts'
import { surroundings } from './surroundings.ts'

/** Runs `svc-server` like an operator, with these settings. */
export const runCommand = (args: string[], settings: Record<string, string>) =>
  run(process.execPath, [...nodeFlags, programOf('operator'), ...args], settings)

/** The same in a pseudo-terminal, which has one output. */
export function runInTerminal(args: string[], settings: Record<string, string>) {
  const line = [process.execPath, ...nodeFlags, programOf('operator'), ...args].map((word) => `'${word}'`).join(' ')
  return run('script', ['--quiet', '--return', '--command', line, '/dev/null'], settings)
}

async function run(command: string, args: string[], settings: Record<string, string>) {
  const env = { ...surroundings(), ...settings }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code: code as number | null }
}
