import type { DataFile } from '@svc/core'
import { parseDataFile } from '@svc/core'
import type { Held } from './held.ts'

/**
 * The data file that an event of the stream makes of the one held; undefined where it says nothing that fits, and the
 * file has to be fetched. Only a file with exactly the bytes that the event names is changed.
 *
 * @param data of the event, as the service's docs/live.md describes it
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
    // An older service says nothing of a change.
  }
}
