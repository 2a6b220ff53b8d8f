import type { SourceContent } from './source.ts'

export const feedSyncKind = 'feed_sync'
export const catalogImportKind = 'catalog_import'
export const costSyncKind = 'cost_sync'
export const stockSyncKind = 'stock_sync'
export const orderImportKind = 'order_import'

/** The kinds that write the catalog. */
export const syncKinds = [feedSyncKind, catalogImportKind, costSyncKind, stockSyncKind]

type Of = Pick<SourceContent, 'type' | 'fields'>

/** What a job of a source is called, by what brings its file. */
function kindsOf({ type, fields }: Of): { fetched: string; sent: string } {
  if (type === 'PRODUCTS') return { fetched: feedSyncKind, sent: catalogImportKind }
  const kind = type === 'ORDERS' ? orderImportKind : fields?.includes('cost') ? costSyncKind : stockSyncKind
  return { fetched: kind, sent: kind }
}

/** The kind of the job that fetches the file of a source. */
export const fetchingKind = (source: Of): string => kindsOf(source).fetched

/** The kind of the job that takes a file of a source that is sent. */
export const sendingKind = (source: Of): string => kindsOf(source).sent
