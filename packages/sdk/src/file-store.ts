import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maxDataFileBytes } from '@svc/core'
import type { Store } from './host.ts'
import { createStore } from './storage.ts'

/**
 * A store in files, `<folder>/svc-<SDK key>.json`, for Node, Deno and Bun. Each write goes to a temporary file that is
 * synced and then renamed, so several processes can share a folder and a crash leaves a complete file.
 *
 * @param folder created if it is missing
 * @example createClient({ sdkKey, baseUrl, store: fileStore('/var/cache/shop') })
 */
export const fileStore = (folder: string): Store =>
  createStore({
    async load(key) {
      const path = pathOf(folder, key)
      try {
        return (await stat(path)).size > maxDataFileBytes ? null : await readFile(path, 'utf8')
      } catch (fault) {
        if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw fault
      }
    },
    async save(key, text) {
      const path = pathOf(folder, key)
      const unfinished = `${path}.${crypto.randomUUID()}.tmp`
      await mkdir(folder, { recursive: true })
      await clear(folder, `${key}.json.`)
      try {
        await writeFile(unfinished, text, { flush: true })
        await rename(unfinished, path)
      } finally {
        await rm(unfinished, { force: true })
      }
    },
  })

const pathOf = (folder: string, key: string): string => join(folder, `${key}.json`)

// A process needs less than this to write 20 MB.
const abandonedMs = 60_000

/** Removes temporary files of processes that were killed. */
async function clear(folder: string, beginning: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(beginning) || !name.endsWith('.tmp')) continue
    const path = join(folder, name)
    // Another process may have removed it already.
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
    if (age > abandonedMs) await rm(path, { force: true })
  }
}
