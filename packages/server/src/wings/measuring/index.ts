import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import { resultRoutes } from './results/index.ts'

export function openMeasuring(platform: Platform): Wing {
  return {
    routes(route) {
      resultRoutes(route, platform)
    },
  }
}
