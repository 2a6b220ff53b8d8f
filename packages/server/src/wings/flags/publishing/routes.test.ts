import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createFlag,
  createProject,
  dataFile,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let admin: string
let at = Date.parse('2026-11-20T10:00:00Z')

beforeAll(async () => {
  service = await startTestService({ now: () => new Date(at) })
  admin = service.people.admin
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
})

const publish = (body?: unknown) =>
  service.call(admin, 'POST', `${project.path}/environments/${project.production.id}/publish`, body)
const file = () => dataFile(service, project.production.sdkKey)
const environment = async () =>
  (await service.call(admin, 'GET', `${project.path}/environments/${project.production.id}`)).body.data

/** A flag that runs in production, so that its edits are staged. */
async function runningFlag(key: string) {
  const flag = await createFlag(service, project, key)
  const path = `${project.path}/flags/${flag.id}/envs/${project.production.id}`
  await service.call(admin, 'POST', `${path}/run`)
  const [on] = flag.variations
  return {
    ...flag,
    path,
    stage: (edit: unknown = { defaultVariationId: on.id }) => service.call(admin, 'PATCH', path, edit),
  }
}

const published = async () => {
  const { rows } = await sql<{ payload: { dataFile: { revision: number } } }>`
    select payload from events where project_id = ${project.id} and name = 'flag.published'
      and payload->'environment'->>'id' = ${project.production.id} order by seq`.execute(service.db)
  return rows.map(({ payload }) => payload)
}

test('a publish answers with the changes that went live and the next revision', async () => {
  const flag = await runningFlag('checkout')
  await flag.stage()
  const before = await file()
  expect((await environment()).hasStagedChanges).toBe(true)
  at += 1000
  const { status, body } = await publish({ comment: 'Ship it' })
  expect(status).toBe(200)
  const raw = await service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
  expect(body.data).toEqual({
    envId: project.production.id,
    changed: true,
    revision: before.revision + 1,
    previousRevision: before.revision,
    etag: raw.headers.etag,
    bytes: Buffer.byteLength(raw.text),
    publishedAt: new Date(at).toISOString(),
    publishedBy: { type: 'service_token', id: expect.any(String), name: 'admin' },
    flags: [{ flagId: flag.id, key: 'checkout', changes: [{ path: 'defaultVariationKey', from: 'off', to: 'on' }] }],
    experiments: [],
    audiences: [],
    warnings: [],
  })
  expect(raw.body).toMatchObject({ revision: before.revision + 1, publishedAt: new Date(at).toISOString() })
  expect(raw.body.flags.checkout.defaultVariation).toBe('on')
  expect(await environment()).toMatchObject({
    hasStagedChanges: false,
    dataFile: { revision: before.revision + 1, etag: raw.headers.etag, publishedAt: new Date(at).toISOString() },
  })
})

test('a publish with nothing staged answers changed: false, keeps the revision and sends no event', async () => {
  await runningFlag('still')
  const before = await service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
  const events = (await published()).length
  at += 1000
  for (const body of [undefined, {}, { flagIds: [] }, { dryRun: true }]) {
    const answer = await publish(body)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          changed: false,
          revision: before.body.revision,
          previousRevision: before.body.revision,
          etag: before.headers.etag,
          flags: [],
        },
      },
    })
  }
  expect((await service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)).text).toBe(
    before.text,
  )
  expect(await published()).toHaveLength(events)
})

test('every change of the bytes adds one revision, and nothing else does', async () => {
  const flag = await runningFlag('counted')
  const revisions = [(await file()).revision]
  const steps: [string, () => Promise<unknown>, number][] = [
    ['stage', () => flag.stage(), 0],
    ['publish', () => publish(), 1],
    ['publish again', () => publish(), 0],
    ['pause', () => service.call(admin, 'POST', `${flag.path}/pause`), 1],
    ['pause again', () => service.call(admin, 'POST', `${flag.path}/pause`), 0],
    ['run', () => service.call(admin, 'POST', `${flag.path}/run`), 1],
    ['rename', () => service.call(admin, 'PATCH', `${project.path}/flags/${flag.id}`, { name: 'Other' }), 0],
  ]
  for (const [step, act, rise] of steps) {
    await act()
    revisions.push((await file()).revision)
    expect([step, revisions.at(-1)! - revisions.at(-2)!]).toEqual([step, rise])
  }
  const told = (await published()).map(({ dataFile: { revision } }) => revision)
  expect(told).toEqual(told.map((_, index) => index + 1))
  expect(told.at(-1)).toBe((await file()).revision)
})

test('flagIds publishes only these flags', async () => {
  const [one, two] = [await runningFlag('one'), await runningFlag('two')]
  await one.stage()
  await two.stage()
  const { body } = await publish({ flagIds: [two.id] })
  expect(body.data.flags.map(({ key }: { key: string }) => key)).toEqual(['two'])
  const { flags } = await file()
  expect([flags.one.defaultVariation, flags.two.defaultVariation]).toEqual(['off', 'on'])
  expect((await environment()).hasStagedChanges).toBe(true)
})

