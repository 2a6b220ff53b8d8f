import { type Version, versionOf } from '../../model/catalog/index.ts'
import { type FeedBatch, type FeedSource, readFeed } from './read-feed.ts'

/** Up to 500 rows of a file, ready to be written. */
export interface VersionBatch extends Omit<FeedBatch, 'items'> {
  items: { line: number; version: Version }[]
}

/** What of a source and its file decides what its rows come to. */
export interface ReadingOf {
  projectId: string
  source: FeedSource
  contentType: string | null
}

/** Reads a file of products as `readFeed` does, up to what is written of each item. */
export async function* readVersions(
  { projectId, source, contentType }: ReadingOf,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<VersionBatch> {
  for await (const { items, ...batch } of readFeed(source, bytes, { contentType }))
    yield { ...batch, items: items.map(({ line, item }) => ({ line, version: versionOf(projectId, item) })) }
}
