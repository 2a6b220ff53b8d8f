import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program of this name lies that the PATH leads to. */
export function findInPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(existsSync)
}
