import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { makeAuthority } from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { booleanFlag } from '../../packages/server/testing/boolean-flag.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { freePort } from '../../packages/server/testing/processes/port.ts'
import { rssBytesOf } from '../program.ts'
import { createDatabase } from '../webhooks/database.ts'
import { inspect } from './inspected.ts'

const requests = Number(process.env.SVC_SOAK_REQUESTS ?? 1_000_000)
const flags = 100
const lanes = 32
/** The shares of the requests after which memory is measured, with a collection. The rest runs without one. */
const looks = [0, 0.1, 0.25, 0.5, 0.75, 0.95]
const idleMs = 90_000

/**
 * Sends requests of every kind, with deliveries and streams, on both databases, or on the one that `SVC_SOAK_DATABASE`
 * names (`server` or `embedded`). Prints the memory of the process.
 */
export async function run(): Promise<void> {
  console.log(
    `\nSoak: ${requests.toLocaleString('en')} requests of every kind in ${lanes} lanes, with streams, switches and deliveries, ${cpus().length} cores, Node ${process.version}. RSS: the whole process with the embedded database, before a full garbage collection. Heap and outside: the main thread after it.`,
  )
  console.log('| database | requests | deliveries | RSS MB | heap MB | outside MB |\n|---|---|---|---|---|---|')
  if (isWanted('server')) await soakServer()
  if (isWanted('embedded')) await soak('embedded')
}

const isWanted = (database: 'server' | 'embedded'): boolean => (process.env.SVC_SOAK_DATABASE ?? database) === database

async function soakServer(): Promise<void> {
  const cluster = await startCluster()
  try {
    await soak('PostgreSQL', await createDatabase(cluster.url))
  } finally {
    await cluster.stop()
  }
}

async function soak(database: string, url?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-soak-'))
  const authority = await makeAuthority()
  const receiver = await startReceiver(await authority.issue(['localhost']))
  const secret = `svc_svc_${randomBytes(32).toString('base64url')}`
  const bootstrap = join(folder, 'provisioning.json')
  const token = { name: 'soak', secret, scopes: ['admin:*'], expiresAt: null }
  await writeFile(bootstrap, JSON.stringify({ organizations: [{ name: 'Soak', serviceTokens: [token] }] }))
  const service = await startInspected({
    NODE_EXTRA_CA_CERTS: authority.caPath,
    SVC_LOG_LEVEL: 'warn',
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_SECRET_KEY: randomBytes(32).toString('base64url'),
    SVC_BOOTSTRAP_FILE: bootstrap,
    SVC_RATE_LIMIT_READ: '100000000',
    SVC_RATE_LIMIT_WRITE: '100000000',
    SVC_WEBHOOK_ALLOWED_HOSTS: `localhost:${receiver.port}`,
    ...(url && { SVC_DATABASE_URL: url }),
  })
  const inspected = await inspect(service.debugger)
  const pool = new Pool(service.url, { connections: lanes, pipelining: 1 })
  try {
    const kinds = await kindsOf(pool, secret, receiver.port)
    const look = async (done: number, note = '') => {
      const rss = rssBytesOf(service.pid)
      const { heap, outside } = await inspected.collected()
      const counts = `${done.toLocaleString('en')}${note} | ${receiver.deliveries().toLocaleString('en')}`
      console.log(`| ${database} | ${counts} | ${mb(rss)} | ${mb(heap)} | ${mb(outside)} |`)
    }
    let done = 0
    const goOn = async (until: number) => {
      const lane = async () => {
        while (done < until) await kinds[done++ % kinds.length]!()
      }
      await Promise.all(Array.from({ length: lanes }, lane))
    }
    for (const part of looks) {
      await goOn(Math.floor(requests * part))
      await look(done)
    }
    await goOn(requests)
    await wait(idleMs)
    await look(done, `, ${idleMs / 1000} s idle`)
  } finally {
    inspected.close()
    await pool.close()
    await service.stop()
    await receiver.close()
    await authority.remove()
    await rm(folder, { recursive: true })
  }
}

type Kind = () => Promise<unknown>

