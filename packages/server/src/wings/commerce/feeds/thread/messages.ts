/** What the thread is told. */
export type Told =
  | { tell: 'bytes'; bytes: Uint8Array }
  | { tell: 'end' }
  /** The batch that came first was taken. */
  | { tell: 'taken' }

/** What the thread says. */
export type Said =
  /** It can take more bytes. */
  | { say: 'more' }
  | { say: 'batch'; batch: unknown }
  | { say: 'end' }
  | { say: 'fault'; message: string; line: number | null }
