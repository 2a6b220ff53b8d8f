import type { Sweep } from '../../../../platform/retention/index.ts'
import { limits } from './limits.ts'
import { deleteOldWebLinks } from './queries.ts'

/** Previews, sessions of the editor and codes that have expired. */
export const webLinkSweep: Sweep = {
  name: 'web_links',
  everyMs: 3_600_000,
  keepForMs: limits.keptForMs,
  sweep: deleteOldWebLinks,
}
