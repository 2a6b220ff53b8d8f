import { createHash, randomBytes, randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { type ServiceProcess, startProcess } from '../testing/process.ts'
import { booleanFlag } from '../testing/service.ts'

const rounds = inject('databaseTemplates').kind === 'embedded' ? 10 : 3
const writers = 4
const secret = `svc_svc_${randomBytes(32).toString('base64url')}`

test(`kill -9 under write load, ${rounds} times: no acknowledged write is lost, data file and database agree`, {
  timeout: 240_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  const file = join(address.dataDir, 'provisioning.json')
  const serviceTokens = [{ name: 'admin', secret, scopes: ['admin:*'] }]
  await writeFile(file, JSON.stringify({ organizations: [{ name: 'Acme', serviceTokens }] }))
  const settings = {
    SVC_DATA_DIR: address.dataDir,
    SVC_BOOTSTRAP_FILE: file,
    SVC_LOG_LEVEL: 'info',
    SVC_RATE_LIMIT_READ: '100000',
    SVC_RATE_LIMIT_WRITE: '100000',
    ...(address.url && { SVC_DATABASE_URL: address.url, SVC_SECRET_KEY: randomBytes(32).toString('base64url') }),
  }
  let service = await startProcess(settings)
  const project = (await call(service, 'POST', '/api/v1/projects', { name: 'Crash' })).data
  const path = `/api/v1/projects/${project.id}`
  const environment = (await call(service, 'GET', `${path}/environments`)).data[0]
  const acknowledged = new Map<string, Acknowledged>()

  for (let round = 0; round < rounds; round += 1) {
    await killUnderLoad(service, path, environment.id, acknowledged, round)
    service = await startProcess(settings)
    await expectNothingLost(service, path, environment, acknowledged)
  }
  expect(acknowledged.size).toBeGreaterThan(rounds)
  expect(await service.stop()).toBe(0)
  await remove()
})

/** What the API has confirmed of a flag, and what the call that the crash cut off may have done beyond it. */
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
      const flag = (await call(service, 'POST', `${path}/flags`, booleanFlag(key))).data
      const state: Acknowledged = { id: flag.id, enabled: false, revision: 0 }
      acknowledged.set(key, state)
      confirm()
      for (const [verb, enabled] of [
        ['run', true],
        ['pause', false],
        ['run', true],
      ] as const) {
        state.pending = enabled
        const { data } = await call(service, 'POST', `${path}/flags/${flag.id}/envs/${envId}/${verb}`)
        Object.assign(state, { enabled, revision: data.dataFile.revision })
        delete state.pending
        confirm()
      }
    }
  }
  // Every writer ends when its connection does.
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
  const { dataFile } = (await call(service, 'GET', `${path}/environments/${envId}`)).data
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
  // What the crash cut off may be there as well: whole, or not at all.
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
    const { data, page } = await call(service, 'GET', `${path}/flags?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const flag of data) flags.set(flag.key, flag)
    cursor = page.nextCursor
  }
  return flags
}

async function call(service: ServiceProcess, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  const json: any = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`)
  return json
}
