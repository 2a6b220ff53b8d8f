import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isWorthCollecting } from './idle-memory.ts'

const settledMs = 500
const lookIntervalMs = 30_000

/**
 * Collects half a second after the start what the start has left behind, and later what requests have, each time that
 * this thread has been idle for half a minute. An idle thread has no other reason to collect, and would keep its garbage.
 */
export function giveBackMemoryWhenIdle(): void {
  let heapAfterLast = 0
  let seen = performance.eventLoopUtilization()
  const collectNow = () => {
    collect()
    heapAfterLast = process.memoryUsage().heapUsed
  }
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (isWorthCollecting({ utilization, heapUsed: process.memoryUsage().heapUsed, heapAfterLast })) collectNow()
  }
  setTimeout(() => {
    collectNow()
    setInterval(look, lookIntervalMs).unref()
  }, settledMs).unref()
}

let gc: (() => void) | undefined

/** Takes about 40 ms. Without a flag on the command line, there is no other way to a full collection. */
function collect(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as () => void
  }
  gc()
}
