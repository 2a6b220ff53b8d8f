import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { booleanFlag } from '../packages/server/testing/boolean-flag.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { startProcess } from '../packages/server/testing/processes/process.ts'

/** The program in its own process, with a client of its API. */
export interface Site {
  call<Data>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Data>
  /** Where the service listens. */
  url(): string
  settings: Record<string, string>
  /** The folder of the embedded database. */
  dataFolder: string
  pid(): number
  stop(): Promise<unknown>
  /** Starts it again on the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

/** A project with that many flags: its address and the id of its production environment. */
export interface Project {
  address: string
  production: string
}

const connections = 32
const lanesOf = 8

/**
 * Opens a site. `url` is the database; without it, the embedded database in a new folder. `members` can sign in to the
 * dashboard. `more` are further settings.
 */
export async function openSite(url?: string, members: object[] = [], more: Record<string, string> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-writing-'))
  const secret = `svc_svc_${randomBytes(32).toString('base64url')}`
  const bootstrap = join(folder, 'provisioning.json')
  const token = { name: 'bench', secret, scopes: ['admin:*'], expiresAt: null }
  await writeFile(
    bootstrap,
    JSON.stringify({
      organizations: [{ name: 'Bench', projects: [], members, serviceTokens: [token] }],
    }),
  )
  const dataFolder = join(folder, 'data')
  const settings = {
    SVC_DATA_DIR: dataFolder,
    SVC_LOG_LEVEL: 'info',
    SVC_PORT: String(await freePort()),
    SVC_SECRET_KEY: randomBytes(32).toString('base64url'),
    SVC_BOOTSTRAP_FILE: bootstrap,
    SVC_RATE_LIMIT_READ: '100000000',
    SVC_RATE_LIMIT_WRITE: '100000000',
    SVC_RATE_LIMIT_EVENTS: '100000000',
    SVC_STREAMS_PER_ADDRESS: '100000000',
    ...(url && { SVC_DATABASE_URL: url }),
    ...more,
  }
  let service = await startProcess(settings)
  const pool = new Pool(service.url, { connections })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const call = async <Data>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Data> => {
    const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text).data
  }
  return {
    call,
    url: () => service.url,
    settings,
    dataFolder,
    pid: () => service.pid,
    stop: () => service.stop(),
    async start() {
      service = await startProcess(settings)
    },
    async close() {
      await pool.close()
      await service.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export async function addProject(site: Pick<Site, 'call'>, flags: number): Promise<Project> {
  const { id } = await site.call<{ id: string }>('POST', '/api/v1/projects', { name: `With ${flags} flags` })
  const address = `/api/v1/projects/${id}`
  const environments = await site.call<{ id: string; key: string }[]>('GET', `${address}/environments`)
  const project = { address, production: environments.find(({ key }) => key === 'production')?.id ?? '' }
  const numbers = Array.from({ length: flags }, (_, number) => number)
  await inLanes(numbers, (number) => createFlag(site, project, `old-${number}`))
  return project
}

export const createFlag = ({ call }: Pick<Site, 'call'>, { address }: Project, key: string): Promise<{ id: string }> =>
  call('POST', `${address}/flags`, booleanFlag(key))

/** Runs `work` for each item, by default eight at a time. Returns the milliseconds that each took. */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  lanes = lanesOf,
): Promise<number[]> {
  const tookMs: number[] = []
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) {
      const startedMs = performance.now()
      await work(item)
      tookMs.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return tookMs
}
