import { readdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { booleanFlag } from '../testing/boolean-flag.ts'
import { backedUp, emptyPlace, settingsAt } from '../testing/databases/backups.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { runCommand } from '../testing/processes/command.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'

const isEmbedded = inject('databaseTemplates').kind === 'embedded'
const writers = 4

/** Creates and runs flags until it is stopped. Returns the keys of those that were acknowledged so far. */
function writing(service: ServiceProcess, path: string, envId: string) {
  const acknowledged: string[] = []
  let isStopped = false
  const write = async (writer: number) => {
    for (let index = 0; !isStopped; index += 1) {
      const key = `w${writer}-${index}`
      const { data } = await callProcess(service, 'POST', `${path}/flags`, booleanFlag(key))
      await callProcess(service, 'POST', `${path}/flags/${data.id}/envs/${envId}/run`)
      acknowledged.push(key)
    }
  }
  const ended = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await ended
    },
  }
}

test('a backup of a running service holds every write that was acknowledged before it', {
  timeout: 900_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = await provisionedSettings(address)
  const service = await startForTest(settings)
  const project = (await callProcess(service, 'POST', '/api/v1/projects', { name: 'Load' })).data
  const path = `/api/v1/projects/${project.id}`
  const [environment] = (await callProcess(service, 'GET', `${path}/environments`)).data
  const load = writing(service, path, environment.id)
  await expect.poll(() => load.acknowledged.length).toBeGreaterThan(20)
  const before = [...load.acknowledged]
  const backup = await backedUp(settings, '--with-secret-key')
  onTestFinished(() => rm(dirname(backup), { recursive: true }))
  const meanwhile = load.acknowledged.length - before.length
  await load.stop()
  expect(meanwhile).toBeGreaterThan(0)
  if (isEmbedded) {
    expect(service.printed()).toContain('copied the database for a backup')
    expect(await readdir(address.dataDir)).not.toContain('backup-copy')
    expect((await stat(`${address.dataDir}/svc.sock`)).mode & 0o777).toBe(0o600)
  }
  expect(await service.stop()).toBe(0)

  const place = await emptyPlace()
  onTestFinished(place.remove)
  const there = settingsAt(settings, place.address)
  expect(await runCommand(['restore', backup], there)).toMatchObject({ err: '', code: 0 })
  const restored = await startForTest(there)
  const keys = new Set<string>()
  for (let cursor = ''; ; ) {
    const page = await callProcess(restored, 'GET', `${path}/flags?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const { key } of page.data) keys.add(key)
    if (!page.page.hasMore) break
    cursor = page.page.nextCursor
  }
  expect(before.filter((key) => !keys.has(key))).toEqual([])
  const file = await (await fetch(`${restored.url}/api/sdk/v1/datafile/${environment.sdkKey}.json`)).json()
  expect(before.filter((key) => file.flags[key]?.enabled !== true)).toEqual([])
})
