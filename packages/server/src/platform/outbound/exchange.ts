import type { IncomingHttpHeaders } from 'node:http'
import type { Client } from 'undici'
import { bodyMaxBytes } from './response-text.ts'

const switchingProtocols = 101

/** The request to send, and its path on the host. */
export interface Request {
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** The response. `isWhole`: the body is complete, and the connection can carry another request. */
export interface Response {
  status: number
  retryAfter: string | null
  body: Buffer
  isWhole: boolean
}

/**
 * Sends one request and reads the response up to the first kilobyte of its body. After the status line this always
 * succeeds, even if the body fails. Before it, it rejects with the connection's error or the signal's reason.
 */
export function exchange(client: Client, request: Request, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    let head: Pick<Response, 'status' | 'retryAfter'> | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    const end = (isWhole: boolean, error?: unknown) => {
      signal.removeEventListener('abort', abort)
      if (head) resolve({ ...head, body: Buffer.concat(chunks), isWhole })
      else reject(error)
    }
    const abort = () => end(false, signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return abort()
    client.dispatch(
      { ...request, method: 'POST' },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          if (status >= 200) head = { status, retryAfter: first(headers['retry-after']) }
        },
        onResponseData(_controller, chunk) {
          if (bytes > bodyMaxBytes) return
          chunks.push(Buffer.from(chunk.subarray(0, bodyMaxBytes + 1 - bytes)))
          bytes += chunk.length
          if (bytes > bodyMaxBytes) end(false)
        },
        onResponseEnd: () => end(true),
        onResponseError(_controller, error) {
          if (error.message === 'bad upgrade') head = { status: switchingProtocols, retryAfter: null }
          end(false, error)
        },
      },
    )
  })
}

const first = (header: IncomingHttpHeaders[string]): string | null =>
  (Array.isArray(header) ? header[0]! : header) ?? null

/** Whether a kept connection turned out to be closed: the endpoint has not answered anything yet. */
export const isLostConnection = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String((error as { code?: unknown }).code))
