import { cpus } from 'node:os'
import type { ContenderName } from './contender.ts'
import { type Site, withSite } from './site.ts'

const rounds = 3
const deliveries = 10_000

const contenders: { name: ContenderName; text: string }[] = [
  { name: 'undici', text: 'undici Pool, kept HTTPS connections, no queue (limit for sending)' },
  {
    name: 'claims',
    text: 'batched SKIP LOCKED claim and completion on PostgreSQL, nothing sent (limit for the queue)',
  },
  { name: 'graphile-worker', text: 'graphile-worker on PostgreSQL, sending by the same undici Pool' },
  { name: 'svc-server', text: 'Svc on PostgreSQL' },
  { name: 'svc-embedded', text: 'Svc on its embedded database' },
]

interface Measured {
  perSecond: number
  perCpuSecond: number
}

/** Signed deliveries of 1 KB to 20 endpoints of a real HTTPS receiver, 64 at a time. Each contender runs alone. */
export const run = (): Promise<void> =>
  withSite(async (site) => {
    const results = new Map<ContenderName, Measured[]>(contenders.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const { name } of contenders) results.get(name)?.push(await measure(site, name))
    print(results)
  })

async function measure(site: Site, name: ContenderName): Promise<Measured> {
  const args = [name, String(deliveries)]
  const { seconds, cpuSeconds } = await site.measure<{ seconds: number; cpuSeconds: number }>('contender.ts', args)
  return { perSecond: deliveries / seconds, perCpuSecond: deliveries / cpuSeconds }
}

function print(results: Map<ContenderName, Measured[]>): void {
  const median = (name: ContenderName, of: keyof Measured) => {
    const values = (results.get(name) ?? []).map((each) => each[of]).sort((one, other) => one - other)
    return values[Math.floor(values.length / 2)] ?? Number.NaN
  }
  const [limit, peer] = [median('undici', 'perSecond'), median('graphile-worker', 'perSecond')]
  console.log(
    `\nWebhooks: ${deliveries} deliveries, 1 KB, ${cpus().length} cores shared with database and receiver, Node ${process.version}, median of ${rounds} rounds. Targets: on PostgreSQL 0.43 of sending alone and the rate of graphile-worker; embedded 0.11 of sending alone.`,
  )
  console.log(
    '| deliveries per second | per CPU second of the sender | / sending alone | / graphile-worker | contender |\n|---|---|---|---|---|',
  )
  for (const { name, text } of contenders) {
    const perSecond = median(name, 'perSecond')
    const ratios = [limit, peer].map((other) => (perSecond / other).toFixed(2))
    const cells = [perSecond.toFixed(0), median(name, 'perCpuSecond').toFixed(0), ...ratios, text]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
