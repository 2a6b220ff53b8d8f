import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import { auditRoutes } from './audit/index.ts'
import { feedRoutes } from './feed/index.ts'

export function openRecord(platform: Platform): Wing {
  return {
    routes(route) {
      feedRoutes(route, platform)
      auditRoutes(route, platform)
    },
  }
}
