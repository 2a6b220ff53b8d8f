import type { Platform } from './platform.ts'

/**
 * Runs one request until it settles, until `timeoutMs` have passed or until somebody aborts its controller,
 * which is in `open` as long as the request is. Settles on time even where `fetch` ignores its signal.
 * The request may call `extend`: the time runs anew from then on.
 */
export function withDeadline<Answer>(
  request: (signal: AbortSignal, extend: () => void) => Promise<Answer>,
  timeoutMs: number,
  open: Set<AbortController>,
  platform: Platform,
): Promise<Answer> {
  const controller = new AbortController()
  const { signal } = controller
  const start = () => {
    const limit = platform.setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    // What is waited for keeps a process running, if anything does.
    limit.unref?.()
    return limit
  }
  let timer = start()
  const extend = () => {
    platform.clearTimeout(timer)
    if (!signal.aborted) timer = start()
  }
  open.add(controller)
  return new Promise<Answer>((resolve, reject) => {
    signal.onabort = () => reject(signal.reason)
    request(signal, extend).then(resolve, reject)
  }).finally(() => {
    platform.clearTimeout(timer)
    open.delete(controller)
    // A body that nobody read to its end would hold its connection.
    controller.abort()
  })
}
