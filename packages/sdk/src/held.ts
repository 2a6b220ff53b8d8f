import type { Clock, DataFile, Evaluator, Keep } from '@svc/core'
import { compile } from '@svc/core'
import { changedFlags } from './changes.ts'

/** The data file that a client uses. */
export interface Held {
  file: DataFile
  evaluator: Evaluator
  etag: string | null
}

/** Whether a file from the store should replace the one held. */
export const isNewer = (file: DataFile, held: Held | undefined): boolean =>
  !held || (!hasMoved(file, held) && file.revision > held.file.revision)

/** Whether the file names a different environment. */
const hasMoved = ({ environment }: DataFile, { file }: Held): boolean =>
  typeof environment?.id === 'string' && environment.id !== file.environment?.id

/** What to hold from now on. `changed`: see `changedFlags`; undefined if nothing changed or nothing was held before. */
export type Taken = { next: Held; changed?: string[] | undefined }

/** What to hold after a file has arrived, or why the file is refused. */
export type Succession = Taken | { fault: Error }

/**
 * Decides between the file held and one that arrived. A lower revision is refused: it comes from a cache or a node that
 * is not up to date. Revisions of different environments cannot be compared, so the file is taken if the SDK key has
 * moved to a different environment. The same revision with a different time is taken too: it comes from a service that
 * was restored from a backup.
 */
export function succeed(
  held: Held | undefined,
  file: DataFile,
  etag: string | null,
  clock?: Clock,
  keep?: Keep,
): Succession {
  if (!held) return take(held, file, etag, clock, keep)
  const ahead = hasMoved(file, held) ? 1 : file.revision - held.file.revision
  if (ahead < 0) return { fault: new Error(`revision ${file.revision} is older than ${held.file.revision}`) }
  if (ahead === 0 && file.publishedAt === held.file.publishedAt) return { next: { ...held, etag } }
  return take(held, file, etag, clock, keep)
}

/** What to hold when the file is taken. */
export const take = (
  held: Held | undefined,
  file: DataFile,
  etag: string | null,
  clock?: Clock,
  keep?: Keep,
): Taken => ({
  next: { file, evaluator: compile(file, clock, keep), etag },
  changed: held && changedFlags(held.file, file),
})
