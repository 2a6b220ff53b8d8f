import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { asTheyAre, copyPart, isForTests, run } from './server-parts.ts'

// node scripts/release-packages.ts <folder>: packs the SDK, the command line, the client and the server as files for npm.
// Needs a build. Node strips no types below node_modules, so what a package contains is JavaScript.

const root = resolve(import.meta.dirname, '..')

/** Packs all four into a folder. The same build gives the same bytes. */
export function packRelease(to: string): void {
  mkdirSync(to, { recursive: true })
  const draft = join(to, 'draft')
  rmSync(draft, { recursive: true, force: true })
  stageClient(join(draft, 'client'))
  stageServer(join(draft, 'server'))
  for (const place of ['packages/sdk', 'packages/cli']
    .map((path) => join(root, path))
    .concat(join(draft, 'client'), join(draft, 'server')))
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', to], { cwd: place, stdio: 'pipe' })
  rmSync(draft, { recursive: true })
}

type Manifest = Record<string, unknown> & { dependencies: Record<string, string> }

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), 'utf8'))
const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const writeManifest = (folder: string, manifest: object): void =>
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

function stageClient(folder: string): void {
  compile('packages/client/src', join(folder, 'dist'))
  const { private: _, ...manifest } = manifestOf('client')
  writeManifest(folder, {
    ...manifest,
    files: ['dist'],
    engines: { node: '>=20' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './catalogue': { types: './dist/catalogue.d.ts', default: './dist/catalogue.js' },
      './package.json': './package.json',
    },
  })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  write(
    join(folder, 'README.md'),
    '# @svc/client\n\nThe typed client of the API of Svc, printed from its OpenAPI document.\n',
  )
}

/**
 * The folders have the same relative places as in the repository, where the server finds the dashboard and the docs.
 */
function stageServer(folder: string): void {
  const { private: _, bin: __, dependencies, ...manifest } = manifestOf('server')
  const own = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@svc/')))
  const bundled = run.filter((name) => name !== 'server')
  const inside = Object.fromEntries(bundled.map((name) => [`@svc/${name}`, manifestOf(name).version]))
  writeManifest(folder, {
    ...manifest,
    bin: { 'svc-server': './packages/server/bin/svc-server.js' },
    engines: { node: '>=24' },
    files: ['packages', 'scripts'],
    dependencies: { ...own, ...manifestOf('stats').dependencies, ...inside },
    bundleDependencies: Object.keys(inside),
  })
  compile('packages/server/src', join(folder, 'packages/server/src'))
  for (const name of bundled) {
    const place = join(folder, 'node_modules/@svc', name)
    compile(`packages/${name}/src`, join(place, 'src'))
    writeManifest(place, { ...manifestOf(name), exports: { '.': './src/index.js' } })
  }
  for (const path of asTheyAre) copyPart(path, folder)
  // It contains the version.
  cpSync(join(root, 'packages/server/package.json'), join(folder, 'packages/server/package.json'))
  const command = readFileSync(join(root, 'packages/server/bin/svc-server.js'), 'utf8')
  write(join(folder, 'packages/server/bin/svc-server.js'), withScripts(command))
  write(
    join(folder, 'README.md'),
    '# @svc/server\n\nFeature flags and experiments in one self-hosted process: `npx svc-server start`.\n',
  )
}

/** Specifiers of our own files. The compiler rewrites those of imports, but not those of workers. */
const withScripts = (text: string): string => text.replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')

/** Writes the JavaScript and the declarations of a folder. `npm run check` has checked the types. */
function compile(from: string, to: string): void {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    isolatedDeclarations: false,
    declaration: from.includes('client'),
    skipLibCheck: true,
    strict: true,
    types: ['node'],
    rootDir: join(root, from),
    outDir: to,
  }
  const paths = globSync('**/*.ts', {
    cwd: join(root, from),
    exclude: isForTests,
  })
  if (options.declaration) {
    const program = ts.createProgram(
      paths.map((path) => join(root, from, path)),
      options,
    )
    program.emit()
    for (const path of paths.filter((path) => path.endsWith('.d.ts'))) cpSync(join(root, from, path), join(to, path))
    // Declarations keep the names of the sources.
    for (const path of globSync('**/*.d.ts', { cwd: to })) {
      const file = join(to, path)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']*)(?<!\.d)\.ts'/g, "$1.js'"))
    }
    return
  }
  for (const path of paths) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, from, path), 'utf8'), {
      compilerOptions: options,
      fileName: path,
    })
    write(join(to, path.replace(/\.ts$/, '.js')), withScripts(outputText))
  }
}

if (import.meta.main) {
  const [to] = process.argv.slice(2)
  if (!to) throw new Error('Say where to: node scripts/release-packages.ts <folder>')
  packRelease(resolve(to))
}
