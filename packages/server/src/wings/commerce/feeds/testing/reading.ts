import { type FeedBatch, type FeedFile, type FeedSource, readFeed } from '../read-feed.ts'

export const source: FeedSource = {
  format: 'AUTO',
  encoding: 'utf-8',
  mapping: {},
  defaultCurrency: 'EUR',
  url: 'https://shop.example.com/feed',
}

/** The bytes in pieces of a size, so that anything can be cut in the middle. */
export async function* inPieces(bytes: Uint8Array | string, size = 65_536): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes as Uint8Array)
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}

/** Everything of a file in one batch. */
export async function readAll(
  bytes: Uint8Array | string | AsyncIterable<Uint8Array>,
  of: Partial<FeedSource> = {},
  file: FeedFile = {},
): Promise<FeedBatch> {
  const all: FeedBatch = { rows: 0, items: [], deleted: [], problems: [] }
  const pieces = typeof bytes === 'string' || bytes instanceof Uint8Array ? inPieces(bytes) : bytes
  for await (const batch of readFeed({ ...source, ...of }, pieces, file)) {
    all.rows += batch.rows
    all.items.push(...batch.items)
    all.deleted.push(...batch.deleted)
    all.problems.push(...batch.problems)
  }
  return all
}
