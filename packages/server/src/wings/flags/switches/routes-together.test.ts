import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRule, delivery } from '../../../../testing/flags.ts'
import { createFlag, createProject, dataFile, startTestService, type TestProject } from '../../../../testing/service.ts'

const service = await startTestService()
const { admin } = service.people
let project: TestProject
beforeAll(async () => {
  project = await createProject(service)
})
afterAll(() => service.close())

const switchPath = (flag: { id: string }) => `${project.path}/flags/${flag.id}/envs/${project.production.id}`
const run = (flag: { id: string }) => service.call(admin, 'POST', `${switchPath(flag)}/run`)
const make = (key: string) => createFlag(service, project, key)
const many = <Value>(count: number, of: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => of(index)))

/** The audit entries and events of these flags, in the order of the chain and of the event numbers. */
async function recorded(ids: readonly string[]) {
  const { rows: entries } = await sql<{ seq: number; action: string; objectId: string; transaction: string }>`
    select seq, action, object_id as "objectId", xmin::text as transaction from audit_entries
    where object_id = any(${[...ids]}::uuid[]) order by seq`.execute(service.db)
  const { rows: events } = await sql<{ seq: number; name: string; revision: number | null }>`
    select seq, name, (payload -> 'dataFile' ->> 'revision')::integer as revision from events
    where project_id = ${project.id} order by seq`.execute(service.db)
  return { entries, events }
}

test('concurrent switches of many flags share transactions, each with its own revision, entry and events', async () => {
  const flags = await many(20, (index) => make(`together-${index}`))
  const before = await dataFile(service, project.production.sdkKey)
  const answers = await Promise.all(flags.map(run))
  expect(answers.map(({ status, body }) => [status, body.data.changed])).toEqual(Array(20).fill([200, true]))

  const revisions = answers.map(({ body }) => body.data.dataFile.revision).sort((one, other) => one - other)
  expect(revisions).toEqual(Array.from({ length: 20 }, (_, index) => before.revision + 1 + index))
  const { entries, events } = await recorded(flags.map(({ id }) => id))
  const runs = entries.filter(({ action }) => action === 'flag.run')
  expect(new Set(runs.map(({ objectId }) => objectId)).size).toBe(20)
  expect(new Set(runs.map(({ transaction }) => transaction)).size).toBeLessThan(20)
  // The chain, the revisions and the events have the same order.
  const byFlag = new Map(answers.map(({ body }) => [body.data.flagId, body.data.dataFile.revision]))
  const inChain = runs.map(({ objectId }) => byFlag.get(objectId))
  expect(inChain).toEqual(revisions)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const published = events.flatMap(({ revision }) => revision ?? []).filter((revision) => revision > before.revision)
  expect(published.filter((revision) => revision <= before.revision + 20)).toEqual(revisions)
})

test('every revision of a shared transaction is stored with its own changes', async () => {
  const flags = await many(6, (index) => make(`kept-${index}`))
  const answers = await Promise.all(flags.map(run))
  for (const { body } of answers) {
    const { revision, etag } = body.data.dataFile
    const { rows } = await sql<{ etag: string; flagId: string; kind: string }>`
      select etag, flag_id as "flagId", kind from revisions join revision_flags using (env_id, revision)
      where env_id = ${project.production.id} and revision = ${revision}`.execute(service.db)
    expect(rows).toEqual([{ etag, flagId: body.data.flagId, kind: 'CHANGED' }])
  }
})

test('a refused switch does not affect the others', async () => {
  const flags = await many(6, (index) => make(`refused-${index}`))
  const archived = flags[3]!
  await service.call(admin, 'POST', `${project.path}/flags/${archived.id}/archive`)
  const answers = await Promise.all(flags.map(run))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409, 200, 200])
  const file = await dataFile(service, project.production.sdkKey)
  for (const flag of flags) expect(file.flags[flag.key]?.enabled).toBe(flag === archived ? undefined : true)
})

