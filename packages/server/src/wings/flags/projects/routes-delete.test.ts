import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs } from '../../../../testing/clock.ts'
import { newFlag, succeed } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { newPerson, roleIds } from '../../../../testing/people.ts'
import { oneOfEach } from '../../../../testing/resources.ts'
import { createProject, type TestProject, type TestService } from '../../../../testing/service.ts'
import { deliver, newWebhook, startWebhookTest, type WebhookTest } from '../../../../testing/webhooks.ts'
import { projectTables } from './queries.ts'

let on: WebhookTest
let service: TestService
let admin: string

beforeAll(async () => {
  on = await startWebhookTest()
  service = on.service
  admin = service.people.admin
})
afterAll(() => service.close())

const keyOf = async ({ path }: { path: string }): Promise<string> => (await succeed(service, 'GET', path)).key

async function remove({ path }: { path: string }, headers: Record<string, string> = {}) {
  const confirm = { 'x-svc-confirm': await keyOf({ path }) }
  return service.call(admin, 'DELETE', path, undefined, { ...confirm, ...headers })
}

const statusOf = async (path: string) => (await service.call(admin, 'GET', path)).status
const statusOfDataFile = async ({ production }: TestProject) =>
  (await service.call(null, 'GET', `/api/sdk/v1/datafile/${production.sdkKey}.json`)).status
const beat = async ({ production }: TestProject) =>
  (
    await service.call(null, 'POST', '/api/sdk/heartbeat', {
      sdkKey: production.sdkKey,
      sdkType: 'node',
      sdkVersion: '1.0.0',
    })
  ).status

test('a deleted project is no longer found, and its key, SDK keys and webhooks are gone', async () => {
  const project = await createProject(service)
  const key = await keyOf(project)
  const flag = await newFlag(service, project, { key: 'paused' })
  const webhook = await newWebhook({ service, project }, { events: ['flag.created', 'project.deleted'] })
  const elsewhere = await newWebhook(on, { events: ['project.deleted'] })
  on.receiver.answer(({ url }) => (url === webhook.url ? 500 : 204))
  await newFlag(service, project, { key: 'waits-for-a-retry' })
  await deliver(on)
  expect(on.receiver.at(webhook.url)).toHaveLength(1)
  expect([await statusOfDataFile(project), await beat(project)]).toEqual([200, 200])

  const { status, body } = await remove(project)
  expect([status, body]).toEqual([200, { data: null }])
  expect([await statusOfDataFile(project), await beat(project)]).toEqual([404, 401])
  for (const path of [project.path, flag.path, webhook.path, `${project.path}/events`, `/api/v1/projects/${key}`])
    expect(await statusOf(path), path).toBe(404)
  const listed = await succeed(service, 'GET', '/api/v1/projects?limit=100')
  expect(listed.map(({ id }: { id: string }) => id)).not.toContain(project.id)
  on.clock.move(24 * hourMs)
  await deliver(on)
  expect(on.receiver.at(webhook.url)).toHaveLength(1)
  expect(on.receiver.at(elsewhere.url).map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: 'project.deleted', project: { id: project.id } },
  ])
  const entries = await succeed(service, 'GET', `/api/v1/audit?projectId=${project.id}&action=project.delete`)
  expect(entries).toMatchObject([{ object: { id: project.id }, before: { key } }])
  const again = await succeed(service, 'POST', '/api/v1/projects', { name: 'Again', key })
  expect(again.key).toBe(key)
})

test.each([
  ['no key', {}],
  ['a different key', { 'x-svc-confirm': 'other' }],
])('deleting with %s in X-Svc-Confirm is refused, and the message says what to send', async (_what, headers) => {
  const project = await createProject(service)
  const { status, body } = await service.call(admin, 'DELETE', project.path, undefined, headers)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.message).toContain(`Send X-Svc-Confirm with the key of the project: ${await keyOf(project)}.`)
  expect(await statusOf(project.path)).toBe(200)
})

test('deleting requires the current ETag, and an old one is refused', async () => {
  const project = await createProject(service)
  await succeed(service, 'PATCH', project.path, { name: 'Renamed' })
  expect((await remove(project, { 'x-svc-if-match': '"p1"' })).status).toBe(412)
  expect((await remove(project, { 'x-svc-if-match': '"p2"' })).status).toBe(200)
})

test('deleting is refused while a flag runs, and the answer names the flag and environment', async () => {
  const project = await createProject(service)
  const flag = await newFlag(service, project, { key: 'running' })
  await succeed(service, 'POST', `${flag.development}/run`)
  const { status, body } = await remove(project)
  expect([status, body.error.code]).toEqual([409, 'invalid_state'])
  expect(body.error.details.references).toEqual([
    { type: 'flag', id: flag.id, key: 'running', envId: project.development.id },
  ])
  await succeed(service, 'POST', `${flag.development}/pause`)
  expect((await remove(project)).status).toBe(200)
})

