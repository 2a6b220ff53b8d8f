import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from '../../../negotiation.ts'
import { changeBetween, type DataFileChange } from './change.ts'
import type { StoredDataFile } from './file.ts'

export interface ServedDataFile {
  envId: string
  revision: number
  publishedAt: Date | null
  etag: string
  /** The change from the file that this node held before; null if there is none or the change is not enough. */
  change: DataFileChange | null
  /** The compressed bytes, made once per revision on the first request. A promise only while compressing. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The data files of this node in memory. Serving them needs no database. */
export interface DataFileStore {
  /** Returns a file from memory. If a different node has just created the environment, loads the file once. */
  find(sdkKey: string): Promise<ServedDataFile | undefined>
  /** Returns a file from memory; undefined if it is not there. */
  findHeld(sdkKey: string): ServedDataFile | undefined
  /** Keeps the newer of the two files, so that late and repeated notices do no harm. */
  put(file: StoredDataFile): void
  remove(envId: string): void
  /** The current file of an environment, on which the next one builds. */
  held(envId: string): StoredDataFile | undefined
  /**
   * The newest file of each environment from a transaction of this node that has not ended yet. The next transaction can
   * see a commit before this node is notified of it. If the environment's row has the ETag of a file here, that file was
   * committed.
   */
  made: Map<string, { file: StoredDataFile; ended: Promise<void> }>
  envIds(): string[]
  /** Calls the listener for each newer file, and with null for each deleted environment. */
  watch(listener: (envId: string, file: ServedDataFile | null) => void): void
}

export function dataFileStore(load: (sdkKey: string) => Promise<StoredDataFile | undefined>): DataFileStore {
  const bySdkKey = new Map<string, ServedDataFile>()
  const byEnvId = new Map<string, StoredDataFile>()
  // Ids are never reused. A file that was being read when its environment was deleted is not stored.
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
    made: new Map(),
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
