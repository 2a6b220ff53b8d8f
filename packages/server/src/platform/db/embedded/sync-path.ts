import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A file or, so that a new name in it survives, a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
