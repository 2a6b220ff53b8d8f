import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../../packages/server/testing/process.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { expectNotAtRest } from '../../packages/server/testing/secrets-search.ts'
import { everythingNoted } from './browser.ts'

export interface DashboardService {
  url: string
  /** What it has logged so far. */
  log(): string
  /** The link by which the owner is created, if there is none yet. */
  ownerLink: string | undefined
  /** Ends it; rejects if its log or its database holds a secret that the browsers have seen. */
  stop(): Promise<void>
}

/** The service as a process, empty or from a provisioning file. */
export async function startDashboard(
  provisioning?: object,
  settings: Record<string, string> = {},
): Promise<DashboardService> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-dashboard-'))
  const file = join(folder, 'provisioning.json')
  const dataDir = join(folder, 'data')
  if (provisioning) await writeFile(file, JSON.stringify(provisioning))
  secrets.noteBodies(provisioning)
  const { url, printed, stop } = await startProcess({
    SVC_DATA_DIR: dataDir,
    ...(provisioning && { SVC_BOOTSTRAP_FILE: file }),
    ...settings,
  })
  return {
    url,
    log: printed,
    ownerLink: /"link":"([^"]+\/sign-up#[^"]+)"/.exec(printed())?.[1],
    async stop() {
      try {
        await everythingNoted()
        await stop()
        await expectNotAtRest({ dataDir })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
