import type { DataFile, Evaluator } from '@svc/core'
import { compile } from '@svc/core'
import { changedFlags } from './changes.ts'

/** The data file that a client serves. */
export interface Held {
  file: DataFile
  evaluator: Evaluator
  etag: string | null
}

/** What to hold after a file arrived, or why the file is refused. `changed`: see `changedFlags`. */
export type Succession = { next: Held; changed?: string[] } | { fault: Error }

/**
 * Decides between the file held and one that arrived. A lower revision is refused: a cache or a node on the way is
 * behind. Revisions of different environments do not compare, so a key that moved to another one is followed.
 */
export function succeed(held: Held | undefined, file: DataFile, etag: string | null): Succession {
  if (!held) return { next: { file, evaluator: compile(file), etag } }
  const ahead = file.environment?.id === held.file.environment?.id ? file.revision - held.file.revision : 1
  if (ahead < 0) return { fault: new Error(`revision ${file.revision} is older than ${held.file.revision}`) }
  if (ahead === 0) return { next: { ...held, etag } }
  return { next: { file, evaluator: compile(file), etag }, changed: changedFlags(held.file, file) }
}
