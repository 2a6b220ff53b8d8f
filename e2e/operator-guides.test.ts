import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../packages/server/testing/databases/postgres.ts'
import { isFull } from '../packages/server/testing/full.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { output } from './output.ts'
import { cleanEnvironment, end, type RunningService, root, startService } from './service.ts'
import { withPrograms } from './shell.ts'

const execute = promisify(execFile)
/** Only a safety net. A block restores a backup first, which takes a minute on a busy machine. */
const startLimitMs = 400_000
let service: RunningService
let cluster: Cluster
let folder: string
/** The restored data folder. */
let restored: string
const started = new Set<ChildProcess>()

/** The commands of a guide: the indented blocks, in order. */
async function blocksOf(guide: string): Promise<string[]> {
  const lines = (await readFile(join(root, `docs/${guide}.md`), 'utf8')).split('\n')
  const blocks: string[] = []
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('    ')) continue
    if (lines[index - 1]?.startsWith('    ')) blocks.push(`${blocks.pop()}\n${line.trim()}`)
    else blocks.push(line.trim())
  }
  return blocks
}

const environment = (settings: Record<string, string>) => ({
  ...cleanEnvironment(settings),
  ...withPrograms,
})

/** `npx` takes a second to find the program that is also in the path. One guide runs it as it is written. */
const withoutNpx = (block: string): string => block.replaceAll('npx svc-server', 'svc-server')

async function run(block: string, settings: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await execute('sh', ['-euc', block], { cwd: root, env: environment(settings) })
  return stdout + stderr
}

/** Runs a block whose last command starts the service, until it is ready. */
async function start(block: string, settings: Record<string, string>): Promise<void> {
  const shell = spawn('sh', ['-euc', withoutNpx(block).replace(/svc-server start$/, 'exec svc-server start')], {
    cwd: root,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.add(shell)
  await output(shell).until('Svc is ready', startLimitMs)
}

/** A new data folder, with the key of the service. */
async function folderWithKey(name: string): Promise<string> {
  const made = join(folder, name)
  await mkdir(made, { mode: 0o700 })
  await copyFile(join(service.dataDir, 'secret-key'), join(made, 'secret-key'))
  return made
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-operator-'))
  service = await startService()
  await service.call('POST', '/api/v1/projects', { name: 'Web shop', key: 'web-shop' })
  cluster = await startCluster()
})
afterEach(async () => {
  for (const child of started) await end(child)
  started.clear()
})
afterAll(async () => {
  await service?.stop()
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('docs/upgrade.md: the new version is asked before anything changes', async () => {
  const blocks = await blocksOf('upgrade')
  expect(blocks).toEqual(['npx svc-server doctor'])
  const printed = await run(blocks[0]!, { SVC_DATA_DIR: service.dataDir, SVC_PORT: new URL(service.url).port })
  expect(printed).toMatch(/^ok {2,}/m)
})

it('docs/backup.md: a running service is backed up, restored, and rehearsed', async () => {
  const [back, restore, rehearse, ...others] = await blocksOf('backup')
  expect(others).toEqual([])
  const place = join(folder, 'backups')
  await mkdir(place)
  await run(withoutNpx(back!).replace('/var/backups/svc', place), { SVC_DATA_DIR: service.dataDir })
  const [name] = await readdir(place)
  const named = (block: string) => block.replace(/svc-2027-\S+\.tar\.gz/, join(place, name!))
  restored = await folderWithKey('restored')
  const port = String(await freePort())
  await start(named(restore!), { SVC_DATA_DIR: restored, SVC_PORT: port })
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/projects`, {
    headers: { authorization: `Bearer ${service.token}` },
  })
  expect(((await answer.json()) as { data: { key: string }[] }).data.map(({ key }) => key)).toEqual(['web-shop'])
  for (const child of started) await end(child)

  expect(rehearse).toMatch(/\nnpx svc-server restore --drill svc-2027-\S+\.tar\.gz\nnpx svc-server start$/)
  // The same commands once more; `backup.test.ts` shows what `--drill` changes.
  if (!isFull) return
  const rehearsal = await folderWithKey('rehearsal')
  const elsewhere = named(rehearse!)
    .replace('/tmp/svc-rehearsal', rehearsal)
    .replace('4999', String(await freePort()))
  await start(elsewhere, {})
})

it('docs/move.md: the data folder moves to a server', async () => {
  const [create, move, begin, ...others] = await blocksOf('move')
  expect([others, create]).toEqual([[], expect.stringContaining('createdb --owner svc --encoding UTF8 svc')])
  const moved = move!
    .replace('postgres://svc:password@db.internal/svc', cluster.url)
    .replace('$PWD/data/secret-key', join(restored, 'secret-key'))
  const printed = await run(withoutNpx(moved), { SVC_DATA_DIR: restored })
  expect(printed).toMatch(/moved|compared/i)
  const port = String(await freePort())
  const settings = { SVC_DATA_DIR: restored, SVC_DATABASE_URL: cluster.url, SVC_PORT: port }
  await start(begin!, { ...settings, SVC_SECRET_KEY_FILE: join(restored, 'secret-key') })
})
