// Builds the dashboard, and prints the size of a first visit and of each page. Fails if a size exceeds its limit.
// With --if-changed, as before a start, it builds only if sources changed, and prints no sizes.
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const root = import.meta.dirname
const out = join(root, 'dist')
/** The build goes here first and is then renamed, so that a service that starts meanwhile never finds half a build. */
const draft = join(root, 'node_modules/.dashboard')

const sources = [
  'src/**',
  'editor/**',
  'public/**',
  'index.html',
  '*.ts',
  'package.json',
  '../client/src/**',
  '../web/src/bridge/editor/messages.ts',
  '../../package-lock.json',
]
const compressible = /\.(?:js|css|html|svg)$/
const limits = { firstVisit: 170_000, styles: 20_000, page: 90_000, editor: 120_000 }

const isForStart = process.argv.includes('--if-changed')
if (isForStart && isUpToDate()) process.exit()

const { output } = (await build({
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: draft, emptyOutDir: true },
})) as Rolldown.RolldownOutput

await build({
  configFile: join(root, 'editor/vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: join(draft, 'editor'), emptyOutDir: true },
})

const sizes = new Map(
  globSync('**', { cwd: draft, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(compress),
)
rmSync(out, { recursive: true, force: true })
renameSync(draft, out)
if (!isForStart) report()

function isUpToDate(): boolean {
  const built = statSync(join(out, 'index.html'), { throwIfNoEntry: false })
  const inputs = globSync(sources, { cwd: root }).map((path) => statSync(join(root, path)).mtimeMs)
  return built !== undefined && Math.max(...inputs) <= built.mtimeMs
}

/** Writes compressed forms next to a file if they are smaller. Returns the path and the transferred bytes. */
function compress({ parentPath, name }: { parentPath: string; name: string }): [path: string, bytes: number] {
  const path = join(parentPath, name)
  const bytes = readFileSync(path)
  const gzip = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  const relative = path.slice(draft.length + 1)
  if (!compressible.test(name) || gzip.length >= bytes.length) return [relative, bytes.length]
  writeFileSync(`${path}.gz`, gzip)
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
  return [relative, gzip.length]
}

function report(): void {
  const chunks = output.filter((file) => file.type === 'chunk')
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('the build has no entry chunk')
  const first = new Set([...filesOf(entry), 'index.html', 'color-scheme.js', 'session.js', 'mark.svg'])
  const styles = stylesOfPages(first)
  const pages = chunks
    .filter(({ isDynamicEntry }) => isDynamicEntry)
    .map((chunk) => ({
      name: chunk.name,
      bytes: bytesOf([...addedBy(chunk, chunks, first)].filter((file) => file !== styles)),
    }))
    .sort((one, other) => other.bytes - one.bytes)
  const firstVisit = bytesOf([...first])
  console.log(`Dashboard: the first visit loads ${firstVisit} bytes gzip (limit ${limits.firstVisit})`)
  console.log(`  the first page adds the styles of all pages: ${bytesOf([styles])} bytes (limit ${limits.styles})`)
  console.log(
    `  each page adds (limit ${limits.page}): ${pages.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}`,
  )
  const editor = bytesOf([...sizes.keys()].filter((path) => path.startsWith('editor/')))
  console.log(`  the visual editor loads ${editor} bytes gzip (limit ${limits.editor})`)
  const isOver =
    firstVisit > limits.firstVisit ||
    bytesOf([styles]) > limits.styles ||
    pages.some(({ bytes }) => bytes > limits.page) ||
    editor > limits.editor
  if (isOver) process.exitCode = 1
}

/**
 * The stylesheet of all pages, which a first visit does without. Its rules for Mantine must come before our own, which
 * are as strong: the order follows from the path of src/all-pages.ts, the first of all that is loaded later.
 */
function stylesOfPages(first: Set<string>): string {
  const all = [...sizes.keys()].filter((path) => /^assets\/.*\.css$/.test(path) && !first.has(path))
  const [styles = ''] = all
  const text = readFileSync(join(out, styles), 'utf8')
  if (all.length !== 1 || text.lastIndexOf('.m_') > text.search(/\._\w+_\w{5}_\d/))
    throw new Error(`the styles of all pages must be one file that begins with those of Mantine, not ${all}`)
  return styles
}

/** What a page adds to the first visit, and what a part that a page loads later adds to that page. */
function addedBy(chunk: Rolldown.OutputChunk, chunks: Rolldown.OutputChunk[], first: Set<string>): Set<string> {
  return filesOf(chunk).difference(loadedBefore(chunk, chunks, first))
}

/** What every way to a part has loaded before it asks for the part. */
function loadedBefore(
  chunk: Rolldown.OutputChunk,
  chunks: Rolldown.OutputChunk[],
  first: Set<string>,
  passed: readonly Rolldown.OutputChunk[] = [],
): Set<string> {
  const loaders = chunks.filter((other) => other.dynamicImports.includes(chunk.fileName) && !passed.includes(other))
  if (loaders.some(({ fileName }) => first.has(fileName))) return first
  return loaders
    .map((loader) => filesOf(loader).union(loadedBefore(loader, chunks, first, [...passed, chunk])))
    .reduce((common, files) => common.intersection(files), new Set(sizes.keys()))
}

function bytesOf(files: string[]): number {
  return files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
}

/** The files of a chunk and of everything that it imports. */
function filesOf(chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found
  found.add(chunk.fileName)
  for (const file of chunk.viteMetadata?.importedCss ?? []) found.add(file)
  for (const path of chunk.imports) {
    const imported = output.find((file) => file.type === 'chunk' && file.fileName === path)
    if (imported?.type === 'chunk') filesOf(imported, found)
  }
  return found
}
