import type { Browser } from '@playwright/test'
import { afterAll, beforeAll } from 'vitest'
import { sharedBrowser } from '../chromium.ts'
import { signIn, type Visitor, visitor } from './browser.ts'
import { twoOrganizations } from './people.ts'
import { type DashboardService, startDashboard } from './service.ts'

export interface Site {
  service: DashboardService
  browser: Browser
  /** Opens a window with its own cookies, in which this person has signed in; without a person, nobody has. */
  visit(person?: { email: string; password: string }): Promise<Visitor>
}

/**
 * Starts one service for all tests of a file, and ends it after the last; with `null`, an empty one. The browser is that
 * of the worker. Call it at the top of the file, before the file's own `beforeAll`; the fields can be used in hooks and
 * tests.
 */
export function openSite(provisioning: object | null = twoOrganizations, settings: Record<string, string> = {}): Site {
  const site: Partial<Site> = {
    visit: async (person) => {
      const opened = await visitor(site.browser!, site.service!.url)
      if (person) await signIn(opened.page, person)
      return opened
    },
  }
  beforeAll(async () => {
    const [service, browser] = await Promise.all([startDashboard(provisioning ?? undefined, settings), sharedBrowser()])
    Object.assign(site, { service, browser })
  })
  afterAll(async () => {
    await Promise.all(site.browser?.contexts().map((context) => context.close()) ?? [])
    await site.service?.stop()
  })
  return site as Site
}
