import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestDatabase } from '../../packages/server/testing/databases/database.ts'
import { startProcess } from '../../packages/server/testing/processes/process.ts'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { settingsAt } from '../service.ts'
import { everythingNoted } from './browser.ts'

export interface DashboardService {
  url: string
  /** The log so far. */
  log(): string
  /** The link that creates the owner; undefined if there is an owner. */
  ownerLink: string | undefined
  /** Stops the process and starts it again at the same address. */
  restart(): Promise<void>
  /** kill -9. Resolves with a function that starts the service again at the same address. */
  kill(): Promise<() => Promise<void>>
  /** Stops the service. Rejects if its log or database contains a secret that the browsers have seen. */
  close(): Promise<void>
}

/** Starts the service as a process, empty or with a provisioning file. */
export async function startDashboard(
  provisioning?: object,
  settings: Record<string, string> = {},
): Promise<DashboardService> {
  const { address, remove } = await createTestDatabase()
  const file = join(address.dataDir, 'provisioning.json')
  if (provisioning) await writeFile(file, JSON.stringify(provisioning))
  secrets.noteBodies(provisioning)
  const given = {
    ...settingsAt(address),
    ...(provisioning && { SVC_BOOTSTRAP_FILE: file }),
    ...settings,
  }
  let running = await startProcess(given)
  const { url, printed } = running
  const startAgain = async () => {
    running = await startProcess({ ...given, SVC_PORT: new URL(url).port })
  }
  return {
    url,
    log: () => running.printed(),
    async restart() {
      await running.stop()
      await startAgain()
    },
    async kill() {
      await running.kill()
      return startAgain
    },
    ownerLink: /"link":"([^"]+\/sign-up#[^"]+)"/.exec(printed())?.[1],
    async close() {
      try {
        await everythingNoted()
        await running.stop()
      } finally {
        await remove()
      }
    },
  }
}
