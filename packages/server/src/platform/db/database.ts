import type { Kysely, Transaction } from 'kysely'

/** No schema type: SQL is written with Kysely's `sql` template in each feature's queries.ts. */
export type Db = Kysely<unknown>
export type Tx = Transaction<unknown>

/** What is asked of a logger; pino's fits. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * An open PostgreSQL, embedded in this process or on a server; the SQL is the same for both.
 *
 * Values come back alike: int8 as number (beyond ±2^53 the query fails), timestamptz as Date, json and jsonb parsed,
 * bytea as Buffer, date as 'YYYY-MM-DD', numeric as text. The session's time zone is UTC.
 *
 * The embedded database has one connection: a query outside a transaction waits until that transaction ends.
 */
export interface Database {
  db: Db
  kind: 'embedded' | 'server'
  /**
   * Resolves once notices arrive; `onReconnect` is called when some may have been lost. What either of them rejects, as
   * the database was away, is called again a moment later, until it resolves or the database is closed.
   */
  listen(channel: string, onNotice: (payload: string) => unknown, onReconnect?: () => unknown): Promise<void>
  /** Rejects when the database doesn't answer. */
  ping(): Promise<void>
  /** Runs work on one connection that no statement time limit holds for: migrations, maintenance. */
  unhurried<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /** Lets running transactions end, within limits, and closes. */
  close(): Promise<void>
}
