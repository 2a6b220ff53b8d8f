import { randomUUID } from 'node:crypto'
import type { World } from '../world.ts'

/** Writes that refuse an `Idempotency-Key`: those that change nothing can be repeated without, and files are sent once. */
export const keylessWrites = [
  /\/evaluate$/,
  /\/experiments\/[^/]+\/try$/,
  /\/api\/v1\/names$/,
  /\/(staged|drafts)\/preview$/,
  /\/destinations\/preview$/,
  /\/catalog\/sources\/[^/]+\/(preview|uploads)$/,
  /\/datasets\/[^/]+\/versions$/,
  /\/recommendations\/placements\/[^/]+\/preview$/,
  /\/results\/refresh$/,
  /\/api\/v1\/calculators\//,
  /\/api\/sdk\//,
  /\/api\/web\/v1\//,
  /\/ofrep\//,
]

const waitAtMostMs = 30_000
const networkTries = 4
const firstPauseMs = 250

export interface Patience {
  timeoutMs: number
  /** Called for every answer, and for every failure to get one. */
  onAnswer(
    request: Request,
    answer: { status: number; requestId: string | null } | { failure: string },
    ms: number,
  ): void
  /** Called before it waits. */
  onWait(text: string): void
}

/**
 * A `fetch` that repeats failures that can pass: 429 and 503 until `Retry-After` has passed or for 30 s, faults of the
 * network three times. All tries of a write have the same `Idempotency-Key`, so it happens once.
 */
export function patientFetch(
  { fetch, now, sleep }: Pick<World, 'fetch' | 'now' | 'sleep'>,
  { timeoutMs, onAnswer, onWait }: Patience,
): (request: Request) => Promise<Response> {
  const once = async (request: Request): Promise<Response> => {
    const startedAt = now().getTime()
    const took = () => now().getTime() - startedAt
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new TooLate(timeoutMs)), timeoutMs)
    try {
      const response = await fetch(request.clone(), { signal: AbortSignal.any([request.signal, controller.signal]) })
      // A download can take longer than its first byte.
      onAnswer(request, { status: response.status, requestId: response.headers.get('x-request-id') }, took())
      return response
    } catch (error) {
      onAnswer(request, { failure: faultOf(error) }, took())
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  return async (request) => {
    if (needsKey(request)) request.headers.set('idempotency-key', randomUUID())
    const startedAt = now().getTime()
    let deadline = startedAt + waitAtMostMs
    let faults = 0
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      let response: Response
      try {
        response = await once(request)
      } catch (error) {
        faults += 1
        if (faults >= networkTries || error instanceof TooLate || request.signal.aborted) throw error
        await sleep(pauseMs)
        continue
      }
      if (response.status !== 429 && response.status !== 503) return response
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      const waitMs = seconds >= 0 ? seconds * 1000 : pauseMs
      // The first `Retry-After` can be longer than the patience without one: a limit may count by the minute.
      if (seconds >= 0 && deadline === startedAt + waitAtMostMs) deadline = Math.max(deadline, now().getTime() + waitMs)
      if (now().getTime() + waitMs > deadline) return response
      await response.body?.cancel()
      onWait(`The service answered ${response.status}. Trying again in ${Math.ceil(waitMs / 1000)} s.`)
      await sleep(waitMs)
    }
  }
}

class TooLate extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
  }
}

/** Why there was no answer: `ECONNREFUSED`, `no answer within 30000 ms`. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (error.cause) return faultOf(error.cause)
  return code ?? error.message
}

function needsKey({ method, url, headers }: Request): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || headers.has('idempotency-key')) return false
  return !keylessWrites.some((pattern) => pattern.test(new URL(url).pathname))
}
