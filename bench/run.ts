// npm run bench [-- NAME…]: each benchmark measures the product and its peers or limits in the same run.
const benchmarks: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  serving: () => import('./serving/bench.ts'),
  stream: () => import('./stream/bench.ts'),
  start: () => import('./start/bench.ts'),
  writing: () => import('./writing/bench.ts'),
  evaluation: () => import('./evaluation/bench.ts'),
  webhooks: () => import('./webhooks/bench.ts'),
  'webhooks-latency': () => import('./webhooks/latency.ts'),
  'webhooks-backlog': () => import('./webhooks/backlog.ts'),
  soak: () => import('./soak/bench.ts'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. The benchmarks are: ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(1)
}
for (const [name, load] of Object.entries(benchmarks))
  if (wanted.length === 0 || wanted.includes(name)) await (await load()).run()
