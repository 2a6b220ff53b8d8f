import { readFileSync } from 'node:fs'

/** How many files and connections this process can have open; null if the system does not say. */
export function openFilesMax(): number | null {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}

export function openFilesIn(limits: string): number | null {
  const [, soft] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? []
  return soft === undefined ? null : Number(soft)
}
