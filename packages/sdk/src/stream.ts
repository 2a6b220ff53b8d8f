import { withDeadline } from './deadline.ts'
import { readEvents } from './event-stream.ts'
import type { Stream } from './host.ts'
import { patched } from './patch.ts'
import type { Platform } from './platform.ts'
import type { Turn } from './poll.ts'
import { startPolling } from './poll.ts'
import { retryAfterMs } from './retry-after.ts'

// The service sends a ping about every 30 s: after two that did not come, the connection is dead.
const longestSilenceMs = 70_000
// A connection that breaks sooner was no good: the waits before the next ones grow.
const shortestLifeMs = 30_000
const reconnectMs = 1_000
// Polling finds what the stream lost, and the heartbeat says that the instance is still there.
const pollWhileUpMs = 300_000
const heartbeatWhileUpMs = 60_000

/**
 * Makes a client hear of new revisions at once. It needs a `fetch` that gives bodies as they come. While the stream is
 * down, the client polls, and connects again in the background. In Node the open connection keeps the process running
 * until `close()`.
 *
 * @example createClient({ sdkKey, baseUrl, stream })
 */
export const stream: Stream = (host) => {
  const { platform, requests, settings } = host
  // Browsers refuse it as a method.
  const { fetch } = settings
  let up = false
  let announced = 0
  // The next poll was planned for a stream that is up.
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
      // Lost or silent: polling goes on, and the next connection follows.
    })
    // One that failed since has planned the next itself.
    if (relaxed && host.status() === 'ready') host.plan({ failed: false })
    up = relaxed = false
    announced = 0
    return { failed: !(platform.now() - openedAtMs >= shortestLifeMs), retryAfterMs: waitMs }
  }

  const announce = async (revision: number, data: string): Promise<void> => {
    // Told once more: it is asked for already, at growing intervals.
    if (revision === announced) return
    announced = revision
    try {
      const next = isBehind() && patched(host.held(), revision, data)
      if (next) return await host.take(next.file, next.etag)
    } catch {
      // What cannot be taken is asked for as a whole, and refused if it has to be.
    }
    if (isBehind() || host.status() === 'stale') await host.refresh()
    // The request that was joined may have been answered before there was this revision.
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
    stop() {
      up = false
      for (const loop of loops) loop.stop()
    },
  }
}

/** Last-Event-ID is no safelisted header: it would cost a browser a preflight with every connection. */
const headersOf = ({ sdkType }: Platform, revision: number | undefined): Record<string, string> => ({
  accept: 'text/event-stream',
  ...(sdkType !== 'browser' && revision !== undefined && { 'last-event-id': `${revision}` }),
})

const isEventStream = ({ status, headers }: Response): boolean =>
  status === 200 && !!headers.get('content-type')?.startsWith('text/event-stream')
