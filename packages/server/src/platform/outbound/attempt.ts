import type { End } from './abort.ts'
import type { Connection } from './connection.ts'
import type { Destination } from './destination.ts'
import { isLostConnection, type Response } from './exchange.ts'
import { toOutboundError } from './failure.ts'
import type { Pool } from './pool.ts'
import { responseText } from './response-text.ts'

/** The result of one attempt. */
export interface Attempt {
  /** HTTP status of the endpoint's answer; null if it did not answer in time. */
  status: number | null
  /** First 1,024 bytes of the response as text, or as many as were asked for; empty if there was none. */
  body: string
  /** Why the attempt failed, in one sentence for people; null exactly if the status is 2xx. */
  error: string | null
  /** The response's `Retry-After` header, unchanged. */
  retryAfter: string | null
  durationMs: number
  /** False if the proxy or this service failed, which says nothing about the endpoint. */
  charged: boolean
}

/** An attempt with everything that the endpoint said. */
export interface FullAttempt extends Attempt {
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>
}

/** An attempt whose duration is not known yet. */
export type Outcome = Omit<FullAttempt, 'durationMs'>

/**
 * Sends over a connection of the pool, and over a second one if a kept connection turns out to be closed. What must not
 * be sent twice is only sent over a new one.
 */
export async function send<Answer extends { isWhole: boolean }>(
  pool: Pool,
  to: Destination,
  isOnce: boolean,
  over: (connection: Connection) => Promise<Answer>,
  end: End,
): Promise<Answer> {
  for (;;) {
    const connection = await pool.take(to, end, isOnce)
    const { isUsed } = connection
    connection.isUsed = true
    let response: Answer | undefined
    try {
      response = await over(connection)
      return response
    } catch (error) {
      // The server had closed a connection that we kept. This is not a failure: try a new connection.
      if (!isUsed || !isLostConnection(error)) throw error
    } finally {
      pool.giveBack(connection, to, response?.isWhole === true)
    }
  }
}

export function answered({ status, headers, body, isWhole }: Response, answerMaxBytes: number): Outcome {
  return {
    status,
    headers,
    body: responseText(body, isWhole, answerMaxBytes),
    error: statusError(status),
    retryAfter: headers['retry-after'] ?? null,
    charged: true,
  }
}

function statusError(status: number): string | null {
  if (status >= 200 && status <= 299) return null
  const redirect = status >= 300 && status <= 399 && status !== 304
  return `The endpoint answered ${status}${redirect ? '; redirects are not followed' : ''}`
}

export function failed(error: unknown): Outcome {
  const { message, charged } = toOutboundError(error)
  return { status: null, headers: {}, body: '', error: message, retryAfter: null, charged }
}
