import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../packages/server/testing/process.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { startTestService, type TestService } from '../../packages/server/testing/service.ts'
import { sharedBrowser } from '../chromium.ts'
import { everythingNoted, signIn, type Visitor, visitor } from './browser.ts'
import { twoOrganizations } from './people.ts'

export interface DatedSite {
  service: TestService
  browser: Browser
  url: string
  visit(person: { email: string; password: string }): Promise<Visitor>
}

/** A service in this process whose clock the test moves. A session ends when the clock passes its end. */
export function openDatedSite(now: () => Date): DatedSite {
  const site: Partial<DatedSite> = {
    visit: async (person) => {
      const opened = await visitor(site.browser!, site.url!)
      await signIn(opened.page, person)
      return opened
    },
  }
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-site-'))
    const file = join(folder, 'provisioning.json')
    await writeFile(file, JSON.stringify(twoOrganizations))
    secrets.noteBodies(twoOrganizations)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const settings = { SVC_BOOTSTRAP_FILE: file, SVC_BASE_URL: url }
    const [service, browser] = await Promise.all([startTestService({ now, settings }), sharedBrowser()])
    await service.app.listen({ host: '127.0.0.1', port })
    Object.assign(site, { service, browser, url })
  })
  afterAll(async () => {
    await Promise.all(site.browser?.contexts().map((context) => context.close()) ?? [])
    if (site.service) await everythingNoted()
    await site.service?.close()
    await rm(folder, { recursive: true, force: true })
  })
  return site as DatedSite
}
