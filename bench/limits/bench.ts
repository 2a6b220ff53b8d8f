import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { Pool } from 'undici'
import { type Purpose, shares } from '../../packages/server/src/platform/held.ts'
import { filledJson, type JsonTemplate } from '../../packages/server/src/wings/telling/destinations/template.ts'
import { abTest } from '../../packages/server/testing/flags.ts'
import { freePort } from '../../packages/server/testing/processes/port.ts'
import { rssBytesOf } from '../program.ts'
import { addProject, createFlag, inLanes, openSite, type Site } from '../site.ts'

// How much memory and work callers without an account can cause, compared with the limits of docs/security.md.

const mib = 2 ** 20
const ticksPerSecond = 100
const idBytes = 64_000
/** Events of what looks like a bot do not count. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

interface Row {
  what: string
  tried: string
  /** Both in the same unit. */
  limit: number
  seen: number
  unit: 'bytes' | 'events' | 'streams' | 'instances' | 'characters'
  /** By how much the memory of the process has grown. Absent if the process itself did not do it. */
  rssBytes?: number
  cpuSeconds?: number
}

/** Tries to exceed each limit, and prints the result. The exit code is 1 if a limit was exceeded. */
export async function run(): Promise<void> {
  console.log(`\nLimits: what callers without an account can make a node hold, Node ${process.version}.\n`)
  console.log('| what | tried | limit | seen | seen / limit | RSS | processor |\n|---|---|---|---|---|---|---|')
  for (const measure of [byOldMistakes, byFullParts])
    for await (const row of measure()) {
      console.log(lineOf(row))
      if (row.seen > row.limit) process.exitCode = 1
    }
}

function lineOf({ what, tried, limit, seen, unit, rssBytes, cpuSeconds }: Row): string {
  const amount = (value: number) =>
    unit === 'bytes' ? `${(value / mib).toFixed(2)} MiB` : `${Math.round(value).toLocaleString('en')} ${unit}`
  const rss = rssBytes === undefined ? '' : `${rssBytes < 0 ? '' : '+'}${(rssBytes / mib).toFixed(0)} MiB`
  const cpu = cpuSeconds === undefined ? '' : `${cpuSeconds.toFixed(2)} s`
  return `| ${what} | ${tried} | ${amount(limit)} | ${amount(seen)} | ${(seen / limit).toFixed(2)} | ${rss} | ${cpu} |`
}

/** A site with a running test, whose metrics can be read. */
async function openTarget(more: Record<string, string>) {
  const metricsPort = await freePort()
  const site = await openSite(undefined, [], {
    ...{ SVC_TRUST_PROXY: '127.0.0.1', SVC_METRICS_PORT: String(metricsPort), SVC_RATE_LIMIT_OFREP: '100000000' },
    ...more,
  })
  const project = await addProject(site, 0)
  const environments = await site.call<{ id: string; sdkKey: string }[]>('GET', `${project.address}/environments`)
  const { id } = await createFlag(site, project, 'copy')
  const path = `${project.address}/flags/${id}/envs/${project.production}`
  const rule = await site.call<{ shortId: number }>('POST', `${path}/rules`, abTest('Test'))
  await site.call('POST', `${path}/run`)
  const pool = new Pool(site.url(), { connections: 16 })
  const sdkKey = environments.find((each) => each.id === project.production)!.sdkKey
  return {
    ...{ site, project, pool, sdkKey, ruleId: String(rule.shortId) },
    /** The sum of a metric over its labels that match. */
    async metric(name: string, label = ''): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return text
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        .filter((line) => line.includes(label))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
    /** What the process needed for this. */
    async costs(act: () => Promise<unknown>): Promise<{ rssBytes: number; cpuSeconds: number }> {
      const [rss, cpu] = [rssBytesOf(site.pid()), cpuSecondsOf(site)]
      await act()
      return { rssBytes: rssBytesOf(site.pid()) - rss, cpuSeconds: cpuSecondsOf(site) - cpu }
    },
    async close() {
      await pool.close()
      await site.close()
    },
  }
}

type Target = Awaited<ReturnType<typeof openTarget>>

