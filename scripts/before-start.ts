// Builds what the service serves, as far as it has changed: the SDK and the command line beside the dashboard and the
// guides, because the declarations of the SDK take as long as all the rest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { arePackagesUpToDate, packPackages } from './packages.ts'

const root = resolve(import.meta.dirname, '..')

async function run(script: string, ...workspaces: string[]): Promise<void> {
  const args = ['run', '-s', script, ...workspaces.flatMap((name) => ['--workspace', `@svc/${name}`])]
  const [exitCode] = await once(spawn('npm', args, { cwd: root, stdio: 'inherit' }), 'exit')
  if (exitCode !== 0) throw new Error(`${script} of ${workspaces.join(', ')} failed`)
}

async function buildPackages(): Promise<void> {
  if (arePackagesUpToDate()) return run('build:run', 'sdk')
  await run('build:package', 'sdk', 'cli')
  try {
    packPackages()
  } catch (error) {
    // The service runs without its packages.
    console.error(`The packages are not made: ${(error as Error).message}`)
  }
}

const results = await Promise.allSettled([buildPackages(), run('build:run', 'dashboard', 'docs')])
for (const result of results)
  if (result.status === 'rejected') {
    console.error((result.reason as Error).message)
    process.exitCode = 1
  }
