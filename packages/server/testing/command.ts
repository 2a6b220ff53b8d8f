import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from './node-flags.ts'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const program = file('../bin/svc-server.js')
/** The compiled modules of the service, which saves half of each run. */
const compileCache = file('../../../node_modules/.cache/svc')

/** Runs `svc-server` like an operator, with these settings. */
export async function runCommand(args: string[], settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...settings }
  const child = spawn(process.execPath, [...nodeFlags, program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code: code as number | null }
}
