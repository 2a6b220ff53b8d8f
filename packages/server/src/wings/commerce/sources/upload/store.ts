import { until } from '../../../../until.ts'

type Bytes = AsyncIterable<Uint8Array>

/** A file that comes. */
export interface Beginning {
  /** Can be read once. A reader that leaves early leaves the rest to whoever asks next. */
  bytes: Bytes
  /** Resolves when the last byte was read. */
  whole: Promise<void>
}

/** Asks for the first bytes at once: from then on, the limit between two pieces holds, and a job can wait for its turn. */
export function beginning(sent: Bytes): Beginning {
  const pieces = sent[Symbol.asyncIterator]()
  const { promise: whole, resolve } = Promise.withResolvers<void>()
  let next: Promise<IteratorResult<Uint8Array>> | undefined = pieces.next()
  // Whoever reads it hears of it.
  next.catch(() => {})
  const bytes: Bytes = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const piece = await (next ?? pieces.next())
        next = undefined
        if (piece.done) resolve()
        return piece
      },
    }),
  }
  return { bytes, whole }
}

/** Throws away what is left of a file, for some time. */
export async function restOf(bytes: Bytes, ms: number): Promise<void> {
  try {
    for await (const _piece of until(bytes, AbortSignal.timeout(ms)));
  } catch {
    // The time is over, or nobody sends any more.
  }
}
