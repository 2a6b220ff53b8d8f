import type { DataFile } from '@svc/core'
import { parseDataFile } from '@svc/core'
import { withDeadline } from './deadline.ts'
import type { Emit } from './emitter.ts'
import { fetchDatafile } from './fetch-datafile.ts'
import { evaluatedFlags, instanceId, sendHeartbeat } from './heartbeat.ts'
import type { Held, Taken } from './held.ts'
import { isNewer, succeed, take } from './held.ts'
import type { Host, Status } from './host.ts'
import type { Settings } from './options.ts'
import { ensure } from './options.ts'
import type { Platform } from './platform.ts'
import type { Turn } from './poll.ts'
import { startPolling } from './poll.ts'
import { sdkVersion } from './version.ts'

/** What happens to a client's copy of the data file, and what listeners get. */
export interface ClientEvents {
  /** Once, with the first good data file, wherever it comes from. */
  ready: { revision: number }
  /** With each later revision. `changedFlags`: sorted keys of the flags that may now evaluate differently. */
  change: { revision: number; previousRevision: number; changedFlags: string[] }
  /**
   * A request for the data file failed: the message has its address and the reason, `cause` what was thrown. The client
   * goes on with what it has and tries again.
   */
  error: Error
  /** The status is another one now. `closed` is not told: listeners are gone by then. */
  status: Status
}

// So long a file from the service waits for the one that was kept.
const storeMs = 1_000

type Loaded = Partial<Taken> | { fault: Error; retryAfterMs?: number }

/**
 * Keeps a copy of the environment's data file: begins with the one that was handed over or kept, polls for newer ones,
 * refuses bad and older ones, sends heartbeats.
 */
export function createReplica(settings: Settings, platform: Platform, emit: Emit<ClientEvents>) {
  const { sdkKey, fetch, bootstrap, offline } = settings
  const instance = { sdkKey, sdkType: platform.sdkType, sdkVersion, instanceId: instanceId(platform) }
  const evaluated = evaluatedFlags(platform)
  const requests = new Set<AbortController>()
  const clock = () => platform.now()
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
    // Listeners of `ready` come first, and one of them may close the client.
    await null
    tellStatus()
    if (!closed) beat()
  }

  const takeTold = async (file: DataFile, etag: string): Promise<void> => {
    const told = succeed(held, file, etag, clock)
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
      // Whoever keeps a newer file keeps it from being followed by an older one. It may come later just as well.
      await withDeadline(async () => store?.recalled, storeMs, requests, platform).catch(() => {})
      if (!('file' in fetched)) return fetched
      // The stream was quicker.
      if (before && held !== before && !isNewer(fetched.file, held)) return {}
      return succeed(held, fetched.file, fetched.etag, clock)
    } catch (fault) {
      return { fault: fault instanceof Error ? fault : new Error('request failed', { cause: fault }) }
    }
  }

  const fail = (cause: Error, retryAfterMs = 0): Turn => {
    const fault = new Error(`${settings.datafileUrl}: ${reasonOf(cause)}`, { cause })
    // Without the error itself: whose stack would only say where in here it was met.
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
    // In a moment, as nobody can listen yet to a client that begins with a file.
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

  const restore = (kept: unknown, isConfirmed = false): boolean => {
    const file = parseDataFile(typeof kept === 'string' ? JSON.parse(kept) : kept)
    if (!file) throw new Error('not a data file')
    if (!isNewer(file, held)) return false
    const { next, changed } = take(held, file, null, clock)
    confirmed = isConfirmed
    hold(next, changed)
    tellStatus()
    return true
  }

  let told = status()
  if (bootstrap !== undefined) {
    try {
      restore(bootstrap, true)
    } catch (fault) {
      settings.warn('bootstrap is ignored', fault)
    }
  }
  const host: Host = {
    settings,
    platform,
    requests,
    held: () => held,
    status,
    restore,
    take: takeTold,
    beat,
    refresh: async () => void (await (poll ? poll.refresh() : store?.recalled)),
    plan: (ended) => poll?.plan(ended),
  }
  const store = settings.store?.(host)
  ensure(!store || store.keep, 'store must be made by a call, as in fileStore(folder)')
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

/** `fetch failed` says less than what made it fail; of several addresses that were tried, only the code says anything. */
function reasonOf({ message, cause }: Error): string {
  const { message: told, code } = (cause ?? {}) as NodeJS.ErrnoException
  return told || code || message
}
