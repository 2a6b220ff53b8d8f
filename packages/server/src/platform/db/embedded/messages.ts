/** Messages from the main thread to the thread of the database. */
export type Request =
  | { id: number; ask: 'query'; text: string; values: readonly unknown[] }
  | { id: number; ask: 'close' }

/** Messages from the thread of the database. */
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
  /** Columns of bytes. A Buffer arrives in the other thread as a bare Uint8Array and must be wrapped again. */
  byteColumns: string[]
}

/** The fields of an error. Its class does not survive the way between threads. */
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
