import { Redis } from 'ioredis'

/** A request waits for Redis, so a slow or missing Redis must cost only a moment. */
export const redisPatience = { connectMs: 1_000, commandMs: 250, silenceMs: 1_000 }
const reconnectStepMs = 500
const reconnectLimitMs = 5_000

export interface RedisConnection {
  client: Redis
  /** The last error of the connection; undefined while it works. */
  trouble(): string | undefined
  close(): void
}

/**
 * Connects to Redis or Valkey, and reconnects whenever the connection is lost. Resolves after the first attempt, even
 * if it failed. Every reply has a timeout, and no command is queued while there is no connection.
 */
export async function connectRedis(url: string, patience = redisPatience): Promise<RedisConnection> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: patience.connectMs,
    commandTimeout: patience.commandMs,
    socketTimeout: patience.silenceMs,
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