test('the answer has only flags with staged changes', async () => {
  const [staged] = [await runningFlag('staged'), await runningFlag('untouched')]
  await staged.stage()
  const { body } = await publish()
  expect(body.data.flags.map(({ key }: { key: string }) => key)).toEqual(['staged'])
})

test('an edit that is undone leaves nothing to publish', async () => {
  const flag = await runningFlag('undone')
  const [on, off] = flag.variations
  await flag.stage({ defaultVariationId: on.id })
  await flag.stage({ defaultVariationId: off.id })
  expect((await environment()).hasStagedChanges).toBe(false)
  expect((await publish()).body.data.changed).toBe(false)
})

test('a dry run shows the changes and makes none', async () => {
  const flag = await runningFlag('dry')
  await flag.stage()
  const before = await file()
  const { body } = await publish({ dryRun: true })
  expect(body.data).toMatchObject({
    changed: true,
    previousRevision: before.revision,
    flags: [{ key: 'dry', changes: [{ to: 'on' }] }],
  })
  expect(await file()).toEqual(before)
  expect((await environment()).hasStagedChanges).toBe(true)
})

test('the audit log has the comment and the changes', async () => {
  const flag = await runningFlag('audited')
  await flag.stage()
  const { body } = await publish({ comment: 'Friday deploy' })
  const { rows } = await sql`
    select * from audit_entries where project_id = ${project.id} and action = 'environment.publish'`.execute(service.db)
  expect(rows).toMatchObject([
    {
      object_type: 'environment',
      object_name: 'Production',
      actor_name: 'admin',
      before: { revision: body.data.previousRevision },
      after: { revision: body.data.revision, comment: 'Friday deploy', flags: body.data.flags },
    },
  ])
})

test('the event has the flags with their state before and after', async () => {
  const flag = await runningFlag('told')
  await flag.stage()
  const { body } = await publish()
  expect((await published()).at(-1)).toMatchObject({
    environment: { id: project.production.id, name: 'Production' },
    dataFile: { revision: body.data.revision, previousRevision: body.data.previousRevision, etag: body.data.etag },
    flags: [{ key: 'told', before: { defaultVariation: 'off' }, after: { defaultVariation: 'on' } }],
  })
})

test('no event contains the visitor ids of overrides', async () => {
  const running = await runningFlag('running')
  const paused = await createFlag(service, project, 'paused')
  const environments = [running.path, `${project.path}/flags/${paused.id}/envs/${project.production.id}`]
  const entries = [{ variationKey: 'on', userIds: ['ada@example.com'] }]
  for (const path of environments) {
    const overrides = { environmentAllowlist: entries, ruleAllowlists: [] }
    expect((await service.call(admin, 'PUT', `${path}/overrides`, overrides)).status).toBe(200)
    expect((await publish()).body.data.changed).toBe(true)
  }
  const { rows } = await sql<{ text: string }>`
    select string_agg(payload::text, ' ') as text from events where project_id = ${project.id}`.execute(service.db)
  expect(rows[0]!.text).toContain('"path": "overrides"')
  expect(rows[0]!.text).not.toContain('ada@example.com')
  expect(JSON.stringify(await file())).not.toContain('ada@example.com')
})

test('a publish that reassigns visitors of a live test warns about it', async () => {
  const flag = await runningFlag('tested')
  const split = (first: number) => [
    { variationKey: 'on', weight: first },
    { variationKey: 'off', weight: 10_000 - first },
  ]
  const rule = { type: 'AB_TEST', name: 'T', variations: split(5000), baselineVariationKey: 'off' }
  const { body: created } = await service.call(admin, 'POST', `${flag.path}/rules`, rule)
  await publish()
  const edit = { variations: split(8000), confirmReassignment: true }
  await service.call(admin, 'PATCH', `${flag.path}/rules/${created.data.id}`, edit)
  const { body } = await publish()
  expect(body.data.warnings).toEqual([{ code: 'reassigns_exposed_visitors', ruleId: created.data.id, visitors: null }])
})

test.each([
  ['an unknown field', { force: true }, ['force']],
  ['flagIds that are not a list', { flagIds: 'all' }, ['flagIds']],
  ['a comment that is too long', { comment: 'x'.repeat(1001) }, ['comment']],
  ['a flag that does not exist', { flagIds: ['0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'] }, ['flagIds']],
  ['a key that does not exist', { flagIds: ['no-flag'] }, ['flagIds']],
])('a publish with %s is refused and changes nothing', async (_what, body, path) => {
  const flag = await runningFlag('kept')
  await flag.stage()
  const { revision } = await file()
  expect(await publish(body)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_failed', details: { issues: [{ path }] } } },
  })
  expect((await file()).revision).toBe(revision)
})

test('a flag of a different project is refused like an unknown flag', async () => {
  const foreign = await createFlag(service, await createProject(service), 'foreign')
  const { status, body } = await publish({ flagIds: [foreign.id] })
  expect([status, body.error.details.unknown]).toEqual([400, [foreign.id]])
})
