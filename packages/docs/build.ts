// Builds the pages of /docs, with their assets, into dist, which the service serves, or into the given folder. Fails on
// dead links and on guides that are missing in the navigation. With --if-changed, as before a start, it builds only if
// sources changed, and only warns, because a dead link must not prevent a start.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import { editDates } from './src/edit-dates.ts'
import { makeSite } from './src/site.ts'

const here = import.meta.dirname
const root = resolve(here, '../..')
const isForStart = process.argv.includes('--if-changed')
const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const out = folder === undefined ? join(here, 'dist') : resolve(folder)
/** The build goes here first and is then renamed, so that a service that starts meanwhile never finds half a build. */
const draft = `${out}.new`

const sources = [
  'docs/**',
  'packages/docs/*.*',
  'packages/docs/{src,browser}/**',
  'packages/dashboard/public/*',
  'package-lock.json',
]
const styles = ['base', 'prose', 'header', 'frame', 'contents', 'home', 'reference']
const compressible = /\.(?:html|css|js|json|svg)$/

if (!isForStart || !isUpToDate()) await make()

async function make(): Promise<void> {
  const paths = globSync('docs/**/*.*', { cwd: root }).sort()
  const copied = paths.filter((path) => !path.endsWith('.md') && path !== 'docs/openapi.json')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { files, faults } = await makeSite({
    documents: new Map(paths.filter((path) => path.endsWith('.md')).map((path) => [path, read(path)])),
    files: copied,
    openapi: JSON.parse(read('docs/openapi.json')),
    edited: editDates(
      git('log', '--format=%cs', '--name-only', '--', 'docs'),
      git('rev-parse', '--is-shallow-repository'),
    ),
    exists: (path) => existsSync(join(root, path)),
  })
  rmSync(draft, { recursive: true, force: true })
  for (const [path, text] of files) write(path, text)
  for (const path of copied) write(path.slice('docs/'.length), readFileSync(join(root, path)))
  write('assets/site.css', styles.map((name) => readFileSync(join(here, 'browser', `${name}.css`), 'utf8')).join('\n'))
  write('assets/site.js', await browserScript())
  for (const name of ['color-scheme.js', 'mark.svg'])
    write(`assets/${name}`, readFileSync(join(root, 'packages/dashboard/public', name)))
  rmSync(out, { recursive: true, force: true })
  renameSync(draft, out)
  for (const fault of faults) console.error(`Docs: ${fault}`)
  if (faults.length > 0 && !isForStart) process.exitCode = 1
}

function write(path: string, content: string | Uint8Array): void {
  const file = join(draft, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  if (compressible.test(path)) writeFileSync(`${file}.gz`, gzipSync(content))
}

async function browserScript(): Promise<string> {
  const { output } = await build({
    input: join(here, 'browser/main.ts'),
    platform: 'browser',
    write: false,
    logLevel: 'warn',
    output: { format: 'esm', minify: true },
  })
  return output[0].code
}

/** The output of git; empty without git or a history. */
function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

function isUpToDate(): boolean {
  const built = statSync(join(out, 'index.html'), { throwIfNoEntry: false })
  const inputs = globSync(sources, { cwd: root }).map((path) => statSync(join(root, path)).mtimeMs)
  return built !== undefined && Math.max(...inputs) <= built.mtimeMs
}
