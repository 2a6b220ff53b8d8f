import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { until } from '../../../../until.ts'
import type { ValuesBatch, ValuesOf } from '../read-values.ts'
import { FeedFault } from '../row.ts'
import type { ReadingOf, VersionBatch } from '../versions.ts'
import type { Said, Told } from './messages.ts'

/** A page of Shopify is 32 MiB of text, and many times as much when it is parsed. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 }
const tooMuch = 'A part of the file needs too much memory: give it smaller rows or pages.'

type Bytes = AsyncIterable<Uint8Array>

/** What the thread of feeds reads. */
export type Reading = { what: 'VERSIONS'; of: ReadingOf } | { what: 'VALUES'; of: ValuesOf }

const ofFeeds = new URL('./worker.ts', import.meta.url)

/** Reads a file of products in a thread of its own. */
export const readInThread = (of: ReadingOf, bytes: Bytes, signal: AbortSignal) =>
  inThread<VersionBatch>(ofFeeds, { what: 'VERSIONS', of } satisfies Reading, bytes, signal)

/** Reads the file of a supplement in a thread of its own. */
export const readValuesInThread = (of: ValuesOf, bytes: Bytes, signal: AbortSignal) =>
  inThread<ValuesBatch>(ofFeeds, { what: 'VALUES', of } satisfies Reading, bytes, signal)

/**
 * Others do not wait while rows are parsed and checked, and a file that needs too much memory ends the thread alone. Bytes
 * go in as the thread asks for them, and batches wait until they are taken. Whoever stops taking them ends the thread, and
 * so does the signal, with its reason: a thread can be at one row for ever.
 *
 * @param program a file that calls `readForParent`
 * @param of what it is given
 */
export async function* inThread<Batch>(
  program: URL,
  of: object,
  bytes: Bytes,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const thread = new Worker(program, { workerData: of, resourceLimits })
  const tell = (told: Told, moved: ArrayBuffer[] = []) => thread.postMessage(told, moved)
  const failing = new AbortController()
  const ending = AbortSignal.any([failing.signal, signal])
  const pieces = until(bytes, ending)
  const giveMore = async () => {
    const { value, done } = await pieces.next()
    if (done) return tell({ tell: 'end' })
    // A piece can be a part of a buffer that others have, too.
    const copy = new Uint8Array(value)
    tell({ tell: 'bytes', bytes: copy }, [copy.buffer])
  }
  const said = on(thread, 'message', { signal: ending, close: ['exit'] }) as AsyncIterable<[Said]>
  let giving: Promise<void> = Promise.resolve()
  thread.on('message', ({ say }: Said) => {
    if (say === 'more') giving = giving.then(giveMore).catch((error) => failing.abort(error))
  })
  try {
    for await (const [message] of said) {
      if (message.say === 'fault') throw new FeedFault(message.message, message.line)
      if (message.say === 'end') return
      if (message.say !== 'batch') continue
      yield message.batch as Batch
      tell({ tell: 'taken' })
    }
    throw new Error('The thread that reads the feed has ended.')
  } catch (error) {
    // What the source of the bytes has thrown, without the wrapping.
    if (ending.aborted) throw ending.reason
    throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new FeedFault(tooMuch) : error
  } finally {
    failing.abort()
    await pieces.return()
    await thread.terminate()
  }
}
