import { cpus } from 'node:os'
import type { LatencyName } from './latency-contender.ts'
import { withSite } from './site.ts'

const perSecond = 500
const seconds = 20
const targetMs = { p50: 25, p99: 150 }

const contenders: { name: LatencyName; text: string }[] = [
  { name: 'undici', text: 'undici Pool, kept HTTPS connections, no queue (limit)' },
  { name: 'svc-server', text: 'Svc on PostgreSQL' },
  { name: 'svc-embedded', text: 'Svc on its embedded database' },
]

/** Measures from the commit of a change to its request at a real HTTPS receiver. Each contender has its own process. */
export const run = (): Promise<void> =>
  withSite(async (site) => {
    console.log(
      `\nWebhooks: from the commit to the receiver, ${perSecond} deliveries per second for ${seconds} s over 20 endpoints, 10 for each change, ${cpus().length} cores shared with database and receiver, Node ${process.version}. Target: p50 under ${targetMs.p50} ms, p99 under ${targetMs.p99} ms.`,
    )
    console.log('| p50 ms | / target | p99 ms | / target | arrived | contender |\n|---|---|---|---|---|---|')
    for (const { name, text } of contenders) {
      const args = [name, String(perSecond), String(seconds)]
      const { took, sent, arrived } = await site.measure<Latencies>('latency-contender.ts', args)
      const cells = [
        ...share(took, 0.5, targetMs.p50),
        ...share(took, 0.99, targetMs.p99),
        `${arrived} of ${sent}`,
        text,
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  })

interface Latencies {
  took: number[]
  sent: number
  arrived: number
}

function share(took: readonly number[], quantile: number, limitMs: number): string[] {
  const ms = took.toSorted((one, other) => one - other)[Math.floor(took.length * quantile)] ?? Number.NaN
  return [ms.toFixed(1), (ms / limitMs).toFixed(2)]
}
