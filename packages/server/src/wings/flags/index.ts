import type { RouteContext } from '../../http/route.ts'
import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import type { Serving } from '../serving/index.ts'
import { audienceRoutes } from './audiences/index.ts'
import { draftRoutes } from './drafts/index.ts'
import { explainRoutes } from './explain/index.ts'
import { creating, deleteHiddenFlags, flagRoutes } from './flags/index.ts'
import { manifestRoutes } from './manifest/index.ts'
import { projectIndexRoute } from './project-index/index.ts'
import {
  deletedEnvironmentSweep,
  deletedProjectSweep,
  environmentRoutes,
  idsOfNames,
  missingOf,
  projectRoutes,
  webSettingsRoutes,
  withIds,
} from './projects/index.ts'
import { publishingRoutes } from './publishing/index.ts'
import { revisionRoutes } from './revisions/index.ts'
import { ruleRoutes } from './rules/index.ts'
import { segmentRoutes } from './segments/index.ts'
import { stagedRoutes } from './staged/index.ts'
import {
  type ScheduleWorker,
  type Switching,
  scheduleRoutes,
  scheduleWorker,
  switching,
  switchRoutes,
} from './switches/index.ts'

export interface Flags extends Wing {
  schedules: ScheduleWorker
  idsOf: RouteContext['idsOf']
  missingOf: RouteContext['missingOf']
  withIds: RouteContext['withIds']
  switching: Switching
}

export function openFlags(platform: Platform, { store, change, usage, confirmations }: Serving): Flags {
  const context = {
    ...platform,
    store,
    change,
    usage,
    confirmations,
    creating: creating(change),
    switching: switching(change),
  }
  const schedules = scheduleWorker(context)
  platform.sweeps.push(deletedProjectSweep, deletedEnvironmentSweep(platform.config.SVC_EVENT_RETENTION))
  return {
    schedules,
    switching: context.switching,
    idsOf: (orgId, names) => idsOfNames(context.db, orgId, names),
    missingOf: (caller, names) => missingOf(context.db, caller, names),
    withIds: (place, sent) => withIds(context.db, place, sent),
    routes(route) {
      projectRoutes(route, context)
      webSettingsRoutes(route, context)
      environmentRoutes(route, { ...context, deleteHiddenFlags })
      publishingRoutes(route, context)
      projectIndexRoute(route, context)
      manifestRoutes(route, context)
      stagedRoutes(route, context)
      revisionRoutes(route, context)
      explainRoutes(route, context)
      flagRoutes(route, context)
      switchRoutes(route, context)
      scheduleRoutes(route, context)
      draftRoutes(route, context)
      ruleRoutes(route, context)
      audienceRoutes(route, context)
      segmentRoutes(route, context)
    },
    work: () => schedules.start(),
    stop: () => schedules.stop(),
  }
}
