import type { DataFile } from '@svc/core'
import { compile, isForPage, loadRare } from '@svc/core'
import type { Emit } from '../emitter.ts'
import type { Host, Status } from '../host.ts'
import type { Settings } from '../options.ts'
import { ensureOption } from '../options.ts'
import { withDeadline } from '../requests/deadline.ts'
import type { Platform } from '../requests/platform.ts'
import { post } from '../requests/post.ts'
import type { Refusal } from '../requests/refusal.ts'
import { sdkVersion } from '../version.ts'
import { newId } from '../visitors/new-id.ts'
import { keepIn } from '../visitors/sticky.ts'
import { changedFlags } from './changes.ts'
import { fetchDatafile, parsed } from './fetch-datafile.ts'
import { hasParts } from './has-parts.ts'
import type { Heartbeat } from './heartbeat.ts'
import { evaluatedFlags } from './heartbeat.ts'
import type { Held } from './held.ts'
import { isNewer, succeed } from './held.ts'
import type { Poll, Turn } from './poll.ts'
import { startPolling } from './poll.ts'

/** The events of a client, with what their listeners get. */
export interface ClientEvents {
  /** Fires once, with the first valid data file from any source. */
  ready: { revision: number }
  /** Fires with each later revision. `changedFlags`: sorted keys of the flags that may now evaluate differently. */
  change: { revision: number; previousRevision: number; changedFlags: string[] }
  /**
   * Fires when a request for the data file fails, or one of `createWeb`. The message has the address and the reason, and
   * `cause` is the original error. The client keeps what it has and tries again.
   */
  error: Error
  /** Fires when the status changes, except to `closed`, because listeners are removed before. */
  status: Status
}

// An edge runtime can end a turn together with the request in which it began.
const joinedAtEdgeMs = 1_000
// How long a fetched file waits for the stored one to be read.
const storeMs = 1_000

