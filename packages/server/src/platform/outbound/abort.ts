import { notTheirs } from './failure.ts'

/** Settles as `promise` does, or fails with the reason of `signal` as soon as that is aborted. */
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

/** Runs `work` under a signal that is aborted with `late` after `limitMs`, and as interrupted with an `outer` one. */
export async function withDeadline<Value>(
  limitMs: number,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<Value>,
  outer: (AbortSignal | undefined)[] = [],
): Promise<Value> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(late()), limitMs)
  const listeners = outer.flatMap((signal) => (signal ? [passOn(signal, controller)] : []))
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    for (const stop of listeners) stop()
  }
}

function passOn(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(notTheirs('The attempt was interrupted'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}
