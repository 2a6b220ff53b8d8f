import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  stringFlag,
  stringVariations,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

interface Entry {
  id: string
  action: string
  tx: string
}

/** All recorded rows, each with the transaction that wrote it. */
async function written() {
  const audit = await sql<Entry & Record<string, unknown>>`
    select *, xmin::text as tx from audit_entries where project_id = ${project.id} order by id`.execute(service.db)
  const events = await sql<{ name: string; payload: { flag?: object }; tx: string; occurred_at: Date }>`
    select name, payload, occurred_at, xmin::text as tx from events where project_id = ${project.id} order by seq`.execute(
    service.db,
  )
  return { audit: audit.rows, events: events.rows }
}

const lastWriteOf = async (flag: TestFlag) =>
  (await sql<{ tx: string }>`select xmin::text as tx from flags where id = ${flag.id}`.execute(service.db)).rows[0]?.tx

interface On {
  flag: TestFlag
  rule: string
  test: string
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Request = (on: On) => [Method, string, unknown?]

const none = { environmentAllowlist: [], ruleAllowlists: [] }
const allowing = (userId: string) => ({ ...none, environmentAllowlist: [{ variationKey: 'on', userIds: [userId] }] })
const withC = { variations: stringVariations('off', 'on', 'c') }
const run: Request = ({ flag }) => ['POST', `${flag.production}/run`]
const pause: Request = ({ flag }) => ['POST', `${flag.production}/pause`]
const archive: Request = ({ flag }) => ['POST', `${flag.path}/archive`]
const published = ['flag.updated', 'flag.published']
const activated = ['flag.rule_activated', 'flag.rule_activated']
const twoFiles = ['flag.published', 'flag.published']

/** [audit action, object, preparation, the write, its events]. */
const writes: [string, 'flag' | 'rule', Request[], Request, string[]][] = [
  ['flag.update', 'flag', [], ({ flag }) => ['PATCH', flag.path, { name: 'New' }], ['flag.updated']],
  [
    'flag.update',
    'flag',
    [],
    ({ flag }) => ['PATCH', flag.path, { key: `${flag.key}-new` }],
    ['flag.updated', ...twoFiles],
  ],
  ['flag.replace_variations', 'flag', [], ({ flag }) => ['PUT', `${flag.path}/variations`, withC], ['flag.updated']],
  ['flag.archive', 'flag', [], archive, ['flag.archived', ...twoFiles]],
  [
    'flag.unarchive',
    'flag',
    [archive],
    ({ flag }) => ['POST', `${flag.path}/unarchive`],
    ['flag.unarchived', ...twoFiles],
  ],
  ['flag.delete', 'flag', [], ({ flag }) => ['DELETE', flag.path], ['flag.deleted', ...twoFiles]],
  ['flag.delete', 'flag', [archive], ({ flag }) => ['DELETE', flag.path], ['flag.deleted']],
  ['flag.run', 'flag', [], run, [...published, ...activated]],
  ['flag.run', 'flag', [run, pause], run, [...published, ...activated]],
  ['flag.pause', 'flag', [run], pause, published],
  ['flag.run', 'flag', [], ({ flag }) => ['PATCH', flag.production, { enabled: true }], [...published, ...activated]],
  [
    'flag.stage_default',
    'flag',
    [],
    ({ flag }) => ['PATCH', flag.production, { defaultVariationId: flag.ids.on }],
    ['flag.updated'],
  ],
  [
    'flag.replace_overrides',
    'flag',
    [],
    ({ flag }) => ['PUT', `${flag.production}/overrides`, allowing('u')],
    ['flag.updated'],
  ],
  ['rule.pause', 'rule', [run], ({ flag, rule }) => ['POST', `${flag.production}/rules/${rule}/pause`], published],
  ['rule.pause', 'rule', [], ({ flag, rule }) => ['POST', `${flag.production}/rules/${rule}/pause`], ['flag.updated']],
  [
    'rule.run',
    'rule',
    [run, ({ flag, rule }) => ['POST', `${flag.production}/rules/${rule}/pause`]],
    ({ flag, rule }) => ['POST', `${flag.production}/rules/${rule}/run`],
    [...published, 'flag.rule_activated'],
  ],
  ['rule.create', 'rule', [], ({ flag }) => ['POST', `${flag.production}/rules`, delivery('New')], ['flag.updated']],
  [
    'rule.update',
    'rule',
    [],
    ({ flag, rule }) => ['PATCH', `${flag.production}/rules/${rule}`, { name: 'New' }],
    ['flag.updated'],
  ],
  ['rule.delete', 'rule', [], ({ flag, rule }) => ['DELETE', `${flag.production}/rules/${rule}`], ['flag.updated']],
  [
    'rule.duplicate',
    'rule',
    [],
    ({ flag, rule }) => ['POST', `${flag.production}/rules/${rule}/duplicate`],
    ['flag.updated'],
  ],
  [
    'rule.copy',
    'rule',
    [],
    ({ flag }) => ['POST', `${flag.development}/rules/copy`, { sourceEnvId: project.production.id }],
    ['flag.updated'],
  ],
  [
    'rule.reorder',
    'rule',
    [],
    ({ flag, rule, test }) => ['PUT', `${flag.production}/rules/reorder`, { ruleIds: [test, rule] }],
    ['flag.updated'],
  ],
]

let count = 0
async function prepared(before: Request[]): Promise<On> {
  count += 1
  const flag = await newFlag(service, project, stringFlag(`flag-${count}`, 'off', 'on'))
  const rule = (await addRule(service, flag.production, delivery('Delivery'))).id
  const on = { flag, rule, test: (await addRule(service, flag.production, abTest('Test'))).id }
  for (const request of before) await succeed(service, ...request(on))
  return on
}

const call = ([method, path, body]: [Method, string, unknown?]) =>
  service.call(service.people.flagsWrite, method, path, body, { 'user-agent': 'audit-test/1' })

test.each(writes)(
  '%s of a %s writes one audit entry and its events in the transaction of the change',
  async (action, object, before, request, events) => {
    const on = await prepared(before)
    const old = await written()
    const answer = await call(request(on))
    expect(answer.status, answer.text).toBeLessThan(300)
    const now = await written()
    const [entry, ...more] = now.audit.slice(old.audit.length)
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      action,
      project_id: project.id,
      actor_type: 'service_token',
      actor_name: 'flags-write',
      object_type: object,
      request_id: answer.headers['x-request-id'],
      ip: '127.0.0.1',
      user_agent: 'audit-test/1',
    })
    if (object === 'flag') expect(entry).toMatchObject({ object_id: on.flag.id })
    const added = now.events.slice(old.events.length)
    expect(added.map(({ name }) => name)).toEqual(events)
    for (const event of added) expect(event.occurred_at).toEqual(entry?.at)
    const transactions = new Set([...added, entry!].map(({ tx }) => tx))
    const last = await lastWriteOf(on.flag)
    if (last) transactions.add(last)
    expect(transactions.size).toBe(1)
  },
)

test('creating a flag writes one audit entry and its events', async () => {
  const old = await written()
  await newFlag(service, project, { key: 'created' })
  const now = await written()
  expect(now.audit.slice(old.audit.length)).toMatchObject([{ action: 'flag.create', object_type: 'flag' }])
  expect(now.events.slice(old.events.length).map(({ name }) => name)).toEqual(['flag.created', ...twoFiles])
})

test('the entry of an edit has the values before and after', async () => {
  const on = await prepared([])
  await call(['PATCH', on.flag.path, { name: 'New name', tags: ['new'] }])
  expect((await written()).audit.at(-1)).toMatchObject({
    object_name: 'New name',
    before: { name: `Flag ${on.flag.key}`, tags: [] },
    after: { name: 'New name', tags: ['new'] },
  })
})

test('PATCH with both fields writes one entry for each change', async () => {
  const on = await prepared([])
  const old = await written()
  await call(['PATCH', on.flag.production, { defaultVariationId: on.flag.ids.on, enabled: true }])
  const actions = (await written()).audit.slice(old.audit.length).map(({ action }) => action)
  expect(actions).toEqual(['flag.stage_default', 'flag.run'])
})
