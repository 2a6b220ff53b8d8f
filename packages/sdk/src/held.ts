import type { Clock, DataFile, Evaluator } from '@svc/core'
import { compile } from '@svc/core'
import { changedFlags } from './changes.ts'

/** The data file that a client serves. */
export interface Held {
  file: DataFile
  evaluator: Evaluator
  etag: string | null
}

/** Whether a file that was kept is to be preferred to the one held. */
export const isNewer = (file: DataFile, held: Held | undefined): boolean =>
  !held || (!hasMoved(file, held) && file.revision > held.file.revision)

/** The file names another environment. */
const hasMoved = ({ environment }: DataFile, { file }: Held): boolean =>
  typeof environment?.id === 'string' && environment.id !== file.environment?.id

/** What to hold from now on. `changed`: see `changedFlags`; undefined where nothing did, or nothing was held. */
export type Taken = { next: Held; changed?: string[] | undefined }

/** What to hold after a file arrived, or why the file is refused. */
export type Succession = Taken | { fault: Error }

/**
 * Decides between the file held and one that arrived. A lower revision is refused: a cache or a node on the way is
 * behind. Revisions of different environments do not compare, so a key that moved to another one is followed. The same
 * revision of another moment is what a service has made that was restored from a backup: it knows better.
 */
export function succeed(held: Held | undefined, file: DataFile, etag: string | null, clock?: Clock): Succession {
  if (!held) return take(held, file, etag, clock)
  const ahead = hasMoved(file, held) ? 1 : file.revision - held.file.revision
  if (ahead < 0) return { fault: new Error(`revision ${file.revision} is older than ${held.file.revision}`) }
  if (ahead === 0 && file.publishedAt === held.file.publishedAt) return { next: { ...held, etag } }
  return take(held, file, etag, clock)
}

/** What to hold once it is decided that the file is taken. */
export const take = (held: Held | undefined, file: DataFile, etag: string | null, clock?: Clock): Taken => ({
  next: { file, evaluator: compile(file, clock), etag },
  changed: held && changedFlags(held.file, file),
})
