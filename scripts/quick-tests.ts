// npm run test:quick: all pure files, and the routes of the features that have changed, on a PostgreSQL server.
// Changes are the uncommitted files or, in a clean checkout, the files of the last commit.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const source = 'packages/server/src'

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

function changed(): string[] {
  const files = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
  return files.length > 0 ? files : git('diff', '--name-only', 'HEAD~1', 'HEAD')
}

/**
 * The tests of routes that are closest to a file, from its folder upwards. The code that all routes share has its
 * tests in a separate folder.
 */
function testsOf(file: string): string | undefined {
  for (let folder = dirname(file); folder.startsWith(`${source}/`); folder = dirname(folder))
    for (const place of ['', 'every-route/'])
      if (globSync(`${place}routes*.test.ts`, { cwd: join(root, folder) }).length > 0) return `${folder}/${place}routes`
  return undefined
}

function run(args: string[]): void {
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}

const filters = [...new Set(changed().map(testsOf))].filter((tests) => tests !== undefined)
run(['--project', 'pure'])
if (filters.length > 0) run(['--project', 'server', ...filters])
else console.log('No feature of the server has changed, so no routes were tested.')
