import { isForPage } from '@svc/core'
import type { Platform, Timer } from './platform.ts'

/**
 * Runs one request until it settles, `timeoutMs` have passed or its controller is aborted. The controller is in `open`
 * while the request runs. Settles in time even if `fetch` ignores its signal.
 * The request can call `extend` to restart the timeout.
 */
export function withDeadline<Answer>(
  request: (signal: AbortSignal, extend: () => void) => Promise<Answer>,
  timeoutMs: number,
  open: Set<AbortController>,
  platform: Platform,
): Promise<Answer> {
  const controller = new AbortController()
  const { signal } = controller
  let timer: Timer | undefined
  const extend = () => {
    platform.clearTimeout(timer)
    if (signal.aborted) return
    timer = platform.setTimeout(() => controller.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs)
    // The timer alone must not keep a process alive.
    if (!isForPage) timer.unref?.()
  }
  extend()
  open.add(controller)
  return new Promise<Answer>((resolve, reject) => {
    signal.onabort = () => reject(signal.reason)
    request(signal, extend).then(resolve, reject)
  }).finally(() => {
    platform.clearTimeout(timer)
    open.delete(controller)
    // A body that was not read to its end would hold its connection.
    controller.abort()
  })
}
