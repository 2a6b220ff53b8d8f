import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Found } from './found.ts'
import { randomOf } from './random.ts'
import { rows } from './rows.ts'

const seed = 20_260_101

/** Simulates what the engine promises, on all processors. Sets the exit code 1 if a row leaves its limits. */
export async function run(): Promise<void> {
  const started = performance.now()
  const names = Object.keys(rows)
  const waiting = [...names].reverse()
  const found = new Map<string, Found[]>()
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) found.set(name, await simulate(name))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`\nStatistics: seed ${seed}, Node ${process.version}, ${seconds} s.\n`)
  console.log('| row | what | simulations | limits | seen | |\n|---|---|---|---|---|---|')
  const all = names.flatMap((name) => (found.get(name) ?? []).map((one) => ({ name, ...one })))
  for (const { name, what, runs, low, high, seen } of all) {
    const isKept = low <= seen && seen <= high
    const [from, to, is] = [low, high, seen].map((figure) => shown(figure, what))
    console.log(
      `| ${name} | ${what} | ${runs.toLocaleString('en')} | ${from} to ${to} | ${is} | ${isKept ? 'ok' : 'OUTSIDE'} |`,
    )
    if (!isKept) process.exitCode = 1
  }
}

function simulate(name: string): Promise<Found[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: name })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

function shown(figure: number, what: string): string {
  if (/contradictions/.test(what)) return String(figure)
  if (/distance|on average/.test(what)) return figure.toFixed(3)
  return `${(100 * figure).toFixed(2)} %`
}

// Each row has its own seed, so it gives the same figures whatever runs beside it.
const simulated = !isMainThread && typeof workerData === 'string' ? rows[workerData] : undefined
if (simulated) parentPort?.postMessage(simulated(randomOf(seed + 1000 * Object.keys(rows).indexOf(workerData))))
