import type { Encoding } from '../../../negotiation.ts'
import { unavailable } from '../../../platform/db/index.ts'
import { inTurn, TooBusy } from '../../../turns.ts'
import type { IngestKeyRequirement } from '../../model/environments/index.ts'
import { changeBetween, type DataFileChange } from './change.ts'
import { compressed } from './compressed.ts'
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

/** Which events of an environment need an ingest key, and the SHA-256 of each of its keys in hexadecimal. */
export interface IngestRule {
  requiredFor: IngestKeyRequirement
  keys: readonly { id: string; hash: string }[]
}

/** The keys of an environment, as of a version of it. */
export interface EnvironmentKeys {
  envId: string
  version: number
  /** Those that name it to SDKs. */
  sdkKeys: readonly string[]
  ingest: IngestRule
  projectType: 'FEATURE_FLAG' | 'WEB'
}

/** The data files of this node in memory. Serving them needs no database. */
export interface DataFileStore {
  /** Returns a file from memory. If a different node has just made the environment or the key, loads the file once. */
  find(sdkKey: string): Promise<ServedDataFile | undefined>
  /** Returns a file from memory; undefined if it is not there. */
  findHeld(sdkKey: string): ServedDataFile | undefined
  /** The file in memory that a key names, if the key belongs to a project of this type. */
  findStored(sdkKey: string, projectType: 'FEATURE_FLAG' | 'WEB'): StoredDataFile | undefined
  /** Keeps the newer of the two files, so that late and repeated notices do no harm. */
  put(file: StoredDataFile): void
  /** Keeps the newer of the two lists, so that a list that was read before a key was revoked does not bring it back. */
  keep(keys: EnvironmentKeys): void
  /** From memory; undefined if the environment is not there. */
  ingestRule(envId: string): IngestRule | undefined
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
  /** Calls the listener for each key that was revoked while its environment stays. */
  watchKeys(listener: (envId: string, revoked: string) => void): void
}

/** Nobody needs an account to ask for a key that is not there, and the rest of the service needs the database meanwhile. */
const lookUps = { atOnce: 2, waitingAtMost: 1_000, patienceMs: 5_000 }

export function dataFileStore(
  load: (sdkKey: string) => Promise<{ file: StoredDataFile; keys: EnvironmentKeys } | undefined>,
): DataFileStore {
  const envIdOf = new Map<string, string>()
  const keysOf = new Map<string, EnvironmentKeys>()
  const served = new Map<string, ServedDataFile>()
  const byEnvId = new Map<string, StoredDataFile>()
  // Ids are never reused. A file that was being read when its environment was deleted is not stored.
  const removed = new Set<string>()
  const listeners: ((envId: string, file: ServedDataFile | null) => void)[] = []
  const keyListeners: ((envId: string, revoked: string) => void)[] = []
  const lookUp = inTurn(lookUps)
  const findHeld = (sdkKey: string) => served.get(envIdOf.get(sdkKey) ?? '')
  const put = (stored: StoredDataFile) => {
    const { envId, revision } = stored
    if (removed.has(envId)) return
    const held = byEnvId.get(envId)
    if (held && held.revision >= revision) return
    const file = servedFile(stored, held ? changeBetween(held, stored) : null)
    byEnvId.set(envId, stored)
    served.set(envId, file)
    for (const listener of listeners) listener(envId, file)
  }
  const keep = (keys: EnvironmentKeys) => {
    const { envId, version, sdkKeys } = keys
    const before = keysOf.get(envId)
    if (removed.has(envId) || (before && before.version >= version)) return
    keysOf.set(envId, keys)
    for (const sdkKey of sdkKeys) envIdOf.set(sdkKey, envId)
    for (const revoked of before?.sdkKeys.filter((sdkKey) => !sdkKeys.includes(sdkKey)) ?? []) {
      envIdOf.delete(revoked)
      for (const listener of keyListeners) listener(envId, revoked)
    }
  }
  const remove = (envId: string) => {
    removed.add(envId)
    for (const sdkKey of keysOf.get(envId)?.sdkKeys ?? []) envIdOf.delete(sdkKey)
    keysOf.delete(envId)
    served.delete(envId)
    byEnvId.delete(envId)
    for (const listener of listeners) listener(envId, null)
  }
  return {
    async find(sdkKey) {
      const held = findHeld(sdkKey)
      if (held) return held
      // While it waited, another request can have loaded it.
      const loaded = await lookUp(async () => (findHeld(sdkKey) ? undefined : load(sdkKey))).catch(busy)
      if (loaded) {
        put(loaded.file)
        keep(loaded.keys)
      }
      return findHeld(sdkKey)
    },
    findHeld,
    findStored(sdkKey, projectType) {
      const envId = envIdOf.get(sdkKey) ?? ''
      return keysOf.get(envId)?.projectType === projectType ? byEnvId.get(envId) : undefined
    },
    put,
    keep,
    ingestRule: (envId) => keysOf.get(envId)?.ingest,
    remove,
    held: (envId) => byEnvId.get(envId),
    made: new Map(),
    envIds: () => [...byEnvId.keys()],
    watch: (listener) => void listeners.push(listener),
    watchKeys: (listener) => void keyListeners.push(listener),
  }
}

function busy(error: unknown): never {
  throw error instanceof TooBusy ? unavailable('too many requests with unknown SDK keys wait', error) : error
}

function servedFile(
  { envId, revision, publishedAt, etag, bytes }: StoredDataFile,
  change: DataFileChange | null,
): ServedDataFile {
  return { envId, revision, publishedAt, etag, change, body: compressed(bytes) }
}
