import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import type { Measuring } from '../measuring/index.ts'
import { attentionRoute } from './attention/index.ts'
import { auditHeads, auditRoutes } from './audit/index.ts'
import { feedRoutes } from './feed/index.ts'
import { liveChanges, liveRoutes } from './live/index.ts'
import { namesRoute } from './names/index.ts'

export interface Record extends Wing {
  auditHeads: ReturnType<typeof auditHeads>
}

export function openRecord(platform: Platform, { quota, presence }: Pick<Measuring, 'quota' | 'presence'>): Record {
  const { database, config, signers } = platform
  const dataDir = config.SVC_DATABASE_URL ? null : config.SVC_DATA_DIR
  const heads = auditHeads({ ...platform, database, dataDir, signer: signers.audit })
  const changes = liveChanges({ ...platform, presence })
  return {
    auditHeads: heads,
    routes(route) {
      feedRoutes(route, platform)
      auditRoutes(route, platform)
      namesRoute(route, platform)
      attentionRoute(route, { ...platform, quota })
    },
    personRoutes(route) {
      liveRoutes(route, changes)
    },
    start: () => changes.start(),
    work: () => heads.start(),
    leave: () => changes.stop(),
    stop: () => heads.stop(),
  }
}
