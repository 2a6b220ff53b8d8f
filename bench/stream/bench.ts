import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, type Program, percentile, startProgram, startSvc } from '../program.ts'
import { followBySdk, type Listeners, listenTo } from './listeners.ts'

const rounds = 3
const switches = 100
const restMs = 20
const idleStreams = 10_000
const targets = { 1: { p50: 5, p99: 50 }, 1000: { p50: 30, p99: 80 } }

interface Contender {
  name: string
  program: Program
  path: string
  listen(count: number): Promise<Listeners>
  toggle(): Promise<{ revision: number }>
}

/** Measures the time from the answer of a switch to event, data file and value, and the memory of idle streams. */
export async function run(): Promise<void> {
  const svc = await startSvc()
  const prototype = await startProgram(new URL('prototype.ts', import.meta.url))
  const toggle = async () => {
    const response = await fetch(`http://127.0.0.1:${prototype.port}/`, { method: 'POST' })
    return (await response.json()) as { revision: number }
  }
  const path = `/api/sdk/v1/stream/${svc.sdkKey}`
  const file = `/api/sdk/v1/datafile/${svc.sdkKey}.json`
  const product = { program: svc, path, toggle: svc.toggle }
  const contenders: Contender[] = [
    {
      name: 'node:http, only the streams (limit)',
      program: prototype,
      path: '/',
      toggle,
      listen: (count) => listenTo(prototype.port, '/', count),
    },
    { ...product, name: 'Svc, the event', listen: (count) => listenTo(svc.port, path, count) },
    { ...product, name: 'Svc, the data file after it', listen: (count) => listenTo(svc.port, path, count, file) },
    {
      ...product,
      name: 'Svc, the new value in an SDK',
      async listen(count) {
        const others = await listenTo(svc.port, path, count - 1)
        const { heard, close } = await followBySdk(svc.port, svc.sdkKey)
        return {
          heard,
          close() {
            close()
            others.close()
          },
        }
      },
    },
  ]
  console.log(
    `\nStream: ${switches} switches in each of ${rounds} rounds, loopback, all clients in one process on the same ${cpus().length} cores, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)} before, median of the rounds. A negative value means that the event came before the answer.`,
  )
  console.log('| streams | p50 ms | / target | p99 ms | / target | contender |\n|---|---|---|---|---|---|')
  for (const [count, target] of Object.entries(targets)) {
    const results = new Map<Contender, number[][]>(contenders.map((contender) => [contender, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const contender of contenders) results.get(contender)!.push(await latencies(contender, Number(count)))
    for (const [{ name }, measured] of results) {
      const [p50, p99] = [0.5, 0.99].map((share) => median(measured.map((ms) => percentile(ms, share))))
      const cells = [
        count,
        p50!.toFixed(1),
        (p50! / target.p50).toFixed(2),
        p99!.toFixed(1),
        (p99! / target.p99).toFixed(2),
      ]
      console.log(`| ${cells.join(' | ')} | ${name} |`)
    }
  }
  console.log(
    `\n| memory of ${idleStreams} idle streams, MB | KB per stream | memory of the process, MB | contender |\n|---|---|---|---|`,
  )
  for (const { name, program, path } of contenders.slice(0, 2)) {
    const { more, all } = await memoryOfIdle(program, path)
    const cells = [(more / 1e6).toFixed(0), (more / 1e3 / idleStreams).toFixed(1), (all / 1e6).toFixed(0), name]
    console.log(`| ${cells.join(' | ')} |`)
  }
  await prototype.stop()
  await svc.stop()
}

async function latencies({ listen, toggle }: Contender, count: number): Promise<number[]> {
  const listeners = await listen(count)
  const ms: number[] = []
  for (let turn = 0; turn < switches; turn += 1) {
    const { revision } = await toggle()
    const answered = performance.now()
    for (const heard of await listeners.heard(revision)) ms.push(heard - answered)
    await pause(restMs)
  }
  listeners.close()
  return ms
}

async function memoryOfIdle(program: Program, path: string): Promise<{ more: number; all: number }> {
  const before = program.rssBytes()
  const args = [fileURLToPath(new URL('idle.ts', import.meta.url)), String(program.port), path, String(idleStreams)]
  const clients = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(clients.stdout, 'data')
  const after = program.rssBytes()
  clients.kill()
  await once(clients, 'exit')
  return { more: after - before, all: after }
}
