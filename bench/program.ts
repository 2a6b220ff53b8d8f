import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { booleanFlag } from '../packages/server/testing/boolean-flag.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'

/** A program in its own process that is ready. */
export interface Program {
  port: number
  pid: number
  /** The CPU time of all its threads since the start. */
  cpuSeconds(): number
  rssBytes(): number
  stop(): Promise<void>
}

const ticksPerSecond = 100
const secret = `svc_svc_${'b'.repeat(43)}`
const flags = 500

/** Starts a program that listens on `SVC_PORT` and then prints a line with `ready`. */
export async function startProgram(file: URL, env: Record<string, string> = {}): Promise<Program> {
  const port = await freePort()
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    env: { PATH: process.env.PATH, SVC_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout! })) if (line.includes('ready')) break
  child.stdout!.resume()
  return {
    port,
    pid: child.pid!,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    rssBytes: () => rssBytesOf(child.pid!),
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** The resident memory of a process, in bytes. */
export const rssBytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024

export interface SvcProgram extends Program {
  sdkKey: string
  /** Runs or pauses one of the 500 flags. Resolves with the answer of the call. */
  toggle(): Promise<{ revision: number }>
}

/** Starts the service on its embedded database, with an environment of 500 flags. */
export async function startSvc(): Promise<SvcProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const bootstrap = join(folder, 'provisioning.json')
  const serviceTokens = [{ name: 'bench', secret, scopes: ['admin:*'] }]
  const organizations = [{ name: 'Bench', projects: [{ name: 'Bench' }], serviceTokens }]
  await writeFile(bootstrap, JSON.stringify({ organizations }))
  const program = await startProgram(new URL('../packages/server/src/main.ts', import.meta.url), {
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_BOOTSTRAP_FILE: bootstrap,
    SVC_RATE_LIMIT_READ: '1000000',
    SVC_RATE_LIMIT_WRITE: '1000000',
    SVC_STREAMS_PER_ADDRESS: '1000000',
    SVC_LOG_LEVEL: 'info',
  })
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${program.port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return ((await response.json()) as { data: never }).data
  }
  const [project] = (await call('GET', '/projects')) as { id: string }[]
  const path = `/projects/${project!.id}`
  const environments = (await call('GET', `${path}/environments`)) as { id: string; key: string; sdkKey: string }[]
  const production = environments.find(({ key }) => key === 'production')!
  const ids: string[] = []
  for (let place = 0; place < flags; place += 1) {
    const { id } = (await call('POST', `${path}/flags`, booleanFlag(`flag-${place}`))) as { id: string }
    ids.push(id)
  }
  let toggles = 0
  return {
    ...program,
    sdkKey: production.sdkKey,
    async toggle() {
      const verb = toggles % 2 === 0 ? 'run' : 'pause'
      toggles += 1
      const { dataFile } = (await call('POST', `${path}/flags/${ids[0]}/envs/${production.id}/${verb}`)) as {
        dataFile: { revision: number }
      }
      return dataFile
    },
    async stop() {
      await program.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
