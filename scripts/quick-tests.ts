// npm run test:quick: all pure files, and the routes of the features that have changed, on a PostgreSQL server. The pure
// files that start programs, which take a third of the time of all, run only if what they test has changed.
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

/** Files that start programs or build a site, and where a change makes them run. `npm run check` prints the documents. */
const startPrograms: Record<string, string[]> = {
  'clients/python/python.test.ts': ['clients/python/'],
  'packages/docs/src/site.test.ts': ['docs/', 'packages/docs/'],
  'packages/server/src/command.test.ts': ['packages/server/src/command', 'packages/server/src/config.ts'],
  'packages/server/src/platform/outbound/attempt.test.ts': ['packages/server/src/platform/outbound/'],
  'packages/server/src/platform/outbound/download.test.ts': ['packages/server/src/platform/outbound/'],
  'packages/server/src/platform/outbound/guard.test.ts': ['packages/server/src/platform/outbound/'],
  'packages/server/src/wings/telling/tickets/ticket-kill.test.ts': [
    'packages/server/src/platform/outbound/',
    'packages/server/src/wings/telling/',
  ],
  'scripts/documents.test.ts': ['scripts/documents'],
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

function run(args: string[], leftOut: string[] = []): void {
  const env = { ...process.env, SVC_TEST_LEFT_OUT: leftOut.join(' ') }
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}

const files = changed()
const filters = [...new Set(files.map(testsOf))].filter((tests) => tests !== undefined)
const leftOut = Object.entries(startPrograms)
  .filter(([, places]) => !files.some((file) => places.some((place) => file.startsWith(place))))
  .map(([test]) => test)
run(['--project', 'pure'], leftOut)
if (filters.length > 0) run(['--project', 'server', ...filters])
else console.log('No feature of the server has changed, so no routes were tested.')
