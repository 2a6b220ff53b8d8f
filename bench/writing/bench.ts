import { cpus } from 'node:os'
import { startCluster } from '../../packages/server/testing/postgres.ts'
import { addProject, createFlag, inLanes, openSite, type Project, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'
import { openPrototype } from './prototype.ts'

const few = 50
const many = 5000
// Everything is measured in turns, so that whatever else the machine does meets all alike.
const rounds = 8
const switchesARound = 160
// Fewer, because each one adds a flag to those whose number is measured.
const createsARound = 30
/** Flags that are switched in turn, so that clients wait for the environment and not for each other's flag. */
const switchedFlags = 16

/** Something that is written again and again. */
interface Contender {
  what: string
  flags: number
  writes: number
  write: (number: number) => Promise<unknown>
  seconds: number
  tookMs: number[]
}

/** Eight clients create flags and switch them; each write is a transaction with audit entry, events and revision. */
export async function run(): Promise<void> {
  const cluster = await startCluster()
  try {
    console.log(
      `\nWriting: 8 clients, ${rounds} rounds of ${createsARound} creates and ${switchesARound} switches each in turns, ${cpus().length} cores shared by clients, process and database, Node ${process.version}. Targets: on PostgreSQL 1,400 creates and 1,500 switches a second, embedded 400; with ${many} flags at most 1.5 times the cost with ${few}.`,
    )
    console.log('| what | flags | writes a second | p50 ms | p99 ms |\n|---|---|---|---|---|')
    const url = await createDatabase(cluster.url)
    await measure(
      await openSite(url),
      async () => {
        const prototype = await openPrototype(url)
        const contenders = [
          contender('create, bare rows by pg', 0, createsARound, (number) => prototype.createFlag(`flag-${number}`)),
          contender('switch, bare rows by pg', 0, switchesARound, (number) => prototype.switchFlag(number % 2 === 0)),
        ]
        return { contenders, close: prototype.close }
      },
      'PostgreSQL',
    )
    await measure(await openSite(), async () => ({ contenders: [], close: async () => {} }), 'embedded')
  } finally {
    await cluster.stop()
  }
}

interface Limit {
  contenders: Contender[]
  close(): Promise<void>
}

async function measure(site: Site, openLimit: () => Promise<Limit>, database: string): Promise<void> {
  const limit = await openLimit()
  const products: Contender[] = []
  for (const flags of [few, many]) {
    const project = await addProject(site, flags)
    products.push(
      contender(`create, ${database}`, flags, createsARound, (number) => createFlag(site, project, `new-${number}`)),
      contender(`switch, ${database}`, flags, switchesARound, await switching(site, project)),
    )
  }
  const contenders = [...limit.contenders, ...products]
  for (let round = 0; round < rounds; round += 1) for (const each of contenders) await measureRound(each, round)
  for (const each of contenders) print(each)
  const cost = (index: number) => (products[index + 2]!.seconds / products[index]!.seconds).toFixed(2)
  console.log(`With ${many} flags, a create costs ${cost(0)} and a switch ${cost(1)} times as much as with ${few}.`)
  await limit.close()
  await site.close()
}

const contender = (what: string, flags: number, writes: number, write: Contender['write']): Contender => ({
  what,
  flags,
  writes,
  write,
  seconds: 0,
  tookMs: [],
})

async function switching(site: Site, project: Project): Promise<Contender['write']> {
  const ids: string[] = []
  for (let number = 0; number < switchedFlags; number += 1)
    ids.push((await createFlag(site, project, `switched-${number}`)).id)
  return (number) => {
    const verb = Math.floor(number / switchedFlags) % 2 === 0 ? 'run' : 'pause'
    const flag = `${project.address}/flags/${ids[number % switchedFlags]}`
    return site.call('POST', `${flag}/envs/${project.production}/${verb}`)
  }
}

async function measureRound(each: Contender, round: number): Promise<void> {
  const numbers = Array.from({ length: each.writes }, (_, index) => round * each.writes + index)
  const startedMs = performance.now()
  each.tookMs.push(...(await inLanes(numbers, each.write)))
  each.seconds += (performance.now() - startedMs) / 1000
}

function print({ what, flags, seconds, tookMs }: Contender): void {
  const sorted = tookMs.sort((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  console.log(`| ${[what, flags, (tookMs.length / seconds).toFixed(0), at(0.5), at(0.99)].join(' | ')} |`)
}
