import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFull } from '../packages/server/testing/full.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { compile } from './compiler.ts'
import { releasedPackages } from './released.ts'
import { commandOf } from './runtimes.ts'
import { cleanEnvironment, end, root, spawnNode } from './service.ts'

const execute = promisify(execFile)
const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] }
const bins = join(root, 'node_modules/.bin')
/** Only a safety net: on a busy machine, a first start took more than a minute. */
const startLimitMs = 300_000
let folder: string
let files: string
let project: string
let packed: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-release-'))
  files = join(folder, 'files')
  packed = await releasedPackages(files)
  project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  if (isFull)
    await execute('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packed], { cwd: project })
  else for (const file of packed) await unpack(file)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * What npm installs, without npm, which unpacks 180 MB for it: a package, and what it depends on as links into the
 * repository, which has the versions that it asks for.
 */
async function unpack(file: string): Promise<void> {
  const [, name] = /svc-([a-z]+)-[^/]*$/.exec(file)!
  const installed = join(project, 'node_modules/@svc', name!)
  await mkdir(installed, { recursive: true })
  await execute('tar', ['--extract', '--gzip', '--strip-components=1', '--file', file], { cwd: installed })
  const { dependencies = {}, bundleDependencies = [] } = await manifestIn(installed)
  for (const [dependency, version] of Object.entries(dependencies)) {
    if (bundleDependencies.includes(dependency)) continue
    const found = join(root, 'node_modules', dependency)
    expect([dependency, (await manifestIn(found)).version]).toEqual([dependency, version])
    const place = join(project, 'node_modules', dependency)
    await mkdir(dirname(place), { recursive: true })
    await symlink(found, place)
  }
}

const manifestIn = async (
  place: string,
): Promise<{ version: string; dependencies?: Record<string, string>; bundleDependencies?: string[] }> =>
  JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))

/** Compiles a file of the project. */
async function complaintsAbout(file: string): Promise<string> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  return compile(project)
}

it('a release has correct checksums, the chart, and a list of its contents', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const names = (await readdir(files)).filter((name) => name !== 'SHA256SUMS').sort()
  expect(names).toEqual(
    ['cdx.json', 'chart', 'cli', 'client', 'sdk', 'server']
      .map((name) => (name === 'cdx.json' ? `svc-${version}.cdx.json` : `svc-${name}-${version}.tgz`))
      .sort(),
  )
  const { stdout } = await execute('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: files })
  expect(stdout.trim().split('\n').sort()).toEqual(names.map((name) => `${name}: OK`))
  const chart = await execute('tar', ['--list', '--gzip', '--file', join(files, `svc-chart-${version}.tgz`)])
  expect(chart.stdout).toContain('svc/templates/deployment.yaml\n')
  const bill = JSON.parse(await readFile(join(files, `svc-${version}.cdx.json`), 'utf8'))
  const inside = bill.components.map(({ name }: { name: string }) => name)
  expect(inside).toEqual(expect.arrayContaining(['fastify', 'pg', 'nodemailer']))
  expect(inside).not.toContain('vitest')
})

// `sdk-package.test.ts` compiles a program with every entry point, in each way in which packages are found.
if (isFull)
  it('every entry point with types has the right ones', async () => {
    // What pages load by their addresses has no types.
    const scripts = ['svc.min.js', 'svc-live.min.js', 'svc-rare.js', 'svc-commerce.js']
    for (const name of ['sdk', 'client']) {
      const file = packed.find((path) => path.includes(`svc-${name}-`))!
      const exceptions = name === 'sdk' ? ['--exclude-entrypoints', ...scripts] : []
      // The SDK can be required, too.
      const profile = name === 'sdk' ? 'node16' : 'esm-only'
      await execute(join(bins, 'attw'), [file, '--profile', profile, '--format', 'ascii', ...exceptions])
    }
  })

it('a program compiles against the client and the SDK and runs on Node 20 and 24', async () => {
  const program = `import { ApiError, apiClient } from '@svc/client'
import { createClient, type Details } from '@svc/sdk'
import { typedFlags } from '@svc/sdk/typed'
import { verifyWebhook } from '@svc/sdk/webhooks'
const flags = createClient({ sdkKey: 'sdk_0', baseUrl: 'http://127.0.0.1:1', offline: true })
const details: Details<boolean> = flags.getDetails('checkout', true, { targetingKey: 'u-17' })
// @ts-expect-error a number is no boolean
const wrong: number = details.value
type Known = { 'page-size': { value: number; variation: 'small' | 'large' } }
const size: number = typedFlags<Known>(flags, { 'page-size': 10 }).get('page-size')
const refused: string = await verifyWebhook('{}', {}, 'secret').then(() => 'taken', ({ code }) => code)
if (details.value !== wrong as unknown || size !== 10 || refused !== 'missing_header') throw new Error('not as expected')
const api = apiClient({ baseUrl: 'http://127.0.0.1:1' })
const key: string = await api.GET('/api/v1/projects/{projectId}', { params: { path: { projectId: 'shop' } } }).then(
  ({ data }) => data!.data.key,
  (error: unknown) => (error instanceof ApiError ? error.code : 'other'),
)
console.log(key)
`
  await writeFile(join(project, 'program.ts'), program)
  expect(await complaintsAbout('program.ts')).toBe('')
  const printed = []
  for (const place of ['Node', 'Node 20'] as const) {
    const [command, ...given] = commandOf(place)
    printed.push((await execute(command!, [...given, 'program.js'], { cwd: project })).stdout.trim())
  }
  expect(new Set(printed).size).toBe(1)
  expect(printed[0]).toMatch(/^[a-z_]+$/)
})

it('the command line runs from the package on Node 20 and 24', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const yaml =
    'version: 1\nproject: { key: shop, name: Shop }\nflags:\n  one:\n    name: One\n    type: BOOLEAN\n    variations: { on: { name: On, value: true }, off: { name: Off, value: false } }\n'
  await writeFile(join(project, 'svc.yaml'), yaml)
  for (const place of ['Node', 'Node 20'] as const) {
    const [command, ...given] = commandOf(place)
    const svc = async (...args: string[]) =>
      (await execute(command!, [...given, 'node_modules/@svc/cli/svc.js', ...args], { cwd: project })).stdout
    expect(await svc('--version')).toContain(version)
    await writeFile(join(project, 'flags.ts'), await svc('generate', '--from', 'svc.yaml'))
  }
  expect(await complaintsAbout('flags.ts')).toBe('')
})

it('the server starts from the package and serves everything', async () => {
  const port = await freePort()
  const command = join(project, 'node_modules/@svc/server/packages/server/bin/svc-server.js')
  const settings = { SVC_PORT: String(port), SVC_DATA_DIR: join(folder, 'data') }
  const service = spawnNode([command, 'start'], settings)
  try {
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady, { timeout: startLimitMs, interval: 200 }).toBe(true)
    const health = await execute(process.execPath, [command, 'health'], { env: cleanEnvironment(settings) })
    expect(health.stdout).toBe('ready\n')
    for (const page of ['/', '/docs/quickstart', '/sdk/v1/svc.js', '/packages/svc-sdk.tgz', '/openapi.json'])
      expect([page, (await fetch(`http://127.0.0.1:${port}${page}`)).status]).toEqual([page, 200])
  } finally {
    await end(service)
  }
  expect(service.exitCode).toBe(0)
})
