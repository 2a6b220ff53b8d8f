import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../../packages/server/testing/process.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { expectNotAtRest } from '../../packages/server/testing/secrets-search.ts'
import { everythingNoted } from './browser.ts'

export interface DashboardService {
  url: string
  /** The log so far. */
  log(): string
  /** The link that creates the owner; undefined if there is an owner. */
  ownerLink: string | undefined
  /** Stops the service. Rejects if its log or database contains a secret that the browsers have seen. */
  stop(): Promise<void>
}

/** Starts the service as a process, empty or with a provisioning file. */
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
