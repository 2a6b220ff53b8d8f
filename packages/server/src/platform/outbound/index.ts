import { performance } from 'node:perf_hooks'
import { End, orAborted, withDeadline } from './abort.ts'
import { isAllowed, parseAllowedHosts } from './allowed-hosts.ts'
import { type Attempt, answered, type FullAttempt, failed, type Outcome, send } from './attempt.ts'
import { openConnection } from './connection.ts'
import { type Destination, resolveDestination } from './destination.ts'
import { type Download, type Downloaded, downloading } from './download.ts'
import type { Method, Request } from './exchange.ts'
import { notTheirs, refused, theirs, toOutboundError } from './failure.ts'
import { askNameservers, askSystem, type Resolve, shared } from './nameserver.ts'
import { connectionPool } from './pool.ts'
import { proxyUrlProblem } from './proxy.ts'
import { bodyMaxBytes } from './response-text.ts'
import { readUrl } from './url.ts'

export { allowedHostsProblem } from './allowed-hosts.ts'
export type { Attempt, FullAttempt } from './attempt.ts'
export type { Download, Downloaded } from './download.ts'
export type { Address, Resolve } from './nameserver.ts'
export { proxyUrlProblem } from './proxy.ts'

export interface OutboundOptions {
  /**
   * Resolves every address of a host. Default: the name servers of this machine, and its own lookup for allowed hosts.
   */
  resolve?: Resolve
  /** As in `SVC_WEBHOOK_ALLOWED_HOSTS`: `host[:port]`, separated by commas. The default port is 443. */
  allowedHosts?: string | undefined
  /** As in `SVC_WEBHOOK_PROXY_URL`. If set, every connection goes through the proxy. */
  proxyUrl?: string | undefined
  /** Time limit of one attempt, from resolving the name to the last byte read. */
  timeoutMs?: number
}

/** One request over HTTPS. */
export interface OutboundRequest {
  method: Method
  url: string
  headers: Record<string, string>
  body: Buffer | null
  /** How much of the response's body is needed. Default: 1,024 bytes. */
  answerMaxBytes?: number
  /**
   * Whether it must not be sent again by itself. Otherwise it is, when a kept connection turns out to be closed, and the
   * server can get it twice.
   */
  isOnce?: boolean
}

/** The only way to send requests to customers' servers. */
export interface Outbound {
  /** Says why a URL cannot be saved, in one sentence; undefined if it can. Asks the name servers, for up to 5 s. */
  checkUrl(url: string): Promise<string | undefined>
  /**
   * Sends one POST over HTTPS with the given headers plus `host`, `connection` and `content-length`. Never throws,
   * follows redirects or decompresses. Checks the URL and every address of its host again.
   */
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<Attempt>
  /** Sends one request in the same way. Returns more of the response. */
  request(request: OutboundRequest): Promise<FullAttempt>
  /**
   * Gets a file of any size and gives its bytes to `onChunk`, as they were sent. Follows redirects; checks each address
   * as `request` does. Rejects with what `onChunk` throws and with the reason of `signal`, and with nothing else.
   */
  download(url: string, options: Download): Promise<Downloaded>
  /** Ends every attempt under way, without charging it, and closes every connection. */
  close(): Promise<void>
}

const timeoutMsByDefault = 10_000
const readingsKept = 1_000

/**
 * Opens outbound connections. Throws when `allowedHosts` or `proxyUrl` is not valid, so that nothing is open by
 * mistake.
 */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const { timeoutMs = timeoutMsByDefault } = options
  const proxy = options.proxyUrl ? readProxy(options.proxyUrl) : undefined
  const pool = connectionPool((to, end) => openConnection(to, proxy, end))
  const { read, find, checked } = waysOf(options)
  const underWay = new Set<End>()
  let isClosed = false

  async function attempt(url: string, request: Omit<Request, 'path'>): Promise<Outcome> {
    const end = new End()
    if (isClosed) end.abort(interrupted())
    underWay.add(end)
    try {
      return await withDeadline(
        timeoutMs,
        () => theirs(`The endpoint did not answer within ${timeoutMs / 1000} s`),
        async () => {
          const { pathname, search } = read(url)
          const full = { ...request, path: pathname + search }
          const to = await checked(url, end)
          const response = await send(pool, to, request.isOnce, (connection) => connection.send(full, end), end)
          return answered(response, request.answerMaxBytes)
        },
        end,
      )
    } catch (error) {
      return failed(error)
    } finally {
      underWay.delete(end)
    }
  }

  async function timed({ url, answerMaxBytes = bodyMaxBytes, isOnce = false, ...request }: OutboundRequest) {
    const startedMs = performance.now()
    const outcome = await attempt(url, { ...request, answerMaxBytes, isOnce })
    return { ...outcome, durationMs: Math.round(performance.now() - startedMs) }
  }

  return {
    async checkUrl(url) {
      try {
        await find(read(url).host)
        return undefined
      } catch (error) {
        return toOutboundError(error).message
      }
    },
    async post(url, headers, body) {
      const { headers: _received, ...outcome } = await timed({ method: 'POST', url, headers, body })
      return outcome
    },
    request: timed,
    async download(url, options) {
      const end = new End()
      if (isClosed) end.abort(interrupted())
      underWay.add(end)
      try {
        return await downloading({ pool, read, checked }, url, options, end)
      } finally {
        underWay.delete(end)
      }
    },
    async close() {
      isClosed = true
      for (const end of underWay) end.abort(interrupted())
      pool.close()
    },
  }
}

/** How URLs are read and hosts found. */
function waysOf({ allowedHosts = '', resolve }: OutboundOptions) {
  const allowed = parseAllowedHosts(allowedHosts)
  const read = urlReader(allowed)
  const find = (host: string): Promise<Destination> => {
    const url = new URL(`https://${host}`)
    const isOpened = isAllowed(allowed, url)
    return resolveDestination(url, { resolve: resolve ?? (isOpened ? askSystem : askNameservers), isOpened })
  }
  // Attempts share the checked addresses, so they connect to exactly what was checked.
  const findForAttempt = resolve ? find : shared(find)
  return {
    read,
    find,
    checked(url: string, end: End): Promise<Destination> | Destination {
      const found = findForAttempt(read(url).host)
      return found instanceof Promise ? orAborted(found, end) : found
    },
  }
}

/** The result for a URL cannot change while the process runs, so the most recent ones are remembered. */
function urlReader(allowed: ReturnType<typeof parseAllowedHosts>) {
  const readings = new Map<string, URL>()
  return (text: string): URL => {
    const known = readings.get(text)
    if (known) return known
    const url = readUrl(text, allowed)
    if (typeof url === 'string') throw refused(url)
    const [oldest] = readings.keys()
    if (oldest !== undefined && readings.size >= readingsKept) readings.delete(oldest)
    readings.set(text, url)
    return url
  }
}

const interrupted = () => notTheirs('The attempt was interrupted')

function readProxy(text: string): URL {
  const problem = proxyUrlProblem(text)
  if (problem) throw new Error(problem)
  return new URL(text)
}
