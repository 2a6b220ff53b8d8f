import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresPool, sql } from 'kysely'
import type { Database, Db, Log } from '../database.ts'
import { EagerDialect } from '../dialect.ts'
import { isNotReady } from '../errors.ts'
import { JoiningDb } from '../whole.ts'
import { type Listener, openListener } from './listener.ts'
import { serverPool, unhurriedPool } from './pool.ts'

const minVersion = 15
const closeLimitMs = 10_000
/** A request waits for a connection for seconds only. A start waits for a server that is busy or starting itself. */
const startLimitMs = 60_000
const firstPauseMs = 250
const longestPauseMs = 10_000

/** Opens a pool of connections to a PostgreSQL server, and one more connection for notices. */
export async function openServer(url: string, log: Log): Promise<Database> {
  const address = addressOf(url)
  const db = kyselyOn(serverPool(url, log))
  let listener: Listener | undefined
  const onRetry = (error: unknown, pauseMs: number) =>
    log.warn({ pauseMs }, `PostgreSQL at ${address}: ${reasonOf(error)}. Trying again in ${pauseMs / 1000} s.`)
  try {
    await patiently(() => requireSupported(db), { onRetry })
    listener = await patiently(() => openListener(url, log), { onRetry })
  } catch (error) {
    await db.destroy()
    throw new Error(`PostgreSQL at ${address}: ${reasonOf(error)}`, { cause: error })
  }
  const notices = listener
  return {
    db,
    kind: 'server',
    listen: (channel, onNotice, onReconnect) => notices.listen({ channel, onNotice, onReconnect }),
    ping: async () => void (await sql`select 1`.execute(db)),
    unhurried: async (work) => {
      const own = kyselyOn(unhurriedPool(url, log))
      try {
        return await work(own)
      } finally {
        await own.destroy()
      }
    },
    close: async () => {
      await Promise.race([Promise.all([notices.close(), db.destroy()]), patience()])
    },
  }
}

/** How long a start waits for its first connection. */
interface Patience {
  limitMs?: number
  /** Told of each attempt that failed, and of the pause before the next one. */
  onRetry?: (error: unknown, pauseMs: number) => void
  pause?: (ms: number) => Promise<unknown>
}

/** Tries again, after growing pauses, while the server answers too late or is still starting. */
export async function patiently<Result>(
  connect: () => Promise<Result>,
  { limitMs = startLimitMs, onRetry = () => {}, pause = sleep }: Patience = {},
): Promise<Result> {
  const startedMs = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs))
    try {
      return await connect()
    } catch (error) {
      if (!isNotReady(error) || performance.now() - startedMs + pauseMs > limitMs) throw error
      onRetry(error, pauseMs)
      await pause(pauseMs)
    }
}

const kyselyOn = (pool: PostgresPool): Db => new JoiningDb({ dialect: new EagerDialect(pool) })

async function requireSupported(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`.execute(db)
  const { version, number, encoding } = rows[0]!
  if (number < minVersion * 10_000) throw new Error(`version ${version} is too old; ${minVersion} or newer is needed`)
  if (encoding !== 'UTF8') throw new Error(`the database is encoded in ${encoding}, but must be UTF8`)
}

/** The part of the address that can be shown, without the password. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) throw new Error('the database address is not a postgres:// URL')
  const { hostname, port, pathname, searchParams } = new URL(url)
  return `${hostname || (searchParams.get('host') ?? 'localhost')}:${port || '5432'}${pathname}`
}

// If a name has several addresses, Node's error has one reason for each and no message.
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((each) => each.message).join(', ')
    : error instanceof Error
      ? error.message
      : String(error)

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, closeLimitMs).unref())