/** The kinds of a hundred requests: mostly polling SDKs, and at least one of every other kind. */
async function kindsOf(pool: Pool, secret: string, receiverPort: number): Promise<Kind[]> {
  const authorization = `Bearer ${secret}`
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, headers = {}) => {
    const answer = await pool.request({
      method,
      path,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }
  const call = async (...request: Parameters<typeof send>) => {
    const { status, text } = await send(...request)
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${text}`)
    return JSON.parse(text).data
  }
  const refused = async (status: number, ...request: Parameters<typeof send>) => {
    const answer = await send(...request)
    if (answer.status !== status) throw new Error(`${request[0]} ${request[1]}: ${answer.status} ${answer.text}`)
  }
  const { id } = await call('POST', '/api/v1/projects', { name: 'Soak' })
  const project = `/api/v1/projects/${id}`
  const environments = (await call('GET', `${project}/environments`)) as { id: string; key: string; sdkKey: string }[]
  const { id: envId, sdkKey } = environments.find(({ key }) => key === 'production')!
  const places: string[] = []
  for (let number = 0; number < flags; number += 1) {
    const flag = await call('POST', `${project}/flags`, booleanFlag(`flag-${number}`))
    places.push(`${project}/flags/${flag.id}`)
    await call('POST', `${project}/flags/${flag.id}/envs/${envId}/rules`, {
      type: 'TARGETED_DELIVERY',
      name: 'Half of Belgium',
      conditions: { all: [{ attribute: 'country', operator: 'equals', value: 'BE' }] },
      trafficAllocation: 5000,
      variationKey: 'on',
    })
  }
  const hook = { name: 'soak', url: `https://localhost:${receiverPort}/`, events: ['flag.published', 'flag.updated'] }
  await call('POST', `${project}/webhooks`, hook)
  const file = `/api/sdk/v1/datafile/${sdkKey}.json`
  let etag = ''
  let turn = 0
  const next = () => places[turn++ % places.length]!
  const fetchFile: Kind = async () => {
    const { headers } = await send('GET', file, undefined, { 'accept-encoding': 'gzip' })
    etag = String(headers.etag)
  }
  const askAgain: Kind = () => send('GET', file, undefined, { 'if-none-match': etag })
  const heartbeat: Kind = () =>
    send('POST', '/api/sdk/heartbeat', {
      sdkKey,
      sdkType: 'node',
      sdkVersion: '1.0.0',
      instanceId: `instance-${turn++ % 2000}`,
      evaluatedFlags: ['flag-1', 'flag-2'],
    })
  const listen: Kind = async () => {
    const { body } = await pool.request({ method: 'GET', path: `/api/sdk/v1/stream/${sdkKey}` })
    for await (const _chunk of body) break
    body.destroy()
  }
  const turnOver: Kind = () =>
    call('POST', `${next()}/envs/${envId}/${Math.floor(turn / flags) % 2 === 0 ? 'run' : 'pause'}`)
  const edit: Kind = () => call('PATCH', next(), { description: `edit ${turn}` })
  const evaluate: Kind = () =>
    call('POST', `${project}/environments/${envId}/evaluate`, {
      context: { targetingKey: `u-${turn++}`, country: 'BE' },
    })
  const shares: [number, Kind][] = [
    [62, askAgain],
    [16, fetchFile],
    [4, () => call('GET', next())],
    [1, () => call('GET', `${project}/flags?limit=20`)],
    [1, () => call('GET', `${project}/environments`)],
    [1, () => call('GET', `${project}/events?limit=20`)],
    [1, evaluate],
    [6, heartbeat],
    [1, () => refused(401, 'GET', '/api/v1/me', undefined, { authorization: 'Bearer svc_svc_unknown' })],
    [1, () => refused(404, 'GET', `${project}/flags/none-${turn++}`)],
    [1, () => refused(400, 'POST', `${project}/flags`, { name: 17, unknown: 'x'.repeat(1000) })],
    [1, () => refused(404, 'GET', `/nowhere/${turn++}`)],
    [1, () => refused(404, 'GET', `/api/sdk/v1/datafile/sdk_${turn++}.json`)],
    [1, turnOver],
    [1, edit],
    [1, listen],
  ]
  // Spread out, so that requests of different kinds run at the same time.
  const all = shares.flatMap(([share, kind]) => Array<Kind>(share).fill(kind))
  return all.map((_kind, place) => all[(place * 37) % all.length]!)
}

/** Starts the program with a debugger on a free port. */
async function startInspected(settings: Record<string, string>) {
  const port = await freePort()
  const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', main], {
    env: { PATH: process.env.PATH, ...settings, SVC_PORT: String(port) },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const url = `http://127.0.0.1:${port}`
  const printed = createInterface({ input: child.stderr! })
  let address = ''
  for await (const line of printed) {
    address = /ws:\/\/\S+/.exec(line)?.[0] ?? ''
    if (address) break
    console.error(line)
  }
  child.stderr!.resume()
  while (child.exitCode === null && !(await isReady(url))) await wait(100)
  return {
    url,
    debugger: address,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function startReceiver({ key, cert }: { key: string; cert: string }) {
  let deliveries = 0
  const server = createServer({ key, cert }, (request, response) => {
    request.resume()
    deliveries += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    deliveries: () => deliveries,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const mb = (bytes: number): string => String(Math.round(bytes / 1_048_576))
