import type { Destination } from './destination.ts'
import { isLostConnection, type Request, type Response } from './exchange.ts'
import { toOutboundError } from './failure.ts'
import type { Pool } from './pool.ts'
import { responseText } from './response-text.ts'

/** What became of one attempt. */
export interface Attempt {
  /** HTTP status that the endpoint answered in time; null when it did not. */
  status: number | null
  /** First 1,024 bytes of the response as text; empty when there was none. */
  body: string
  /** Why the attempt failed, in one sentence for a person; null exactly when the status is 2xx. */
  error: string | null
  /** The response's header as it was sent. */
  retryAfter: string | null
  durationMs: number
  /** False when the failure is the proxy's or our own, so that it says nothing about the endpoint. */
  charged: boolean
}

/** An attempt before its time is known. */
export type Outcome = Omit<Attempt, 'durationMs'>

/** Sends over a connection of the pool, and over another when a kept one turns out to be closed. */
export async function send(pool: Pool, to: Destination, request: Request, signal: AbortSignal): Promise<Response> {
  for (;;) {
    const connection = await pool.take(to, signal)
    const { isUsed } = connection
    connection.isUsed = true
    let response: Response | undefined
    try {
      response = await connection.send(request, signal)
      return response
    } catch (error) {
      // The server had closed a connection that we kept: that is nobody's failure, and a new one is due.
      if (!isUsed || !isLostConnection(error)) throw error
    } finally {
      pool.giveBack(connection, to, response?.isWhole === true)
    }
  }
}

export function answered({ status, retryAfter, body, isWhole }: Response): Outcome {
  return { status, body: responseText(body, isWhole), error: statusError(status), retryAfter, charged: true }
}

function statusError(status: number): string | null {
  if (status >= 200 && status <= 299) return null
  const redirect = status >= 300 && status <= 399 && status !== 304
  return `The endpoint answered ${status}${redirect ? ', and redirects are not followed' : ''}`
}

export function failed(error: unknown): Outcome {
  const { message, charged } = toOutboundError(error)
  return { status: null, body: '', error: message, retryAfter: null, charged }
}
