import { keyOf } from './bytes.ts'
import type { StoredDataFile } from './file.ts'

/** The difference from an older data file to a newer one. */
export interface DataFileChange {
  /** The ETag of the older file. */
  from: string
  /** JSON text: added and changed flags by key, and null for each removed flag. */
  flags: string
}

// With the rest of its event, it must fit in one line of 10,000 characters, the maximum that SDKs read.
const longestChange = 8_000

/** Returns null if anything other than flags changed, or if the change is too large to send. */
export function changeBetween(before: StoredDataFile, after: StoredDataFile): DataFileChange | null {
  const isSameAround =
    before.opening.equals(after.opening) &&
    before.sections.segments === after.sections.segments &&
    before.sections.holdouts === after.sections.holdouts
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

/** The fragments of the blocks that the other file does not share. */
function fragmentsBeside(file: StoredDataFile, other: StoredDataFile): string[] {
  const shared = new Set(other.blocks)
  return file.blocks.flatMap((block) => (shared.has(block) ? [] : block.fragments))
}
