import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of the worker and of all that it started, during this file. */
    processorSeconds?: number
  }
}

const ticksPerSecond = 100

/** A process with the processor time that it and the children that it has waited for took, in seconds. */
interface Running {
  parent: number
  seconds: number
}

function running(pid: string): Running | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in parentheses and can contain spaces.
    const [, parent, ...more] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = more.slice(9, 13).reduce((sum, each) => sum + Number(each), 0)
    return { parent: Number(parent), seconds: ticks / ticksPerSecond }
  } catch {
    // It has ended in the meantime.
    return undefined
  }
}

/** The processor time of this worker and of everything that it has started, in seconds. */
function spent(): number {
  const all = new Map<number, Running>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? running(name) : undefined
    if (found) all.set(Number(name), found)
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (all.has(pid) && isOurs(all.get(pid)!.parent))
  return [...all].reduce((sum, [pid, { seconds }]) => (isOurs(pid) ? sum + seconds : sum), 0)
}

const before = spent()

// Vitest calls the first hook last, after those of the file.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from the first parameter
afterAll(({}, file) => {
  file.meta.processorSeconds = spent() - before
})
