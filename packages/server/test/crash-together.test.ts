import { createHash, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import { verifyChains } from '../src/wings/record/audit/index.ts'
import { booleanFlag } from '../testing/boolean-flag.ts'
import type { Address } from '../testing/databases/address.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { isFull } from '../testing/full.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'
import { metricsBearer, startTestService } from '../testing/service.ts'

const switchRounds = isFull ? 10 : 1
const flagCount = 20
const projectCount = 6
const instances = 20_000
const pollMs = 5

async function onDatabase<Row>(address: Address, statement: string): Promise<Row[]> {
  const { db, close } = await openDatabase({ ...address, log: quiet })
  const { rows } = await sql.raw<Row>(statement).execute(db)
  await close()
  return rows
}

interface Place {
  id: string
  key: string
  path: string
  envId: string
  sdkKey: string
}

async function newProject(service: ServiceProcess, name: string): Promise<Place> {
  const { id, key } = (await callProcess(service, 'POST', '/api/v1/projects', { name })).data
  const path = `/api/v1/projects/${id}`
  const [environment] = (await callProcess(service, 'GET', `${path}/environments`)).data
  return { id, key, path, envId: environment.id, sdkKey: environment.sdkKey }
}

const fileOf = ({ url }: ServiceProcess, { sdkKey }: Place) => fetch(`${url}/api/sdk/v1/datafile/${sdkKey}.json`)

test(`each of the switches that share a transaction is done as a whole or not at all after kill -9 (rounds: ${switchRounds})`, {
  timeout: 900_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = await provisionedSettings(address)
  let service = await startForTest(settings)
  const place = await newProject(service, 'Together')
  const keys = Array.from({ length: flagCount }, (_, index) => `flag-${index}`)
  await Promise.all(keys.map((key) => callProcess(service, 'POST', `${place.path}/flags`, booleanFlag(key))))

  for (let round = 0; round < switchRounds; round += 1) {
    const [verb, enabled] = round % 2 ? (['pause', false] as const) : (['run', true] as const)
    const confirmed = new Map<string, number>()
    let killed: Promise<void> | undefined
    // The first switch has its own transaction. The others arrive meanwhile, so they share the next one.
    const kill = () => pause(randomInt(0, 10)).then(() => service.kill())
    const call = async (key: string) => {
      const path = `${place.path}/flags/${key}/envs/${place.envId}/${verb}`
      const { data } = await callProcess(service, 'POST', path)
      confirmed.set(key, data.dataFile.revision)
      killed ??= kill()
    }
    await Promise.allSettled(keys.map(call))
    await killed
    service = await startForTest(settings)
    await expectWholeSwitches(service, place, confirmed, enabled)
  }
  expect(await service.stop()).toBe(0)
})

/** Expects the same switches in data file, API, revisions, audit entries and events. */
async function expectWholeSwitches(
  service: ServiceProcess,
  place: Place,
  confirmed: ReadonlyMap<string, number>,
  wanted: boolean,
): Promise<void> {
  const answer = await fileOf(service, place)
  const text = await answer.text()
  const { revision, flags } = JSON.parse(text)
  expect(answer.headers.get('etag')).toBe(`"sha256-${createHash('sha256').update(text).digest('hex')}"`)
  expect(confirmed.size).toBeGreaterThan(0)
  for (const [key, of] of confirmed) {
    expect(flags[key].enabled, key).toBe(wanted)
    expect(revision).toBeGreaterThanOrEqual(of)
  }
  const { data } = await callProcess(service, 'GET', `${place.path}/flags?limit=100`)
  for (const { key, environments } of data) {
    const { enabled } = environments.find(({ envId }: { envId: string }) => envId === place.envId)
    expect([key, flags[key].enabled]).toEqual([key, enabled])
  }
  const list = async (path: string) => (await callProcess(service, 'GET', path)).data
  const audit = `/api/v1/audit?projectId=${place.id}&limit=100&action=`
  const entries = [...(await list(`${audit}flag.run`)), ...(await list(`${audit}flag.pause`))]
  const switched = entries.map(({ after }) => after.revision).toSorted((one, next) => one - next)
  const told = await list(`${place.path}/events?event=flag.published&limit=100`)
  const toldHere: number[] = told
    .filter(({ environment }: { environment: { id: string } }) => environment.id === place.envId)
    .map(({ dataFile }: { dataFile: { revision: number } }) => dataFile.revision)
  expect(toldHere.slice(-switched.length)).toEqual(switched)
  const published = await list(`${place.path}/environments/${place.envId}/revisions?limit=100`)
  // The creations made the earlier revisions.
  const revisions: number[] = published.map((each: { revision: number }) => each.revision).toReversed()
  expect(revisions.slice(-switched.length)).toEqual(switched)
  expect(revisions.at(-1)).toBe(revision)
}

test('each project is deleted as a whole or not at all after kill -9 during the deletion or the sweep', {
  timeout: 900_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = {
    ...(await provisionedSettings(address)),
    SVC_METRICS_TOKEN: metricsBearer.authorization.slice('Bearer '.length),
  }
  let service = await startForTest(settings)
  const places: Place[] = []
  for (let index = 0; index < projectCount; index += 1) {
    const place = await newProject(service, `Project ${index}`)
    await callProcess(service, 'POST', `${place.path}/flags`, booleanFlag('kept'))
    places.push(place)
  }
  const confirmed = new Set<string>()
  const killAfter = randomInt(1, projectCount)
  let killed: Promise<void> | undefined
  const deletion = async ({ id, key, path }: Place) => {
    await callProcess(service, 'DELETE', path, undefined, { 'x-svc-confirm': key })
    confirmed.add(id)
    if (confirmed.size === killAfter) killed = service.kill()
  }
  await Promise.allSettled(places.map(deletion))
  await killed

  // A project needs this many rows for a sweep of many batches.
  await onDatabase(
    address,
    `insert into sdk_instances (env_id, sdk_type, sdk_version, instance_id, first_seen_at, last_seen_at)
    select env.id, 'node', '1.0.0', number::text, now(), now()
    from environments env join projects on projects.id = project_id, generate_series(1, ${instances / confirmed.size}) number
    where org_id is null and env.key = 'production'`,
  )
  const instancesLeft = async () =>
    (await onDatabase<{ count: number }>(address, 'select count(*)::integer from sdk_instances'))[0]!.count
  const before = await instancesLeft()
  service = await startForTest(settings)
  const gone = await expectWholeDeletions(service, places, confirmed)
  while (!(await hasSweptProjects(service))) await pause(pollMs)
  await service.kill()
  expect(await instancesLeft()).toBeLessThan(before)

  const last = await startTestService({ address })
  onTestFinished(() => last.stop())
  const isSwept = async () => {
    await last.retention.run()
    const { rows } = await sql`select from projects where org_id is null`.execute(last.db)
    return rows.length === 0
  }
  // The server may still be at the last statement of the killed node, whose lock keeps other nodes from sweeping.
  await expect.poll(isSwept).toBe(true)
  const { rows } = await sql<{ id: string }>`select id from projects`.execute(last.db)
  const kept = places.filter(({ id }) => !gone.has(id)).map(({ id }) => id)
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(kept))
  for (const id of gone) expect(rows).not.toContainEqual({ id })
  for (const { broken } of await verifyChains(last.db)) expect(broken).toBeNull()
  await last.close()
  expect(await instancesLeft()).toBe(0)
})

