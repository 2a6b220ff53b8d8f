import { createHash, type Hash } from 'node:crypto'
import { canonicalJson } from '../../../canonical-json.ts'
import type { Block } from './blocks.ts'

export interface DataFileHead {
  environment: { id: string; key: string }
  revision: number
  publishedAt: Date | null
  sections?: Sections
}

/** The members of the sections other than `flags`, sorted, as JSON text. Data files leave out `web`. */
export interface Sections {
  audiences: string
  segments: string
  exclusionGroups: string
  holdouts: string
  /** What pages need besides the data file. */
  web: string
}

export const noSections: Sections = { audiences: '', segments: '', exclusionGroups: '', holdouts: '', web: '' }

/** A data file in memory, with its flags in blocks. Its bytes are built on demand. */
export interface StoredDataFile {
  envId: string
  revision: number
  /** Null before the first publish. */
  publishedAt: Date | null
  /** SHA-256 of the bytes. */
  etag: string
  size: number
  bytes: () => Buffer
  /** The bytes before the first flag. */
  opening: Buffer
  blocks: readonly Block[]
  sections: Sections
  /** The state of the hash before each block and after the last one. */
  hashes: readonly Hash[]
}

/**
 * Builds a data file. `before` is an older file of the same environment. The leading blocks that both files share are
 * not hashed again.
 */
export function dataFileOf(head: DataFileHead, blocks: readonly Block[], before?: StoredDataFile): StoredDataFile {
  const { id, key } = head.environment
  const { publishedAt, sections = noSections } = head
  const opening = Buffer.from(
    `{"audiences":{${sections.audiences}},"environment":${canonicalJson({ id, key })},"events":{},"exclusionGroups":{${sections.exclusionGroups}},"flags":{`,
  )
  // Omitted if there are none, so that files from before segments and holdouts existed keep their bytes.
  const holdouts = sections.holdouts && `"holdouts":{${sections.holdouts}},`
  const segments = sections.segments && `,"segments":{${sections.segments}}`
  const closing = Buffer.from(
    `},${holdouts}"publishedAt":${JSON.stringify(publishedAt)},"revision":${head.revision},"schemaVersion":1${segments}}`,
  )
  const hashes = (before?.opening.equals(opening) && sharedHashes(blocks, before)) || [
    createHash('sha256').update(opening),
  ]
  const hash = hashes.at(-1)!.copy()
  for (let index = hashes.length - 1; index < blocks.length; index += 1) {
    if (index > 0) hash.update(comma)
    hash.update(blocks[index]!.bytes)
    hashes.push(hash.copy())
  }
  const pieces = [opening, ...blocks.flatMap(({ bytes }, index) => (index > 0 ? [comma, bytes] : [bytes])), closing]
  return {
    envId: id,
    revision: head.revision,
    publishedAt,
    etag: `"sha256-${hash.update(closing).digest('hex')}"`,
    size: pieces.reduce((sum, { length }) => sum + length, 0),
    bytes: () => Buffer.concat(pieces),
    opening,
    blocks,
    sections,
    hashes,
  }
}

const comma = Buffer.from(',')

function sharedHashes(blocks: readonly Block[], before: StoredDataFile): Hash[] {
  const different = blocks.findIndex((block, index) => block !== before.blocks[index])
  const shared = different < 0 ? blocks.length : different
  return before.hashes.slice(0, shared + 1)
}
