import type { Client } from 'undici'
import type { End } from './abort.ts'
import { headersOf, type Request } from './exchange.ts'

/** What takes the body of a response. */
export interface Sink {
  /** Called with one piece after the other: the next is not given before the promise has settled. */
  take(chunk: Buffer): unknown
  /** Called when something has arrived, and when a piece was taken. */
  alive(): void
  /** Called while a piece is being taken: the endpoint does not cause this delay. */
  waiting(): void
}

/** The head of a response, and how its body ended. */
export interface Streamed {
  status: number
  /** By names in lower case. If a header came several times, its first value. */
  headers: Readonly<Record<string, string>>
  /** The body is complete. */
  isWhole: boolean
}

export type StreamRequest = Pick<Request, 'path' | 'headers'>

/**
 * Sends one GET and gives the body of the response to the sink that `onHead` returns; without one, nobody needs the
 * body.
 * Rejects with the connection's error before the head, and with the reason of the limit or of the sink at any time.
 */
export function stream(
  client: Client,
  request: StreamRequest,
  onHead: (head: Pick<Streamed, 'status' | 'headers'>) => Sink | undefined,
  limit: End,
): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    let head: Pick<Streamed, 'status' | 'headers'> | undefined
    let sink: Sink | undefined
    let isOver = false
    let left = 0
    let underWay: Promise<unknown> | undefined
    // What has arrived while a piece is being taken. It becomes one piece: each costs a trip to the disk, and a server
    // that writes row by row sends a piece for each row. At the end of a connection, all that had been read from it
    // comes although the response is paused.
    let held: Buffer[] = []
    let heldBytes = 0
    let isPaused = false
    const next = (): Buffer | undefined => {
      const piece = held.length > 1 ? Buffer.concat(held) : held[0]
      held = []
      heldBytes = 0
      return piece
    }
    const end = (settle: () => void) => {
      isOver = true
      limit.offAbort(abort)
      settle()
    }
    const fail = (error: unknown) => end(() => reject(error))
    const abort = () => (head && !sink ? finish(false) : fail(limit.reason))
    limit.onAbort(abort)
    if (limit.aborted) return abort()
    const finish = (isWhole: boolean, error?: unknown) => {
      const settle = () => end(() => (head ? resolve({ ...head, isWhole }) : reject(error)))
      if (underWay && !isOver) underWay.then(settle)
      else settle()
    }
    const resume = (controller: { resume(): void }) => {
      if (!isPaused || isOver) return
      isPaused = false
      controller.resume()
    }
    const takeFrom = async (controller: { resume(): void }, first: Promise<unknown>) => {
      try {
        await first
        for (let piece = next(); piece && !isOver; piece = next()) {
          const taken = sink!.take(piece)
          resume(controller)
          await taken
        }
        sink!.alive()
        underWay = undefined
        resume(controller)
      } catch (error) {
        fail(error)
      }
    }
    client.dispatch(
      { method: 'GET', body: null, ...request },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, received) {
          if (status < 200 || isOver) return
          head = { status, headers: headersOf(received) }
          try {
            sink = onHead(head)
          } catch (error) {
            return fail(error)
          }
        },
        onResponseData(controller, chunk) {
          if (isOver) return
          if (!sink) {
            left += chunk.length
            if (left > leftMaxBytes) finish(false)
            return
          }
          if (underWay) {
            held.push(chunk)
            heldBytes += chunk.length
            if (heldBytes < heldMaxBytes || isPaused) return
            isPaused = true
            return controller.pause()
          }
          sink.alive()
          const taken = attempted(() => sink!.take(chunk))
          if (!(taken instanceof Promise)) return
          sink.waiting()
          underWay = takeFrom(controller, taken)
        },
        onResponseEnd: () => finish(true),
        onResponseError: (_controller, error) => finish(false, error),
      },
    )
  })
}

/** How much is read ahead while a piece is being taken. */
const heldMaxBytes = 262_144
/** How much of a body that nobody takes is read, so that its connection can carry the next request. */
const leftMaxBytes = 16_384

function attempted(take: () => unknown): unknown {
  try {
    return take()
  } catch (error) {
    return Promise.reject(error)
  }
}
