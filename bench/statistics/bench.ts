import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Found } from './found.ts'
import { randomOf } from './random.ts'
import { rows } from './rows.ts'

const seed = 20_260_101

/**
 * Simulates what the engine promises, on all processors. Sets the exit code 1 if a row leaves its limits.
 *
 * @param options only rows whose names begin with one of these
 */
export async function run(options: { rows?: string | undefined }): Promise<void> {
  const started = performance.now()
  const wanted = options.rows?.split(',') ?? ['']
  const names = Object.keys(rows).filter((name) => wanted.some((start) => name.startsWith(start)))
  const waiting = [...names].reverse()
  const found = new Map<string, Found[]>()
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      found.set(name, await simulate(name))
      // It takes long, so what was found can be read before the end.
      for (const each of found.get(name) ?? []) console.error(lineOf(name, each))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`\nStatistics: seed ${seed}, Node ${process.version}, ${seconds} s.\n`)
  console.log('| row | what | simulations | limits | seen | |\n|---|---|---|---|---|---|')
  for (const name of names)
    for (const each of found.get(name) ?? []) {
      console.log(lineOf(name, each))
      if (!isKept(each)) process.exitCode = 1
    }
}

const isKept = ({ low, seen, high }: Found): boolean => low <= seen && seen <= high

function lineOf(name: string, each: Found): string {
  const { what, runs, low, high, seen } = each
  const [from, to, is] = [low, high, seen].map((figure) => shown(figure, what))
  const verdict = isKept(each) ? 'ok' : 'OUTSIDE'
  return `| ${name} | ${what} | ${runs.toLocaleString('en')} | ${from} to ${to} | ${is} | ${verdict} |`
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
