import { readFileSync } from 'node:fs'

/** How many files and connections this process can have open; null if the system does not say. */
export function openFilesMax(): number | null {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}

/** What the database, deliveries and files of pages need besides, unless that is more than half of all. */
const otherFiles = { atLeast: 400, share: 0.2 }

/** How many connections the web server takes. If they take all open files, the embedded database cannot work. */
export const connectionsWithin = (openFiles: number): number => {
  const others = Math.max(otherFiles.atLeast, openFiles * otherFiles.share)
  return Math.floor(Math.max(openFiles - others, openFiles / 2))
}

export function openFilesIn(limits: string): number | null {
  const [, soft] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? []
  return soft === undefined ? null : Number(soft)
}
