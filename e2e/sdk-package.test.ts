import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../packages/server/testing/full.ts'
import { compile } from './compiler.ts'
import { cleanEnvironment, root } from './service.ts'

const execute = promisify(execFile)
const sdk = join(root, 'packages/sdk')
const doors = [
  ...['.', './stream', './storage', './file-store', './openfeature', './react', './webhooks', './typed'],
  ...['./web-server', './commerce'],
]
let folder: string
/** A project outside this repository that contains only the package. */
let project: string

const run = (command: string, parameters: string[], cwd: string) =>
  execute(command, parameters, {
    cwd,
    // An empty cache and no network: the file must contain everything.
    env: { ...cleanEnvironment({}), npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' },
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sdk-package-'))
  project = join(folder, 'project')
  // Without scripts, because the tests begin with a build, and another takes as long as all of this.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], sdk)
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await cp(join(root, 'e2e/sdk-package'), project, { recursive: true })
  await writeFile(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  // `packages.test.ts` shows that npm installs it without a registry, which takes longer.
  const installed = join(project, 'node_modules/@svc/sdk')
  await mkdir(installed, { recursive: true })
  await execute('tar', ['--extract', '--gzip', '--strip-components=1', '--file', join(folder, file!)], {
    cwd: installed,
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('the package contains a file with declarations for each entry point, and no sources', async () => {
  const installed = join(project, 'node_modules/@svc/sdk')
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const files = await readdir(installed, { recursive: true, withFileTypes: true })
  const paths = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1))
  for (const door of doors) for (const target of targetsOf(exports[door])) expect(paths).toContain(target.slice(2))
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/svc.min.js', 'dist/svc-live.min.js']))
  expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
})

type Exports = string | { [condition: string]: Exports }
const targetsOf = (exports: Exports): string[] =>
  typeof exports === 'string' ? [exports] : Object.values(exports).flatMap(targetsOf)

const resolutions = ['nodenext', 'bundler']

/** What the compiler complains about. */
async function complaintsAbout(file: string, resolution: string, types: string[] = []): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    typeRoots: [join(root, 'node_modules/@types')],
    types,
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  return compile(project)
}

it.each(resolutions)('type-checks in a project with the module resolution %s', async (resolution) => {
  expect(await complaintsAbout('shop.ts', resolution)).toBe('')
})

it('the package runs where it is installed', async () => {
  const { stdout } = await run(process.execPath, ['shop.ts'], project)
  expect(JSON.parse(stdout)).toEqual({ checkout: true, typed: true, doors: Array(7).fill('function') })
})

// `node16` finds packages as `nodenext` does.
it.each(isFull ? ['node16', 'nodenext'] : ['nodenext'])(
  'type-checks in TypeScript that compiles to CommonJS, with %s',
  async (resolution) => {
    await cp(join(project, 'shop.ts'), join(project, 'shop-of-old.cts'))
    expect(await complaintsAbout('shop-of-old.cts', resolution)).toBe('')
  },
)

it('CommonJS can require and import it', async () => {
  const { version } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'))
  const required = doors.filter((door) => door !== './openfeature' && door !== './react')
  const names = required.map((door) => join('@svc/sdk', door))
  await writeFile(
    join(project, 'old.cjs'),
    `for (const name of ${JSON.stringify(names)}) require(name)
const { sdkVersion } = require('@svc/sdk')
import('@svc/sdk').then((imported) => console.log(sdkVersion, imported.sdkVersion))`,
  )
  // Later versions of Node can require ES modules, too. So this asks for what old ones can do.
  const old = ['--no-experimental-require-module', 'old.cjs']
  expect((await run(process.execPath, old, project)).stdout).toBe(`${version} ${version}\n`)
})

it('the package keeps the declarations of a build when the service starts', async () => {
  // A copy, so that the build does not disturb other tests that use the package.
  const copy = join(folder, 'repository/packages/sdk')
  for (const name of ['sdk', 'core'])
    await cp(join(root, 'packages', name), join(copy, '..', name), { recursive: true })
  await cp(join(root, 'tsconfig.json'), join(folder, 'repository/tsconfig.json'))
  await symlink(join(root, 'node_modules'), join(folder, 'repository/node_modules'))
  const declarations = async () => (await readdir(join(copy, 'dist'))).filter((name) => name.endsWith('.d.ts')).sort()
  const built = await declarations()
  expect(built).toEqual(expect.arrayContaining(['index.d.ts', 'webhooks.d.ts']))
  const { stdout } = await run('npm', ['run', '-s', 'build:run'], copy)
  expect([await declarations(), stdout]).toEqual([built, ''])
})

// Last, because all other parts must do without OpenFeature.
describe('in a project with OpenFeature', () => {
  beforeAll(() => symlink(join(root, 'node_modules/@openfeature'), join(project, 'node_modules/@openfeature')))

  it.each(resolutions)('type-checks as a provider with the module resolution %s', async (resolution) => {
    expect(await complaintsAbout('openfeature.ts', resolution, ['node'])).toBe('')
  })

  it('runs as a provider', async () => {
    expect((await run(process.execPath, ['openfeature.ts'], project)).stdout).toBe('true\n')
  })
})
