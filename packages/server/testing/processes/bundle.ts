import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import type { TestProject } from 'vitest/node'
import { bundleName, sources } from './program.ts'

const root = resolve(import.meta.dirname, '../../../..')
const source = join(root, 'packages/server/src')
const cache = join(root, 'node_modules/.cache')
const inputs = [
  'packages/{server,core,stats,web}/{bin,src}/**/*.{ts,js}',
  'scripts/require-node.js',
  'package-lock.json',
]
const thread = 'thread'
const dayMs = 86_400_000

// Vitest loads this file again for each of its projects, but in one process.
const ofProcess = globalThis as { svcBundle?: Promise<void> | undefined }

/**
 * In Vitest's global setup: bundles the sources of the service and its packages, for all processes that tests start.
 * Loading two thousand files takes a third of a start. `test/embedded/ground` and the guides of operators start the
 * sources, and `e2e/release` starts what is released.
 */
export async function bundleProgram(project: TestProject): Promise<void> {
  if (!ofProcess.svcBundle)
    project.onTestsRerun(() => {
      ofProcess.svcBundle = bundled()
      return ofProcess.svcBundle
    })
  ofProcess.svcBundle ??= bundled()
  await ofProcess.svcBundle
}

async function bundled(): Promise<void> {
  const folder = join(cache, `program-${fingerprint()}`)
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date())
  else {
    removeOld()
    await bundleInto(folder)
  }
  process.env[bundleName] = folder
}

/** The same sources give the same name, and Node finds what it has compiled of them. */
function fingerprint(): string {
  const sum = createHash('sha256')
  const files = globSync(inputs, { cwd: root, exclude: (path) => path.endsWith('.test.ts') })
  for (const path of [import.meta.filename, ...files.sort()])
    sum.update(`${path}\n`).update(readFileSync(resolve(root, path)))
  return sum.digest('hex').slice(0, 16)
}

/** Another run can still use a bundle that was made or used in the last day. */
function removeOld(): void {
  for (const name of globSync('program-*', { cwd: cache })) {
    const path = join(cache, name)
    // Another run can remove it at the same moment.
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > dayMs) rmSync(path, { recursive: true, force: true })
  }
}

async function bundleInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(join(cache, 'program-'))
  await build({
    entry: { ...sources, [thread]: thread },
    ...{ cwd: root, outDir: draft, config: false, dts: false, format: 'esm', platform: 'node', logLevel: 'error' },
    outExtensions: () => ({ js: '.mjs' }),
    deps: { alwaysBundle: [/./], neverBundle: [/^node:/] },
    plugins: [{ name: 'svc', resolveId, load, transform: (code, id) => transform(code, id, folder) }],
  })
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another run has made the same one meanwhile.
    rmSync(draft, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

const resolveId = (id: string) => (id === thread ? id : undefined)

/** The thread of the database does not inherit the cache of compiled modules. */
const load = (id: string) =>
  id === thread
    ? ['compile-cache.ts', 'platform/db/embedded/worker.ts']
        .map((name) => `await import(${JSON.stringify(join(source, name))})`)
        .join('\n')
    : undefined

/** What is in the folder of the bundle instead: the thread of the database, and the compiled modules. */
const movedFiles = [
  { from: 'platform/db/embedded/host.ts', url: "new URL('./worker.ts', import.meta.url)", to: `${thread}.mjs` },
  {
    from: 'server/src/compile-cache.ts',
    url: "new URL('../../../node_modules/.cache/svc', import.meta.url)",
    to: 'compiled',
  },
]

/** Sources and packages find their other files from where they are. */
function transform(code: string, id: string, folder: string): string | undefined {
  if (!/import\.meta\.|__dirname|__filename/.test(code)) return undefined
  const text = (value: string | URL) => JSON.stringify(String(value))
  const moved = movedFiles.find(({ from }) => id.endsWith(from))
  if (moved && !code.includes(moved.url)) throw new Error(`${id} no longer has ${moved.url}: change bundle.ts`)
  return (moved ? code.replace(moved.url, `new URL(${text(pathToFileURL(join(folder, moved.to)))})`) : code)
    .replaceAll('import.meta.url', text(pathToFileURL(id)))
    .replaceAll('import.meta.dirname', text(dirname(id)))
    .replaceAll(/\b__dirname\b/g, text(dirname(id)))
    .replaceAll(/\b__filename\b/g, text(id))
}
