import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../packages/server/testing/process.ts'
import { output } from '../output.ts'
import { end, spawnNode } from '../service.ts'

const startLimitMs = 60_000

export interface DashboardService {
  url: string
  /** What it has logged so far. */
  log(): string
  /** The link by which the owner is created, if there is none yet. */
  ownerLink: string | undefined
  stop(): Promise<void>
}

/** The service as a process, empty or from a provisioning file. */
export async function startDashboard(
  provisioning?: object,
  settings: Record<string, string> = {},
  port?: number,
): Promise<DashboardService> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-dashboard-'))
  const file = join(folder, 'provisioning.json')
  if (provisioning) await writeFile(file, JSON.stringify(provisioning))
  const ownPort = port ?? (await freePort())
  const child = spawnNode(['packages/server/src/main.ts'], {
    SVC_PORT: String(ownPort),
    SVC_DATA_DIR: join(folder, 'data'),
    ...(provisioning && { SVC_BOOTSTRAP_FILE: file }),
    ...settings,
  })
  const printed = output(child)
  await printed.until('"Svc is ready"', startLimitMs)
  return {
    url: `http://127.0.0.1:${ownPort}`,
    log: printed.text,
    ownerLink: /"link":"([^"]+\/sign-up#[^"]+)"/.exec(printed.text())?.[1],
    async stop() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
