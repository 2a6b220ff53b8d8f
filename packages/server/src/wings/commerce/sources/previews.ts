import { inTurn, TooBusy } from '../../../turns.ts'
import { until } from '../../../until.ts'
import { peeked } from '../feeds/index.ts'

type Bytes = AsyncIterable<Uint8Array>

/** A page of Shopify is in memory as a whole. */
const readAtOnce = { atOnce: 2, waitingAtMost: 10, patienceMs: 10_000 }
const openAtMost = 20
const openOfProject = 4

/** The first rows of a file come soon, or something is wrong with it. `turnMs`: how long it can keep others waiting. */
const limitsByDefault = { wholeMs: 20_000, turnMs: 5_000 }

/**
 * Reads files, two at a time, so that a node holds few of them in memory. A file has a turn from its first byte on, and
 * for 5 s: one that does not come keeps nobody waiting, and one that stalls loses its turn. It ends with a
 * `TimeoutError` then, as it does after 20 s, and with the reason of `gone`. Up to 20 files can be on their way, 4 of
 * them for one project.
 *
 * @throws TooBusy if there are more, or if a file waits 10 s for its turn
 */
export function previews({ wholeMs, turnMs } = limitsByDefault) {
  const take = inTurn(readAtOnce)
  const open: string[] = []

  return async <Result>(
    projectId: string,
    gone: AbortSignal,
    begin: (signal: AbortSignal) => Bytes,
    read: (bytes: Bytes) => Promise<Result>,
  ): Promise<Result> => {
    if (open.length >= openAtMost || open.filter((id) => id === projectId).length >= openOfProject) throw new TooBusy()
    open.push(projectId)
    const late = new AbortController()
    const end = () => late.abort(new DOMException('The file did not come in time.', 'TimeoutError'))
    const timers = [setTimeout(end, wholeMs)]
    const signal = AbortSignal.any([gone, late.signal])
    try {
      const { rest, close } = await begun(until(begin(signal), signal))
      if (!close) return await read(rest)
      return await take(() => {
        timers.push(setTimeout(end, turnMs))
        return read(rest)
      }).finally(close)
    } finally {
      for (const timer of timers) clearTimeout(timer)
      open.splice(open.indexOf(projectId), 1)
      late.abort()
    }
  }
}

/** Waits for the first byte. Of a file that does not come, the bytes end with the reason. */
async function begun(bytes: Bytes): Promise<{ rest: Bytes; close?: () => void }> {
  try {
    return await peeked(bytes, 1)
  } catch (error) {
    return { rest: failing(error) }
  }
}

// biome-ignore lint/correctness/useYield: there are no bytes
async function* failing(error: unknown): Bytes {
  throw error
}
