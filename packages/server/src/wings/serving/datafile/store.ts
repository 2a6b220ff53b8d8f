import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { changeBetween, type DataFileChange } from './change.ts'
import type { StoredDataFile } from './file.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface ServedDataFile {
  envId: string
  revision: number
  publishedAt: Date | null
  etag: string
  /** From the file that this node held before; null where that would not do, and for the first. */
  change: DataFileChange | null
  /** Compressed once per revision, when the first reader asks for it; a promise only until then. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The data files of this node, in memory: serving one reads no database. */
export interface DataFileStore {
  /** From memory; an environment that another node made a moment ago is loaded once. */
  find(sdkKey: string): Promise<ServedDataFile | undefined>
  /** From memory, or not at all. */
  findHeld(sdkKey: string): ServedDataFile | undefined
  /** Keeps the newer of the two, so that notices may arrive late or twice. */
  put(file: StoredDataFile): void
  remove(envId: string): void
  /** What this node holds of an environment, for the file that comes next. */
  held(envId: string): StoredDataFile | undefined
  envIds(): string[]
  /** Hears of every file that is newer than the one held before, and of environments that are gone (null). */
  watch(listener: (envId: string, file: ServedDataFile | null) => void): void
}

export function dataFileStore(load: (sdkKey: string) => Promise<StoredDataFile | undefined>): DataFileStore {
  const bySdkKey = new Map<string, ServedDataFile>()
  const byEnvId = new Map<string, StoredDataFile>()
  // Ids never come back: what was being read when its environment was deleted stays out.
  const removed = new Set<string>()
  const listeners: ((envId: string, file: ServedDataFile | null) => void)[] = []
  const put = (stored: StoredDataFile) => {
    const { envId, sdkKey, revision } = stored
    if (removed.has(envId)) return
    const held = byEnvId.get(envId)
    if (held && held.revision >= revision) return
    const file = served(stored, held ? changeBetween(held, stored) : null)
    byEnvId.set(envId, stored)
    bySdkKey.set(sdkKey, file)
    for (const listener of listeners) listener(envId, file)
  }
  const remove = (envId: string) => {
    removed.add(envId)
    bySdkKey.delete(byEnvId.get(envId)?.sdkKey ?? '')
    byEnvId.delete(envId)
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
    findHeld: (sdkKey) => bySdkKey.get(sdkKey),
    put,
    remove,
    held: (envId) => byEnvId.get(envId),
    envIds: () => [...byEnvId.keys()],
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

function served(
  { envId, revision, publishedAt, etag, bytes }: StoredDataFile,
  change: DataFileChange | null,
): ServedDataFile {
  const bodies = new Map<Encoding, Buffer | Promise<Buffer>>()
  return {
    envId,
    revision,
    publishedAt,
    etag,
    change,
    body(encoding) {
      const made = bodies.get(encoding)
      if (made) return made
      const making = compress[encoding](bytes()).then((body) => {
        bodies.set(encoding, body)
        return body
      })
      bodies.set(encoding, making)
      return making
    },
  }
}
