import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { nodeFlags } from '../../testing/processes/node-flags.ts'
import { freePort } from '../../testing/processes/port.ts'
import { startProcess } from '../../testing/processes/process.ts'
import { programOf, sources } from '../../testing/processes/program.ts'
import { surroundings } from '../../testing/processes/surroundings.ts'
import { createProject, joinTestService, startTestService } from '../../testing/service.ts'

const main = programOf('main')
const taken = createServer()
let folder: string
let takenPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-ground-'))
  await writeFile(join(folder, 'file'), '')
  await mkdir(join(folder, 'bad-key'))
  await writeFile(join(folder, 'bad-key', 'secret-key'), 'hunter2\n')
  await writeFile(join(folder, 'provisioning.json'), '{ "organizations": [{ "name": 7 }] }')
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  takenPort = (taken.address() as AddressInfo).port
})
afterAll(async () => {
  taken.close()
  await rm(folder, { recursive: true })
})

async function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, [...nodeFlags, main], {
    env: {
      ...surroundings(),
      SVC_PORT: String(await freePort()),
      SVC_DATA_DIR: join(folder, 'data'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, lines: err.trimEnd().split('\n'), code }
}

const inside = (name: string) => join(folder, name)

test.each<[string, () => Record<string, string>, () => string[]]>([
  [
    'a port that is in use',
    () => ({ SVC_PORT: String(takenPort) }),
    () => [
      `SVC_PORT must be a free port (got ${takenPort}): another program already listens on 127.0.0.1:${takenPort}.`,
    ],
  ],
  [
    'a metrics port that is in use',
    () => ({ SVC_METRICS_PORT: String(takenPort) }),
    () => [
      `SVC_METRICS_PORT must be a free port (got ${takenPort}): another program already listens on 127.0.0.1:${takenPort}.`,
    ],
  ],
  [
    'a file in place of the data folder',
    () => ({ SVC_DATA_DIR: inside('file') }),
    () => [`SVC_DATA_DIR: cannot create ${inside('file')}: a file of that name exists.`],
  ],
  [
    'a folder that cannot be created',
    () => ({ SVC_DATA_DIR: '/proc/x' }),
    () => ['SVC_DATA_DIR: cannot create /proc/x: the system refuses /proc/x (ENOENT).'],
  ],
  [
    'an invalid key',
    () => ({ SVC_DATA_DIR: inside('bad-key') }),
    () => [`SVC_DATA_DIR: ${inside('bad-key')}/secret-key must hold 32 random bytes in base64url, 43 characters.`],
  ],
  [
    'several faults',
    () => ({
      SVC_PORT: String(takenPort),
      SVC_DATA_DIR: inside('file'),
      SVC_BOOTSTRAP_FILE: inside('provisioning.json'),
    }),
    () => [
      `SVC_PORT must be a free port (got ${takenPort}): another program already listens on 127.0.0.1:${takenPort}.`,
      `SVC_DATA_DIR: cannot create ${inside('file')}: a file of that name exists.`,
      'SVC_BOOTSTRAP_FILE: organizations[0].name must be a string (got a number).',
    ],
  ],
])('%s: the start is refused before anything is created', async (_what, settings, problems) => {
  const before = await readdir(folder, { recursive: true })
  const { out, lines, code } = await start(settings())
  expect(lines).toEqual(problems().map((problem) => `svc: ${problem}`))
  expect([out, code]).toEqual(['', 1])
  expect(await readdir(folder, { recursive: true })).toEqual(before)
})

/** Every file and folder that other accounts can access. */
async function openToOthers(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true })
  const modes = await Promise.all(
    ['', ...names].map(async (name) => {
      // A running database removes files of its log and temporary files.
      const found = await stat(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return [name, found?.mode ?? 0] as const
    }),
  )
  expect(modes.length).toBeGreaterThan(1_000)
  return modes.filter(([, mode]) => mode & 0o077).map(([name, mode]) => `${name} ${(mode & 0o777).toString(8)}`)
}

