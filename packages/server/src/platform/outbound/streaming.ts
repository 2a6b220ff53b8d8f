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
    const held = new Held()
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
    const takeFrom = async (controller: Controller, first: Promise<unknown>) => {
      try {
        await first
        for (let piece = held.take(); piece && !isOver; piece = held.take()) {
          const taken = sink!.take(piece)
          held.resume(controller)
          await taken
        }
        sink!.alive()
        underWay = undefined
        if (!isOver) held.resume(controller)
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
          if (underWay) return held.add(chunk, controller)
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

/** How much of a body that nobody takes is read, so that its connection can carry the next request. */
const leftMaxBytes = 16_384

type Controller = Record<'pause' | 'resume', () => void>

/** How much is read ahead while a piece is being taken. */
const heldMaxBytes = 262_144

/**
 * What has arrived while a piece is being taken. It becomes one piece: each costs a trip to the disk, and a server that
 * writes row by row sends a piece for each row. At the end of a connection, all that had been read from it comes
 * although the response is paused.
 */
class Held {
  #chunks: Buffer[] = []
  #bytes = 0
  #isPaused = false

  add(chunk: Buffer, controller: Controller): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < heldMaxBytes || this.#isPaused) return
    this.#isPaused = true
    controller.pause()
  }

  take(): Buffer | undefined {
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0]
  }

  resume(controller: Controller): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    controller.resume()
  }
}

function attempted(take: () => unknown): unknown {
  try {
    return take()
  } catch (error) {
    return Promise.reject(error)
  }
}
