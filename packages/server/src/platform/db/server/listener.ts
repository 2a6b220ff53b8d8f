import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../database.ts'
import { isUnavailable } from '../errors.ts'
import { insist, type Subscription } from '../subscription.ts'
import { connectionConfig } from './pool.ts'

const minDelayMs = 100
const maxDelayMs = 2_000
const heartbeatIntervalMs = 10_000
const heartbeatLimitMs = 5_000

export interface Listener {
  listen(subscription: Subscription): Promise<void>
  close(): Promise<void>
}

/**
 * Opens one connection for notices. It restores a lost connection with growing delays, and then calls every listener.
 */
export async function openListener(url: string, log: Log): Promise<Listener> {
  const subscriptions: Subscription[] = []
  const closing = new AbortController()
  let link: pg.Client | undefined = await connect()
  let tail: Promise<unknown> = Promise.resolve()

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(connectionConfig(url))
    client.on('error', (error) => log.warn({ reason: error.message }, 'lost the connection for notices'))
    client.on('notification', (notice) => {
      for (const { channel, onNotice } of subscriptions)
        if (channel === notice.channel) void insist(() => onNotice(notice.payload ?? ''), log, closing.signal)
    })
    try {
      await client.connect()
      for (const { channel } of subscriptions) await client.query(listenTo(channel))
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    const heartbeat = setInterval(() => beat(client), heartbeatIntervalMs).unref()
    client.once('end', () => {
      clearInterval(heartbeat)
      link = undefined
      if (!closing.signal.aborted) restore()
    })
    return client
  }

  async function restore(attempt = 0): Promise<void> {
    try {
      await pause(delayOf(attempt), undefined, { signal: closing.signal })
      link = await connect()
    } catch (error) {
      if (closing.signal.aborted) return
      log.warn({ reason: messageOf(error), attempt }, 'no connection for notices yet')
      return restore(attempt + 1)
    }
    if (closing.signal.aborted) return link.end()
    for (const { onReconnect } of subscriptions) void insist(() => onReconnect?.(), log, closing.signal)
  }

  /** While the connection is being restored, this sends nothing: restoring it subscribes to all channels. */
  const listen = (subscription: Subscription) => {
    subscriptions.push(subscription)
    const heard = tail.then(async () => void (await link?.query(listenTo(subscription.channel))))
    tail = heard.catch(() => {})
    return heard.catch((error) => {
      if (!isUnavailable(error)) throw error
    })
  }

  const close = async () => {
    closing.abort()
    await link?.end()
  }

  return { listen, close }
}

/** Full jitter above the first step, so that many nodes do not reconnect at the same moment. */
export const delayOf = (attempt: number, random = Math.random()): number =>
  minDelayMs + random * (Math.min(maxDelayMs, minDelayMs * 2 ** attempt) - minDelayMs)

const listenTo = (channel: string): string => `listen ${pg.escapeIdentifier(channel)}`

// A vanished peer sends no reset. Only an answer proves that it is alive.
async function beat(client: pg.Client): Promise<void> {
  try {
    await client.query({ text: 'select 1', query_timeout: heartbeatLimitMs } as pg.QueryConfig)
  } catch {
    client.connection.stream.destroy()
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))
