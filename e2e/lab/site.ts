import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../packages/server/testing/process.ts'
import { root } from '../service.ts'
import { type Api, apiOf } from './api.ts'
import { type KeptConnection, keptConnection } from './kept.ts'
import { labData } from './lab.ts'
import { type Proc, procOf } from './proc.ts'

// Only what hangs takes so long.
const startLimitMs = 120_000
// The limits on requests stay those of the default configuration: load is spread over many callers.
const tokenCount = 200

/** One process of the shipped program, in its default configuration. */
export interface Node {
  api: Api
  url: string
  proc: Proc
  /** From the start of the process to the line that says it is ready. */
  readyMs: number
  /** Of a processor, until then: it tells less about what else the machine was doing. */
  readyCpuMs: number
  /** kill -9: resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM: the exit code, and how long it took. */
  stop(): Promise<{ code: number | null; tookMs: number }>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** A connection of its own to the API. */
  keep(): KeptConnection
}

/** What outlives a process: its data folder or database, and its people. It goes with the lab. */
export interface Site {
  start(more?: Record<string, string>): Promise<Node>
}

export async function newSite(settings: Record<string, string> = {}): Promise<Site> {
  const dataDir = await mkdtemp(join(labData(), 'site-'))
  const file = join(dataDir, 'provisioning.json')
  const secrets = Array.from({ length: tokenCount }, () => `svc_svc_${randomBytes(32).toString('base64url')}`)
  const serviceTokens = secrets.map((secret, index) => ({ name: `t${index}`, secret, scopes: ['admin:*'] }))
  const organization = { name: 'Acme', projects: [{ name: 'Web shop' }], serviceTokens }
  await writeFile(file, JSON.stringify({ organizations: [organization] }))
  const given = { SVC_DATA_DIR: dataDir, SVC_BOOTSTRAP_FILE: file, ...settings }
  return { start: (more = {}) => startNode({ ...given, ...more }, secrets) }
}

async function startNode(settings: Record<string, string>, secrets: string[]): Promise<Node> {
  const port = await freePort()
  const startMs = performance.now()
  const child = spawn(process.execPath, [`${root}packages/server/src/main.ts`], {
    env: {
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
      SVC_PORT: String(port),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await untilReady(child)
  const readyMs = Math.round(performance.now() - startMs)
  const proc = procOf(child.pid!)
  const readyCpuMs = proc.cpuMs()
  const url = `http://127.0.0.1:${port}`
  let kept = 0
  return {
    api: apiOf(url, secrets),
    url,
    proc,
    keep: () => keptConnection(url, secrets[kept++ % secrets.length]!),
    readyMs,
    readyCpuMs,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      const fromMs = performance.now()
      child.kill('SIGTERM')
      return { code: await exited, tookMs: Math.round(performance.now() - fromMs) }
    },
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr!.on('data', (text) => {
    said = (said + text).slice(-4000)
  })
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`the program is not ready: ${said}`)), startLimitMs)
    child.once('exit', (code, signal) => reject(new Error(`the program ended with ${code ?? signal}: ${said}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.includes('"level":"error"') || line.includes('"level":"fatal"')) process.stderr.write(`${line}\n`)
      if (!line.includes('"Svc is ready"')) return
      clearTimeout(limit)
      resolve()
    })
  })
}
