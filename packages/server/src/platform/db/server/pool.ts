import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Log } from '../database.ts'
import { codeOf, isUnavailable, tookTooLong, unavailable } from '../errors.ts'
import { statementNames } from '../statement-names.ts'
import { valueTypes } from '../values.ts'
import { Trip } from './trip.ts'

const maxConnections = 10
const connectLimitMs = 5_000
const idleConnectionLimitMs = 60_000
const idleTransactionLimitMs = 30_000
const keepAliveDelayMs = 10_000
const statementLimitMs = 30_000
// For a server that can no longer enforce its own limit.
const answerLimitMs = statementLimitMs + 5_000

const planChanged = '0A000'

export const connectionConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'svc',
  connectionTimeoutMillis: connectLimitMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveDelayMs,
  types: valueTypes,
})

/** A pool of pg whose clients prepare each statement once. */
export const serverPool = (url: string, log: Log): PostgresPool =>
  leasing(
    openPool(url, maxConnections, log, [
      `set statement_timeout to ${statementLimitMs}`,
      `set idle_in_transaction_session_timeout to ${idleTransactionLimitMs}`,
    ]),
    answerLimitMs,
  )

/** One connection without time limits. */
export const unhurriedPool = (url: string, log: Log): PostgresPool =>
  leasing(
    openPool(url, 1, log, ['set statement_timeout to 0', 'set idle_in_transaction_session_timeout to 0']),
    undefined,
  )

// Settings are made by statements: start-up options would lose against options in the address.
function openPool(url: string, max: number, log: Log, settings: string[]): pg.Pool {
  const greeting = ["set timezone to 'UTC'", ...settings].join('; ')
  const config = {
    ...connectionConfig(url),
    // Statements that do not wait for each other are sent together.
    pipeline: true,
    max,
    idleTimeoutMillis: idleConnectionLimitMs,
    onConnect: (client: pg.ClientBase) => client.query(greeting),
  }
  const pool = new pg.Pool(config)
  // Without this listener, losing a connection in use would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost a connection to the database'))
  return pool
}

function leasing(pool: pg.Pool, limitMs: number | undefined): PostgresPool {
  const nameOf = statementNames()
  return {
    connect: async () => lease(await pool.connect(), nameOf, limitMs),
    end: () => pool.end(),
    options: pool.options,
  }
}

/**
 * What a transaction asks in one turn is one trip.
 *
 * A connection that failed, timed out or was left inside a transaction is not reused. A released lease answers nothing.
 */
function lease(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  limitMs: number | undefined,
): PostgresPoolClient {
  let failure: Error | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isReleased = false
  let isInside = false
  const waiting: Trip[] = []

  const leave = () => {
    if (waiting.length === 0) return
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.cork()
    for (const trip of waiting.splice(0)) client.query(trip as unknown as pg.Submittable)
    stream.uncork()
  }

  const send = (text: string, values: readonly unknown[]): Promise<unknown> => {
    const [isBegin, isEnd] = [begins.test(text), ends.test(text)]
    // Only the simple protocol takes several statements in one text, as migrations have them.
    if (values.length === 0 && !isBegin && !isEnd) {
      leave()
      return client.query({ text, query_timeout: limitMs } as pg.QueryConfig)
    }
    if (waiting.length === 0) process.nextTick(leave)
    // Outside a transaction, statements that are sent together would succeed or fail together.
    if (!isInside || waiting.length === 0) waiting.push(new Trip(limitMs))
    isInside = isBegin || (isInside && !isEnd)
    return waiting.at(-1)!.add(text, nameOf(text), values)
  }

  const ask = async (text: string, values: readonly unknown[]) => {
    if (isReleased) throw new Error('the connection was released')
    if (failure) throw unavailable('the connection to the database was lost', failure)
    try {
      return await send(text, values)
    } catch (error) {
      if (isSpent(error)) failure = error as Error
      throw error
    }
  }

  const query = (text: string, values: readonly unknown[] = []) => {
    const answer = ask(text, values)
    // Answers arrive in the order of the requests.
    last = answer.catch(() => {})
    return answer
  }

  const release = (discard = false) => {
    isReleased = true
    last.then(() => client.release(discard || failure !== undefined || isInTransaction(client)))
  }

  return { query, release } as unknown as PostgresPoolClient
}

const begins = /^(?:begin|start transaction)\b/
const ends = /^(?:commit|rollback)$/

// A prepared `select *` fails forever once another node's migration changed the table; a new connection plans it again.
const isSpent = (error: unknown): boolean =>
  (isUnavailable(error) && !tookTooLong(error)) || codeOf(error) === planChanged

const isInTransaction = (client: pg.PoolClient): boolean =>
  (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus() !== 'I'