function cpuSecondsOf(site: Site): number {
  const fields = readFileSync(`/proc/${site.pid()}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

async function post(
  { pool }: Target,
  path: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<number> {
  const answer = await pool.request({
    ...{ method: 'POST', path, body: typeof body === 'string' ? body : JSON.stringify(body) },
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
  })
  await answer.body.dump()
  return answer.statusCode
}

const evaluate = (target: Target, targetingKey: string) =>
  post(target, '/ofrep/v1/evaluate/flags/copy', { context: { targetingKey } }, { 'x-api-key': target.sdkKey })

const addressOf = (i: number): string => `${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.7`
const counting = (count: number): number[] => [...Array(count).keys()]

/** S1 and S2 of the review of security, at the default settings. */
async function* byOldMistakes(): AsyncGenerator<Row> {
  const target = await openTarget({})
  try {
    const requests = 3_000
    await inLanes(counting(200), (i) => evaluate(target, `warm ${i}`), 16)
    const costs = await target.costs(() =>
      inLanes(counting(requests), (i) => evaluate(target, `${i} `.padEnd(idBytes, 'x')), 16),
    )
    const held = async (purpose: string) => ({
      seen: await target.metric('svc_visitor_memory_bytes', `purpose="${purpose}"`),
      limit: await target.metric('svc_visitor_memory_max_bytes', `purpose="${purpose}"`),
    })
    yield {
      ...{ what: 'S1: visitors of OFREP', tried: `${requests.toLocaleString('en')} ids of 64 KB`, unit: 'bytes' },
      ...(await held('ofrepVisitors')),
      ...costs,
    }
  } finally {
    await target.close()
  }
  yield ofTemplates()
}

function ofTemplates(): Row {
  const body = { flags: [{ key: 'k'.repeat(20_000) }] }
  const template: JsonTemplate = counting(3_000).map(() => '{{flags}}')
  const limit = 256 * 1024
  const cpu = process.cpuUsage()
  const rss = process.memoryUsage.rss()
  const made = filledJson(template, body, limit)
  const { user, system } = process.cpuUsage(cpu)
  return {
    ...{ what: 'S2: a filled TEMPLATE', tried: '3,000 placeholders for 20 KB', limit, unit: 'bytes' },
    seen: made?.length ?? 0,
    ...{ rssBytes: process.memoryUsage.rss() - rss, cpuSeconds: (user + system) / 1e6 },
  }
}

/** Fills each part of the memory for visitors beyond its end, at the lowest settings. */
async function* byFullParts(): AsyncGenerator<Row> {
  const [streams, stored] = [100, 20_000]
  const target = await openTarget({
    ...{ SVC_VISITOR_MEMORY: '8MiB', SVC_STREAMS_PER_ADDRESS: String(streams), SVC_EVENTS_PER_DAY: String(stored) },
  })
  const { sdkKey, ruleId, project, site } = target
  const beat = (i: number) =>
    post(
      target,
      '/api/sdk/heartbeat',
      { sdkKey, sdkType: 'node', sdkVersion: '1', revision: 1, instanceId: `${i} `.padEnd(128, 'x') },
      { 'x-forwarded-for': '9.9.9.8' },
    )
  const exposures = (batch: number, count: number) =>
    post(
      target,
      '/api/sdk/v1/events',
      {
        sdkKey,
        events: counting(count).map((i) => ({
          ...{
            type: 'exposure',
            ts: Date.now(),
            id: `${batch} ${i}`,
            unit: `${batch} ${i}`,
            ruleId,
            variationKey: 'on',
          },
          context: { text: 'x'.repeat(200) },
        })),
      },
      { 'x-forwarded-for': addressOf(batch), origin: 'http://shop.example' },
    )
  /** Fills a part and measures meanwhile, because waiting entries leave again. */
  const fill = async (purpose: Purpose, what: string, tried: string, act: () => Promise<unknown>): Promise<Row> => {
    const held = () => target.metric('svc_visitor_memory_bytes', `purpose="${purpose}"`)
    const before = await held()
    let [seen, isOver] = [0, false]
    const look = async () => {
      while (!isOver) seen = Math.max(seen, (await held()) - before)
    }
    const looking = look()
    const costs = await target.costs(act)
    isOver = true
    await looking
    // Only one of those that are opened for this purpose is filled.
    const limit = (await target.metric('svc_visitor_memory_max_bytes', `purpose="${purpose}"`)) / shares[purpose].each
    return { what, tried, limit, seen, unit: 'bytes', ...costs }
  }
  try {
    const many = 2_500
    const shown = many.toLocaleString('en')
    const visitors = 6_000
    yield await fill('usage', 'SDK instances noted', `${shown} instances`, () =>
      inLanes(counting(many), (i) => beat(i), 16),
    )
    yield await fill('requests', 'Counts of requests', `${shown} addresses`, () =>
      inLanes(counting(many), (i) => exposures(i, 0), 16),
    )
    yield await fill('attempts', 'Attempts by account', `${shown} accounts`, () =>
      inLanes(
        counting(many),
        (i) =>
          post(
            target,
            '/api/dashboard/password-reset',
            { email: `somebody-${i}@example.org` },
            { 'x-forwarded-for': addressOf(i), origin: site.url() },
          ),
        16,
      ),
    )
    yield await fill('ofrepVisitors', 'Visitors of OFREP', `${visitors.toLocaleString('en')} visitors`, () =>
      inLanes(counting(visitors), (i) => evaluate(target, `visitor ${i}`), 16),
    )
    yield await fill('ofrepExposures', 'Exposures of OFREP that wait', `${shown} ids of 500 characters`, () =>
      inLanes(counting(many), (i) => evaluate(target, `${i} `.padEnd(500, 'x')), 64),
    )
    yield await fill('addresses', 'Networks of visitors', '60 batches of 50', () =>
      inLanes(counting(60), (batch) => exposures(batch, 50), 16),
    )
    yield await fill('eventsWaiting', 'Events that wait', '300 batches of 500', () =>
      inLanes(counting(300), (batch) => exposures(1_000 + batch, 500), 64),
    )
    yield {
      ...{ what: 'Stored events of a day', tried: 'all batches above', unit: 'events' },
      // The number that a node stores in the 5 s until it counts again.
      limit: stored + 5 * storedInSecond,
      seen: await target.metric('svc_events_total', 'outcome="accepted"'),
    }
    const known = await instancesOf(target, project)
    yield {
      what: 'SDK instances',
      tried: `${shown} instances`,
      limit: 1_000,
      seen: known,
      unit: 'instances',
    }
    yield await openStreams(target, streams)
    yield await bodies(target)
  } finally {
    await target.close()
  }
}

/** About as many as the embedded database can store: see `npm run bench -- events`. */
const storedInSecond = 4_000

async function instancesOf({ site }: Target, { address, production }: { address: string; production: string }) {
  const { instances } = await site.call<{ instances: Record<string, number> }>(
    'GET',
    `${address}/environments/${production}/propagation`,
  )
  return Object.values(instances).reduce((sum, each) => sum + each, 0)
}

async function openStreams(target: Target, limit: number): Promise<Row> {
  const tried = 3 * limit
  const open: { destroy(): void }[] = []
  const connect = () =>
    new Promise<void>((resolve, reject) => {
      const url = `${target.site.url()}/api/sdk/v1/stream/${target.sdkKey}`
      const request = get(url, { agent: false, headers: { 'x-forwarded-for': '9.9.9.9' } }, (answer) => {
        if (answer.statusCode === 200) open.push(request)
        else answer.resume()
        resolve()
      })
      request.on('error', reject)
    })
  const costs = await target.costs(() => inLanes(counting(tried), connect))
  const seen = open.length
  for (const request of open) request.destroy()
  return { what: 'Streams of an address', tried: `${tried} streams`, limit, seen, unit: 'streams', ...costs }
}

/** How long a body is taken. */
async function bodies(target: Target): Promise<Row> {
  let seen = 0
  const costs = await target.costs(async () => {
    for (const bytes of [mib / 2, mib, mib + 1, 2 * mib]) {
      const head = `{"sdkKey":"${target.sdkKey}","events":[],"rest":"`
      const body = `${head.padEnd(bytes - 2, 'x')}"}`
      if ((await post(target, '/api/sdk/v1/events', body)) !== 413) seen = Math.max(seen, bytes)
    }
  })
  return { what: 'A body of events', tried: 'up to 2 MiB', limit: mib, seen, unit: 'bytes', ...costs }
}
