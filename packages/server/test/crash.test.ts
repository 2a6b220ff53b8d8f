import { createHash, randomInt } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { booleanFlag } from '../testing/boolean-flag.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { isFull } from '../testing/full.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'

const isEmbedded = inject('databaseTemplates').kind === 'embedded'
const rounds = isEmbedded && isFull ? 10 : 2
const writers = 4

test(`no acknowledged write is lost and data file and database agree after kill -9 under load, ${rounds} times`, {
  timeout: 900_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = await provisionedSettings(address)
  let service = await startForTest(settings)
  const project = (await callProcess(service, 'POST', '/api/v1/projects', { name: 'Crash' })).data
  const path = `/api/v1/projects/${project.id}`
  const environment = (await callProcess(service, 'GET', `${path}/environments`)).data[0]
  const acknowledged = new Map<string, Acknowledged>()

  for (let round = 0; round < rounds; round += 1) {
    await killUnderLoad(service, path, environment.id, acknowledged, round)
    service = await startForTest(settings)
    await expectNothingLost(service, path, environment, acknowledged)
  }
  expect(acknowledged.size).toBeGreaterThan(rounds)
  expect(await service.stop()).toBe(0)
})

/** The confirmed state of a flag, and what the call that the crash interrupted may have changed. */
interface Acknowledged {
  id: string
  enabled: boolean
  revision: number
  pending?: boolean
}

async function killUnderLoad(
  service: ServiceProcess,
  path: string,
  envId: string,
  acknowledged: Map<string, Acknowledged>,
  round: number,
): Promise<void> {
  const killAfter = randomInt(5, 60)
  let answers = 0
  let killed: Promise<void> | undefined
  const confirm = () => {
    answers += 1
    if (answers >= killAfter) killed ??= service.kill()
  }
  const write = async (writer: number) => {
    for (let index = 0; ; index += 1) {
      const key = `r${round}-w${writer}-${index}`
      const flag = (await callProcess(service, 'POST', `${path}/flags`, booleanFlag(key))).data
      const state: Acknowledged = { id: flag.id, enabled: false, revision: 0 }
      acknowledged.set(key, state)
      confirm()
      for (const [verb, enabled] of [
        ['run', true],
        ['pause', false],
        ['run', true],
      ] as const) {
        state.pending = enabled
        const { data } = await callProcess(service, 'POST', `${path}/flags/${flag.id}/envs/${envId}/${verb}`)
        Object.assign(state, { enabled, revision: data.dataFile.revision })
        delete state.pending
        confirm()
      }
    }
  }
  // Every writer ends with its connection.
  const ends = await Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)))
  expect(ends.map(({ status }) => status)).toEqual(Array(writers).fill('rejected'))
  expect(answers).toBeGreaterThanOrEqual(killAfter)
  await killed
}

async function expectNothingLost(
  service: ServiceProcess,
  path: string,
  { id: envId, sdkKey }: { id: string; sdkKey: string },
  acknowledged: Map<string, Acknowledged>,
): Promise<void> {
  const answer = await fetch(`${service.url}/api/sdk/v1/datafile/${sdkKey}.json`)
  const text = await answer.text()
  const served = JSON.parse(text)
  expect(answer.headers.get('etag')).toBe(`"sha256-${createHash('sha256').update(text).digest('hex')}"`)
  const { dataFile } = (await callProcess(service, 'GET', `${path}/environments/${envId}`)).data
  expect({ revision: served.revision, etag: answer.headers.get('etag') }).toEqual({
    revision: dataFile.revision,
    etag: dataFile.etag,
  })
  const stored = await everyFlag(service, path)
  for (const [key, { enabled, revision, pending }] of acknowledged) {
    const state = stored.get(key)?.environments.find((each) => each.envId === envId)?.enabled
    expect([enabled, pending ?? enabled], `${key} after revision ${revision}`).toContain(state)
    expect(served.revision).toBeGreaterThanOrEqual(revision)
  }
  // The interrupted write may also be there, but only as a whole.
  expect(Object.keys(served.flags).sort()).toEqual([...stored.keys()].sort())
  for (const [key, flag] of stored)
    expect(served.flags[key].enabled).toBe(flag.environments.find((each) => each.envId === envId)?.enabled)
}

interface StoredFlag {
  key: string
  environments: { envId: string; enabled: boolean }[]
}

async function everyFlag(service: ServiceProcess, path: string): Promise<Map<string, StoredFlag>> {
  const flags = new Map<string, StoredFlag>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const { data, page } = await callProcess(service, 'GET', `${path}/flags?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const flag of data) flags.set(flag.key, flag)
    cursor = page.nextCursor
  }
  return flags
}
