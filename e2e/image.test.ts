import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { makeRuntimeTree } from '../scripts/runtime-tree.ts'
import { end } from './service.ts'

const execute = promisify(execFile)
/** The user of the image. */
const user = 10_001
let folder: string
let tree: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-image-'))
  tree = join(folder, 'app')
  await chmod(folder, 0o755)
  makeRuntimeTree(tree)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('the image holds no test, source map or type declaration', () => {
  expect(globSync('**/*.{test.ts,test.js,map,d.ts,d.mts}', { cwd: tree })).toEqual([])
  expect(globSync('packages/*/{test,testing}', { cwd: tree })).toEqual([])
})

it('the image takes at most 40 MB compressed, beside the 80 MB of its base', async () => {
  const tar = spawn('tar', ['--create', '--directory', folder, 'app'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let bytes = 0
  for await (const chunk of tar.stdout.pipe(createGzip())) bytes += (chunk as Buffer).length
  expect(bytes).toBeGreaterThan(10_000_000)
  expect(bytes).toBeLessThan(40_000_000)
})

it('the image runs as a user that cannot write to it, answers its health check and stops', async () => {
  // Only root can become another user. Elsewhere the service runs as the caller.
  const isRoot = process.getuid?.() === 0
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (isRoot) await chown(data, user, user)
  const port = await freePort()
  const options = {
    cwd: '/',
    env: {
      PATH: '/usr/bin:/bin',
      SVC_HOST: '0.0.0.0',
      SVC_PORT: String(port),
      SVC_DATA_DIR: data,
      NODE_ENV: 'production',
    },
    ...(isRoot && { uid: user, gid: user }),
  }
  const program = join(tree, 'packages/server/bin/svc-server.js')
  const node = join(folder, 'node')
  await execute('cp', [process.execPath, node])
  const service = spawn(node, [program, 'start'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
    })
  const exited = once(service, 'exit')
  try {
    const health = () => execute(node, [program, 'health'], options).then(({ stdout }) => stdout, String)
    await expect.poll(health, { timeout: 60_000, interval: 200 }).toBe('ready\n')
    const pages = ['/', '/docs/', '/sdk/v1/svc.js', '/packages/svc-sdk.tgz', '/packages/svc-cli.tgz', '/openapi.json']
    const found = await Promise.all(
      pages.map(async (page) => [page, (await fetch(`http://127.0.0.1:${port}${page}`)).status]),
    )
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(pages.map((page) => [page, 200])))
  } finally {
    await end(service)
    expect(await exited, printed).toEqual([0, null])
  }
})
