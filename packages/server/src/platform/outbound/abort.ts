/** Settles like `promise`, or rejects with the reason of `signal` as soon as it is aborted. */
export function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => {})
      return reject(signal.reason)
    }
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Runs `work` with a signal that is aborted with `late` after `limitMs`. The controller can abort it earlier. */
export async function withDeadline<Value>(
  limitMs: number,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<Value>,
  controller = new AbortController(),
): Promise<Value> {
  const timer = setTimeout(() => controller.abort(late()), limitMs).unref()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
