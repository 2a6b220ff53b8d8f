import type { DataFile, Evaluator } from '@svc/core'

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

/**
 * What to hold after a file has arrived. A lower revision is refused: it comes from a cache or a node that is not up to
 * date. Revisions of different environments cannot be compared, so the file is taken if the SDK key has moved to a
 * different environment. The same revision with a different time is taken too: it comes from a service that was
 * restored from a backup.
 *
 * @throws Error if the file is refused
 */
export function succeed(
  held: Held | undefined,
  file: DataFile,
  etag: string | null,
  compile: (file: DataFile) => Evaluator,
): Held {
  if (held && !hasMoved(file, held)) {
    const ahead = file.revision - held.file.revision
    if (ahead < 0) throw new Error(`revision ${file.revision} is older than ${held.file.revision}`)
    if (ahead === 0 && file.publishedAt === held.file.publishedAt) return { ...held, etag }
  }
  return { file, evaluator: compile(file), etag }
}
