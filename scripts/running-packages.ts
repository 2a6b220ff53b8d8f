import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of package-lock.json. */
interface Locked {
  name?: string
  version?: string
  resolved?: string
  link?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** The entries of a lock file, by their folders. */
export type Lock = Readonly<Record<string, Locked>>

export const locked = (root: string): Lock =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages

/** `name@version` of everything that a package of the repository has installed to run, ours left out. */
export function runningPackages(lock: Lock, start: string): Set<string> {
  const seen = new Set([start])
  const waiting = [start]
  const found = new Set<string>()
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = lock[folder]!
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    const needed = [...Object.keys(dependencies), ...peers]
    for (const name of [...needed, ...Object.keys(optionalDependencies)]) {
      const place = placeOf(lock, folder, name)
      if (place === undefined && needed.includes(name) && !Object.hasOwn(optionalDependencies, name))
        throw new Error(`${name} of ${folder} is not in the lock file`)
      if (place === undefined || seen.has(place)) continue
      seen.add(place)
      waiting.push(place)
      if (place.includes('node_modules/')) found.add(`${lock[place]!.name ?? nameOf(place)}@${lock[place]!.version}`)
    }
  }
  return found
}

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Where Node finds a package: below the folder that asks, or below one around it. */
function placeOf(lock: Lock, folder: string, name: string): string | undefined {
  for (let around = folder; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/')))) {
    const place = `${around === '' ? '' : `${around}/`}node_modules/${name}`
    const entry = lock[place]
    if (entry) return entry.link ? entry.resolved : place
    if (around === '') return undefined
  }
}
