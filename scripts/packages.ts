// Packs the built SDK and command line into packages/server/dist/packages, from where the service serves them.
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const out = join(root, 'packages/server/dist/packages')
/** The files are packed here first, so that a service that starts meanwhile never finds half of one. */
const draft = `${out}.new`
const names = ['sdk', 'cli']
const sources = [
  'packages/{sdk,cli}/*.*',
  'packages/{sdk,cli,core,client}/src/**/*.*',
  'packages/{sdk,cli}/LICENSE',
  'package-lock.json',
]

if (import.meta.main) packPackages()

/** Needs the builds of both. The same builds give the same bytes. */
export function packPackages(): void {
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  mkdirSync(out, { recursive: true })
  const workspaces = names.flatMap((name) => ['--workspace', `@svc/${name}`])
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', draft, ...workspaces]
  // npm's notices are on standard error; its errors come with the exit code.
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  for (const name of names) {
    const [packed] = globSync(`svc-${name}-*.tgz`, { cwd: draft })
    if (!packed) throw new Error(`npm pack made no file of @svc/${name}`)
    renameSync(join(draft, packed), join(out, `svc-${name}.tgz`))
  }
  rmSync(draft, { recursive: true })
}

/** Whether nothing has changed since the files were packed. */
export function arePackagesUpToDate(): boolean {
  const packed = names.map((name) => statSync(join(out, `svc-${name}.tgz`), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const changed = globSync(sources, { cwd: root, exclude: (path) => path.endsWith('.test.ts') })
  return Math.max(...changed.map((path) => statSync(join(root, path)).mtimeMs)) <= Math.min(...packed)
}
