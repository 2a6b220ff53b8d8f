// npm run bench [-- NAME…]: each benchmark measures the product and its peers or limits in the same run.
// npm run bench -- writing --clients 1: only with this number of clients.
// npm run bench -- snapshots --millions 1,50: with these numbers of events.
// npm run bench -- catalog --millions 0.1: with this number of items.
// npm run bench -- recommendations DIR: with public files that are in this folder.
// npm run bench -- statistics --rows A1,S5: only the rows whose names begin with these.
import { parseArgs } from 'node:util'

interface Options {
  clients?: string | undefined
  millions?: string | undefined
  rows?: string | undefined
  folder?: string | undefined
}

const benchmarks: Record<string, () => Promise<{ run(options: Options): Promise<void> }>> = {
  serving: () => import('./serving/bench.ts'),
  stream: () => import('./stream/bench.ts'),
  start: () => import('./start/bench.ts'),
  writing: () => import('./writing/bench.ts'),
  evaluation: () => import('./evaluation/bench.ts'),
  python: () => import('./python/bench.ts'),
  webhooks: () => import('./webhooks/bench.ts'),
  'webhooks-latency': () => import('./webhooks/latency.ts'),
  events: () => import('./events/bench.ts'),
  snapshots: () => import('./snapshots/bench.ts'),
  'end-to-end': () => import('./end-to-end/bench.ts'),
  destinations: () => import('./webhooks/destinations.ts'),
  'webhooks-backlog': () => import('./webhooks/backlog.ts'),
  dashboard: () => import('./dashboard/bench.ts'),
  'dashboard-cold': () => import('./dashboard/cold.ts'),
  backup: () => import('./backup/bench.ts'),
  limits: () => import('./limits/bench.ts'),
  soak: () => import('./soak/bench.ts'),
  web: () => import('./web/bench.ts'),
  recommendations: () => import('./recommendations/bench.ts'),
  'recommendations-serving': () => import('./recommendations/serving.ts'),
  statistics: () => import('./statistics/bench.ts'),
  feeds: () => import('./feeds/bench.ts'),
  catalog: () => import('./catalog/bench.ts'),
  suite: () => import('./suite/bench.ts'),
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { clients: { type: 'string' }, millions: { type: 'string' }, rows: { type: 'string' } },
})
// A word after `recommendations` that names no benchmark is its folder.
const folderAt = positionals.findIndex(
  (word, at) => positionals[at - 1] === 'recommendations' && !Object.hasOwn(benchmarks, word),
)
const options: Options = { ...values, folder: positionals[folderAt] }
const wanted = positionals.filter((_, at) => at !== folderAt)
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. The benchmarks are: ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(1)
}
for (const [name, load] of Object.entries(benchmarks))
  if (wanted.length === 0 || wanted.includes(name)) await (await load()).run(options)
