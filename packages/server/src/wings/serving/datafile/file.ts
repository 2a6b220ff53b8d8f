import { createHash, type Hash } from 'node:crypto'
import type { Block } from './blocks.ts'
import { canonicalJson } from './bytes.ts'

export interface DataFileHead {
  environment: { id: string; key: string; sdkKey: string }
  revision: number
  publishedAt: Date | null
  sections?: Sections
}

/** The members of the sections beside the flags, in order, as JSON text. */
export interface Sections {
  audiences: string
  segments: string
}

export const noSections: Sections = { audiences: '', segments: '' }

/** A data file in memory: its flags in blocks, its bytes when somebody asks for them. */
export interface StoredDataFile {
  envId: string
  sdkKey: string
  revision: number
  /** Null before the first publishing. */
  publishedAt: Date | null
  /** SHA-256 of the bytes: equal exactly when they are. */
  etag: string
  size: number
  bytes: () => Buffer
  /** The bytes before the first flag. */
  opening: Buffer
  blocks: readonly Block[]
  sections: Sections
  /** The hash before each block, and behind the last. */
  hashes: readonly Hash[]
}

/**
 * Puts a data file together. What lies in front of the first block that `before`, an older file of the same
 * environment, does not share is not hashed again.
 */
export function dataFileOf(head: DataFileHead, blocks: readonly Block[], before?: StoredDataFile): StoredDataFile {
  const { id, key, sdkKey } = head.environment
  const { publishedAt, sections = noSections } = head
  const opening = Buffer.from(
    `{"audiences":{${sections.audiences}},"environment":${canonicalJson({ id, key })},"events":{},"exclusionGroups":{},"flags":{`,
  )
  // Left out where there are none: most files were made before there were segments, and keep their bytes.
  const segments = sections.segments && `,"segments":{${sections.segments}}`
  const closing = Buffer.from(
    `},"publishedAt":${JSON.stringify(publishedAt)},"revision":${head.revision},"schemaVersion":1${segments}}`,
  )
  const hashes = (before?.sections.audiences === sections.audiences && sharedHashes(blocks, before)) || [
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
    sdkKey,
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
