import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../packages/server/src/platform/db/index.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { quiet } from '../../packages/server/testing/databases/templates.ts'
import { abTest } from '../../packages/server/testing/flags.ts'
import { median, percentile } from '../program.ts'
import { addProject, createFlag, openSite, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'

const sizes = { server: [1, 10], embedded: [1] }
const million = 1_000_000
const reads = 200
const pollMs = 20
/** Of ten events, eight are exposures and two are tracked. Each unit has three or four exposures. */
const exposedOf = (events: number) => events * 0.8
const unitsOf = (events: number) => events / 4
const batchSize = 2_500
const days = 10
const paid = { type: 'PROPORTION', eventKey: 'paid', conversionWindowHours: 24, direction: 'INCREASE' }

interface Subject {
  site: Site
  address: string
  environment: string
  rule: string
  url: string | undefined
  path: string
  envId: string
  ruleId: string
  variationIds: readonly string[]
}

/**
 * A test with one metric, whose events are in the database already: its first snapshot, the one after a second metric was
 * added, and one after 1 % more events.
 *
 * @param options.millions instead of the usual sizes
 */
export async function run({ millions }: { millions?: string | undefined }): Promise<void> {
  console.log(`\nSnapshots: ${cpus().length} cores shared by database and process, Node ${process.version}.`)
  console.log(
    '| database | million events | first s | of them / scan | / one statement | / one that keeps | a metric more, s | / one statement | 1 % more, s | / first | results p50 ms | p99 ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|',
  )
  const wanted = millions?.split(',').map(Number)
  for (const size of wanted ?? sizes.server) {
    const cluster = await startCluster({ fsync: 'on', synchronous_commit: 'on', shared_buffers: '512MB' })
    try {
      await measure('PostgreSQL', await createDatabase(cluster.url), size * million)
    } finally {
      await cluster.stop()
    }
  }
  for (const size of wanted ?? sizes.embedded) await measure('embedded', undefined, size * million)
}

async function measure(name: string, url: string | undefined, events: number): Promise<void> {
  const subject = await open(url)
  const { site } = subject
  const limits = await offline(subject, async (db) => {
    await serveEarlier(db)
    await insert(db, subject, 0, events)
    return {
      scan: await seconds(() => scan(db)),
      statement: await seconds(() => inOneStatement(db, subject)),
      keeping: await keeping(db, subject),
    }
  })
  const first = await snapshot(subject)
  await addMetric(subject)
  const added = await snapshot(subject)
  await offline(subject, (db) => insert(db, subject, events, events / 100))
  const next = await snapshot(subject)
  const tookMs: number[] = []
  for (let read = 0; read < reads; read += 1) {
    const begun = performance.now()
    await site.call('GET', subject.path)
    tookMs.push(performance.now() - begun)
  }
  console.log(
    `| ${name} | ${events / million} | ${first.toFixed(1)} | ${(first / limits.scan).toFixed(1)} | ${(first / limits.statement).toFixed(1)} | ${(first / limits.keeping).toFixed(1)} | ${added.toFixed(1)} | ${(added / limits.statement).toFixed(1)} | ${next.toFixed(2)} | ${(next / first).toFixed(3)} | ${median(tookMs).toFixed(1)} | ${percentile(tookMs, 0.99).toFixed(1)} |`,
  )
  await site.close()
}

async function open(url: string | undefined): Promise<Subject> {
  const site = await openSite(url)
  const { address, production } = await addProject(site, 0)
  await site.call('POST', `${address}/metrics`, { ...paid, name: 'Paid', key: 'paid' })
  const flag = await createFlag(site, { address, production }, 'measured')
  const { variations } = await site.call<{ variations: { id: string }[] }>('GET', `${address}/flags/${flag.id}`)
  const path = `${address}/flags/${flag.id}/envs/${production}`
  const metrics = { primary: ['paid'], secondary: [], guardrails: [] }
  const rule = await site.call<{ id: string }>('POST', `${path}/rules`, abTest('Test', { metrics }))
  await site.call('POST', `${path}/run`)
  return {
    ...{
      site,
      url,
      address,
      environment: `${address}/environments/${production}`,
      envId: production,
      rule: `${path}/rules/${rule.id}`,
      ruleId: rule.id,
      variationIds: variations.map(({ id }) => id),
    },
    path: `${address}/flags/${flag.id}/rules/${rule.id}/results`,
  }
}

/** Works on the database while the service does not. */
async function offline<Result>({ site, url }: Subject, work: (db: Db) => Promise<Result>): Promise<Result> {
  await site.stop()
  const database = await openDatabase({ url, dataDir: site.dataFolder, log: quiet })
  const result = await database.unhurried(work)
  await database.close()
  await site.start()
  return result
}

/** The test was published before its events: otherwise none of them would count. */
const serveEarlier = (db: Db) =>
  sql`update revisions set published_at = published_at - make_interval(days => ${days + 1})`.execute(db)

/** Adds a metric that counts the same events. */
async function addMetric({ site, address, environment, rule }: Subject): Promise<void> {
  await site.call('POST', `${address}/metrics`, { ...paid, name: 'Paid again', key: 'paid-again' })
  const metrics = { primary: ['paid'], secondary: ['paid-again'], guardrails: [] }
  await site.call('PATCH', rule, { metrics })
  await site.call('POST', `${environment}/publish`)
}

/** Events of the last days in the order of arrival, each unit at random times. */
async function insert(db: Db, { envId, ruleId, variationIds }: Subject, from: number, count: number): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000
  for (let day = -days; day <= 1; day += 1)
    for (const table of ['exposures', 'tracked_events']) {
      const [begin, end] = [0, 1].map((later) => new Date(today + (day + later) * 86_400_000).toISOString())
      const name = `${table}_${begin!.slice(0, 10).replaceAll('-', '')}`
      await sql`create table if not exists ${sql.table(name)} partition of ${sql.table(table)}
        for values from (${sql.lit(begin)}) to (${sql.lit(end)})`.execute(db)
    }
  const units = from === 0 ? unitsOf(count) : unitsOf(from)
  const span = from === 0 ? days * 86_400 : 3_600
  const exposed = exposedOf(count)
  const place = sql`(hashint8extended(i + ${from}::bigint, 7) & 9223372036854775807) % ${units}::bigint`
  const moment = (rows: number) =>
    sql`now() - make_interval(secs => ${span}::float8 * (1 - i::float8 / ${rows}::float8))`
  // Batches that arrive later have larger numbers.
  const base = sql`(select last_value from event_batches)`
  const batch = (rows: number) =>
    sql`${base} + 1 + (i::float8 / ${rows}::float8 * ${count / batchSize}::float8)::bigint`
  await sql`
    insert into exposures (batch, id, env_id, rule_id, variation_id, unit, at, received_at, kind, clamped)
    select ${batch(exposed)}, gen_random_uuid(), ${envId}, ${ruleId},
      (${[...variationIds]}::uuid[])[1 + ${place} % 2], 'visitor-' || ${place}, at, at, 0, false
    from generate_series(1, ${exposed}::bigint) i cross join lateral (select ${moment(exposed)} as at) moment`.execute(
    db,
  )
  const rest = count - exposed
  await sql`
    insert into tracked_events (batch, id, env_id, event_key, unit, value, at, received_at, kind, clamped)
    select ${batch(rest)}, gen_random_uuid(), ${envId}, 'paid', 'visitor-' || ${place}, 1, at, at, 0, false
    from generate_series(1, ${rest}::bigint) i cross join lateral (select ${moment(rest)} as at) moment`.execute(db)
  await sql`select setval('event_batches', (select last_value from event_batches) + ${Math.ceil(count / batchSize) + 2}::bigint)`.execute(
    db,
  )
  if (from === 0) await sql`analyze exposures, tracked_events`.execute(db)
}

