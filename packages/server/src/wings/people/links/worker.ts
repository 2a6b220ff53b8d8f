import type { Sweep } from '../../../platform/retention/index.ts'
import { limits } from '../accounts/index.ts'
import { deleteOldLinks } from './queries.ts'

/** Links that were used or have expired. */
export const linkSweep: Sweep = {
  name: 'links',
  everyMs: 3_600_000,
  keepForMs: limits.linkRetentionMs,
  sweep: deleteOldLinks,
}
