import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { FeedFault } from '../../row.ts'
import type { Said, Told } from '../messages.ts'

/** So many batches wait to be taken. Then the file waits, too. */
const aheadAtMost = 2

const port = parentPort!
const say = (said: Said) => port.postMessage(said)
let ahead = 0
let makeRoom = () => {}

/**
 * What a thread does that `inThread` has begun.
 *
 * @param read what it reads, by its data
 */
export async function readForParent<Of>(
  read: (of: Of, bytes: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>,
): Promise<void> {
  port.on('message', ({ tell }: Told) => {
    if (tell !== 'taken') return
    ahead -= 1
    makeRoom()
  })
  try {
    for await (const batch of read(workerData as Of, received())) {
      if (ahead >= aheadAtMost) await new Promise<void>((resolve) => (makeRoom = resolve))
      ahead += 1
      say({ say: 'batch', batch })
    }
    say({ say: 'end' })
  } catch (error) {
    if (!(error instanceof FeedFault)) throw error
    say({ say: 'fault', message: error.message, line: error.line })
  } finally {
    port.close()
  }
}

async function* received(): AsyncGenerator<Uint8Array> {
  const messages = on(port, 'message')
  say({ say: 'more' })
  for await (const [told] of messages as AsyncIterable<[Told]>) {
    if (told.tell === 'end') return
    if (told.tell === 'taken') continue
    // The next piece comes while this one is read.
    say({ say: 'more' })
    yield told.bytes
  }
}