/** The limit: reads each row once. */
const scan = (db: Db) =>
  sql`select (select sum(length(unit)) from exposures), (select sum(length(unit)) from tracked_events)`.execute(db)

const unitsAndConverted = ({ ruleId }: Subject) => sql`
  units as materialized (
    select unit, min(at) as first_at, (array_agg(id order by at, id))[1] as first_id,
      (array_agg(variation_id order by at, id))[1] as variation_id
    from exposures where rule_id = ${ruleId} group by unit having count(distinct variation_id) = 1
  ), converted as materialized (
    select unit, count(*) from units join tracked_events told using (unit)
    where told.at >= first_at and told.at < first_at + interval '1 day' group by unit)`

/** Computes the figures of the metric by one statement that stores nothing. */
const inOneStatement = (db: Db, subject: Subject) =>
  sql`
  with ${unitsAndConverted(subject)}
  select variation_id, first_at::date, count(*), count(converted.unit)
  from units left join converted using (unit) where first_at < now() - interval '1 day' group by 1, 2`.execute(db)

/**
 * The same, and it keeps what makes the next snapshot cheap: a row for each visitor and for each total, in tables with the
 * indexes of the product. It does no more: no phases, pauses, busy visitors, dimensions or lease.
 *
 * @returns seconds
 */
async function keeping(db: Db, subject: Subject): Promise<number> {
  const { ruleId, envId } = subject
  await sql`create table bench_units (like rule_units including all)`.execute(db)
  await sql`create table bench_totals (like unit_totals including all)`.execute(db)
  const took = await seconds(() =>
    sql`
    with ${unitsAndConverted(subject)}, kept as (
      insert into bench_units (rule_id, phase, unit, kind, first_at, first_id, variation_id, crossed, busy)
      select ${ruleId}::uuid, 1, unit, 0, first_at, first_id, variation_id, false, false from units
    )
    insert into bench_totals (rule_id, metric_id, unit, phase, y, d, x)
    select ${ruleId}::uuid, ${envId}::uuid, unit, 1, count, 0, 0 from converted`.execute(db),
  )
  await sql`drop table bench_units, bench_totals`.execute(db)
  return took
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** Takes a snapshot on request. Returns how long it took until results show it, in seconds. */
async function snapshot({ site, path }: Subject): Promise<number> {
  const through = async () => (await site.call<{ dataThrough: string | null }>('GET', path)).dataThrough
  const before = await through()
  return seconds(async () => {
    await site.call('POST', `${path}/refresh`)
    while ((await through()) === before) await pause(pollMs)
  })
}
