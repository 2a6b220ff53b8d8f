import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from './node-flags.ts'
import { surroundings } from './surroundings.ts'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const program = file('../../bin/svc-server.js')
/** The compiled modules of the service, which saves half of each run. */
const compileCache = file('../../../../node_modules/.cache/svc')

/** Runs `svc-server` like an operator, with these settings. */
export const runCommand = (args: string[], settings: Record<string, string>) =>
  run(process.execPath, [...nodeFlags, program, ...args], settings)

/** The same in a pseudo-terminal, which has one output. */
export function runInTerminal(args: string[], settings: Record<string, string>) {
  const line = [process.execPath, ...nodeFlags, program, ...args].map((word) => `'${word}'`).join(' ')
  return run('script', ['--quiet', '--return', '--command', line, '/dev/null'], settings)
}

async function run(command: string, args: string[], settings: Record<string, string>) {
  const env = { ...surroundings(), NODE_COMPILE_CACHE: compileCache, ...settings }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code: code as number | null }
}
