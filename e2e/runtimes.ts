import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findInPath } from '../scripts/in-path.ts'

/** Whose packages hold what runs JavaScript besides the Node of the service. */
export const runtimesFolder = join(import.meta.dirname, 'runtimes')

/** Where each lies in its package, and how it runs a file. */
const runtimes = {
  'Node 20': { program: `node-${process.platform}-${process.arch}/bin/node`, name: 'node20', parameters: [] },
  Deno: {
    program: `@deno/${process.platform}-${process.arch}-glibc/deno`,
    name: 'deno',
    parameters: ['run', '--no-prompt', '--no-remote', '--allow-net', '--allow-env', '--allow-read', '--allow-write'],
  },
  Bun: {
    program: `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}/bin/bun`,
    name: 'bun',
    parameters: [],
  },
}

type Runtime = keyof typeof runtimes

export const runtimeNames = Object.keys(runtimes) as Runtime[]

/** Every place for a program besides browsers: the Node of the service and the others. */
export const places = ['Node', ...runtimeNames] as const

/** The command that runs a file: npm's program, where npm has one for this machine, else that of the PATH. */
export function findRuntime(runtime: Runtime): string[] | undefined {
  const { program, name, parameters } = runtimes[runtime]
  const own = join(runtimesFolder, 'node_modules', program)
  const found = existsSync(own) ? own : findInPath(name)
  return found === undefined ? undefined : [found, ...parameters]
}

/** Likewise, in any place. */
export function commandOf(place: (typeof places)[number]): string[] {
  const command = place === 'Node' ? [process.execPath] : findRuntime(place)
  if (!command) throw new Error(`there is no ${place}: scripts/system.ts says how to get it`)
  return command
}
