import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { booleanFlag } from '../../testing/boolean-flag.ts'
import { allBesidesAudit, backedUp, otherKey, restoreEntries, withSession } from '../../testing/databases/backups.ts'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { abTest } from '../../testing/flags.ts'
import { runCommand } from '../../testing/processes/command.ts'
import type { ServiceProcess } from '../../testing/processes/process.ts'
import { startProcess } from '../../testing/processes/process.ts'
import { startForTest } from '../../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../../testing/processes/provisioned.ts'
import { copyFolder, scratchFolder } from '../../testing/scratch.ts'

const timeout = 900_000
let dataDir: string
let settings: Record<string, string>
let sdkKeys: string[]
/** A key of the second environment, which counts no event without one. */
let ingestKey: string
/** The data files of the embedded service: body and ETag by SDK key. */
let files: Map<string, [string, string | null]>
/** An empty server, to which the database moves after a move has failed. */
let server: Awaited<ReturnType<typeof emptyServer>>
/** What a move beside the running service printed. */
let beside: Awaited<ReturnType<typeof runCommand>>

beforeAll(async () => {
  dataDir = await scratchFolder('svc-move')
  settings = await provisionedSettings({ dataDir })
  const service = await startProcess(settings)
  const project = (await callProcess(service, 'POST', '/api/v1/projects', { name: 'Moving' })).data
  const path = `/api/v1/projects/${project.id}`
  const environments = (await callProcess(service, 'GET', `${path}/environments`)).data
  sdkKeys = environments.map(({ sdkKey }: { sdkKey: string }) => sdkKey)
  for (let index = 0; index < 20; index++) {
    const { data: flag } = await callProcess(service, 'POST', `${path}/flags`, booleanFlag(`flag-${index}`))
    const there = `${path}/flags/${flag.id}/envs/${environments[0].id}`
    const { data: rule } = await callProcess(service, 'POST', `${there}/rules`, abTest('Copy'))
    await callProcess(service, 'POST', `${there}/run`)
    const exposure = { type: 'exposure', id: randomUUID(), ts: Date.now(), unit: 'u', flagKey: flag.key }
    const events = [{ ...exposure, ruleId: String(rule.shortId), variationKey: 'on' }]
    await callProcess(service, 'POST', '/api/sdk/v1/events', { sdkKey: sdkKeys[0], events })
  }
  const guarded = `${path}/environments/${environments[1].id}`
  ingestKey = (await callProcess(service, 'POST', `${guarded}/ingest-keys`)).data.secret
  await callProcess(service, 'PATCH', guarded, { ingestKeyRequiredFor: 'ALL' })
  files = await filesOf(service)
  server = await emptyServer()
  beside = await runCommand(['move'], server.settings)
  expect(await service.stop()).toBe(0)
}, timeout)
afterAll(async () => {
  await server?.remove()
  await rm(dataDir, { recursive: true })
})

async function filesOf({ url }: ServiceProcess): Promise<Map<string, [string, string | null]>> {
  const found = new Map<string, [string, string | null]>()
  for (const key of sdkKeys) {
    const answer = await fetch(`${url}/api/sdk/v1/datafile/${key}.json`)
    found.set(key, [await answer.text(), answer.headers.get('etag')])
  }
  return found
}

/** How many events are accepted without the ingest key, and with it. */
async function acceptedBy({ url }: ServiceProcess): Promise<number[]> {
  const accepted: number[] = []
  for (const headers of [{}, { authorization: `Bearer ${ingestKey}` }]) {
    const event = { type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u', eventKey: 'order_paid' }
    const body = JSON.stringify({ sdkKey: sdkKeys[1], events: [event] })
    const answer = await fetch(`${url}/api/sdk/v1/events`, { method: 'POST', headers, body })
    accepted.push(((await answer.json()) as { accepted: number }).accepted)
  }
  return accepted
}

async function emptyServer() {
  const { address, remove } = await createTestDatabase('blank')
  const key = { SVC_SECRET_KEY_FILE: join(dataDir, 'secret-key') }
  return { address, settings: { ...settings, ...key, SVC_DATABASE_URL: address.url! }, remove }
}

test('a move whose data files differ leaves the server empty', { timeout }, async () => {
  const folder = await scratchFolder('svc-move-broken')
  onTestFinished(() => rm(folder, { recursive: true }))
  await copyFolder(dataDir, folder)
  await withSession({ dataDir: folder }, (session) => session.query("update environments set etag = 'other'"))
  const broken = await runCommand(['move'], { ...server.settings, SVC_DATA_DIR: folder })
  expect(broken).toMatchObject({ code: 1, out: '' })
  expect(broken.err).toContain('the bytes of data files differ after the move')
  const left = await withSession(server.address, (session) =>
    session.query("select relname from pg_class where relnamespace = 'public'::regnamespace"),
  )
  expect(left).toEqual([])
})

test('a move is refused without a server, with a different key, and beside the running service', {
  timeout,
}, async () => {
  const { SVC_SECRET_KEY_FILE: _file, ...withoutKey } = server.settings
  const cases: [Record<string, string>, string][] = [
    [settings, 'SVC_DATABASE_URL is required'],
    [{ ...withoutKey, SVC_SECRET_KEY: otherKey() }, 'SVC_SECRET_KEY differs from the key in'],
  ]
  for (const [given, said] of cases) {
    const { err, code } = await runCommand(['move'], given)
    expect([code, err]).toEqual([1, expect.stringContaining(said)])
  }
  expect([beside.code, beside.err]).toEqual([1, expect.stringContaining('Stop the service first')])
})

// Last, because the others leave the server empty.
test('an embedded database moves to a server with the same bytes of every data file', { timeout }, async () => {
  const { out, err, code } = await runCommand(['move'], server.settings)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Moved \d+ tables, [\d,]+ rows\. All rows and the bytes of 2 data files are the same\.\n$/),
  ])
  expect(err).toContain(`Keep ${dataDir} until you have a backup`)
  const [there, here] = [await allBesidesAudit(server.address), await allBesidesAudit({ dataDir })]
  expect(there.rows).toEqual(here.rows)
  expect(there.next).toEqual(here.next)
  expect(there.rows).toMatchObject({ exposures: { count: 20 } })
  expect(await restoreEntries(server.address)).toEqual([
    { action: 'organization.move', type: 'system', by: 'operator', after: { from: 'embedded', to: 'server' } },
  ])

  const again = await runCommand(['move'], server.settings)
  expect([again.code, again.out]).toEqual([1, ''])
  expect(again.err).toContain('the database is not empty')

  const service = await startForTest(server.settings)
  expect(await filesOf(service)).toEqual(files)
  expect(await acceptedBy(service)).toEqual([0, 1])
  const backup = await backedUp(server.settings, '--with-secret-key')
  onTestFinished(() => rm(dirname(backup), { recursive: true }))
  await service.stop()

  // Then the database moves back.
  const folder = await scratchFolder('svc-move-back')
  onTestFinished(() => rm(folder, { recursive: true }))
  const back = { ...settings, SVC_DATA_DIR: folder }
  expect(await runCommand(['restore', backup, '--keep-revisions'], back)).toMatchObject({ err: '', code: 0 })
  const restored = await startForTest(back)
  expect(await filesOf(restored)).toEqual(files)
  expect(await acceptedBy(restored)).toEqual([0, 1])
})
