import { cpus } from 'node:os'
import type { DestinationsName } from './destinations-contender.ts'
import { withSite } from './site.ts'

const chats = 500
const changes = 20
const everyMs = 3_000
const targetMs = { p95: 2_000 }

const contenders: { name: DestinationsName; text: string }[] = [
  { name: 'undici', text: 'undici Pool, the same messages on kept HTTPS connections, no queue (limit)' },
  { name: 'svc-server', text: 'Svc on PostgreSQL' },
  { name: 'svc-embedded', text: 'Svc on its embedded database' },
]

/** From the commit of a change to its message at 500 chats, one of them dead and one that asks to wait. */
export const run = (): Promise<void> =>
  withSite(async (site) => {
    console.log(
      `\nDestinations: from the commit of a change to the first byte at each of ${chats} chats, of which one never answers and one asks to wait (both left out), ${changes} changes, one each ${everyMs / 1000} s, ${cpus().length} cores shared with database and receiver, Node ${process.version}. Target: p95 under ${targetMs.p95} ms.`,
    )
    console.log('| p50 ms | p95 ms | / target | max ms | arrived | contender |\n|---|---|---|---|---|---|')
    for (const { name, text } of contenders) {
      const { took, sent } = await site.measure<{ took: number[]; sent: number }>('destinations-contender.ts', [
        name,
        String(chats),
        String(changes),
        String(everyMs),
      ])
      const sorted = took.toSorted((one, other) => one - other)
      const [p50, p95] = [0.5, 0.95].map((quantile) => sorted[Math.floor(sorted.length * quantile)] ?? Number.NaN)
      const cells = [p50, p95, p95! / targetMs.p95, sorted.at(-1) ?? Number.NaN].map((value, at) =>
        value!.toFixed(at === 2 ? 2 : 1),
      )
      console.log(`| ${[...cells, `${took.length} of ${sent}`, text].join(' | ')} |`)
    }
  })
