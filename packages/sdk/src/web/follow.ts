import { maxDataFileBytes } from '@svc/core'
import type { Client } from '../client.ts'
import type { Connection } from '../connection.ts'
import { startPolling, type Turn } from '../data-file/poll.ts'
import { reasonOf } from '../data-file/replica.ts'
import { timerMs } from '../options.ts'
import { readBody } from '../requests/body.ts'
import { withDeadline } from '../requests/deadline.ts'
import { type Refusal, refusalOf } from '../requests/refusal.ts'
import { uncached } from '../requests/uncached.ts'
import { createDecision } from './decide.ts'
import { parseWebContent, type WebContent } from './document.ts'
import { isWritable } from './inline.ts'

const pollIntervalMs = 30_000
const defaultWaitMs = 10_000
// An edge runtime can end a turn together with the request in which it began.
const joinedAtEdgeMs = 1_000

/** A web document that was taken. */
export interface HeldWeb {
  web: WebContent
  decide: ReturnType<typeof createDecision>
}

/** Takes a web document, unless it is older than the one held: then it comes from a cache or a node that is behind. */
function taken(text: string, held: HeldWeb | undefined): HeldWeb {
  const web = parseWebContent(text)
  if (held && web.revision < held.web.revision)
    throw new Error(`revision ${web.revision} is older than ${held.web.revision}`)
  return { web, decide: createDecision(web) }
}

function takenScript(text: string): string {
  if (!isWritable(text)) throw new Error('the script cannot be written into a page')
  return text
}

/** Keeps a text of the service up to date, and what was made of it. */
function createCopy<Made>(url: string, make: (text: string, held: Made | undefined) => Made, lent: Connection) {
  const { settings, platform } = lent
  const { fetch, requestTimeoutMs } = settings
  let held: Made | undefined
  let etag: string | null = null
  return {
    held: () => held,
    /** Asks once. Throws a fault that names the address. */
    async load(open: Set<AbortController>): Promise<void> {
      const ask = async (signal: AbortSignal) => {
        const response = await fetch(url, { signal, ...uncached, headers: etag ? { 'if-none-match': etag } : {} })
        if (etag && response.status === 304) return
        if (response.status !== 200) throw refusalOf(response, platform)
        const text = await readBody(response, maxDataFileBytes)
        return { text, next: response.headers.get('etag') }
      }
      try {
        const found = await withDeadline(ask, requestTimeoutMs, open, platform)
        if (!found) return
        held = make(found.text, held)
        etag = found.next
      } catch (fault) {
        // Messages go to logs: they do not show the whole key.
        const shown = url.replace(/([^/]{8})[^/]+(?=\.\w+$)/, '$1…')
        throw new Error(`${shown}: ${reasonOf(fault)}`, { cause: fault })
      }
    },
  }
}

/**
 * Keeps the web document and the script of the environment of a client, until the client is closed. It asks every 30 s, and
 * at once when the client has a new revision.
 */
export function followWeb(client: Client, lent: Connection) {
  const { baseUrl, settings, platform } = lent
  const key = encodeURIComponent(settings.sdkKey)
  const content = createCopy(`${baseUrl}/api/sdk/v1/web/${key}.json`, taken, lent)
  const script = createCopy(`${baseUrl}/sdk/v1/web/${key}.js`, takenScript, lent)
  const open = new Set<AbortController>()
  const waiting = new Set<() => void>()
  const isReady = () => content.held() !== undefined && script.held() !== undefined
  let closed = settings.offline || client.status === 'closed'
  let failing = false

  const settle = (): void => {
    for (const end of waiting) end()
  }
  const turn = async (): Promise<Turn> => {
    const ended = await Promise.allSettled([content.load(open), script.load(open)])
    const failed = ended.find((each) => each.status === 'rejected')
    if (isReady()) settle()
    if (closed || !failed) {
      failing = false
      return { failed: false }
    }
    const { message, cause } = failed.reason as Error
    if (!failing) settings.warn(`no new web experiments, trying again. ${message}`)
    failing = true
    lent.emit('error', failed.reason)
    return { failed: true, retryAfterMs: (cause as Partial<Refusal> | undefined)?.retryAfterMs ?? 0 }
  }
  const isAtEdge = platform.sdkType === 'edge'
  const poll = closed ? undefined : startPolling(turn, pollIntervalMs, platform, isAtEdge ? joinedAtEdgeMs : undefined)
  /** Begins a turn if the last one is too long ago, because its timer did not fire. */
  const catchUp = () => (isAtEdge && poll?.isOverdue?.() ? poll.refresh() : undefined)

  client.on('change', async ({ revision }) => {
    await poll?.refresh()
    // The turn that was joined had asked before.
    if ((content.held()?.web.revision ?? revision) < revision) await poll?.refresh()
  })
  lent.onClose(() => {
    closed = true
    poll?.stop()
    for (const controller of open) controller.abort()
    settle()
  })
  return {
    catchUp,
    content: content.held,
    script: script.held,
    waitUntilReady: (timeoutMs: unknown) =>
      new Promise<boolean>((resolve) => {
        const late = catchUp()
        if ((isReady() && !late) || closed) return resolve(isReady())
        const end = () => {
          platform.clearTimeout(timer)
          waiting.delete(end)
          resolve(isReady())
        }
        const timer = platform.setTimeout(end, timerMs(timeoutMs, defaultWaitMs))
        if (isReady()) void late!.then(end)
        else waiting.add(end)
      }),
  }
}
