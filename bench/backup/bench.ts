import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFolder, openSession } from '../../packages/server/src/platform/db/index.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { runCommand } from '../../packages/server/testing/processes/command.ts'
import { median } from '../program.ts'
import { addProject, createFlag, openSite, type Project, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'

const flags = 500
const writers = 8
const quietMs = 10_000
const events = [0, 1_000_000]
const mebibyte = 2 ** 20

/** Measures how long writes take while nothing else happens, and while a backup is made. */
export async function run(): Promise<void> {
  const cluster = await startCluster({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' })
  console.log(`\nBackup: ${flags} flags, ${writers} writers that create flags, the times of a write in ms.`)
  console.log(
    '| database | events | backup s | copied MB | writes held ms | file MB | alone: median, longest | during: median, longest |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const [index, count] of events.entries())
    for (const kind of ['embedded', 'server'] as const) {
      const url = kind === 'server' ? await createDatabase(cluster.url, `_${index}`) : undefined
      await measure(kind, count, url)
    }
  await cluster.stop()
}

async function measure(kind: 'embedded' | 'server', count: number, url: string | undefined): Promise<void> {
  const site = await openSite(url)
  const project = await addProject(site, flags)
  await site.stop()
  if (count > 0) await addEvents(url ? { url } : { folder: databaseFolder(site.dataFolder) }, count)
  await site.start()
  const load = writing(site, project)
  await new Promise((resolve) => setTimeout(resolve, quietMs))
  const alone = load.take()
  const out = await mkdtemp(join(tmpdir(), 'svc-backup-'))
  const begun = performance.now()
  const { err, code } = await runCommand(['backup', '--out', out], site.settings)
  const seconds = (performance.now() - begun) / 1000
  if (code !== 0) throw new Error(err)
  const during = load.take()
  await load.stop()
  const [, copied = '', held = ''] = /copied ([\d.]+) MB\. Writes waited for (\d+) ms/.exec(err) ?? []
  const { size } = await stat(join(out, (await readdir(out))[0]!))
  const cells = [kind, count, seconds.toFixed(1), copied, held, (size / mebibyte).toFixed(1), span(alone), span(during)]
  console.log(`| ${cells.join(' | ')} |`)
  await rm(out, { recursive: true })
  await site.close()
}

const span = (times: number[]): string => `${median(times).toFixed(0)}, ${Math.max(...times).toFixed(0)}`

function writing(site: Site, project: Project) {
  let times: number[] = []
  let isStopped = false
  let number = 0
  const write = async () => {
    while (!isStopped) {
      const begun = performance.now()
      await createFlag(site, project, `new-${number++}`)
      times.push(performance.now() - begun)
    }
  }
  const ended = Promise.all(Array.from({ length: writers }, write))
  return {
    take() {
      const taken = times
      times = []
      return taken
    },
    async stop() {
      isStopped = true
      await ended
    },
  }
}

/** Tracked events of today, without the service. */
async function addEvents(where: { url: string } | { folder: string }, count: number): Promise<void> {
  const session = await openSession(where)
  await session.query(`
    create table tracked_events_bench (like tracked_events including all);
    alter table tracked_events attach partition tracked_events_bench for values from ('2020-01-01') to ('2020-01-02')`)
  for (let from = 0; from < count; from += 100_000)
    await session.query(`
      insert into tracked_events
        (batch, id, env_id, event_key, unit, value, at, received_at, kind, clamped)
      select 1, gen_random_uuid(), gen_random_uuid(), 'order_paid', 'visitor-' || number, number, '2020-01-01', '2020-01-01', 0, false
      from generate_series(${from + 1}, ${from + 100_000}) number`)
  await session.close()
}
