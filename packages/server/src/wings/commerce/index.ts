import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import type { Measuring } from '../measuring/index.ts'
import { catalogRestore, catalogRoutes, catalogSweeps } from './catalog/index.ts'
import { datasetRefresh, datasetRoutes, datasetSweeps } from './datasets/index.ts'
import { jobRoutes } from './jobs/index.ts'
import {
  keepModels,
  modelRoutes,
  modelSweeps,
  modelsIn,
  type NamedModels,
  placementRoutes,
  recommendationRun,
  runModelsOf,
} from './recommendations/index.ts'
import { catalogImport, feedSync, orderImport, sourceRoutes } from './sources/index.ts'

/** The catalog of a project, where its products come from, what recommends them, and the jobs of all wings. */
export function openCommerce(platform: Platform, { events }: Pick<Measuring, 'events'>): Wing {
  const { database, db, jobs, sweeps, onError } = platform
  sweeps.push(...catalogSweeps, ...datasetSweeps, ...modelSweeps)
  const withEvents = { ...platform, events }
  const datasets = {
    ...withEvents,
    runModels: runModelsOf(jobs),
    retentionMs: platform.config.SVC_EVENT_RETENTION,
  }
  const ofCatalog = [feedSync(platform), catalogImport(platform), orderImport(withEvents), catalogRestore(platform)]
  for (const kind of [...ofCatalog, datasetRefresh(datasets), recommendationRun(withEvents)]) jobs.add(kind)
  const models = modelsIn(db, onError)
  return {
    routes(route) {
      catalogRoutes(route, { ...platform, events })
      jobRoutes(route, platform)
      sourceRoutes(route, platform)
      datasetRoutes(route, datasets)
      modelRoutes(route, platform)
      placementRoutes(route, { ...platform, models: noModels })
    },
    // A node that only answers requests also notices when the workers are gone.
    async start() {
      await keepModels(database, models)
      jobs.watchdog.start()
    },
    work: () => jobs.start(),
    async leave() {
      await jobs.watchdog.stop()
      await jobs.leave()
    },
  }
}

/** So far, strategies have no models. */
const noModels: NamedModels = { ofStrategy: async () => null, keys: async () => new Set() }
