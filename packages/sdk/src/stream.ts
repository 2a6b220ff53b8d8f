import { isForPage } from '@svc/core'
import { patched } from './data-file/patch.ts'
import type { Turn } from './data-file/poll.ts'
import { startPolling } from './data-file/poll.ts'
import type { Stream } from './host.ts'
import { withDeadline } from './requests/deadline.ts'
import { readEvents } from './requests/event-stream.ts'
import type { Platform } from './requests/platform.ts'
import { retryAfterMs } from './requests/retry-after.ts'

// The service sends a ping about every 30 s. If two are missing, the connection is dead.
const longestSilenceMs = 70_000
// A connection that ends sooner counts as failed, so the delay before the next one grows.
const shortestLifeMs = 30_000
const reconnectMs = 1_000
// Polling finds what the stream lost, and the heartbeat shows that the instance is still running.
const pollWhileUpMs = 300_000
const heartbeatWhileUpMs = 60_000

/**
 * Delivers new revisions to a client at once. It needs a `fetch` that streams response bodies. While the stream is
 * down, the client polls and reconnects in the background. In Node, the open connection keeps the process alive until
 * `close()`.
 *
 * @example createClient({ sdkKey, baseUrl, stream })
 */
// long-function: the browser build has no bytes left for what a split would add
export const stream: Stream = (host) => {
  const { platform, requests, settings } = host
  // A variable, because browsers refuse to call it as a method.
  const { fetch } = settings
  let up = false
  let announced = 0
  // The next poll was scheduled with the long interval for an open stream.
  let relaxed = false

  const connect = async (): Promise<Turn> => {
    let openedAtMs = Number.POSITIVE_INFINITY
    let waitMs = 0
    const read = readEvents({
      onRevision: announce,
      onRetry: (delayMs) => {
        waitMs = delayMs
      },
    })

    const listen = async (signal: AbortSignal, extend: () => void): Promise<void> => {
      const headers = headersOf(platform, host.held()?.file.revision)
      const response = await fetch(settings.streamUrl, { signal, headers })
      waitMs = retryAfterMs(response, platform)
      const reader = isEventStream(response) && response.body?.getReader()
      if (!reader || signal.aborted) return
      const decoder = new TextDecoder('utf-8', { fatal: true })
      openedAtMs = platform.now()
      up = true
      while (true) {
        extend()
        const { done, value } = await reader.read()
        if (done || signal.aborted) break
        read(decoder.decode(value, { stream: true }))
      }
    }

    await withDeadline(listen, longestSilenceMs, requests, platform).catch(() => {
      // The connection was lost or silent. Polling goes on, and the loop reconnects.
    })
    // If a poll failed since, it has already scheduled the next one.
    if (relaxed && host.status() === 'ready') host.plan({ failed: false })
    up = relaxed = false
    announced = 0
    return { failed: !(platform.now() - openedAtMs >= shortestLifeMs), retryAfterMs: waitMs }
  }

  const announce = async (revision: number, data: string): Promise<void> => {
    // Already announced, so it is already being requested, at growing intervals.
    if (revision === announced) return
    announced = revision
    try {
      const next = isBehind() && patched(host.held(), revision, data)
      if (next) return await host.take(next.file, next.etag)
    } catch {
      // If the change cannot be applied, request the whole file below.
    }
    if (isBehind() || host.status() === 'stale') await host.refresh()
    // The refresh may have joined a request that was answered before this revision existed.
    if (isBehind() && host.status() === 'ready') await host.refresh()
  }

  const isBehind = (): boolean => up && announced > (host.held()?.file.revision ?? 0)

  const pulse = async (): Promise<Turn> => {
    if (up && host.held()) host.beat()
    return { failed: false }
  }

  const loops = [startPolling(connect, reconnectMs, platform), startPolling(pulse, heartbeatWhileUpMs, platform)]
  return {
    isUp: () => up,
    afterPoll() {
      relaxed = up && !isBehind()
      return isBehind() ? { failed: true } : { failed: false, retryAfterMs: relaxed ? pollWhileUpMs : 0 }
    },
    wake() {
      for (const loop of loops) loop.wake()
    },
    stop() {
      up = false
      for (const loop of loops) loop.stop()
    },
  }
}

/** In a browser, Last-Event-ID would cost a preflight with every connection: it is not a safelisted header. */
const headersOf = ({ sdkType }: Platform, revision: number | undefined): Record<string, string> => ({
  accept: 'text/event-stream',
  ...(!isForPage && sdkType !== 'browser' && revision !== undefined && { 'last-event-id': `${revision}` }),
})

const isEventStream = ({ status, headers }: Response): boolean =>
  status === 200 && !!headers.get('content-type')?.startsWith('text/event-stream')