test('a data folder that other accounts could access is closed at the start, including new files', async () => {
  const { address, remove } = await createTestDatabase()
  for (const name of ['', ...(await readdir(address.dataDir, { recursive: true }))]) {
    const path = join(address.dataDir, name)
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o666)
  }
  const service = await startTestService({ address })
  expect(await openToOthers(address.dataDir)).toEqual([])
  expect(service.logged()).toContain('the data folder was open to other accounts; it has been closed')
  await sql`create table grown as select repeat('x', 1000) from generate_series(1, 20000)`.execute(service.db)
  await sql`checkpoint`.execute(service.db)
  await service.stop()
  expect(await openToOthers(address.dataDir)).toEqual([])
  await service.close()
  await remove()
})

test('a start without the secret key is refused while sealed secrets exist, and the message says what to do', async () => {
  const first = await startTestService({ settings: { SVC_SECRET_KEY: '', SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost' } })
  const path = join(first.address.dataDir, 'secret-key')
  const { path: project } = await createProject(first)
  await first.stop()

  await rm(path)
  const second = await joinTestService(first)
  const webhook = { name: 'Orders', url: 'https://localhost/hook', events: ['flag.created'] }
  const created = await second.call(second.people.admin, 'POST', `${project}/webhooks`, webhook)
  expect(created.status, created.text).toBe(201)
  await second.stop()

  await rm(path)
  await expect(joinTestService(first)).rejects.toThrow(
    `SVC_SECRET_KEY: ${path} is missing, and 1 webhook secret and 0 second factors in the database`,
  )
  await expect(stat(path)).rejects.toThrow('ENOENT')

  await writeFile(path, `${'A'.repeat(43)}\n`)
  await (await joinTestService(first)).stop()
  await first.close()
})

test('a separate metrics port requires no token and serves nothing else', async () => {
  const port = await freePort()
  const { address, remove } = await createTestDatabase()
  const running = await startProcess({ SVC_DATA_DIR: address.dataDir, SVC_METRICS_PORT: String(port) })
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)])
  expect(await answer.text()).toContain('process_cpu_seconds_total')
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${running.url}/metrics`)).status).toBe(404)
  expect(await running.stop()).toBe(0)
  await remove()
})

test('a first start in a terminal prints address, link and files in one block, then readable lines; other accounts cannot access its data folder, nor files that the database creates later', async () => {
  const dataDir = inside('first')
  // As `npm start` starts it. The other tests start the bundle.
  const child = spawn(process.execPath, [...nodeFlags, sources.main], {
    env: {
      ...surroundings(),
      SVC_PORT: String(await freePort()),
      SVC_DATA_DIR: dataDir,
      SVC_LOG_FORMAT: 'pretty',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    printed += chunk
    if (!printed.includes('Token for programs') || child.killed) continue
    expect(await openToOthers(dataDir)).toEqual([])
    child.kill('SIGTERM')
  }
  expect(await openToOthers(dataDir)).toEqual([])
  expect(printed).not.toContain('open to other accounts')
  expect(printed).toMatch(/^\d\d:\d\d:\d\d info {2}migrated the database applied=/)
  expect(printed).toMatch(
    /\n {2}Svc is ready\. .*\n\n {2}Dashboard +http:\/\/127\.0\.0\.1:\d+\n {2}Create the owner +http:\S+\/sign-up#[\w-]{43} /,
  )
  expect(printed).toMatch(/\n {2}Docs +http:\/\/127\.0\.0\.1:\d+\/docs\n/)
  expect(printed).toContain(`Data                ${dataDir}\n`)
  expect(printed).toContain(`Token for programs  ${dataDir}/initial-token  (it can do everything)\n`)
  expect(printed).toMatch(/\n\d\d:\d\d:\d\d info {2}shutting down signal=SIGTERM\n$/)
  expect(printed.match(/sign-up#/g)).toHaveLength(1)
})
