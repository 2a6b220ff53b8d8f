import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isWorthCollecting } from './idle-memory.ts'

const settledMs = 500
const lookIntervalMs = 30_000

/**
 * Collects garbage half a second after the start, and later each time this thread has been idle for half a minute. An
 * idle thread has no other reason to collect, and would keep its garbage.
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

/** Takes about 40 ms. This is the only way to force a full collection without a command line flag. */
function collect(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as () => void
  }
  gc()
}
