import { closeSync, openSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const blockBytes = 65_536

/** Fills a disk with a file but for some room, as a different program would. Returns the path of the file. */
export function fillDiskOf(disk: string, roomBytes: number): string {
  const path = join(disk, 'filler')
  truncateSync(path, fill(path) - roomBytes)
  return path
}

/** Returns the number of bytes that it wrote. */
function fill(path: string): number {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(blockBytes)
  let bytes = 0
  try {
    for (;;) bytes += writeSync(file, block)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
    return bytes
  } finally {
    closeSync(file)
  }
}
