/**
 * When work must end early. It does what an `AbortSignal` with its controller does, at a tenth of the cost: three
 * listeners for each attempt would take longer than signing it.
 */
export class End {
  readonly #listeners = new Set<() => void>()
  aborted = false
  reason: unknown

  onAbort(listener: () => void): void {
    this.#listeners.add(listener)
  }

  offAbort(listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /** Calls each listener once. Only the first call has an effect. */
  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}

/** Settles like `promise`, or rejects with the reason of `end` as soon as it is aborted. */
export function orAborted<Value>(promise: Promise<Value>, end: End): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (end.aborted) {
      promise.catch(() => {})
      return reject(end.reason)
    }
    const abort = () => reject(end.reason)
    end.onAbort(abort)
    promise.then(resolve, reject).finally(() => end.offAbort(abort))
  })
}

/** Runs `work` with an end that comes with `late` after `limitMs`. The caller can abort it earlier. */
export async function withDeadline<Value>(
  limitMs: number,
  late: () => Error,
  work: (end: End) => Promise<Value>,
  end = new End(),
): Promise<Value> {
  const timer = setTimeout(() => end.abort(late()), limitMs).unref()
  try {
    return await work(end)
  } finally {
    clearTimeout(timer)
  }
}
