/** A connection of its own, outside the pool, for reading or writing whole tables in PostgreSQL's COPY text. */
export interface CopySession {
  /** Without values, the text can have several statements. Returns the rows of the last one. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The rows of a table as COPY text, in pieces that can end anywhere. */
  copyOut(table: string, columns: readonly string[]): AsyncIterable<Buffer>
  /** Appends rows to a table. Every piece has whole lines. */
  copyIn(table: string, columns: readonly string[], pieces: AsyncIterable<Buffer>): Promise<void>
  close(): Promise<void>
}

/** The same rows have the same text in every session. */
export const copySettings = `
  set timezone to 'UTC'; set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres'; set bytea_output to 'hex';
  set extra_float_digits to 1; set client_encoding to 'UTF8'; set synchronize_seqscans to off`