test('an old ETag refuses its own switch, but not the others of the transaction', async () => {
  const flags = await many(12, (index) => make(`etag-${index}`))
  const rules = await Promise.all(flags.map((flag) => addRule(service, switchPath(flag), delivery('Rule'))))
  const isStale = (index: number) => index % 4 === 3
  const answers = await Promise.all(
    flags.map((flag, index) =>
      service.call(admin, 'POST', `${switchPath(flag)}/rules/${rules[index].id}/pause`, undefined, {
        'X-Svc-If-Match': isStale(index) ? '"r9"' : '"r1"',
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(flags.map((_, index) => (isStale(index) ? 412 : 200)))
  expect(answers[3]?.body.error.details).toEqual({ expected: '"r1"' })
  const { entries } = await recorded(rules.map(({ id }) => id))
  const pauses = entries.filter(({ action }) => action === 'rule.pause')
  const paused = rules.filter((_, index) => !isStale(index)).map(({ id }) => id)
  expect(pauses.map(({ objectId }) => objectId).sort()).toEqual(paused.sort())
  expect(new Set(pauses.map(({ transaction }) => transaction)).size).toBeLessThan(paused.length)
})

test('a flag that is switched concurrently back and forth ends in the state of the last answer', async () => {
  const flag = await make('back-and-forth')
  const answers = await many(12, (index) =>
    service.call(admin, 'POST', `${switchPath(flag)}/${index % 2 === 0 ? 'run' : 'pause'}`),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const last = answers.reduce((one, other) =>
    other.body.data.changed && other.body.data.dataFile.revision > one.body.data.dataFile.revision ? other : one,
  )
  const { flags } = await dataFile(service, project.production.sdkKey)
  expect(flags[flag.key]?.enabled).toBe(last.body.data.enabled)
})

test('flags whose rules use an audience are switched together with the others', async () => {
  const { body } = await service.call(admin, 'POST', `${project.path}/audiences`, {
    name: 'Benelux',
    conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }] },
  })
  const audienceIds = [body.data.id as string]
  const flags = await many(6, (index) => make(`audience-${index}`))
  for (const [index, flag] of flags.entries())
    await addRule(service, switchPath(flag), delivery('Rule', index % 2 === 0 ? { audienceIds } : {}))
  const answers = await Promise.all(flags.map(run))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const file = await dataFile(service, project.production.sdkKey)
  expect(Object.keys(file.audiences)).toEqual([String(body.data.shortId)])
  for (const flag of flags) expect(file.flags[flag.key]?.enabled).toBe(true)
})

test('concurrent creations of flags share transactions, and only one of them gets a key', async () => {
  const create = (key: string) =>
    service.call(admin, 'POST', `${project.path}/flags`, {
      name: key,
      key,
      type: 'BOOLEAN',
      variations: [
        { name: 'On', key: 'on', value: 'true' },
        { name: 'Off', key: 'off', value: 'false' },
      ],
      defaultVariationKey: 'off',
    })
  const before = await dataFile(service, project.production.sdkKey)
  const keys = Array.from({ length: 16 }, (_, index) => `created-${index % 12}`)
  const answers = await Promise.all(keys.map(create))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(12).fill(201), ...Array(4).fill(409)])

  const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.data)
  const shortIds = created.map(({ shortId }) => shortId).sort((one, other) => one - other)
  expect(shortIds).toEqual(Array.from({ length: 12 }, (_, index) => shortIds[0] + index))
  const after = await dataFile(service, project.production.sdkKey)
  expect(after.revision).toBe(before.revision + 12)
  const { entries } = await recorded(created.map(({ id }) => id))
  expect(entries.map(({ action }) => action)).toEqual(Array(12).fill('flag.create'))
  expect(new Set(entries.map(({ transaction }) => transaction)).size).toBeLessThan(12)
  for (const flag of created) {
    const { body } = await service.call(admin, 'GET', `${project.path}/flags/${flag.id}`)
    expect(body.data).toEqual(flag)
  }
})
