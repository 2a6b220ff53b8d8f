// One contender in its own process: sends the deliveries, then prints seconds and CPU seconds as JSON.
import { createSecretKey } from 'node:crypto'
import { Logger, run as runWorker } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import { signedHeaders } from '../../packages/server/src/wings/telling/deliveries/index.ts'
import { createDatabase } from './database.ts'
import { insertBacklog, openQueue, secret } from './queue.ts'

export type ContenderName = 'undici' | 'claims' | 'graphile-worker' | 'svc-server' | 'svc-embedded'

const concurrency = 64
const claimedAtOnce = 512
const endpoints = 20
const body = JSON.stringify({ id: '', event: 'flag.published', filler: 'x'.repeat(950) })

const [name, count, port, clusterUrl] = process.argv.slice(2) as [ContenderName, string, string, string]
const total = Number(count)
const origin = `https://localhost:${port}`

/** Each contender prepares, then returns the part to measure and the clean-up. */
const contenders: Record<ContenderName, () => Promise<{ timed: () => Promise<void>; after: () => Promise<void> }>> = {
  undici: async () => {
    const send = sender()
    let next = 0
    const lane = async () => {
      while (next < total) {
        next += 1
        await send.post(next)
      }
    }
    return {
      timed: async () => void (await Promise.all(Array.from({ length: concurrency }, lane))),
      after: send.close,
    }
  },

  claims: async () => {
    const pool = await database()
    await pool.query('create table jobs (id bigserial primary key, due_at timestamptz, done boolean default false)')
    await pool.query('insert into jobs (due_at) select now() from generate_series(1, $1)', [total])
    await pool.query('create index on jobs (due_at) where not done')
    const claim = `update jobs set due_at = now() + interval '30 s' where id in (
      select id from jobs where not done and due_at <= now() order by due_at limit $1 for update skip locked) returning id`
    return {
      async timed() {
        for (let done = 0; done < total; ) {
          const { rows } = await pool.query(claim, [claimedAtOnce])
          await pool.query('update jobs set done = true where id = any($1)', [rows.map(({ id }) => id)])
          done += rows.length
        }
      },
      after: () => pool.end(),
    }
  },

  'graphile-worker': async () => {
    const pool = await database()
    const send = sender()
    const finished = Promise.withResolvers<void>()
    let done = 0
    const taskList = {
      async deliver(payload: unknown) {
        await send.post((payload as { endpoint: number }).endpoint)
        done += 1
        if (done === total) finished.resolve()
      },
    }
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    // The fastest documented way: jobs are claimed ahead, and completions are written together.
    const preset = {
      worker: {
        concurrentJobs: concurrency,
        localQueue: { size: claimedAtOnce },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    }
    const start = () => runWorker({ pgPool: pool, preset, taskList, noHandleSignals: true, logger: silent() })
    const first = await start()
    await first.stop()
    await pool.query(
      `select graphile_worker.add_job('deliver', json_build_object('endpoint', g, 'body', $2::text))
       from generate_series(1, $1::integer) g`,
      [total, body],
    )
    let runner: Awaited<ReturnType<typeof start>> | undefined
    return {
      async timed() {
        runner = await start()
        await finished.promise
      },
      async after() {
        await runner?.stop()
        await send.close()
        await pool.end()
      },
    }
  },

  'svc-server': async () => svc({ url: await createDatabase(clusterUrl) }),
  'svc-embedded': () => svc({}),
}

const { timed, after } = await contenders[name]()
const cpu = process.cpuUsage()
const startedMs = performance.now()
await timed()
const seconds = (performance.now() - startedMs) / 1000
const { user, system } = process.cpuUsage(cpu)
process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6 }))
await after()

async function svc(address: { url?: string }) {
  const queue = await openQueue({ ...address, origin, endpoints })
  await insertBacklog(queue.database, queue.endpoints, { count: total, body })
  await sql`analyze deliveries`.execute(queue.database.db)
  const finished = Promise.withResolvers<void>()
  let done = 0
  const onAttempt = () => {
    done += 1
    if (done === total) finished.resolve()
  }
  return {
    async timed() {
      await queue.start(onAttempt, finished.reject)
      await finished.promise
      // Writing the last results is part of the work.
      await queue.stop()
    },
    after: queue.close,
  }
}

/** Signs and sends like Svc, on kept connections without a queue. */
function sender() {
  const key = createSecretKey(Buffer.from(secret))
  const bytes = Buffer.from(body)
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 })
  return {
    async post(index: number) {
      const headers = signedHeaders(
        { deliveryId: String(index), eventType: 'flag.published', body: bytes },
        key,
        new Date(),
      )
      const answer = await pool.request({ path: `/${index % endpoints}`, method: 'POST', headers, body: bytes })
      await answer.body.dump()
    },
    close: () => pool.close(),
  }
}

async function database(): Promise<pg.Pool> {
  return new pg.Pool({ connectionString: await createDatabase(clusterUrl), max: 10 })
}

function silent(): Logger {
  return new Logger(() => () => {})
}
