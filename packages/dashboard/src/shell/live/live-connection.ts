import type { Change, LiveEvent, Presence } from './live-message.ts'

const minRetryMs = 5_000
const maxRetryMs = 30_000

/**
 * Follows what changes in an organization. All tabs of a browser share one connection, because a browser opens at most
 * six to a host over HTTP/1.1: the tab that holds a lock reads the stream and hands everything on to the others. When
 * it closes, the next tab continues after the last event. Browsers have locks only over https and on localhost; without
 * them, there is no stream.
 */
export function followChanges(
  { userId, orgId }: { userId: string; orgId: string },
  onEvent: (event: LiveEvent) => void,
): () => void {
  if (!('locks' in navigator)) return () => undefined
  const name = `svc.live.${userId}.${orgId}`
  const others = new BroadcastChannel(name)
  const waiting = new AbortController()
  let lastId: string | undefined
  /** What a new tab must know, while this tab reads the stream. */
  let state: LiveEvent | undefined
  let stopReading: (() => void) | undefined

  const take = (event: LiveEvent) => {
    if ('id' in event) lastId = event.id
    onEvent(event)
  }
  const tell = (event: LiveEvent) => {
    take(event)
    others.postMessage(event)
  }
  others.onmessage = ({ data }: MessageEvent<LiveEvent | 'hello'>) => {
    if (data !== 'hello') take(data)
    else if (state && lastId !== undefined)
      others.postMessage(state.type === 'lost' ? state : { type: 'ready', id: lastId, upTo: Number(lastId) })
  }
  others.postMessage('hello')

  const read = () =>
    new Promise<void>((stopped) => {
      let source: EventSource
      let retry: ReturnType<typeof setTimeout> | undefined
      let retryMs = minRetryMs
      const open = () => {
        const query = new URLSearchParams({ orgId, ...(lastId !== undefined && { after: lastId }) })
        source = new EventSource(`/api/dashboard/stream?${query}`)
        source.addEventListener('ready', ({ lastEventId: id, data }) => {
          retryMs = minRetryMs
          state = { type: 'ready', id, upTo: (JSON.parse(data) as { upTo: number }).upTo }
          tell(state)
        })
        source.addEventListener('gap', ({ lastEventId: id }) => tell({ type: 'gap', id }))
        source.addEventListener('presence', ({ data }) =>
          tell({ type: 'presence', presence: JSON.parse(data) as Presence }),
        )
        source.onmessage = ({ lastEventId: id, data }: MessageEvent<string>) =>
          tell({ type: 'change', id, change: JSON.parse(data) as Change })
        source.onerror = () => {
          // The browser connects again by itself, but not after an answer such as 401 or 502.
          const isRefused = source.readyState === EventSource.CLOSED
          state = { type: 'lost', isRefused }
          tell(state)
          if (!isRefused) return
          retry = setTimeout(open, retryMs)
          retryMs = Math.min(2 * retryMs, maxRetryMs)
        }
      }
      open()
      stopReading = () => {
        clearTimeout(retry)
        source.close()
        stopped()
      }
    })
  navigator.locks
    .request(name, { signal: waiting.signal }, () => (waiting.signal.aborted ? undefined : read()))
    .catch((error: unknown) => {
      if (!waiting.signal.aborted) throw error
    })

  return () => {
    waiting.abort()
    stopReading?.()
    others.close()
  }
}
