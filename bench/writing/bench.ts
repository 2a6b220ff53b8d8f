import { cpus } from 'node:os'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { percentile } from '../program.ts'
import { addProject, createFlag, inLanes, openSite, type Project, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'
import { openPrototype } from './prototype.ts'
import { openUnleash } from './unleash.ts'

const clientCounts = [1, 8, 32]
const mostClients = 32
const flags = 500
const flagsWithRules = 300
const few = 50
const many = 5000
// Contenders alternate, so that other load on the machine affects all alike.
const rounds = 6
const switchesARound = 160
// Fewer than switches, because each create increases the number of flags.
const createsARound = 48
/** Flags that are switched in turn: more than clients, so that clients wait for the environment and not for a flag. */
const switchedFlags = 48

/** A contender that creates and switches flags. */
interface Writer {
  what: string
  create(key: string): Promise<unknown>
  switch(key: string, enabled: boolean): Promise<unknown>
}

interface Measured {
  writes: number
  seconds: number
  tookMs: number[]
}

type Work = 'create' | 'switch' | 'switch, rules'
const works: Work[] = ['create', 'switch', 'switch, rules']

/**
 * Clients create and switch flags. Each write has its audit entry, events, revision and data file. With a number of
 * clients, nothing else is measured.
 */
export async function run({ clients: only }: { clients?: string | undefined }): Promise<void> {
  const cluster = await startCluster()
  try {
    console.log(
      `\nWriting: ${rounds} alternating rounds, ${cpus().length} cores shared by clients, process and database, Node ${process.version}, ${flags} flags of which ${flagsWithRules} have rules. Targets on PostgreSQL: 1.5 times the writes per second of unleash-server, with at most its p99; embedded: half of that.`,
    )
    const url = await createDatabase(cluster.url)
    const site = await openSite(url)
    const embedded = await openSite()
    const unleash = await openUnleash(await createDatabase(cluster.url, '_unleash'), mostClients)
    const writers: Writer[] = []
    if (unleash) {
      await fill(unleash.create, unleash.addRule)
      writers.push({ what: 'unleash-server', ...unleash })
    }
    writers.push(await product(site, 'Svc on PostgreSQL'))
    writers.push(await product(embedded, 'Svc on its embedded database'))
    for (const clients of only ? [Number(only)] : clientCounts) await compare(writers, clients)
    await unleash?.close()
    await embedded.close()
    if (!only) await growth(site, url)
    await site.close()
    if (unleash) return
    console.log('\nNot installed: unleash-server. To measure it too:')
    console.log('npm install --prefix bench/writing/peers --ignore-scripts --no-package-lock')
  } finally {
    await cluster.stop()
  }
}

const switchedKeys = (work: Work): string[] =>
  Array.from({ length: switchedFlags }, (_, index) => keyOf(work === 'switch' ? flagsWithRules + index : index))

const keyOf = (number: number): string => `flag-${number}`

/** Creates all flags, and a rule for the first `flagsWithRules` of them. */
async function fill(create: (key: string) => Promise<unknown>, addRule: (key: string) => Promise<unknown>) {
  const keys = Array.from({ length: flags }, (_, number) => keyOf(number))
  await inLanes(keys, create)
  await inLanes(keys.slice(0, flagsWithRules), addRule)
}

async function product(site: Site, what: string): Promise<Writer> {
  const project = await addProject(site, 0)
  const ids = new Map<string, string>()
  const addressOf = (key: string) => `${project.address}/flags/${ids.get(key)}/envs/${project.production}`
  const create = async (key: string) => void ids.set(key, (await createFlag(site, project, key)).id)
  await fill(create, (key) =>
    site.call('POST', `${addressOf(key)}/rules`, {
      type: 'TARGETED_DELIVERY',
      name: 'Half of Benelux',
      enabled: true,
      conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }] },
      trafficAllocation: 5000,
      variationKey: 'on',
    }),
  )
  return {
    what,
    create,
    switch: (key, enabled) => site.call('POST', `${addressOf(key)}/${enabled ? 'run' : 'pause'}`),
  }
}