/**
 * Keeps a copy of the data file of the environment. It begins with the one from `bootstrap` or `store`, polls for newer
 * ones, refuses invalid and older ones, and sends heartbeats.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: properties of an object keep their names in the browser build, whose size is limited; variables of a closure do not
export function createReplica(settings: Settings, platform: Platform, emit: Emit<ClientEvents>) {
  const { sdkKey, fetch, bootstrap, offline } = settings
  const instance = { sdkKey, sdkType: platform.sdkType, sdkVersion, instanceId: newId(platform) }
  const evaluated = evaluatedFlags(platform)
  const requests = new Set<AbortController>()
  // A file that somebody wrote by hand can lack the environment.
  const keep = keepIn(settings, () => held!.file.environment?.id)
  const joinedMs = !isForPage && platform.sdkType === 'edge' ? joinedAtEdgeMs : undefined
  const ready = (file: DataFile) => compile(file, () => platform.now(), keep)
  let held: Held | undefined
  let confirmed = true
  let failing = false
  let closed = false
  let unheard = false
  let beating: Promise<boolean> | undefined

  const status = (): Status => {
    if (closed) return 'closed'
    if (!held) return 'connecting'
    return confirmed && !failing && (isForPage || !poll?.isOverdue?.()) ? 'ready' : 'stale'
  }

  const tellStatus = (): void => {
    if (told === status()) return
    told = status()
    emit('status', told)
  }

  const turn = async (): Promise<Turn> => {
    try {
      const next = await load()
      if (!closed) await confirm(next)
    } catch (fault) {
      if (!closed) return fail(fault)
    }
    return !closed && stream ? stream.afterPoll() : { failed: false }
  }

  /** What to hold now; undefined if that has not changed. */
  const load = async (): Promise<Held | undefined> => {
    const before = held
    const fetched = await request((signal) =>
      fetchDatafile(fetch, settings.datafileUrl, before?.etag, signal, platform),
    )
    // Read the store first: if it has a newer file, an older one from the service must not replace it.
    if (hasParts) await withDeadline(async () => store?.recalled, storeMs, requests, platform).catch(() => {})
    if (!fetched) return
    const { file, etag } = fetched
    await loadRare(file)
    // The stream was faster.
    if (hasParts && before && held !== before && !isNewer(file, held)) return
    return succeed(held, file, etag, ready)
  }

  const confirm = async (next?: Held): Promise<void> => {
    failing = false
    if (hasParts) confirmed = true
    if (next) hold(next)
    store?.keep()
    // Listeners of `ready` run first, and one of them can close the client.
    await null
    tellStatus()
    if (!closed) void beat()
  }

  const takeTold = async (file: DataFile, etag: string): Promise<void> => {
    const loading = loadRare(file)
    // Without a wait, so that the next event of the stream finds this file.
    if (loading) await loading
    await confirm(succeed(held, file, etag, ready))
  }

  const request = <Answer>(send: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> =>
    withDeadline(send, settings.requestTimeoutMs, requests, platform)

  const fail = (cause: unknown): Turn => {
    // Messages go to logs and reports: they do not show the whole key.
    const url = settings.datafileUrl.replace(/([^/]{8})[^/]+(?=\.json$)/, '$1…')
    const fault = new Error(`${url}: ${reasonOf(cause)}`, { cause })
    // Log the message only: the stack would point into this file.
    if (!failing) settings.warn(`no new data file, trying again. ${fault.message}`)
    failing = true
    emit('error', fault)
    tellStatus()
    return { failed: true, retryAfterMs: (cause as Partial<Refusal> | undefined)?.retryAfterMs ?? 0 }
  }

  const hold = (next: Held): void => {
    const before = held?.file
    const { file } = next
    const { revision } = file
    // Before the file is held: for a file that is nested too deeply, this throws.
    const changed = before && before !== file && changedFlags(before, file)
    // The next evaluator begins with no evaluated flags.
    if (held && held.evaluator !== next.evaluator) evaluated.hasNew(held.evaluator.evaluatedKeys())
    held = next
    // Fire later: if the client starts with a file, no listener can be there yet.
    if (!before) queueMicrotask(() => emit('ready', { revision }))
    else if (changed) emit('change', { revision, previousRevision: before.revision, changedFlags: changed })
  }

  /** Sends a heartbeat. True if the service has taken it. Never rejects. */
  const send = async (open: Set<AbortController>): Promise<boolean> => {
    const flags = evaluated.next(() => held?.evaluator.evaluatedKeys() ?? [])
    const heartbeat: Heartbeat = { ...instance, revision: held?.file.revision, evaluatedFlags: flags }
    try {
      await withDeadline(
        (signal) => post(fetch, settings.heartbeatUrl, JSON.stringify(heartbeat), true, signal, platform),
        settings.requestTimeoutMs,
        open,
        platform,
      )
      unheard = false
      return true
    } catch (fault) {
      evaluated.again(flags)
      // A failed connection is told about by the request for the data file.
      if (!isForPage && !unheard && (fault as Partial<Refusal>).status !== undefined)
        settings.warn('heartbeats are refused', fault)
      unheard = true
      return false
    }
  }

  const beat = (open = requests): Promise<boolean> => {
    beating = send(open)
    return beating
  }

  const report = async (open = requests): Promise<void> => {
    while (!offline && evaluated.hasNew(held?.evaluator.evaluatedKeys() ?? [])) if (!(await beat(open))) return
  }

  const restore = (kept: unknown, isConfirmed = false): boolean | Promise<boolean> => {
    const file = parsed(typeof kept === 'string' ? JSON.parse(kept) : kept)
    const loading = loadRare(file)
    if (loading) return loading.then(() => restore(file, isConfirmed))
    if (!isNewer(file, held)) return false
    if (hasParts) confirmed = isConfirmed
    hold({ file, evaluator: ready(file), etag: null })
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

  let poll: Poll | undefined
  let told = status()
  const begun = begin()
  const heldNow = () => held
  const refresh = async () => {
    await begun
    await (poll ? poll.refresh() : store?.recalled)
  }
  const host: Host = {
    settings,
    platform,
    requests,
    held: heldNow,
    status,
    restore,
    take: takeTold,
    beat: () => void beat(),
    refresh,
    plan: (ended) => poll?.plan(ended),
  }
  const store = hasParts ? settings.store?.(host) : undefined
  if (hasParts) ensureOption(!store || store.keep, 'store')
  poll = offline ? undefined : startPolling(turn, settings.pollIntervalMs, platform, joinedMs)
  const stream = hasParts && !offline ? settings.stream?.(host) : undefined

  return {
    held: heldNow,
    status,
    streaming: () => hasParts && !!stream?.isUp(),
    refresh,
    keepAlive(wanted: boolean): void {
      if (!isForPage) poll?.keepAlive?.(wanted)
    },
    /** Begins a request if the last one is too long ago, because its timer did not fire. */
    catchUp(): Promise<void> | undefined {
      if (isForPage || !poll?.isOverdue?.()) return
      tellStatus()
      return poll.refresh()
    },
    /** The page is visible or online again. */
    show(): void {
      poll?.wake()
      if (hasParts) stream?.wake?.()
    },
    /** Tells the service which flags were evaluated, as far as it does not know yet. */
    report: async () => {
      if (!closed) await report()
    },
    async close(): Promise<void> {
      if (closed) return
      closed = true
      poll?.stop()
      if (hasParts) stream?.stop()
      for (const controller of requests) controller.abort()
      // A heartbeat that was aborted gives its flags back.
      await beating
      await report(new Set())
    },
  }
}

/** The cause says more than `fetch failed`. If several addresses were tried, only its code says anything. */
export function reasonOf(fault: unknown): string {
  if (isForPage) return (fault as Partial<Error> | undefined)?.message ?? 'request failed'
  const { message = 'request failed', cause } = (fault ?? {}) as Partial<Error>
  const { message: told, code } = (cause ?? {}) as NodeJS.ErrnoException
  return told || code || message
}
