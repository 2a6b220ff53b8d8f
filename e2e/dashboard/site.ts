import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll } from 'vitest'
import type { Outbound } from '../../packages/server/src/platform/outbound/index.ts'
import { freePort } from '../../packages/server/testing/processes/port.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { startTestService, type TestService } from '../../packages/server/testing/service.ts'
import { sharedBrowser } from '../chromium.ts'
import { enter, everythingNoted, type Visitor, visitor } from './browser.ts'
import { twoOrganizations } from './people.ts'
import { type DashboardService, startDashboard } from './service.ts'

export interface Site<Service = TestService & { url: string }> {
  service: Service
  browser: Browser
  /** Opens a window with its own cookies, in which this person is signed in, at this page. Default: signed out, no page. */
  visit(person?: { email: string; password: string }, path?: string): Promise<Visitor>
}

/**
 * Starts one service for all tests of a file, in this process, and ends it after the last. The browser is that of the
 * worker. Call it at the top of the file, before the file's own `beforeAll`; the fields can be used in hooks and tests. A
 * second try of a test starts another service.
 *
 * @param now a clock that the test moves. A session ends when the clock passes its end.
 * @param outbound makes the connections to other services
 */
export const openSite = (
  provisioning: object = twoOrganizations,
  settings: Settings = {},
  now?: () => Date,
  outbound?: () => Promise<Outbound>,
): Site => openWith(async () => startInside(provisioning, settings, now, await outbound?.()))

/**
 * The same with a service in its own process, which can be killed and started again. A start takes as long as twenty of
 * `openSite`.
 *
 * @param provisioning `null` for an empty service
 */
export const openProcess = (
  provisioning: object | null = twoOrganizations,
  settings: Record<string, string> = {},
): Site<DashboardService> => openWith(() => startDashboard(provisioning ?? undefined, settings))

/**
 * A function is for settings that an earlier `beforeAll` of the file makes, such as the address of a receiver, and for
 * what must know the address of the service before it starts.
 */
type Settings = Record<string, string> | ((url: string) => Record<string, string> | Promise<Record<string, string>>)

function openWith<Service extends { url: string; close(): Promise<void> }>(
  start: () => Promise<Service>,
): Site<Service> {
  const site: Partial<Site<Service>> = {
    visit: async (person, path) => {
      const opened = await visitor(site.browser!, site.service!.url)
      if (person) await enter(opened, site.service!.url, person, path)
      return opened
    },
  }
  beforeAll(async () => {
    const [service, browser] = await Promise.all([start(), sharedBrowser()])
    Object.assign(site, { service, browser })
  })
  afterAll(async () => {
    await Promise.all(site.browser?.contexts().map((context) => context.close()) ?? [])
    await site.service?.close()
  })
  return site as Site<Service>
}

async function startInside(
  provisioning: object,
  settings: Settings,
  now: (() => Date) | undefined,
  outbound: Outbound | undefined,
) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-site-'))
  const file = join(folder, 'provisioning.json')
  await writeFile(file, JSON.stringify(provisioning))
  secrets.noteBodies(provisioning)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = typeof settings === 'function' ? await settings(url) : settings
  const given = { SVC_BOOTSTRAP_FILE: file, SVC_BASE_URL: url, ...own }
  const service = await startTestService({
    settings: given,
    ...(now && { now, carriesOut: true }),
    ...(outbound && { outbound }),
  })
  await service.app.listen({ host: '127.0.0.1', port })
  return {
    ...service,
    url,
    /** Rejects if the log or the database contains a secret that the browsers have seen. */
    async close() {
      try {
        await everythingNoted()
      } finally {
        await service.close()
        await rm(folder, { recursive: true })
      }
    },
  }
}
