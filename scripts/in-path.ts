import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The full path of a program in PATH; undefined if it is missing. */
export function findInPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(existsSync)
}
