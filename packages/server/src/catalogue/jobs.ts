export const jobStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'HELD'] as const

export type JobStatus = (typeof jobStatuses)[number]

/** What makes a job: its schedule, a request, or a file that was sent. */
export const jobTriggers = ['SCHEDULE', 'REQUEST', 'UPLOAD'] as const

export type JobTrigger = (typeof jobTriggers)[number]

/** What people call the kinds of jobs. */
export const jobKindNames: Readonly<Record<string, string>> = {
  dataset_refresh: 'New version of a dataset',
  catalog_removal: 'Removal of items',
  catalog_restore: 'Restore of the catalog',
  cost_sync: 'Sync of costs',
  feed_sync: 'Feed sync',
  catalog_import: 'Catalog import',
  order_import: 'Order import',
  recommendation_run: 'Recommendation run',
  stock_sync: 'Sync of a supplement',
  visitor_erasure: 'Erasure of visitors',
}
