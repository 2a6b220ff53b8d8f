import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cluster, execute, startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { reaches } from './api.ts'
import { fillDiskOf } from './filling.ts'
import { labData } from './lab.ts'
import { type Fault, runEach, since } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: the program beside a PostgreSQL server on a small disk, which a different program fills. The disk is
// a mount of the lab, and ends with it.

const diskSize = '220m'
const eventsInBatch = 500
const refusals = 10
/** So that some batches find room. */
const roomBytes = 6_000_000
const mostBatches = 2_000
/** Not compressed by PostgreSQL, so that the disk is full soon. */
const unit = () => Array.from({ length: 10 }, () => randomUUID()).join('')

const owner = { email: 'olive@harbour.test', name: 'Olive', password: 'violet lantern over 42 harbours' }

async function fillDisk({ isLogElsewhere }: { isLogElsewhere: boolean }): Promise<Fault> {
  // PostgreSQL has an account of its own.
  await chmod(labData(), 0o711)
  const data = await mountedDisk()
  const settings = { synchronous_commit: 'on', wal_keep_size: '0', max_wal_size: '16MB', checkpoint_timeout: '30s' }
  const cluster = await startCluster(settings, { data, ...(isLogElsewhere && { log: await mountedDisk() }) })
  clusters.push(cluster)
  const site = await newSite(
    { SVC_DATABASE_URL: cluster.url, SVC_SECRET_KEY: 'A'.repeat(43) },
    { members: [{ ...owner, role: 'OWNER' }] },
  )
  const node = await site.start()
  const { api, url } = node
  const violations: string[] = []
  const [project] = await api.call('GET', '/api/v1/projects')
  const [{ sdkKey }] = await api.call('GET', `/api/v1/projects/${project.id}/environments`)
  const problems = await signedIn(url)

  const acknowledged: string[] = []
  const refused: object[][] = []
  const statuses: Record<string, number> = {}
  const send = async (events: object[]) => {
    const answer = await fetch(`${url}/api/sdk/v1/events`, { method: 'POST', body: JSON.stringify({ sdkKey, events }) })
    const said = await answer.text()
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (![202, 503, 429].includes(answer.status)) violations.push(`events were answered with ${answer.status} ${said}`)
    if (answer.status === 503 && answer.headers.get('retry-after') === null) violations.push('503 without Retry-After')
    return { status: answer.status, said }
  }
  const idsOf = (events: object[]) => events.map((event) => (event as { id: string }).id)

  const filler = fillDiskOf(data, roomBytes)
  let told = false
  let unready = false
  for (let count = 0; refused.length < refusals && count < mostBatches; count += 1) {
    const events = batch()
    const { status } = await send(events)
    if (status === 202) acknowledged.push(...idsOf(events))
    else refused.push(events)
    if (status !== 202) {
      const served = await fetch(`${url}/api/sdk/v1/datafile/${sdkKey}.json`)
      await served.text()
      if (served.status !== 200) violations.push(`the data file was answered with ${served.status}`)
      told ||= (await problems()).includes('EVENTS_STOPPED disk')
      unready ||= (await fetch(`${url}/readyz`)).status === 503
    }
  }
  const isDown = await execute(cluster.url, 'select 1').then(
    () => 0,
    () => 1,
  )

  rmSync(filler)
  // Its supervisor does this where PostgreSQL has given up without room for its log.
  if (isDown && cluster.hasEnded()) await cluster.start()
  const fromMs = performance.now()
  await reaches(
    'a batch after there was room again',
    async () => {
      const events = batch()
      const { status } = await send(events)
      if (status === 202) acknowledged.push(...idsOf(events))
      return status
    },
    (status) => status === 202,
  )
  const recoveredMs = since(fromMs)
  await reaches('attention without the disk', problems, (all) => !all.includes('EVENTS_STOPPED disk'))
  const stored = async () =>
    new Map(
      (await execute(cluster.url, 'select id::text, count(*)::int from tracked_events group by id')).map(([id, n]) => [
        id,
        Number(n),
      ]),
    )
  const before = await stored()
  let halves = 0
  for (const events of refused) {
    const there = idsOf(events).filter((id) => before.has(id)).length
    if (there > 0 && there < events.length) halves += 1
    const { status, said } = await send(events)
    const { accepted, duplicates } = JSON.parse(said)
    if (status !== 202 || accepted !== events.length - there || duplicates !== there)
      violations.push(`sent again: ${status} ${said}`)
    acknowledged.push(...idsOf(events))
  }
  const after = await stored()
  const lost = acknowledged.filter((id) => !after.has(id)).length
  const twice = [...after.values()].filter((count) => count > 1).length
  await node.stop()
  return {
    violations,
    numbers: {
      acknowledged: acknowledged.length,
      refused: refused.length,
      unavailable: statuses[503] ?? 0,
      told: Number(told),
      unready: Number(unready),
      isDown,
      recoveredMs,
      halves,
      lost,
      twice,
    },
  }
}

const batch = (): object[] =>
  Array.from({ length: eventsInBatch }, () => ({
    type: 'track',
    id: randomUUID(),
    ts: Date.now(),
    unit: unit(),
    eventKey: 'order_paid',
  }))

const clusters: Cluster[] = []

async function mountedDisk(): Promise<string> {
  const disk = await mkdtemp(join(labData(), 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', disk])
  await chmod(disk, 0o777)
  return disk
}

/** The kinds and reasons of the problems that the dashboard shows to the owner. */
async function signedIn(url: string): Promise<() => Promise<string[]>> {
  const headers = { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' }
  const { email, password } = owner
  const answer = await fetch(`${url}/api/dashboard/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  return async () => {
    const found = await fetch(`${url}/api/dashboard/attention`, { headers: { cookie } })
    const { data } = (await found.json()) as { data?: { problems: { kind: string; details: { reason?: string } }[] } }
    return (data?.problems ?? []).map(({ kind, details }) => `${kind} ${details?.reason}`)
  }
}

await runEach(
  // Side by side: each waits for the minute for which events leave a full disk to flags and switches.
  [
    { 'D2 server tables': () => fillDisk({ isLogElsewhere: true }) },
    { 'D2 server log': () => fillDisk({ isLogElsewhere: false }) },
  ],
  async () => {
    for (const cluster of clusters) await cluster.stop()
  },
)
