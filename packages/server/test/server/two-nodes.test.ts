import { randomUUID } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { experimentAfter } from '../../testing/experiments.ts'
import { succeed } from '../../testing/flags.ts'
import { allOpen, allShut, statusesOf } from '../../testing/sdk-doors.ts'
import {
  createFlag,
  createProject,
  dataFile,
  joinTestService,
  startTestService,
  type TestService,
} from '../../testing/service.ts'

const pollMs = 10

let one: TestService
let other: TestService
beforeAll(async () => {
  one = await startTestService()
  other = await joinTestService(one)
})
afterAll(async () => {
  await other.close()
  await one.close()
})

/** Asks again until it holds, because the other node learns of a commit from a notice. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await later(pollMs)
}

test('a switch on one node reaches the SDKs of the other', async () => {
  const project = await createProject(one)
  const flag = await createFlag(one, project, 'shared')
  const { id: envId, sdkKey } = project.production
  await until(async () => (await dataFile(other, sdkKey)).flags.shared?.enabled === false)

  const run = await one.call(one.people.admin, 'POST', `${project.path}/flags/${flag.id}/envs/${envId}/run`)
  expect(run.status).toBe(200)
  await until(async () => (await dataFile(other, sdkKey)).flags.shared.enabled)
  expect((await dataFile(other, sdkKey)).revision).toBe(run.body.data.dataFile.revision)

  const pause = await other.call(one.people.admin, 'POST', `${project.path}/flags/${flag.id}/envs/${envId}/pause`)
  expect(pause.body.data.changed).toBe(true)
  await until(async () => !(await dataFile(one, sdkKey)).flags.shared.enabled)
})

test('an environment that one node deletes is gone on the other node too', async () => {
  const project = await createProject(one)
  const staging = await one.call(one.people.admin, 'POST', `${project.path}/environments`, { name: 'Staging' })
  const { id, sdkKey } = staging.body.data
  await dataFile(other, sdkKey)
  const gone = await one.call(one.people.admin, 'DELETE', `${project.path}/environments/${id}`)
  expect(gone.status).toBe(200)
  await until(async () => (await other.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)).status === 404)
})

test('a new SDK key works on the other node, and a revoked one ends at each of its doors', async () => {
  const project = await createProject(one)
  await createFlag(one, project, 'checkout')
  const path = `${project.path}/environments/${project.production.id}/sdk-keys`
  const first = project.production.sdkKey
  await until(async () => (await dataFile(other, first)).flags.checkout !== undefined)
  expect(await statusesOf(other, first)).toEqual(allOpen)
  const { key: second } = await succeed(one, 'POST', path)
  expect(await statusesOf(other, second)).toEqual(allOpen)
  await succeed(one, 'DELETE', `${path}/${first}`)
  await until(async () => (await other.call(null, 'GET', `/api/sdk/v1/datafile/${first}.json`)).status === 404)
  expect(await statusesOf(other, first)).toEqual(allShut)
  expect(await statusesOf(other, second)).toEqual(allOpen)
})

test('a new ingest key counts on the other node at once, a requirement and a revocation follow', async () => {
  const project = await createProject(one)
  const { id: envId, sdkKey } = project.production
  await dataFile(other, sdkKey)
  const path = `${project.path}/environments/${envId}`
  const send = (secret?: string) => {
    const event = { type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' }
    const headers: Record<string, string> = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
    return other.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events: [event] }, headers)
  }
  const [first, second] = [
    await succeed(one, 'POST', `${path}/ingest-keys`),
    await succeed(one, 'POST', `${path}/ingest-keys`),
  ]
  expect((await send(first.secret)).body.accepted).toBe(1)
  await succeed(one, 'PATCH', path, { ingestKeyRequiredFor: 'ALL' })
  await until(async () => (await send()).body.rejected.length === 1)
  await succeed(one, 'DELETE', `${path}/ingest-keys/${first.id}`)
  await until(async () => (await send(first.secret)).status === 401)
  expect((await send(second.secret)).body.accepted).toBe(1)
})

test('a project that one node deletes is gone on the other node too', async () => {
  const project = await createProject(one)
  const { sdkKey } = project.production
  await dataFile(other, sdkKey)
  const { body } = await other.call(one.people.admin, 'GET', project.path)
  const gone = await one.call(one.people.admin, 'DELETE', project.path, undefined, { 'x-svc-confirm': body.data.key })
  expect(gone.status).toBe(200)
  await until(async () => (await other.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)).status === 404)
})

test('both nodes answer the first results of an experiment that ended before they were computed', async () => {
  const project = await createProject(one)
  const { path } = await experimentAfter(one, project, ['launch'])
  await succeed(one, 'POST', `${path}/winner`, { variationKey: 'on', rollOut: true })
  const nodes = [one, other, one, other]
  const answers = await Promise.all(nodes.map((node) => node.call(one.people.admin, 'GET', `${path}/results`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const { body } of answers) expect(body.data).toMatchObject({ units: { total: 0 }, ruleStatus: 'COMPLETED' })
})

test('two nodes that start at once on an empty database migrate and provision it once', async () => {
  const { address, remove } = await createTestDatabase('blank')
  const nodes = await Promise.all([startTestService({ address }), startTestService({ address })])
  const organizations = await Promise.all(nodes.map((node) => node.call(node.people.admin, 'GET', '/api/v1/me')))
  expect(organizations.map(({ status }) => status)).toEqual([200, 200])
  expect(organizations[0]!.body.data.organization.id).toBe(organizations[1]!.body.data.organization.id)
  for (const node of nodes) await node.close()
  await remove()
})
