import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import type { Measuring } from '../measuring/index.ts'
import { catalogRoutes, catalogSweeps } from './catalog/index.ts'
import { jobRoutes } from './jobs/index.ts'
import { catalogImport, feedSync, orderImport, sourceRoutes } from './sources/index.ts'

/** The catalog of a project, where its products come from, and the jobs of all wings. */
export function openCommerce(platform: Platform, { events }: Pick<Measuring, 'events'>): Wing {
  const { jobs, sweeps } = platform
  sweeps.push(...catalogSweeps)
  for (const kind of [feedSync(platform), catalogImport(platform), orderImport({ ...platform, events })]) jobs.add(kind)
  return {
    routes(route) {
      catalogRoutes(route, { ...platform, events })
      jobRoutes(route, platform)
      sourceRoutes(route, platform)
    },
    // A node that only answers requests also notices when the workers are gone.
    async start() {
      jobs.watchdog.start()
    },
    work: () => jobs.start(),
    async leave() {
      await jobs.watchdog.stop()
      await jobs.leave()
    },
  }
}
