import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const minVersion = 15
const debianFolder = '/usr/lib/postgresql'

/** The folder of the server programs of PostgreSQL. On Debian, each version has its own folder outside PATH. */
export function findPrograms(): string | undefined {
  const debian = versionsIn(debianFolder).map((version) => join(debianFolder, String(version), 'bin'))
  const others = (process.env.PATH ?? '').split(delimiter)
  return [...debian, ...others].find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))))
}

/** Newest first. */
function versionsIn(folder: string): number[] {
  if (!existsSync(folder)) return []
  const versions = readdirSync(folder).map(Number)
  return versions.filter((version) => version >= minVersion).sort((one, other) => other - one)
}
