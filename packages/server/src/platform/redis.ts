import { Redis } from 'ioredis'

// Redis is asked within a request: away or slow, it may cost that request a moment and never more.
const connectTimeoutMs = 1_000
const commandTimeoutMs = 250
const silenceTimeoutMs = 1_000
const reconnectStepMs = 500
const reconnectLimitMs = 5_000

export interface RedisConnection {
  client: Redis
  /** What the connection last complained about; undefined while it is fine. */
  trouble(): string | undefined
  close(): void
}

/**
 * Connects to Redis or Valkey, and again whenever the connection is lost. Resolves after the first attempt, whatever
 * came of it: nothing that waits for a reply outlives its timeout, and nothing is queued while there is no connection.
 */
export async function connectRedis(url: string): Promise<RedisConnection> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * reconnectStepMs, reconnectLimitMs),
  })
  let trouble: string | undefined
  client.on('error', (error: Error) => {
    trouble = error.message
  })
  client.on('ready', () => {
    trouble = undefined
  })
  await client.connect().catch(() => undefined)
  return { client, trouble: () => trouble, close: () => client.disconnect() }
}
