import { Worker } from 'node:worker_threads'
import { inTurn } from '../../../../../turns.ts'
import type { Product, Task } from './build.ts'
import type { Built } from './built.ts'

export type ToThread = { products: readonly Product[] } | { task: Task }

interface Building {
  task: Task
  /** What `SIMILAR` compares, in portions. */
  products?: AsyncIterable<readonly Product[]>
  signal: AbortSignal
}

/**
 * Builds models in a thread of its own, so that requests do not wait, and one at a time on a node, so that two do not take
 * its memory.
 */
export function modelBuilder() {
  const take = inTurn({ atOnce: 1, waitingAtMost: 100 })
  return (building: Building): Promise<Built> => take(() => inThread(building))
}

export type ModelBuilder = ReturnType<typeof modelBuilder>

async function inThread({ task, products, signal }: Building): Promise<Built> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./worker.ts', import.meta.url))
  const answer = Promise.withResolvers<Built>()
  // If the thread fails while products are still being read, that is thrown below.
  answer.promise.catch(() => undefined)
  const stop = () => answer.reject(signal.reason)
  thread.once('message', answer.resolve)
  thread.once('error', answer.reject)
  thread.once('exit', () => answer.reject(new Error('The thread that builds models has ended.')))
  signal.addEventListener('abort', stop)
  try {
    if (products) for await (const portion of products) thread.postMessage({ products: portion } satisfies ToThread)
    thread.postMessage({ task } satisfies ToThread, columnsOf(task))
    return await answer.promise
  } finally {
    signal.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

/** Columns are handed over, not copied. */
function columnsOf(task: Task): ArrayBuffer[] {
  const columns =
    'gathered' in task ? task.gathered : 'related' in task ? task.related : 'scored' in task ? task.scored : {}
  return Object.values(columns).flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []))
}
