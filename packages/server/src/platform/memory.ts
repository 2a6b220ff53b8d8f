import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const settledMs = 500

/**
 * Collects once, half a second after the start, what the start has left behind. An idle process has no other reason to
 * collect, and would keep a fifth of its memory for it. It takes 40 ms.
 */
export function giveBackMemoryOfStart(): void {
  setTimeout(() => {
    // The only way to a full collection without a flag on the command line of whoever starts the program.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
  }, settledMs).unref()
}
