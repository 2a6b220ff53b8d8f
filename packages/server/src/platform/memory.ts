import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type HeldMemory, isWorthCollecting } from './idle-memory.ts'

/** Later than the start of a slow machine: collecting twice takes a tenth of a second, in the thread of the database too. */
const settledMs = 5_000
const lookIntervalMs = 30_000

/**
 * Collects garbage five seconds after the start, and later each time this thread has been idle for half a minute. An
 * idle thread has no other reason to collect, and would keep its garbage.
 */
export function giveBackMemoryWhenIdle(): void {
  let afterLast = held()
  let seen = performance.eventLoopUtilization()
  const collectNow = () => {
    giveBackMemory()
    afterLast = held()
  }
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (isWorthCollecting({ utilization, now: held(), afterLast })) collectNow()
  }
  setTimeout(() => {
    collectNow()
    setInterval(look, lookIntervalMs).unref()
  }, settledMs).unref()
}

function held(): HeldMemory {
  const { heapTotal, rss } = process.memoryUsage()
  return { heap: heapTotal, process: rss }
}

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

let gc: Collect | undefined

/**
 * Takes about 80 ms. This is the only way to force a full collection without a command line flag. An ordinary collection
 * keeps the pages that it empties in a pool of V8. Only a collection as the last resort returns them to the system.
 */
export function giveBackMemory(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as Collect
  }
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
