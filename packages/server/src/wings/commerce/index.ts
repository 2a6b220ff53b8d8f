import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import { jobRoutes } from './jobs/index.ts'

/** So far, commerce has the jobs of all wings. */
export function openCommerce(platform: Platform): Wing {
  const { jobs } = platform
  return {
    routes(route) {
      jobRoutes(route, platform)
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
