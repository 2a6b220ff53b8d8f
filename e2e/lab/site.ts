import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from '../../packages/server/testing/databases/address.ts'
import { type ServiceProcess, startProcess } from '../../packages/server/testing/processes/process.ts'
import { copyFolder } from '../../packages/server/testing/scratch.ts'
import { secrets as seen } from '../../packages/server/testing/secrets.ts'
import { expectNotAtRest, expectNotLogged } from '../../packages/server/testing/secrets-search.ts'
import { type Api, apiOf } from './api.ts'
import { type KeptConnection, keptConnection } from './kept.ts'
import { labData, labTemplate } from './lab.ts'
import { type Proc, procOf } from './proc.ts'

// The rate limits keep their default, so the load is spread over many callers.
const tokenCount = 200

/** One process of the program in its default configuration. */
export interface Node {
  api: Api
  url: string
  proc: Proc
  /** From the start of the process to the log line that says it is ready. */
  readyMs: number
  /** Processor time until then. It depends less on the load of the machine. */
  readyCpuMs: number
  /** Sends kill -9. Resolves when the process is gone. */
  kill(): Promise<void>
  /** Sends SIGTERM. Returns the exit code and the duration. */
  stop(): Promise<{ code: number | null; tookMs: number }>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Opens a kept connection to the API. */
  keep(): KeptConnection
}

/** The data folder or database, and the people. It outlives a process and is deleted with the lab. */
export interface Site {
  start(more?: Record<string, string>): Promise<Node>
}

/** `more`: of the organization in the provisioning file. */
export async function newSite(settings: Record<string, string> = {}, more: object = {}): Promise<Site> {
  const dataDir = await mkdtemp(join(labData(), 'site-'))
  if (!settings.SVC_DATABASE_URL && !settings.SVC_DATA_DIR) await copyFolder(labTemplate(), dataDir)
  const file = join(dataDir, 'provisioning.json')
  const secrets = Array.from({ length: tokenCount }, () => `svc_svc_${randomBytes(32).toString('base64url')}`)
  const serviceTokens = secrets.map((secret, index) => ({ name: `t${index}`, secret, scopes: ['admin:*'] }))
  const organization = { name: 'Acme', projects: [{ name: 'Web shop' }], serviceTokens, ...more }
  await writeFile(file, JSON.stringify({ organizations: [organization] }))
  const given = {
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS!,
    SVC_DATA_DIR: dataDir,
    SVC_BOOTSTRAP_FILE: file,
    SVC_METRICS_TOKEN: metricsBearer.authorization.slice('Bearer '.length),
    ...settings,
  }
  sites.push({ dataDir: given.SVC_DATA_DIR, ...(settings.SVC_DATABASE_URL && { url: settings.SVC_DATABASE_URL }) })
  return { start: (more = {}) => startNode({ ...given, ...more }, secrets) }
}

/** The credential for `/metrics` of every node. */
export const metricsBearer = { authorization: `Bearer metrics-${'m'.repeat(20)}` }

const sites: Address[] = []
const running = new Set<ServiceProcess>()

/** Searches the logs and databases of all sites. Throws if one contains a secret; returns the number of secrets. */
export async function searchSites(): Promise<number> {
  for (const { printed } of running) await expectNotLogged(printed())
  for (const site of sites) await expectNotAtRest(site)
  return seen.all().length
}

async function startNode(settings: Record<string, string>, secrets: string[]): Promise<Node> {
  const startMs = performance.now()
  const service = await startProcess(settings, (line) => {
    if (line.includes('"level":"error"') || line.includes('"level":"fatal"')) process.stderr.write(`${line}\n`)
  })
  const readyMs = Math.round(performance.now() - startMs)
  const { url, pid } = service
  const proc = procOf(pid)
  const readyCpuMs = proc.cpuMs()
  running.add(service)
  let kept = 0
  return {
    api: apiOf(url, secrets),
    url,
    proc,
    keep: () => keptConnection(url, secrets[kept++ % secrets.length]!),
    readyMs,
    readyCpuMs,
    signal: (name) => process.kill(pid, name),
    async kill() {
      await service.kill()
      running.delete(service)
    },
    async stop() {
      const fromMs = performance.now()
      const code = await service.stop()
      const tookMs = Math.round(performance.now() - fromMs)
      running.delete(service)
      return { code, tookMs }
    },
  }
}
