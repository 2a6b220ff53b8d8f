/** The pieces, until the signal ends them with its reason, also while none comes. Whoever leaves early closes them. */
export async function* until<Piece>(pieces: AsyncIterable<Piece>, signal: AbortSignal): AsyncGenerator<Piece, void> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await orAborted(iterator.next(), signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    // It is not awaited: an iterator that waits for its next piece is closed when that comes.
    iterator.return?.().catch(() => {})
  }
}

/** `Promise.race` with one promise for all pieces would keep each of them until that promise is settled. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    const done = () => signal.removeEventListener('abort', leave)
    signal.addEventListener('abort', leave, { once: true })
    work.finally(done).then(resolve, reject)
    if (signal.aborted) leave()
  })
}
