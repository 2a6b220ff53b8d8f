import type { DataFile } from '@svc/core'
import { parseDataFile } from '@svc/core'
import type { Held } from './held.ts'

/**
 * Applies the change in a stream event to the data file held. The change only applies to a file with the ETag that the
 * event names.
 *
 * @param data the data of the event, see docs/live.md
 * @returns undefined if the change does not apply, so that the file must be fetched
 */
export function patched(
  held: Held | undefined,
  revision: number,
  data: string,
): { file: DataFile; etag: string } | undefined {
  try {
    const { etag, change } = JSON.parse(data)
    // A proxy that compresses marks the ETag as weak; the content is the same.
    if (!held?.etag || change.from !== held.etag.replace(/^W\//, '')) return
    const flags = { ...held.file.flags, ...change.flags }
    for (const key of Object.keys(change.flags)) if (flags[key] === null) delete flags[key]
    const file = parseDataFile({ ...held.file, flags, revision, publishedAt: change.publishedAt })
    return file && { file, etag }
  } catch {
    // Events of an older service contain no change.
  }
}
