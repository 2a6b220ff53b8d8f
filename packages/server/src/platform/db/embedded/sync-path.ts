import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs a file to the disk, or a folder, so that a new name in it survives a crash. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
