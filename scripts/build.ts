// Builds everything: the dashboard and the guides beside the SDK, whose declarations take as long as all the rest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { packPackages } from './packages.ts'

const root = resolve(import.meta.dirname, '..')

if (import.meta.main)
  await allOf([
    runScript('build', 'sdk', 'cli').then(packPackages),
    runScript('build', 'dashboard', 'docs', 'web'),
    run('node', 'scripts/blank-database.ts'),
  ])

/** Runs a script of these packages, one after the other. Rejects if one fails. */
export function runScript(script: string, ...packages: string[]): Promise<void> {
  return run('npm', 'run', '-s', script, ...packages.flatMap((name) => ['--workspace', `@svc/${name}`]))
}

async function run(command: string, ...args: string[]): Promise<void> {
  const [exitCode] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit')
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Waits for all builds, says which failed, and lets the process fail with them. */
export async function allOf(builds: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(builds))
    if (result.status === 'rejected') {
      console.error((result.reason as Error).message)
      process.exitCode = 1
    }
}
