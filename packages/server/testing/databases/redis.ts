import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../processes/port.ts'

const programs = ['redis-server', 'valkey-server']
const startLimitMs = 60_000

export interface RedisProcess {
  url: string
  /** kill -9, without telling clients. Resolves when the process is gone. */
  kill(): Promise<void>
  /** Starts again, empty, on the same port. */
  restart(): Promise<void>
  /** Stops with open connections until `resume`. */
  freeze(): void
  resume(): void
}

/** A separate Redis or Valkey on a free port of the loopback interface. It writes nothing to disk. */
export async function startRedis(): Promise<RedisProcess> {
  const port = await freePort()
  let server = await launch(port)
  // An interrupted run must not leave a server behind.
  process.once('exit', () => server.kill('SIGKILL'))
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const exited = once(server, 'exit')
      server.kill('SIGKILL')
      await exited
    },
    async restart() {
      server = await launch(port)
    },
    freeze: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
  }
}

async function launch(port: number): Promise<ChildProcess> {
  for (const program of programs) {
    const server = spawn(program, settings(port), { stdio: ['ignore', 'pipe', 'ignore'] })
    if (await isThere(server)) return accepting(server)
  }
  throw new Error(`none of ${programs.join(', ')} is in the PATH: node scripts/system.ts gets one`)
}

const settings = (port: number): string[] =>
  Object.entries({ port, bind: '127.0.0.1', save: '', appendonly: 'no' }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ])

const isThere = (server: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('spawn', () => resolve(true))
    server.once('error', () => resolve(false))
  })

async function accepting(server: ChildProcess): Promise<ChildProcess> {
  const limit = setTimeout(() => server.kill('SIGKILL'), startLimitMs)
  for await (const line of createInterface({ input: server.stdout! })) {
    if (!/ready to accept connections/i.test(line)) continue
    clearTimeout(limit)
    server.stdout!.resume()
    return server
  }
  throw new Error('Redis did not start')
}
