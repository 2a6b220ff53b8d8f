import type { DataFile } from '@svc/core'
import { loadRare, parseDataFile } from '@svc/core'
import { withDeadline } from './deadline.ts'
import type { Emit } from './emitter.ts'
import { fetchDatafile } from './fetch-datafile.ts'
import { evaluatedFlags, instanceId, sendHeartbeat } from './heartbeat.ts'
import type { Held, Taken } from './held.ts'
import { isNewer, succeed, take } from './held.ts'
import type { Host, Status } from './host.ts'
import type { Settings } from './options.ts'
import { ensureOption } from './options.ts'
import type { Platform } from './platform.ts'
import type { Turn } from './poll.ts'
import { startPolling } from './poll.ts'
import { keepIn } from './sticky.ts'
import { sdkVersion } from './version.ts'

/** The events of a client, with what their listeners get. */
export interface ClientEvents {
  /** Fires once, with the first valid data file from any source. */
  ready: { revision: number }
  /** Fires with each later revision. `changedFlags`: sorted keys of the flags that may now evaluate differently. */
  change: { revision: number; previousRevision: number; changedFlags: string[] }
  /**
   * Fires when a request for the data file fails. The message has the address and the reason, and `cause` is the
   * original error. The client keeps its data file and tries again.
   */
  error: Error
  /** Fires when the status changes, except to `closed`, because listeners are removed before. */
  status: Status
}

// How long a fetched file waits for the stored one to be read.
const storeMs = 1_000

type Loaded = Partial<Taken> | { fault: Error; retryAfterMs?: number }

/**
 * Keeps a copy of the data file of the environment. It begins with the one from `bootstrap` or `store`, polls for newer
 * ones, refuses invalid and older ones, and sends heartbeats.
 */
export function createReplica(settings: Settings, platform: Platform, emit: Emit<ClientEvents>) {
  const { sdkKey, fetch, bootstrap, offline } = settings
  const instance = { sdkKey, sdkType: platform.sdkType, sdkVersion, instanceId: instanceId(platform) }
  const evaluated = evaluatedFlags(platform)
  const requests = new Set<AbortController>()
  const clock = () => platform.now()
  const keep = keepIn(settings)
  let held: Held | undefined
  let confirmed = true
  let failing = false
  let closed = false

  const status = (): Status => {
    if (closed) return 'closed'
    if (!held) return 'connecting'
    return confirmed && !failing ? 'ready' : 'stale'
  }

  const tellStatus = (): void => {
    if (told === status()) return
    told = status()
    emit('status', told)
  }

  const turn = async (): Promise<Turn> => {
    const loaded = await load()
    if (closed) return { failed: false }
    if ('fault' in loaded) return fail(loaded.fault, loaded.retryAfterMs)
    await confirm(loaded)
    return stream ? stream.afterPoll() : { failed: false }
  }

  const confirm = async ({ next, changed }: Partial<Taken>): Promise<void> => {
    failing = false
    confirmed = true
    if (next) hold(next, changed)
    store?.keep()
    // Listeners of `ready` run first, and one of them can close the client.
    await null
    tellStatus()
    if (!closed) beat()
  }

  const takeTold = async (file: DataFile, etag: string): Promise<void> => {
    const loading = loadRare(file)
    // Without a wait, so that the next event of the stream finds this file.
    if (loading) await loading
    const told = succeed(held, file, etag, clock, keep)
    if ('next' in told) await confirm(told)
  }

  const request = <Answer>(send: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> =>
    withDeadline(send, settings.requestTimeoutMs, requests, platform)

  const load = async (): Promise<Loaded> => {
    try {
      const before = held
      const fetched = await request((signal) =>
        fetchDatafile(fetch, settings.datafileUrl, before?.etag, signal, platform),
      )
      // Read the store first: if it has a newer file, an older one from the service must not replace it.
      await withDeadline(async () => store?.recalled, storeMs, requests, platform).catch(() => {})
      if (!('file' in fetched)) return fetched
      await loadRare(fetched.file)
      // The stream was faster.
      if (before && held !== before && !isNewer(fetched.file, held)) return {}
      return succeed(held, fetched.file, fetched.etag, clock, keep)
    } catch (fault) {
      return { fault: fault instanceof Error ? fault : new Error('request failed', { cause: fault }) }
    }
  }

  const fail = (cause: Error, retryAfterMs = 0): Turn => {
    const fault = new Error(`${settings.datafileUrl}: ${reasonOf(cause)}`, { cause })
    // Log the message only: the stack would point into this file.
    if (!failing) settings.warn(`no new data file, trying again. ${fault.message}`)
    failing = true
    emit('error', fault)
    tellStatus()
    return { failed: true, retryAfterMs }
  }

  const hold = (next: Held, changedFlags?: string[]): void => {
    const previousRevision = held?.file.revision
    held = next
    const { revision } = next.file
    // Fire later: if the client starts with a file, no listener can be there yet.
    if (previousRevision === undefined) queueMicrotask(() => emit('ready', { revision }))
    else if (changedFlags) emit('change', { revision, previousRevision, changedFlags })
  }

  const beat = (): void => {
    const flags = evaluated.next(() => held?.evaluator.evaluatedKeys() ?? [])
    const heartbeat = { ...instance, revision: held?.file.revision, evaluatedFlags: flags }
    request((signal) => sendHeartbeat(fetch, settings.heartbeatUrl, heartbeat, signal)).catch(() =>
      evaluated.again(flags),
    )
  }

  const restore = (kept: unknown, isConfirmed = false): boolean | Promise<boolean> => {
    const file = parseDataFile(typeof kept === 'string' ? JSON.parse(kept) : kept)
    if (!file) throw new Error('not a data file')
    const loading = loadRare(file)
    if (loading) return loading.then(() => restore(file, isConfirmed))
    if (!isNewer(file, held)) return false
    const { next, changed } = take(held, file, null, clock, keep)
    confirmed = isConfirmed
    hold(next, changed)
    tellStatus()
    return true
  }

  const begin = async (): Promise<void> => {
    try {
      if (bootstrap !== undefined) await restore(bootstrap, true)
    } catch (fault) {
      settings.warn('bootstrap is ignored', fault)
    }
  }

  let told = status()
  const begun = begin()
  const host: Host = {
    settings,
    platform,
    requests,
    held: () => held,
    status,
    restore,
    take: takeTold,
    beat,
    refresh: async () => {
      await begun
      await (poll ? poll.refresh() : store?.recalled)
    },
    plan: (ended) => poll?.plan(ended),
  }
  const store = settings.store?.(host)
  ensureOption(!store || store.keep, 'store')
  const poll = offline ? undefined : startPolling(turn, settings.pollIntervalMs, platform)
  const stream = offline ? undefined : settings.stream?.(host)

  return {
    held: host.held,
    status,
    streaming: () => !!stream?.isUp(),
    refresh: host.refresh,
    keepAlive: (wanted: boolean) => poll?.keepAlive(wanted),
    close(): void {
      closed = true
      poll?.stop()
      stream?.stop()
      for (const controller of requests) controller.abort()
    },
  }
}

/** The cause says more than `fetch failed`. If several addresses were tried, only its code says anything. */
function reasonOf({ message, cause }: Error): string {
  const { message: told, code } = (cause ?? {}) as NodeJS.ErrnoException
  return told || code || message
}
