import type { Kysely, Transaction } from 'kysely'

/** No schema type: SQL is written with Kysely's `sql` template in each feature's queries.ts. */
export type Db = Kysely<unknown>
export type Tx = Transaction<unknown>

/** The logger that the platform needs; pino's logger fits. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * An open PostgreSQL, embedded in this process or on a server, with the same SQL for both.
 *
 * Values have the same types: int8 is a number (beyond ±2^53 the query fails), timestamptz a Date, json and jsonb are
 * parsed, bytea is a Buffer, date is 'YYYY-MM-DD', numeric is a string. The session's time zone is UTC.
 *
 * The embedded database has one connection: a query outside a transaction waits until that transaction ends.
 */
export interface Database {
  db: Db
  kind: 'embedded' | 'server'
  /**
   * Resolves when it is listening. `onReconnect` is called when notices may have been lost. If either callback rejects
   * because the database is unavailable, it is called again shortly afterwards, until it resolves or the database is
   * closed.
   */
  listen(channel: string, onNotice: (payload: string) => unknown, onReconnect?: () => unknown): Promise<void>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  /** Runs work on a connection without a statement time limit, for migrations and maintenance. */
  unhurried<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /**
   * Only of the embedded database: copies its files, as they are after everything that was acknowledged. Everything else
   * waits for the connection meanwhile.
   */
  copyFiles?(to: string): Promise<{ bytes: number; heldMs: number }>
  /** How many bytes `copyFiles` would copy. */
  fileBytes?(): Promise<number>
  /** Lets running transactions end, within a time limit, and closes. */
  close(): Promise<void>
}
