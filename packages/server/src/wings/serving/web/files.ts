import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type EngineName, engineFor, scriptOf } from '@svc/web'
import type { Encoding } from '../../../negotiation.ts'
import type { UnreadableChange } from '../../model/web/index.ts'
import { compressed, type DataFileStore, pagesOf, type ScriptOf, type StoredDataFile } from '../datafile/index.ts'

/** What a page of a web project loads: the script, or what it carries besides the data file, for servers and edges. */
export type WebFileKind = 'script' | 'document'

export interface WebFile {
  /** SHA-256 of the bytes. */
  etag: string
  /** Before compression. */
  bytes: number
  /** How long browsers use it without asking again. */
  maxAgeSeconds: number
  /** The compressed bytes, made on the first request. A promise only while compressing. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The texts of the engine and its parts. */
export type Engines = Readonly<Record<EngineName, string>>

interface Log {
  warn(fields: object, message: string): void
}

/** The files of web projects in memory. They follow from the data file of an environment and what comes with it. */
export interface WebFiles {
  find(kind: WebFileKind, sdkKey: string): Promise<WebFile | undefined>
  /** Undefined if the environment is not in memory. */
  findHeld(kind: WebFileKind, sdkKey: string): WebFile | undefined
  /** The script with a data file of a web project, which may not be committed yet. */
  scriptOf: ScriptOf
}

interface Made {
  of: StoredDataFile
  document: WebFile
  unreadable: readonly UnreadableChange[]
}

export function webFiles(
  store: Pick<DataFileStore, 'find' | 'findStored' | 'watch' | 'watchKeys'>,
  { baseUrl, engines, log }: { baseUrl: string; engines: Engines; log: Log },
): WebFiles {
  const made = new Map<string, Made>()
  // By SDK key, because the script names it. A publish tells its ETag before the commit, after which it is served.
  const scripts = new WeakMap<StoredDataFile, Map<string, WebFile>>()
  store.watch((envId, file) => file ?? made.delete(envId))
  store.watchKeys((envId, revoked) => {
    const held = made.get(envId)
    if (held) scripts.get(held.of)?.delete(revoked)
  })
  const madeOf = (of: StoredDataFile): Made => {
    const held = made.get(of.envId)
    if (held?.of === of) return held
    const { settings, document } = pagesOf(of)
    const { text, unreadable } = document
    // Said once, not with every revision.
    if (unreadable.length > 0 && !isDeepStrictEqual(held?.unreadable, unreadable))
      log.warn({ envId: of.envId, changes: unreadable }, 'pages do not get changes whose HTML is refused now')
    const next = { of, document: fileOf(text, settings.scriptMaxAgeSeconds), unreadable }
    made.set(of.envId, next)
    return next
  }
  const scriptWith = (stored: StoredDataFile, sdkKey: string): WebFile => {
    const known = scripts.get(stored)?.get(sdkKey)
    if (known) return known
    const { document, settings, code } = pagesOf(stored)
    const content = { baseUrl, sdkKey, file: stored.bytes().toString(), web: document.text }
    const engine = engineFor(engines, JSON.parse(content.file), document.content)
    const script = fileOf(scriptOf(engine, { ...content, code }), settings.scriptMaxAgeSeconds)
    scripts.set(stored, (scripts.get(stored) ?? new Map()).set(sdkKey, script))
    return script
  }
  const findHeld = (kind: WebFileKind, sdkKey: string) => {
    const stored = store.findStored(sdkKey, 'WEB')
    if (!stored) return undefined
    const { document } = madeOf(stored)
    return kind === 'document' ? document : scriptWith(stored, sdkKey)
  }
  return {
    findHeld,
    scriptOf(file, sdkKey) {
      const { bytes, etag } = scriptWith(file, sdkKey)
      return { bytes, etag }
    },
    async find(kind, sdkKey) {
      await store.find(sdkKey)
      return findHeld(kind, sdkKey)
    },
  }
}

function fileOf(text: string, maxAgeSeconds: number): WebFile {
  const bytes = Buffer.from(text)
  return {
    etag: `"sha256-${hash('sha256', bytes)}"`,
    bytes: bytes.length,
    maxAgeSeconds,
    body: compressed(() => bytes),
  }
}