async function compare(writers: readonly Writer[], clients: number): Promise<void> {
  const measured = new Map(writers.map(({ what }) => [what, new Map(works.map((work) => [work, nothingYet()]))]))
  for (let round = 0; round < rounds; round += 1)
    for (const work of works)
      for (const writer of writers)
        await measureRound(measured.get(writer.what)!.get(work)!, turn(writer, work, clients, round), clients)
  console.log(`\n${clients} clients:`)
  console.log('| contender | writes per second | / unleash | p50 ms | p99 ms | / unleash |\n|---|---|---|---|---|---|')
  for (const work of works)
    for (const { what } of writers) {
      const own = figuresOf(measured.get(what)!.get(work)!)
      const peer = figuresOf(measured.get(writers[0]!.what)!.get(work)!)
      const cells = [`${work}, ${what}`, own.rate.toFixed(0), (own.rate / peer.rate).toFixed(2), own.p50.toFixed(1)]
      console.log(`| ${[...cells, own.p99.toFixed(1), (own.p99 / peer.p99).toFixed(2)].join(' | ')} |`)
    }
}

/** The writes of one round. Each flag is run in one round and paused in the next. */
function turn(writer: Writer, work: Work, clients: number, round: number): (() => Promise<unknown>)[] {
  if (work === 'create')
    return Array.from({ length: createsARound }, (_, n) => () => writer.create(`new-${clients}-${round}-${n}`))
  const keys = switchedKeys(work)
  return Array.from({ length: switchesARound }, (_, index) => {
    const times = round * switchesARound + index
    const enabled = Math.floor(times / keys.length) % 2 === 0
    return () => writer.switch(keys[times % keys.length]!, enabled)
  })
}

/** Compares writes in a large project with the same rows written by pg alone. */
async function growth(site: Site, url: string): Promise<void> {
  const prototype = await openPrototype(url)
  const contenders: { what: string; writes: number; write: (number: number) => Promise<unknown>; done: Measured }[] = []
  const add = (what: string, writes: number, write: (number: number) => Promise<unknown>) =>
    contenders.push({ what, writes, write, done: nothingYet() })
  add('create, only the rows by pg', createsARound, (number) => prototype.createFlag(`flag-${number}`))
  add('switch, only the rows by pg', switchesARound, (number) => prototype.switchFlag(number % 2 === 0))
  for (const count of [few, many]) {
    const project = await addProject(site, count)
    // Keys from all over the file, because everything after a new flag is hashed again.
    const keyOfNew = (number: number) => `old-${Math.floor((number * 997) % count)}-${number}`
    add(`create with ${count} flags`, createsARound, (number) => createFlag(site, project, keyOfNew(number)))
    add(`switch with ${count} flags`, switchesARound, await switching(site, project))
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { writes, write, done } of contenders) {
      const numbers = Array.from({ length: writes }, (_, index) => round * writes + index)
      await measureRound(
        done,
        numbers.map((number) => () => write(number)),
        8,
      )
    }
  console.log('\n8 clients, PostgreSQL:\n| contender | writes per second | p50 ms | p99 ms |\n|---|---|---|---|')
  for (const { what, done } of contenders) {
    const { rate, p50, p99 } = figuresOf(done)
    console.log(`| ${[what, rate.toFixed(0), p50.toFixed(1), p99.toFixed(1)].join(' | ')} |`)
  }
  const cost = (work: number) => figuresOf(contenders[2 + work]!.done).rate / figuresOf(contenders[4 + work]!.done).rate
  console.log(
    `With ${many} flags, a create costs ${cost(0).toFixed(2)} times as much, and a switch ${cost(1).toFixed(2)} times.`,
  )
  await prototype.close()
}

async function switching(site: Site, project: Project): Promise<(number: number) => Promise<unknown>> {
  const ids: string[] = []
  for (let number = 0; number < switchedFlags; number += 1)
    ids.push((await createFlag(site, project, `switched-${number}`)).id)
  return (number) => {
    const verb = Math.floor(number / switchedFlags) % 2 === 0 ? 'run' : 'pause'
    return site.call('POST', `${project.address}/flags/${ids[number % ids.length]}/envs/${project.production}/${verb}`)
  }
}

const nothingYet = (): Measured => ({ writes: 0, seconds: 0, tookMs: [] })

async function measureRound(into: Measured, writes: readonly (() => Promise<unknown>)[], clients: number) {
  const startedMs = performance.now()
  into.tookMs.push(...(await inLanes(writes, (write) => write(), clients)))
  into.seconds += (performance.now() - startedMs) / 1000
  into.writes += writes.length
}

const figuresOf = ({ writes, seconds, tookMs }: Measured) => ({
  rate: writes / seconds,
  p50: percentile(tookMs, 0.5),
  p99: percentile(tookMs, 0.99),
})
