import { cpus } from 'node:os'
import type { DestinationsName } from './destinations-contender.ts'
import { withSite } from './site.ts'

/** Two of the chats are left out: one never answers, and one asks to wait. */
const cases = [
  { chats: 3, changes: 40, everyMs: 1_200, what: 'one chat', targetMs: { p50: 50, p99: 300 } },
  { chats: 500, changes: 20, everyMs: 3_000, what: '498 chats', targetMs: { p95: 2_000 } },
]

const contenders: { name: DestinationsName; text: string }[] = [
  { name: 'undici', text: 'undici Pool, the same messages on kept HTTPS connections, no queue (limit)' },
  { name: 'svc-server', text: 'Svc on PostgreSQL' },
  { name: 'svc-embedded', text: 'Svc on its embedded database' },
]

/** Measures from the commit of a change to its message at each chat, beside a dead one and one that asks to wait. */
export const run = (): Promise<void> =>
  withSite(async (site) => {
    console.log(
      `\nDestinations: from the commit of a change to the first byte at each chat. A chat that never answers and one that asks to wait are beside them and left out. ${cpus().length} cores shared with database and receiver, Node ${process.version}.`,
    )
    for (const { chats, changes, everyMs, what, targetMs } of cases) {
      const targets = Object.entries(targetMs).map(([name, ms]) => `${name} under ${ms} ms`)
      console.log(`\n${changes} changes, one each ${everyMs / 1000} s, to ${what}. Target: ${targets.join(', ')}.`)
      console.log('| p50 ms | p95 ms | p99 ms | max ms | arrived | contender |\n|---|---|---|---|---|---|')
      for (const { name, text } of contenders) {
        const { took, sent } = await site.measure<{ took: number[]; sent: number }>('destinations-contender.ts', [
          name,
          String(chats),
          String(changes),
          String(everyMs),
        ])
        const sorted = took.toSorted((one, other) => one - other)
        const cells = [0.5, 0.95, 0.99, 1].map((quantile) => {
          const at = Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))
          return (sorted[at] ?? Number.NaN).toFixed(1)
        })
        console.log(`| ${[...cells, `${took.length} of ${sent}`, text].join(' | ')} |`)
      }
    }
  })
