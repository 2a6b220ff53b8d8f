import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Pool } from 'undici'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { abTest } from '../../packages/server/testing/flags.ts'
import { percentile } from '../program.ts'
import { addProject, createFlag, openSite, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'
import { batches } from './batches.ts'

const seconds = 10
const rounds = 3
const connections = 16
const largeBatch = 500
const smallBatch = 100
const switchPauseMs = 100
const copiedRows = 500_000
const flags = 50

/** A service with an A/B test in production, to which events are sent. */
interface Contender {
  what: string
  target: number
  site: Site
  pool: Pool
  sdkKey: string
  ruleId: string
  /** Switches a flag. */
  toggle(): Promise<unknown>
}

/**
 * Clients send exposures: as many as the service takes, in batches of 500; then half as many in batches of 100, while a
 * flag is switched ten times a second.
 */
export async function run(): Promise<void> {
  // Events are promised to be durable.
  const cluster = await startCluster({ fsync: 'on', synchronous_commit: 'on' })
  try {
    console.log(
      `\nEvents: ${rounds} rounds of ${seconds} s, ${cpus().length} cores shared by clients, process and database, Node ${process.version}. Targets: 150,000 events per second with PostgreSQL, 30,000 embedded; p99 of a batch of 100 at half load under 50 ms.`,
    )
    const url = await createDatabase(cluster.url)
    const contenders = [
      await contender('Svc on PostgreSQL', 150_000, url),
      await contender('Svc on its embedded database', 30_000),
    ]
    for (const each of contenders) {
      const rates: number[] = []
      for (let round = 0; round < rounds; round += 1) rates.push(await capacity(each))
      const rate = Math.max(...rates)
      console.log(
        `\n${each.what}: ${rates.map((one) => one.toFixed(0)).join(', ')} events per second in batches of ${largeBatch}; best ${(rate / each.target).toFixed(2)} of the target`,
      )
      const alone = await switching(each, pause(seconds * 1000))
      const { tookMs, sent } = await halfLoad(each, rate / 2)
      console.log('| | p50 ms | p99 ms |\n|---|---|---|')
      console.log(
        row(`a batch of ${smallBatch} at half load (${(sent / seconds).toFixed(0)} events per second)`, tookMs.batches),
      )
      console.log(row('a switch meanwhile', tookMs.switches))
      console.log(row('a switch without events', alone))
      await each.pool.close()
    }
    await limits(url)
    for (const { site } of contenders) await site.close()
  } finally {
    await cluster.stop()
  }
}

const row = (what: string, tookMs: readonly number[]): string =>
  `| ${what} | ${percentile(tookMs, 0.5).toFixed(1)} | ${percentile(tookMs, 0.99).toFixed(1)} |`

async function contender(what: string, target: number, url?: string): Promise<Contender> {
  const site = await openSite(url)
  const { address, production } = await addProject(site, flags)
  const { id } = await createFlag(site, { address, production }, 'measured')
  const path = `${address}/flags/${id}/envs/${production}`
  const rule = await site.call<{ shortId: number }>('POST', `${path}/rules`, abTest('Test'))
  await site.call('POST', `${path}/run`)
  const switched = await createFlag(site, { address, production }, 'switched')
  const environments = await site.call<{ id: string; sdkKey: string }[]>('GET', `${address}/environments`)
  let toggles = 0
  return {
    ...{ what, target, site, ruleId: String(rule.shortId) },
    pool: new Pool(site.url(), { connections }),
    sdkKey: environments.find((each) => each.id === production)!.sdkKey,
    toggle() {
      toggles += 1
      return site.call('POST', `${address}/flags/${switched.id}/envs/${production}/${toggles % 2 ? 'run' : 'pause'}`)
    },
  }
}

/** Events that were answered with 202, per second. */
async function capacity(target: Contender): Promise<number> {
  const next = batches(target, largeBatch)
  const begun = performance.now()
  const end = begun + seconds * 1000
  let stored = 0
  const lane = async () => {
    while (performance.now() < end) {
      const accepted = await send(target, next())
      stored += accepted
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return stored / ((performance.now() - begun) / 1000)
}

/** Sends at a fixed rate, whether or not earlier batches are answered. A late batch counts from when it was due. */
async function halfLoad(target: Contender, rate: number) {
  const next = batches(target, smallBatch)
  const intervalMs = (1000 * smallBatch) / rate
  const count = Math.floor((seconds * 1000) / intervalMs)
  const tookMs: number[] = []
  let sent = 0
  const begun = performance.now()
  const load = (async () => {
    const all: Promise<void>[] = []
    for (let place = 0; place < count; place += 1) {
      const dueAt = begun + place * intervalMs
      const early = dueAt - performance.now()
      if (early > 1) await pause(early)
      all.push(
        send(target, next()).then((stored) => {
          sent += stored
          tookMs.push(performance.now() - dueAt)
        }),
      )
    }
    await Promise.all(all)
  })()
  const switches = await switching(target, load)
  await load
  return { tookMs: { batches: tookMs, switches }, sent }
}

async function switching({ toggle }: Contender, until: Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = []
  let isOver = false
  const over = until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const begun = performance.now()
    await toggle()
    tookMs.push(performance.now() - begun)
    await pause(switchPauseMs)
  }
  await over
  return tookMs
}

/** A batch that is refused is sent again, as SDKs do. */
async function send({ pool }: Contender, body: string): Promise<number> {
  for (;;) {
    const headers = { 'content-type': 'application/json' }
    const answer = await pool.request({ method: 'POST', path: '/api/sdk/v1/events', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode === 429) await pause(Number(answer.headers['retry-after']) * 1000)
    else if (answer.statusCode === 202) return (JSON.parse(text) as { accepted: number }).accepted
    else throw new Error(`${answer.statusCode}: ${text}`)
  }
}

/** The same rows without HTTP, checks and ids: as fast as PostgreSQL takes them. */
async function limits(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table copied (like exposures);
    create index on copied (env_id, rule_id, batch);
    create temporary table source as select * from exposures limit ${copiedRows}`)
  const { rows } = await client.query('select count(*)::int as count from source')
  const psql = (args: string[]) => spawn('psql', [url, '--quiet', ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  await client.query('create table kept as select * from source')
  const reader = psql(['-c', 'copy kept to stdout'])
  const chunks: Buffer[] = []
  for await (const chunk of reader.stdout) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks)
  const begun = performance.now()
  const writer = psql(['-c', 'copy copied from stdin'])
  writer.stdin.end(text)
  await once(writer, 'close')
  const copied = rows[0].count / ((performance.now() - begun) / 1000)
  const inserting = performance.now()
  await client.query('insert into copied select * from kept')
  const inserted = rows[0].count / ((performance.now() - inserting) / 1000)
  console.log(
    `\nPostgreSQL alone, the same rows with the same index, without ids: COPY ${copied.toFixed(0)} rows per second, INSERT … SELECT ${inserted.toFixed(0)}`,
  )
  await client.end()
}
