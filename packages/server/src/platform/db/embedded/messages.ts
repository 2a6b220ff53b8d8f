/** What the main thread asks of the database's thread. */
export type Request =
  | { id: number; ask: 'query'; text: string; values: readonly unknown[] }
  | { id: number; ask: 'close' }

/** What the database's thread says. */
export type Reply =
  | { say: 'ready' }
  | { say: 'result'; id: number; result: Result; inTransaction: boolean }
  | { say: 'failure'; id: number; failure: Failure; inTransaction: boolean }
  | { say: 'notice'; channel: string; payload: string }
  | { say: 'trouble'; message: string }

export interface Result {
  command: string
  rowCount: number | null
  rows: Record<string, unknown>[]
  /** Columns of bytes: a Buffer crosses between threads as a bare Uint8Array and has to be wrapped again. */
  byteColumns: string[]
}

/** An error's fields, which cross between threads without its class. */
export type Failure = { message: string } & { [Field in (typeof failureFields)[number]]?: string }

export const failureFields = [
  'name',
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'schema',
  'table',
  'column',
  'constraint',
] as const
