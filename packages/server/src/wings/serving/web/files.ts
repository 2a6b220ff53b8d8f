import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { needsRare } from '@svc/core'
import { scriptOf } from '@svc/web'
import type { Encoding } from '../../../negotiation.ts'
import { type UnreadableChange, webSectionOf } from '../../model/web/index.ts'
import { compressed, type DataFileStore, type StoredDataFile } from '../datafile/index.ts'

/** What a page of a web project loads: the script, or what it carries besides the data file, for servers and edges. */
export type WebFileKind = 'script' | 'document'

export interface WebFile {
  /** SHA-256 of the bytes. */
  etag: string
  /** How long browsers use it without asking again. */
  maxAgeSeconds: number
  /** The compressed bytes, made on the first request. A promise only while compressing. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The texts of the engine: without and with the parts of an evaluation that few data files need. */
export interface Engines {
  plain: string
  whole: string
}

interface Log {
  warn(fields: object, message: string): void
}

/** The files of web projects in memory. They follow from the data file of an environment and what comes with it. */
export interface WebFiles {
  find(kind: WebFileKind, sdkKey: string): Promise<WebFile | undefined>
  /** Undefined if the environment is not in memory. */
  findHeld(kind: WebFileKind, sdkKey: string): WebFile | undefined
}

interface Made {
  of: StoredDataFile
  document: WebFile
  unreadable: readonly UnreadableChange[]
  /** By SDK key, because the script names it. */
  scripts: Map<string, WebFile>
}

export function webFiles(
  store: Pick<DataFileStore, 'find' | 'findStored' | 'watch' | 'watchKeys'>,
  { baseUrl, engines, log }: { baseUrl: string; engines: Engines; log: Log },
): WebFiles {
  const made = new Map<string, Made>()
  store.watch((envId, file) => file ?? made.delete(envId))
  store.watchKeys((envId, revoked) => made.get(envId)?.scripts.delete(revoked))
  const madeOf = (of: StoredDataFile): Made => {
    const held = made.get(of.envId)
    if (held?.of === of) return held
    const { settings, document } = webSectionOf(of.sections.web, of.revision)
    const { text, unreadable } = document
    // Said once, not with every revision.
    if (unreadable.length > 0 && !isDeepStrictEqual(held?.unreadable, unreadable))
      log.warn({ envId: of.envId, changes: unreadable }, 'pages do not get changes whose HTML is refused now')
    const next = { of, document: fileOf(text, settings.scriptMaxAgeSeconds), unreadable, scripts: new Map() }
    made.set(of.envId, next)
    return next
  }
  const findHeld = (kind: WebFileKind, sdkKey: string) => {
    const stored = store.findStored(sdkKey, 'WEB')
    if (!stored) return undefined
    const { document, scripts } = madeOf(stored)
    if (kind === 'document') return document
    const known = scripts.get(sdkKey)
    if (known) return known
    const { document: web } = webSectionOf(stored.sections.web, stored.revision)
    const content = { baseUrl, sdkKey, file: stored.bytes().toString(), web: web.text }
    // Pages use operators that few data files need, too.
    const isRare = [content.file, content.web].some((text) => needsRare(JSON.parse(text)))
    const script = fileOf(scriptOf(isRare ? engines.whole : engines.plain, content), document.maxAgeSeconds)
    scripts.set(sdkKey, script)
    return script
  }
  return {
    findHeld,
    async find(kind, sdkKey) {
      await store.find(sdkKey)
      return findHeld(kind, sdkKey)
    },
  }
}

function fileOf(text: string, maxAgeSeconds: number): WebFile {
  const bytes = Buffer.from(text)
  return { etag: `"sha256-${hash('sha256', bytes)}"`, maxAgeSeconds, body: compressed(() => bytes) }
}
