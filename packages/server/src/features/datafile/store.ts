import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { StoredDataFile } from './queries.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface ServedDataFile {
  envId: string
  revision: number
  etag: string
  /** Compressed once per revision, when the first reader asks for it. */
  body(encoding: Encoding): Promise<Buffer>
}

/** The data files of this node, in memory: serving one reads no database. */
export interface DataFileStore {
  /** From memory; an environment that another node made a moment ago is loaded once. */
  find(sdkKey: string): Promise<ServedDataFile | undefined>
  /** Keeps the newer of the two, so that notices may arrive late or twice. */
  put(file: StoredDataFile): void
  remove(envId: string): void
  replaceAll(files: readonly StoredDataFile[]): void
  /** Hears of every file that is newer than the one held before, and of environments that are gone (null). */
  watch(listener: (envId: string, file: ServedDataFile | null) => void): void
}

export function dataFileStore(load: (sdkKey: string) => Promise<StoredDataFile | undefined>): DataFileStore {
  const bySdkKey = new Map<string, ServedDataFile>()
  // Ids never come back: what was being read when its environment was deleted stays out.
  const removed = new Set<string>()
  const listeners: ((envId: string, file: ServedDataFile | null) => void)[] = []
  const put = (stored: StoredDataFile) => {
    const { envId, sdkKey, revision } = stored
    if (removed.has(envId)) return
    const held = bySdkKey.get(sdkKey)
    if (held && held.revision >= revision) return
    const file = served(stored)
    bySdkKey.set(sdkKey, file)
    for (const listener of listeners) listener(envId, file)
  }
  const remove = (envId: string) => {
    removed.add(envId)
    for (const [sdkKey, file] of bySdkKey) if (file.envId === envId) bySdkKey.delete(sdkKey)
    for (const listener of listeners) listener(envId, null)
  }
  return {
    async find(sdkKey) {
      if (!bySdkKey.has(sdkKey)) {
        const stored = await load(sdkKey)
        if (stored) put(stored)
      }
      return bySdkKey.get(sdkKey)
    },
    put,
    remove,
    replaceAll(files) {
      const existing = new Set(files.map(({ envId }) => envId))
      for (const { envId } of [...bySdkKey.values()]) if (!existing.has(envId)) remove(envId)
      for (const file of files) put(file)
    },
    watch: (listener) => void listeners.push(listener),
  }
}

const brotliQuality = 6
const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
  identity: async (bytes: Buffer) => bytes,
}

function served({ envId, revision, etag, bytes }: StoredDataFile): ServedDataFile {
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return {
    envId,
    revision,
    etag,
    body(encoding) {
      const made = bodies.get(encoding) ?? compress[encoding](bytes)
      bodies.set(encoding, made)
      return made
    },
  }
}
