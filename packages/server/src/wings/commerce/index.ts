import type { Platform } from '../../open-platform.ts'
import { isUnavailable } from '../../platform/db/index.ts'
import type { Wing } from '../../wing.ts'
import { creating } from '../flags/flags/index.ts'
import type { Flags } from '../flags/index.ts'
import type { Measuring } from '../measuring/index.ts'
import type { Serving } from '../serving/index.ts'
import { catalogRemoval, catalogRestore, catalogRoutes, catalogSweeps } from './catalog/index.ts'
import { datasetRefresh, datasetRoutes, datasetSweeps } from './datasets/index.ts'
import { jobRoutes } from './jobs/index.ts'
import {
  historyIn,
  keepModels,
  keepShelves,
  measurementOf,
  measureRoute,
  modelRoutes,
  modelSweeps,
  modelsIn,
  namedModels,
  placementRoutes,
  recommendationRoutes,
  recommendationRun,
  runModelsOf,
  serveRecommendations,
  shelves,
} from './recommendations/index.ts'
import { orderImport, sourceRoutes, syncJobs } from './sources/index.ts'

/** The catalog of a project, where its products come from, what recommends them, and the jobs of all wings. */
export function openCommerce(
  platform: Platform,
  { store, change, scriptIn }: Pick<Serving, 'store' | 'change' | 'scriptIn'>,
  { switching }: Pick<Flags, 'switching'>,
  { events }: Pick<Measuring, 'events'>,
): Wing {
  const { database, db, jobs, sweeps, onError, config } = platform
  sweeps.push(...catalogSweeps, ...datasetSweeps, ...modelSweeps)
  const withEvents = { ...platform, events }
  const retentionMs = config.SVC_EVENT_RETENTION
  const datasets = { ...withEvents, runModels: runModelsOf(jobs), retentionMs }
  const kinds = [
    ...[...syncJobs(platform), orderImport(withEvents), catalogRestore(platform), catalogRemoval(platform)],
    ...[datasetRefresh(datasets), recommendationRun(withEvents)],
  ]
  for (const kind of kinds) jobs.add(kind)
  const models = modelsIn(db, onError)
  const serving = {
    ...platform,
    ...{ shelves: shelves(platform), models },
    history: historyIn(db, { hasEvents: platform.clickHouse === null }),
  }
  return {
    routes(route) {
      catalogRoutes(route, { ...platform, events })
      jobRoutes(route, platform)
      sourceRoutes(route, platform)
      datasetRoutes(route, datasets)
      modelRoutes(route, platform)
      const placements = placementRoutes(route, {
        ...platform,
        models: namedModels({ jobs, retentionMs }),
        measurementOf: (caller, placement) => measurementOf(db, caller, placement),
      })
      recommendationRoutes(route, placements, serving)
      measureRoute(route, placements, { ...platform, change, scriptIn, switching, creating: creating(change) })
    },
    serve(app) {
      const requestsPerMinute = config.SVC_RATE_LIMIT_RECOMMENDATIONS
      serveRecommendations(app, { ...serving, dataFiles: store, isUnavailable, requestsPerMinute })
    },
    // A node that only answers requests also notices when the workers are gone. One that only works recommends nothing.
    async start() {
      jobs.watchdog.start()
      if (config.SVC_ROLE === 'worker') return
      await keepModels(database, models)
      await keepShelves(platform.database, serving.shelves, platform.background)
    },
    work: () => jobs.start(),
    async leave() {
      await jobs.watchdog.stop()
      await jobs.leave()
    },
  }
}
