import { withDeadline } from './deadline.ts'
import type { Emit } from './emitter.ts'
import { fetchDatafile } from './fetch-datafile.ts'
import { instanceId, sendHeartbeat } from './heartbeat.ts'
import type { Held } from './held.ts'
import { succeed } from './held.ts'
import type { Settings } from './options.ts'
import type { Platform } from './platform.ts'
import type { Turn } from './poll.ts'
import { startPolling } from './poll.ts'
import { sdkVersion } from './version.ts'

/** What happens to a client's copy of the data file, and what listeners get. */
export interface ClientEvents {
  /** Once, with the first good data file. */
  ready: { revision: number }
  /** With each later revision. `changedFlags`: sorted keys of the flags that may now evaluate differently. */
  change: { revision: number; previousRevision: number; changedFlags: string[] }
  /** A request for the data file failed; the client goes on with what it has and tries again. */
  error: Error
}

type Loaded = { next?: Held; changed?: string[] } | { fault: Error; retryAfterMs?: number }

/** Keeps a copy of the environment's data file: polls for newer ones, refuses bad and older ones, sends heartbeats. */
export function createReplica(settings: Settings, platform: Platform, emit: Emit<ClientEvents>) {
  const { sdkKey, fetch, requestTimeoutMs } = settings
  const heartbeat = { sdkKey, sdkType: platform.sdkType, sdkVersion, instanceId: instanceId(platform) }
  const requests = new Set<AbortController>()
  let held: Held | undefined
  let failing = false
  let closed = false

  const turn = async (): Promise<Turn> => {
    const loaded = await load()
    if (closed) return { failed: false }
    if ('fault' in loaded) return fail(loaded.fault, loaded.retryAfterMs)
    failing = false
    if (loaded.next) hold(loaded.next, loaded.changed)
    if (!closed) beat()
    return { failed: false }
  }

  const request = <Answer>(send: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> =>
    withDeadline(send, requestTimeoutMs, requests, platform)

  const load = async (): Promise<Loaded> => {
    try {
      const etag = held?.etag
      const fetched = await request((signal) => fetchDatafile(fetch, settings.datafileUrl, etag, signal, platform))
      return 'file' in fetched ? succeed(held, fetched.file, fetched.etag) : fetched
    } catch (fault) {
      return { fault: fault instanceof Error ? fault : new Error('request failed', { cause: fault }) }
    }
  }

  const fail = (fault: Error, retryAfterMs = 0): Turn => {
    if (!failing) settings.warn('no new data file, trying again', fault)
    failing = true
    emit('error', fault)
    return { failed: true, retryAfterMs }
  }

  const hold = (next: Held, changedFlags?: string[]): void => {
    const previousRevision = held?.file.revision
    held = next
    const { revision } = next.file
    if (previousRevision === undefined) emit('ready', { revision })
    else if (changedFlags) emit('change', { revision, previousRevision, changedFlags })
  }

  const beat = (): void => {
    request((signal) => sendHeartbeat(fetch, settings.heartbeatUrl, heartbeat, signal)).catch(() => {})
  }

  const poll = startPolling(turn, settings.pollIntervalMs, platform)
  return {
    held: () => held,
    failing: () => failing,
    refresh: poll.refresh,
    keepAlive: poll.keepAlive,
    close(): void {
      closed = true
      poll.stop()
      for (const controller of requests) controller.abort()
    },
  }
}
