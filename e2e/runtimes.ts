import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findInPath } from '../scripts/in-path.ts'

/** The folder with the npm packages of the other JavaScript runtimes. */
export const runtimesFolder = join(import.meta.dirname, 'runtimes')

/** The program of each in its package, and the parameters to run a file. */
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

/** Every runtime besides browsers: the Node of the service and the others. */
export const places = ['Node', ...runtimeNames] as const

/** The command that runs a file: the program from npm if there is one for this machine, or else from the PATH. */
export function findRuntime(runtime: Runtime): string[] | undefined {
  const { program, name, parameters } = runtimes[runtime]
  const own = join(runtimesFolder, 'node_modules', program)
  const found = existsSync(own) ? own : findInPath(name)
  return found === undefined ? undefined : [found, ...parameters]
}

/** The same for every runtime. */
export function commandOf(place: (typeof places)[number]): string[] {
  const command = place === 'Node' ? [process.execPath] : findRuntime(place)
  if (!command) throw new Error(`${place} is missing: run scripts/system.ts, which installs it or says how`)
  return command
}