test('of two concurrent callers, one deletes the project and the other gets 404', async () => {
  const project = await createProject(service)
  const headers = { 'x-svc-confirm': await keyOf(project) }
  const both = await Promise.all([0, 1].map(() => service.call(admin, 'DELETE', project.path, undefined, headers)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
})

test('a repeated request with an Idempotency-Key gets the first answer', async () => {
  const project = await createProject(service)
  const headers = { 'x-svc-confirm': await keyOf(project), 'idempotency-key': project.id }
  const send = () => service.call(admin, 'DELETE', project.path, undefined, headers)
  expect([(await send()).status, (await send()).status]).toEqual([200, 200])
})

test('concurrent switches and edits either succeed before the deletion or fail', async () => {
  for (let round = 0; round < (isFull ? 5 : 2); round += 1) {
    const project = await createProject(service)
    const flag = await newFlag(service, project, { key: 'meets' })
    const headers = { 'x-svc-confirm': await keyOf(project) }
    const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
      service.call(admin, method, path, body, method === 'DELETE' ? headers : {})
    const [run, renamed, created, deleted] = await Promise.all([
      call('POST', `${flag.production}/run`),
      call('PATCH', flag.path, { name: 'Renamed' }),
      call('POST', `${project.path}/segments`, { name: 'Late' }),
      call('DELETE', project.path),
    ])
    expect([200, 404]).toContain(renamed.status)
    expect([201, 404]).toContain(created.status)
    expect([`200 409`, `404 200`]).toContain(`${run.status} ${deleted.status}`)
    const { rows } = await sql<{ action: string }>`
      select action from audit_entries where project_id = ${project.id} order by seq`.execute(service.db)
    const at = rows.findIndex(({ action }) => action === 'project.delete')
    expect(at).toBe(deleted.status === 200 ? rows.length - 1 : -1)
  }
})

test('a change that found the project before its deletion does not commit after it', async () => {
  const project = await createProject(service)
  await sql`update event_counters set closed = true where project_id = ${project.id}`.execute(service.db)
  expect((await service.call(admin, 'PATCH', project.path, { name: 'Late' })).status).toBe(404)
  expect((await succeed(service, 'GET', project.path)).name).toBe('Test project')
})

test('members and invitations limited to projects no longer refer to a deleted project', async () => {
  const [gone, kept] = [await createProject(service), await createProject(service)]
  const projectIds = [gone.id, kept.id]
  const { id } = await newPerson(service, { projectIds })
  const wanted = { email: 'chosen@svc.test', roleId: (await roleIds(service)).VIEWER, projectIds }
  await succeed(service, 'POST', '/api/v1/members/invitations', wanted)
  await remove(gone)
  const members: { userId: string; projectIds: string[] }[] = await succeed(service, 'GET', '/api/v1/members?limit=100')
  expect(members.find(({ userId }) => userId === id)?.projectIds).toEqual([kept.id])
  const invitations: { email: string }[] = await succeed(service, 'GET', '/api/v1/members/invitations')
  expect(invitations.find(({ email }) => email === wanted.email)).toMatchObject({ projectIds: [kept.id] })
})

test('a sweep deletes the rows of deleted projects only, in batches', async () => {
  const { projectId } = await oneOfEach(service)
  const other = await createProject(service)
  await newFlag(service, other, { key: 'stays' })
  await service.retention.run()
  const path = `/api/v1/projects/${projectId}`
  await remove({ path })
  await service.retention.run()
  const { rows } = await sql`select from projects where org_id is null`.execute(service.db)
  expect(rows).toEqual([])
  expect(await statusOf(`${other.path}/flags/stays`)).toBe(200)
  const { rows: entries } = await sql`select from audit_entries where project_id = ${projectId}`.execute(service.db)
  expect(entries.length).toBeGreaterThan(5)
})

/** Tables with only a few rows per project, which are deleted by cascade. */
const small = ['event_counters', 'membership_projects', 'short_id_counters']

test('the sweep names every table with rows of a project, each before the tables that it refers to', async () => {
  const { rows } = await sql<{ child: string; parent: string }>`
    with recursive going as (
      select 'projects'::regclass::oid as id
      union
      select conrelid from pg_constraint join going on confrelid = going.id where contype = 'f' and confdeltype = 'c'
    )
    select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint join going on confrelid = going.id where contype = 'f' and confdeltype = 'c'`.execute(service.db)
  const order = projectTables.map(({ table }) => table)
  for (const { child, parent } of rows.filter(({ child }) => !small.includes(child))) {
    expect(order).toContain(child)
    // Its rows take others of the table along.
    if (child === parent) continue
    expect(order.indexOf(child), `${child} before ${parent}`).toBeLessThan(order.indexOf(parent))
  }
})
