import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../processes/port.ts'
import { scratchFolder } from '../scratch.ts'
import { findPrograms } from './postgres-programs.ts'

const run = promisify(execFile)

const startLimitMs = 120_000
const stopLimitMs = 60_000
const account = 'postgres'

export interface Cluster {
  /** The address of the database `postgres`, as its superuser. */
  url: string
  /** kill -9 of all processes, as in a crash of the machine. */
  kill(): Promise<void>
  /** Starts again after `kill`, on the same folder and port. Resolves when it accepts connections. */
  start(): Promise<void>
  /** Whether it ended by itself, or was killed. */
  hasEnded(): boolean
  /** Stops all processes where they are: the kernel accepts connections, and nobody answers. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Where the files of a PostgreSQL are. Default of both: a scratch folder. */
export interface Disks {
  data?: string
  log?: string
}

/** A separate PostgreSQL on a free port of the loopback interface. It is deleted when it stops. */
export async function startCluster(overrides: Record<string, string> = {}, disks: Disks = {}): Promise<Cluster> {
  const programs = findPrograms()
  if (programs === undefined) throw new Error('no PostgreSQL server programs: node scripts/system.ts gets them')
  const folder = disks.data ? await mkdtemp(join(disks.data, 'postgres-')) : await scratchFolder('svc-postgres')
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? ids(account) : undefined
  if (owner) await chown(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  await run(
    join(programs, 'initdb'),
    [
      ...['--pgdata', data, '--username', account, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'],
      '--no-sync',
      // Megabytes. The search for secrets reads whole files of the log.
      '--wal-segsize=1',
      ...(disks.log ? ['--waldir', join(disks.log, 'log')] : []),
    ],
    { ...owner, cwd: folder },
  )
  const port = await freePort()
  const launch = () =>
    spawn(join(programs, 'postgres'), ['-D', data, ...settings(folder, port, overrides)], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  let server = launch()
  // An interrupted run must not leave a server behind, not even a frozen one.
  const end = () => void (server.kill('SIGQUIT') && server.kill('SIGCONT'))
  process.once('exit', end)
  const stop = async () => {
    process.off('exit', end)
    await stopServer(server)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answering(server)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `postgres://${account}@127.0.0.1:${port}/postgres`,
    async kill() {
      const exited = once(server, 'exit')
      signal(server, 'SIGKILL')
      await exited
    },
    async start() {
      for (;;)
        try {
          server = launch()
          return await answering(server)
        } catch (error) {
          // Processes of a server that was killed can have its memory for a moment longer, and then it does not start.
          if (!String(error).includes('shared memory block')) throw error
        }
    },
    hasEnded: () => server.exitCode !== null || server.signalCode !== null,
    freeze: () => signal(server, 'SIGSTOP'),
    thaw: () => signal(server, 'SIGCONT'),
    stop,
  }
}

const settings = (folder: string, port: number, overrides: Record<string, string>): string[] =>
  Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 300,
    shared_buffers: '64MB',
    // A checkpoint stalls every test. The log that is kept is what the search for secrets reads.
    checkpoint_timeout: '1h',
    max_wal_size: '2GB',
    wal_keep_size: '1GB',
    // Its workers go through each of the short-lived databases, and plans would depend on whether they have been there.
    autovacuum: 'off',
    // It takes longer to compile a statement than to run it on the rows of a test.
    jit: 'off',
    ...overrides,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Signals all processes, because a stopped postmaster neither starts children nor notices their end. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  process.kill(pid!, 'SIGSTOP')
  const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const child of children)
    try {
      process.kill(Number(child), name)
    } catch (error) {
      // It has ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  process.kill(pid!, name)
}

function ids(user: string): { uid: number; gid: number } {
  const id = (which: '-u' | '-g') => Number(execFileSync('id', [which, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function answering(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const limit = setTimeout(() => reject(new Error(`PostgreSQL did not start: ${said}`)), startLimitMs)
    // After `exit`, a part of what it said can still come.
    server.once('close', () => reject(new Error(`PostgreSQL stopped: ${said}`)))
    server.once('error', reject)
    server.stderr?.on('data', (text: Buffer) => {
      said = (said + text).slice(-4_000)
      if (!said.includes('ready to accept connections')) return
      clearTimeout(limit)
      resolve()
    })
  })
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  server.kill('SIGINT')
  const limit = setTimeout(() => server.kill('SIGQUIT'), stopLimitMs)
  await exited
  clearTimeout(limit)
}

/** Runs statements outside a transaction, as `create database` requires, and returns the rows of the last one. */
export async function execute(url: string, ...texts: string[]): Promise<string[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: string[][] = []
    for (const text of texts) ({ rows } = await client.query<string[]>({ text, rowMode: 'array' }))
    return rows
  } finally {
    await client.end()
  }
}
