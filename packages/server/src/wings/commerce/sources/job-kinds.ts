import type { SourceType } from './source.ts'

export const feedSyncKind = 'feed_sync'
export const catalogImportKind = 'catalog_import'
export const orderImportKind = 'order_import'

/** What a job of a source is called, by what brings its file. Other sources cannot have one yet. */
const kinds: Partial<Record<SourceType, { fetched: string; sent: string }>> = {
  PRODUCTS: { fetched: feedSyncKind, sent: catalogImportKind },
  ORDERS: { fetched: orderImportKind, sent: orderImportKind },
}

/** The kind of the job that fetches the file of a source. */
export const fetchingKind = (type: SourceType): string | undefined => kinds[type]?.fetched

/** The kind of the job that takes a file of a source that is sent. */
export const sendingKind = (type: SourceType): string | undefined => kinds[type]?.sent

/** The types whose files are read. */
export const readTypes = Object.keys(kinds) as SourceType[]
