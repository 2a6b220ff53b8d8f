import { cpus, loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { databaseFolder } from '../../packages/server/src/platform/db/embedded/folder.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { median, rssBytesOf, startProgram } from '../program.ts'
import { addProject, openSite, type Site } from '../site.ts'
import { createDatabase } from '../webhooks/database.ts'

const rounds = 5
const flags = 500
const idleMs = 10_000
const mebibyte = 2 ** 20

interface Measured {
  startMs: number
  idleMb: number
}

interface Contender {
  what: string
  aim?: { startMs: number; idleMb: number }
  measure(): Promise<Measured>
}

/** Measures how long a process takes to be ready with 500 flags, and its memory after ten idle seconds. */
export async function run(): Promise<void> {
  const cluster = await startCluster()
  const embedded = await siteWithFlags()
  const postgres = await siteWithFlags(await createDatabase(cluster.url))
  const env = { BENCH_FOLDER: databaseFolder(embedded.dataFolder) }
  const program = (name: string) => () => measured(() => startProgram(new URL(name, import.meta.url), env))
  const service = (site: Site) => () =>
    measured(async () => {
      await site.start()
      return { pid: site.pid(), stop: site.stop }
    })
  const contenders: Contender[] = [
    { what: 'node:http, listening (limit)', measure: program('server.ts') },
    { what: 'PGlite alone with the same data (limit)', measure: program('database.ts') },
    { what: 'Svc on its embedded database', aim: { startMs: 2_000, idleMb: 400 }, measure: service(embedded) },
    { what: 'Svc on PostgreSQL', aim: { startMs: 1_000, idleMb: 150 }, measure: service(postgres) },
  ]
  console.log(
    `\nStart: process to ready with ${flags} flags, memory (RSS) after ${idleMs / 1000} idle seconds, ${cpus().length} cores, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)} before, median of ${rounds} alternating rounds.`,
  )
  const results = new Map<Contender, Measured[]>(contenders.map((contender) => [contender, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const contender of contenders) results.get(contender)!.push(await contender.measure())
  console.log('| ready ms | / target | idle MB | / target | contender |\n|---|---|---|---|---|')
  for (const [{ what, aim }, all] of results) {
    const startMs = median(all.map((each) => each.startMs))
    const idleMb = median(all.map((each) => each.idleMb))
    const part = (value: number, target: number | undefined) => (target ? (value / target).toFixed(2) : '')
    const cells = [startMs.toFixed(0), part(startMs, aim?.startMs), idleMb.toFixed(0), part(idleMb, aim?.idleMb), what]
    console.log(`| ${cells.join(' | ')} |`)
  }
  await Promise.all([embedded.start(), postgres.start()])
  await Promise.all([embedded.close(), postgres.close()])
  await cluster.stop()
}

async function siteWithFlags(url?: string): Promise<Site> {
  const site = await openSite(url)
  await addProject(site, flags)
  await site.stop()
  return site
}

async function measured(start: () => Promise<{ pid: number; stop(): Promise<unknown> }>): Promise<Measured> {
  const begun = performance.now()
  const { pid, stop } = await start()
  const startMs = performance.now() - begun
  await pause(idleMs)
  const idleMb = rssBytesOf(pid) / mebibyte
  await stop()
  return { startMs, idleMb }
}
