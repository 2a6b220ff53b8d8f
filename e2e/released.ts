import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { release } from '../scripts/release.ts'

/** Makes a release in a folder. Returns the files that npm gets. */
export async function releasedPackages(folder: string): Promise<string[]> {
  release(folder)
  const names = await readdir(folder)
  return names.filter((name) => /^svc-(sdk|client|cli|server)-/.test(name)).map((name) => join(folder, name))
}
