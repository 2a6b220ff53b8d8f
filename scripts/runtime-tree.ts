import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { asTheyAre, copyPart, run } from './server-parts.ts'

// node scripts/runtime-tree.ts <folder>: everything that a running service needs and nothing else, for the image and for
// a server. Needs a build.

const root = resolve(import.meta.dirname, '..')
const copied = [
  ...asTheyAre,
  'packages/server/bin',
  ...run.flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/src`]),
]
/** What only compilers, debuggers and readers of packages use of what npm installs. */
const unused = ['**/*.map', '**/*.d.{ts,mts,cts}', '**/*.{md,markdown}', '**/*.test.*']

if (import.meta.main) {
  const [to] = process.argv.slice(2)
  if (!to) throw new Error('Say where to: node scripts/runtime-tree.ts <folder>')
  makeRuntimeTree(resolve(to))
}

/** Fills an empty or missing folder. Installs the packages of the lock file from npm's registry. */
export function makeRuntimeTree(to: string): void {
  mkdirSync(to, { recursive: true })
  if (readdirSync(to).length > 0) throw new Error(`${to} is not empty`)
  // npm compares the lock file with every workspace.
  for (const path of [
    'package.json',
    'package-lock.json',
    ...globSync('{packages/*,examples/node}/package.json', { cwd: root }),
  ])
    copyPart(path, to)
  const workspaces = run.flatMap((name) => ['--workspace', `@svc/${name}`])
  const args = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-fund', '--no-audit', ...workspaces]
  execFileSync('npm', args, { cwd: to, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const path of globSync('{packages/*,examples}', { cwd: to })) rmSync(join(to, path), { recursive: true })
  for (const path of copied) copyPart(path, to)
  for (const path of globSync(
    unused.map((glob) => `node_modules/${glob}`),
    { cwd: to },
  ))
    rmSync(join(to, path), { recursive: true, force: true })
}
