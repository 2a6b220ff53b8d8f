import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../packages/server/testing/process.ts'
import { packRelease } from '../scripts/release-packages.ts'
import { commandOf } from './runtimes.ts'
import { cleanEnvironment, end, root, spawnNode } from './service.ts'

const execute = promisify(execFile)
const bins = join(root, 'node_modules/.bin')
let folder: string
let project: string
let packed: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-release-'))
  const files = join(folder, 'files')
  packRelease(files)
  packed = (await readdir(files)).map((name) => join(files, name))
  project = join(folder, 'project')
  await execute('mkdir', [project])
  await writeFile(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  const [client, server] = ['client', 'server'].map((name) => packed.find((path) => path.includes(`svc-${name}-`))!)
  await execute('npm', ['install', '--no-audit', '--no-fund', client!, server!], { cwd: project })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('publint finds nothing in any package', async () => {
  expect(packed).toHaveLength(4)
  for (const file of packed) await execute(join(bins, 'publint'), ['run', '--strict', file])
})

it('every entry point with types has the right ones', async () => {
  // What pages load by their addresses has no types.
  const scripts = ['svc.min.js', 'svc-live.min.js', 'svc-rare.js']
  for (const name of ['sdk', 'client']) {
    const file = packed.find((path) => path.includes(`svc-${name}-`))!
    const exceptions = name === 'sdk' ? ['--exclude-entrypoints', ...scripts] : []
    await execute(join(bins, 'attw'), [file, '--profile', 'esm-only', '--format', 'ascii', ...exceptions])
  }
})

it('a program compiles against the client and runs on Node 20 and 24', async () => {
  const program = `import { ApiError, apiClient } from '@svc/client'
const api = apiClient({ baseUrl: 'http://127.0.0.1:1' })
const key: string = await api.GET('/api/v1/projects/{projectId}', { params: { path: { projectId: 'shop' } } }).then(
  ({ data }) => data!.data.key,
  (error: unknown) => (error instanceof ApiError ? error.code : 'other'),
)
console.log(key)
`
  await writeFile(join(project, 'program.ts'), program)
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
  await execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'program.ts'], {
    cwd: project,
  })
  const printed = []
  for (const place of ['Node', 'Node 20'] as const) {
    const [command, ...given] = commandOf(place)
    printed.push((await execute(command!, [...given, 'program.js'], { cwd: project })).stdout.trim())
  }
  expect(new Set(printed).size).toBe(1)
  expect(printed[0]).toMatch(/^[a-z_]+$/)
})

it('the server starts from the package and serves everything', async () => {
  const port = await freePort()
  const command = join(project, 'node_modules/@svc/server/packages/server/bin/svc-server.js')
  const settings = { SVC_PORT: String(port), SVC_DATA_DIR: join(folder, 'data') }
  const service = spawnNode([command, 'start'], settings)
  try {
    const health = () =>
      execute(process.execPath, [command, 'health'], { env: cleanEnvironment(settings) }).then(
        ({ stdout }) => stdout,
        String,
      )
    await expect.poll(health, { timeout: 60_000, interval: 200 }).toBe('ready\n')
    for (const page of ['/', '/docs/quickstart', '/sdk/v1/svc.js', '/packages/svc-sdk.tgz', '/openapi.json'])
      expect([page, (await fetch(`http://127.0.0.1:${port}${page}`)).status]).toEqual([page, 200])
  } finally {
    await end(service)
  }
  expect(service.exitCode).toBe(0)
})
