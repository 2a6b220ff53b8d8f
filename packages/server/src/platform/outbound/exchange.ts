import type { IncomingHttpHeaders } from 'node:http'
import type { Client } from 'undici'
import type { End } from './abort.ts'

const switchingProtocols = 101
const nothing = Buffer.alloc(0)

/** The request to send, and its path on the host. */
export interface Request {
  method: Method
  path: string
  headers: Record<string, string>
  body: Buffer | null
  /** How much of the response's body is kept. */
  answerMaxBytes: number
  /** Whether it must be sent only once, even if it is unknown whether the server got it. */
  isOnce: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

/** The response. `isWhole`: the body is complete, and the connection can carry another request. */
export interface Response {
  status: number
  /** By names in lower case. If a header came several times, its first value. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  isWhole: boolean
}

/**
 * Sends one request and reads the response up to the given length of its body. After the status line this always
 * succeeds, even if the body fails. Before it, it rejects with the connection's error or the reason of the limit.
 */
export function exchange(client: Client, request: Request, limit: End): Promise<Response> {
  return new Promise((resolve, reject) => {
    let head: Pick<Response, 'status' | 'headers'> | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    const end = (isWhole: boolean, error?: unknown) => {
      limit.offAbort(abort)
      if (head) resolve({ ...head, body: chunks.length === 0 ? nothing : Buffer.concat(chunks), isWhole })
      else reject(error)
    }
    const abort = () => end(false, limit.reason)
    limit.onAbort(abort)
    if (limit.aborted) return abort()
    const { method, path, headers, body, answerMaxBytes } = request
    client.dispatch(
      { method, path, headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, received) {
          if (status >= 200) head = { status, headers: headersOf(received) }
        },
        onResponseData(_controller, chunk) {
          if (bytes > answerMaxBytes) return
          chunks.push(Buffer.from(chunk.subarray(0, answerMaxBytes + 1 - bytes)))
          bytes += chunk.length
          if (bytes > answerMaxBytes) end(false)
        },
        onResponseEnd: () => end(true),
        onResponseError(_controller, error) {
          if (error.message === 'bad upgrade') head = { status: switchingProtocols, headers: {} }
          end(false, error)
        },
      },
    )
  })
}

/** The headers of a response by names in lower case. If one came several times, its first value. */
export function headersOf(received: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of Object.keys(received)) {
    const value = received[name]
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) headers[name.toLowerCase()] = first
  }
  return headers
}

/** Whether a kept connection turned out to be closed: the endpoint has not answered anything yet. */
export const isLostConnection = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String((error as { code?: unknown }).code))