async function expectWholeDeletions(
  service: ServiceProcess,
  places: readonly Place[],
  confirmed: ReadonlySet<string>,
): Promise<Set<string>> {
  const { data: listed } = await callProcess(service, 'GET', '/api/v1/projects?limit=100')
  const { data: deleted } = await callProcess(service, 'GET', '/api/v1/audit?action=project.delete&limit=100')
  const gone = new Set<string>(deleted.map(({ object }: { object: { id: string } }) => object.id))
  for (const id of confirmed) expect(gone).toContain(id)
  for (const place of places) {
    const isKept = !gone.has(place.id)
    expect(listed.some(({ id }: { id: string }) => id === place.id)).toBe(isKept)
    expect((await fileOf(service, place)).status).toBe(isKept ? 200 : 404)
    const flag = callProcess(service, 'GET', `${place.path}/flags/kept`)
    if (isKept) await expect(flag).resolves.toMatchObject({ data: { key: 'kept' } })
    else await expect(flag).rejects.toThrow(': 404 ')
  }
  return gone
}

async function hasSweptProjects({ url }: ServiceProcess): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`, { headers: metricsBearer })).text()
  return Number(/^svc_retention_deleted_rows_total\{table="projects"\} (\d+)$/m.exec(text)?.[1] ?? 0) > 0
}
