import { keyOf } from './bytes.ts'
import type { StoredDataFile } from './file.ts'

/** What tells the holder of an older data file all that the newer one says. */
export interface DataFileChange {
  /** The ETag of the older file. */
  from: string
  /** The flags that are new or other, by key, and null for each that left: as JSON text. */
  flags: string
}

// With the rest of its event it has to fit into the line that SDKs read, of 10,000 characters.
const longestChange = 8_000

/** Null where more than flags is another, or where so much is that the file might as well be fetched. */
export function changeBetween(before: StoredDataFile, after: StoredDataFile): DataFileChange | null {
  const isSameAround = before.opening.equals(after.opening) && before.sections.segments === after.sections.segments
  if (!isSameAround) return null
  const left = new Map(fragmentsBeside(before, after).map((fragment) => [keyOf(fragment), fragment]))
  const members: string[] = []
  for (const fragment of fragmentsBeside(after, before)) {
    const key = keyOf(fragment)
    if (left.get(key) !== fragment) members.push(fragment)
    left.delete(key)
  }
  for (const key of left.keys()) members.push(`${JSON.stringify(key)}:null`)
  const flags = `{${members.join(',')}}`
  return flags.length <= longestChange ? { from: before.etag, flags } : null
}

/** Of the blocks that the other file does not share. */
function fragmentsBeside(file: StoredDataFile, other: StoredDataFile): string[] {
  const shared = new Set(other.blocks)
  return file.blocks.flatMap((block) => (shared.has(block) ? [] : block.fragments))
}
