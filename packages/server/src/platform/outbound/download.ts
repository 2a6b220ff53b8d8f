import { End } from './abort.ts'
import { send } from './attempt.ts'
import type { Destination } from './destination.ts'
import { type OutboundError, refused, theirs, toOutboundError } from './failure.ts'
import type { Pool } from './pool.ts'
import type { Sink, Streamed } from './streaming.ts'

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const notModified = 304

/** What to get, and its limits. */
export interface Download {
  /** Sent to each host of a redirect, such as `if-none-match`. */
  headers?: Record<string, string>
  /** Sent to the first host alone. A redirect to another host or port, or back from there, goes without. */
  credentials?: Record<string, string>
  /** A longer body ends the download. */
  maxBytes: number
  /** How long nothing may arrive, from resolving a name to the last byte. The time that `onChunk` takes is not counted. */
  idleMs: number
  /** How many redirects are followed. Default: 5. */
  redirects?: number
  /**
   * Takes the bytes of a 200 in order. The next piece is given after its promise has settled; up to 256 KiB are read
   * meanwhile, and given as one.
   */
  onChunk: (chunk: Buffer) => unknown
  /** Ends the download early. */
  signal?: AbortSignal
}

/** The result of a download. */
export interface Downloaded {
  /** HTTP status of the last answer; null if there was none. */
  status: number | null
  /** Of the last answer, by names in lower case. `content-encoding` is not undone. */
  headers: Readonly<Record<string, string>>
  /** Where the last answer came from. */
  url: string
  /** How many bytes `onChunk` got. */
  bytes: number
  /** Why it failed, in one sentence for people; null exactly if the file came whole, or the status is 304. */
  error: string | null
  /** Whether it can work at the next attempt. */
  isTransient: boolean
}

/** How a download finds and reaches a host: the same ways as all other attempts. */
export interface Ways {
  pool: Pool
  /** Throws for an address that cannot be used. */
  read: (url: string) => URL
  checked: (url: string, end: End) => Promise<Destination> | Destination
}

/** Follows a file from address to address. */
export async function downloading(ways: Ways, first: string, options: Download, end: End): Promise<Downloaded> {
  const { redirects = 5, signal } = options
  const given = new Given(options.onChunk, options.maxBytes)
  const abort = () => end.abort(new Stopped(signal!.reason))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  let url = first
  let isFirstHost = true
  try {
    for (let hop = 0; ; hop += 1) {
      const headers = { ...options.headers, ...(isFirstHost && options.credentials) }
      const answer = await get(ways, url, headers, given, { end, idleMs: options.idleMs })
      const location = redirectStatuses.has(answer.status) ? answer.headers.location : undefined
      if (location === undefined) return { ...answered(answer), url, bytes: given.bytes }
      if (hop === redirects) throw refused(`The address redirects more than ${redirects} times`)
      const next = target(location, url)
      isFirstHost &&= URL.parse(next)?.host === new URL(url).host
      url = next
    }
  } catch (error) {
    if (error instanceof Stopped) throw error.cause
    const { message, isLasting } = toOutboundError(error)
    return { status: null, headers: {}, url, bytes: given.bytes, error: message, isTransient: !isLasting }
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** What the caller threw or gave as a reason. It is the caller's own, not a failure of the endpoint. */
class Stopped extends Error {
  constructor(cause: unknown) {
    super('stopped', { cause })
  }
}

/** Compressions that nobody asks for. Other values stay unheeded, because servers also have nonsense there. */
const notUnderstood = new Set(['br', 'deflate', 'zstd', 'compress'])

/** Counts what the caller of a download was given. */
class Given {
  readonly #onChunk: Download['onChunk']
  readonly #maxBytes: number
  bytes = 0

  constructor(onChunk: Download['onChunk'], maxBytes: number) {
    this.#onChunk = onChunk
    this.#maxBytes = maxBytes
  }

  get error(): OutboundError {
    return refused(`The file is larger than ${sizeText(this.#maxBytes)}`)
  }

  announced(headers: Readonly<Record<string, string>>): void {
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) throw this.error
    const packing = headers['content-encoding']?.trim().toLowerCase() ?? ''
    if (notUnderstood.has(packing)) throw refused(`The answer is compressed with ${packing}; only gzip can be read`)
  }

  take(chunk: Buffer): unknown {
    if (this.bytes + chunk.length > this.#maxBytes) throw this.error
    this.bytes += chunk.length
    try {
      const taken = this.#onChunk(chunk)
      return taken instanceof Promise ? taken.catch(stop) : undefined
    } catch (error) {
      return stop(error)
    }
  }
}

function stop(error: unknown): never {
  throw new Stopped(error)
}

const units: [number, string][] = [
  [1 << 30, 'GiB'],
  [1 << 20, 'MiB'],
  [1 << 10, 'KiB'],
]

/** `1 GiB`; of a size that is no whole number of a unit, the bytes. */
function sizeText(bytes: number): string {
  const [size, unit] = units.find(([each]) => bytes >= each && bytes % each === 0) ?? [1, 'bytes']
  return `${(bytes / size).toLocaleString('en')} ${unit}`
}

/** One hop, from the check of its address to the last byte of its answer. */
async function get(
  { pool, read, checked }: Ways,
  url: string,
  headers: Record<string, string>,
  given: Given,
  { end: whole, idleMs }: { end: End; idleMs: number },
): Promise<Streamed> {
  const end = new End()
  const abort = () => end.abort(whole.reason)
  whole.onAbort(abort)
  if (whole.aborted) abort()
  const idle = watch(idleMs, () => end.abort(theirs(`Nothing arrived for ${idleMs / 1000} s`)))
  const onHead = ({ status, headers: received }: Pick<Streamed, 'status' | 'headers'>): Sink | undefined => {
    idle.alive()
    if (status !== 200) return undefined
    given.announced(received)
    return { take: (chunk) => given.take(chunk), ...idle }
  }
  try {
    const { pathname, search } = read(url)
    const request = { path: pathname + search, headers }
    const to = await checked(url, end)
    return await send(pool, to, false, (connection) => connection.stream(request, onHead, end), end)
  } finally {
    idle.waiting()
    whole.offAbort(abort)
  }
}

/** Calls `late` when nothing was alive for so long. */
function watch(idleMs: number, late: () => void): Pick<Sink, 'alive' | 'waiting'> {
  let timer = setTimeout(late, idleMs).unref()
  return {
    alive() {
      clearTimeout(timer)
      timer = setTimeout(late, idleMs).unref()
    },
    waiting: () => clearTimeout(timer),
  }
}

/** An address as it is written is checked as it is written. A relative one follows from the last address. */
function target(location: string, from: string): string {
  const [text = ''] = location.split('#', 1)
  return /^[a-z][a-z\d+.-]*:/i.test(text) ? text : (URL.parse(text, from)?.href ?? text)
}

function answered({ status, headers, isWhole }: Streamed): Omit<Downloaded, 'url' | 'bytes'> {
  if (status === notModified) return { status, headers, error: null, isTransient: false }
  if (status !== 200) {
    const isTransient = status === 429 || status >= 500
    return { status, headers, error: `The endpoint answered ${status}`, isTransient }
  }
  const error = isWhole ? null : 'The file was cut off: the connection ended before all of it had arrived'
  return { status, headers, error, isTransient: !isWhole }
}
