import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

// What a running server needs of this repository: the image gets its sources, and the package for npm JavaScript of them.

const root = resolve(import.meta.dirname, '..')

/** The packages that the server runs. The last one is the server itself. */
export const run = ['core', 'recommend', 'stats', 'web', 'server'] as const

/** Files and folders that are copied unchanged. The server finds the dashboard and the docs by their place. */
export const asTheyAre = [
  'LICENSE',
  'scripts/require-node.js',
  'packages/server/migrations',
  'packages/server/dist',
  ...['dashboard', 'docs', 'sdk', 'web'].map((name) => `packages/${name}/dist`),
]

export const isForTests = (path: string): boolean => /\.test\.tsx?$|(^|[\\/])testing$/.test(path)

/** What only debuggers and compilers read of what is built. */
const isForReaders = (path: string): boolean => /[\\/]dist[\\/].*\.(map|d\.[mc]?ts)$/.test(path)

/** Copies a file or folder of the repository to the same place below another folder. */
export function copyPart(path: string, to: string): void {
  const target = join(to, path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, path), target, {
    recursive: true,
    filter: (source) => !isForTests(source) && !isForReaders(source.slice(root.length)),
  })
}
