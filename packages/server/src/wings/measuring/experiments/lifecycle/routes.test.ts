import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newExperiment as newExperimentOf, type TestExperiment } from '../../../../../testing/experiments.ts'
import { abTest, addRule, newFlag, publish, served, succeed, type TestFlag } from '../../../../../testing/flags.ts'
import { isFull, rowsOf } from '../../../../../testing/full.ts'
import { proportion } from '../../../../../testing/metrics.ts'
import { newPerson } from '../../../../../testing/people.ts'
import {
  type Answer,
  createProject,
  dataFile,
  startTestService,
  type TestProject,
} from '../../../../../testing/service.ts'
import { refreshed } from '../../../../../testing/watching.ts'

const minuteMs = 60_000
const begin = new Date('2026-11-30T08:00:00Z')
let moment = begin
const service = await startTestService({ now: () => moment })
let project: TestProject
let url: string
let flag: TestFlag
let count = 0

beforeAll(async () => {
  project = await createProject(service)
  url = `${project.path}/experiments`
  await succeed(service, 'POST', `${project.path}/metrics`, proportion('order_paid'))
})
beforeEach(async () => {
  moment = begin
  count += 1
  flag = await newFlag(service, project, { key: `tested-${count}` })
})
afterAll(() => service.close())

const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer> =>
  service.call(service.people.admin, method, path, body)
const post = (path: string, body?: unknown) => succeed(service, 'POST', path, body)

const newExperiment = (body: object = {}) =>
  newExperimentOf(service, project, flag, { metrics: { primary: ['order_paid'] }, ...body })

const reweighted = {
  variations: [
    { key: 'off', weight: 2000 },
    { key: 'on', weight: 8000 },
  ],
}

/** The ways to each status. */
const ways: Record<string, string[]> = {
  DRAFT: [],
  RUNNING: ['launch'],
  PAUSED: ['launch', 'pause'],
  COMPLETED: ['launch', 'complete'],
  ARCHIVED: ['launch', 'pause', 'archive'],
}

async function inStatus(status: string): Promise<TestExperiment> {
  await post(`${flag.production}/run`)
  const experiment = await newExperiment()
  for (const verb of ways[status]!) await post(`${experiment.path}/${verb}`)
  return experiment
}

const read = ({ path }: TestExperiment) => succeed(service, 'GET', path)
const isServed = async () => (await served(service, project, flag.key)).rules.length > 0
/** Names of the events of an experiment, oldest first, with both statuses. */
async function eventsOf({ id }: TestExperiment): Promise<string[]> {
  const { rows } = await sql<{ told: string }>`
    select concat_ws(' ', name, payload #>> '{experiment,previousStatus}', payload #>> '{experiment,status}') as told
    from events where payload #>> '{experiment,id}' = ${id} order by seq`.execute(service.db)
  return rows.map(({ told }) => told)
}

const moved = (status: string) => ({ status, changed: true })
const same = (status: string) => ({ status, changed: false })
const refused = 'refused'

describe.each([
  [
    'DRAFT',
    {
      launch: moved('RUNNING'),
      pause: refused,
      resume: refused,
      complete: refused,
      archive: moved('ARCHIVED'),
      unarchive: same('DRAFT'),
    },
  ],
  [
    'RUNNING',
    {
      launch: same('RUNNING'),
      pause: moved('PAUSED'),
      resume: same('RUNNING'),
      complete: moved('COMPLETED'),
      archive: refused,
      unarchive: refused,
    },
  ],
  [
    'PAUSED',
    {
      launch: refused,
      pause: same('PAUSED'),
      resume: moved('RUNNING'),
      complete: moved('COMPLETED'),
      archive: moved('ARCHIVED'),
      unarchive: same('PAUSED'),
    },
  ],
  [
    'COMPLETED',
    {
      launch: refused,
      pause: refused,
      resume: refused,
      complete: same('COMPLETED'),
      archive: moved('ARCHIVED'),
      unarchive: same('COMPLETED'),
    },
  ],
  [
    'ARCHIVED',
    {
      launch: refused,
      pause: refused,
      resume: refused,
      complete: refused,
      archive: same('ARCHIVED'),
      unarchive: moved('PAUSED'),
    },
  ],
] as const)('from %s', (status, results) => {
  /** One function refuses all moves of a status. A full run tries each. */
  const [aRefusal] = Object.entries(results).find(([, expected]) => expected === refused)!
  const tried = Object.entries(results).filter(
    ([verb, expected]) => isFull || expected !== refused || verb === aRefusal,
  )

  test.each(tried)('%s', async (verb, expected) => {
    const experiment = await inStatus(status)
    const before = await eventsOf(experiment)
    const answer = await call('POST', `${experiment.path}/${verb}`)
    const told = (await eventsOf(experiment)).slice(before.length)
    if (expected === refused) {
      expect([answer.status, answer.body.error?.code]).toEqual([409, 'invalid_state'])
      expect(answer.body.error.details).toMatchObject({ current: status, allowed: expect.any(Array) })
      expect(told).toEqual([])
      return
    }
    expect(answer.body.data).toMatchObject({ ...expected, previousStatus: status, experimentId: experiment.id })
    const past = { launch: 'launched', pause: 'paused', resume: 'resumed', complete: 'completed' }
    const name = past[verb as keyof typeof past] ?? `${verb}d`
    expect(told).toEqual(expected.changed ? [`experiment.${name} ${status} ${expected.status}`] : [])
    const now = await read(experiment)
    expect(now.status).toBe(expected.status)
    expect(await isServed()).toBe(now.status === 'RUNNING')
  })
})

test.each(
  rowsOf(
    {
      launch: 'DRAFT',
      pause: 'RUNNING',
      resume: 'PAUSED',
      complete: 'RUNNING',
      archive: 'PAUSED',
      unarchive: 'ARCHIVED',
    },
    // All have one route. A launch also makes rules live, and an archive ends what is served.
    ['launch', 'archive'],
  ),
)('%s acts only on the experiment that was seen', async (verb, status) => {
  const experiment = await inStatus(status)
  const under = (etag: string) =>
    service.call(service.people.admin, 'POST', `${experiment.path}/${verb}`, undefined, { 'x-svc-if-match': etag })
  expect([(await under('"x0"')).status, (await read(experiment)).status]).toEqual([412, status])
  const { etag } = (await call('GET', experiment.path)).headers
  expect((await under(String(etag))).body.data).toMatchObject({ changed: true, previousStatus: status })
})

describe('a launch', () => {
  test('takes its one rule live at its place, and nothing else', async () => {
    await post(`${flag.production}/run`)
    const experiment = await newExperiment()
    await addRule(service, flag.production, abTest('Waits'))
    const { dataFile, warnings } = await post(`${experiment.path}/launch`)
    expect(dataFile.revision).toBeGreaterThan(1)
    expect(warnings).toEqual([])
    const now = await served(service, project, flag.key)
    expect(now.rules).toHaveLength(1)
    expect(await read(experiment)).toMatchObject({ launchedAt: begin.toISOString(), hasStagedChanges: false })
    expect(await succeed(service, 'GET', `${flag.production}/rules/${experiment.ruleId}`)).toMatchObject({
      status: 'RUNNING',
      experimentId: experiment.id,
    })
  })

  test('is refused while the flag is paused in the environment, which a run of the flag does not change', async () => {
    const experiment = await newExperiment()
    const answer = await call('POST', `${experiment.path}/launch`)
    expect([answer.status, answer.body.error.details.missing]).toEqual([
      409,
      [{ code: 'FLAG_PAUSED', message: expect.stringContaining('Production') }],
    ])
    await post(`${flag.production}/run`)
    expect([await isServed(), (await read(experiment)).status]).toEqual([false, 'DRAFT'])
  })

  test('is refused for an archived flag, which cannot run before it is unarchived', async () => {
    const experiment = await newExperiment()
    await post(`${flag.path}/archive`)
    const { body } = await call('POST', `${experiment.path}/launch`)
    expect(body.error.message).toBe('The flag is archived. Unarchive it, and run it in Production first.')
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a publish of the environment', () => publish(service, project)],
    ['the first run of the flag', () => post(`${flag.production}/run`)],
  ])('takes the test live as it is drafted, also after %s', async (_what, goLive) => {
    const experiment = await newExperiment()
    await goLive()
    await post(`${flag.production}/run`)
    const allowlist = [{ variationKey: 'on', userIds: ['qa-1'] }]
    await succeed(service, 'PATCH', experiment.path, { ...reweighted, trafficAllocation: 4000, allowlist })
    const metric = await succeed(service, 'POST', `${project.path}/metrics`, proportion(`paid_${count}`))
    await succeed(service, 'PATCH', experiment.path, { metrics: { primary: [metric.key] } })
    const other = await addRule(service, flag.production, abTest('Waits'))
    const { environmentAllowlist, ...lists } = await succeed(service, 'GET', `${flag.production}/overrides`)
    const overrides = { environmentAllowlist: allowlist, ruleAllowlists: lists.ruleAllowlists }
    await succeed(service, 'PUT', `${flag.production}/overrides`, overrides)

    const { dataFile } = await post(`${experiment.path}/launch`)
    const { changes } = await succeed(service, 'GET', flag.production)
    expect(changes.map(({ path }: { path: string }) => path)).toEqual(['overrides', `rules.${other.id}`])
    const { live } = await succeed(service, 'GET', `${flag.production}/overrides`)
    expect(live).toEqual({ environmentAllowlist, ruleAllowlists: [{ ruleId: experiment.ruleId, entries: allowlist }] })
    expect((await succeed(service, 'GET', `${project.path}/metrics/${metric.id}`)).inUse).toBe(true)
    const { rules } = await served(service, project, flag.key)
    expect(rules).toMatchObject([{ traffic: 4000, split: [{ end: 2000 }, { end: 10_000 }], overrides: {} }])
    const { phases } = await succeed(service, 'GET', `${experiment.path}/results`)
    expect(phases).toMatchObject([{ reason: 'LAUNCHED', revision: dataFile.revision }])
    expect(await read(experiment)).toMatchObject({ status: 'RUNNING', hasStagedChanges: false, allowlist })
  })

  test('warns if there is no primary metric', async () => {
    await post(`${flag.production}/run`)
    const { path } = await newExperiment({ metrics: { primary: [] } })
    expect((await post(`${path}/launch`)).warnings).toMatchObject([{ code: 'NO_PRIMARY_METRIC' }])
  })

  test('warns if an earlier rule takes every visitor, as long as that one serves', async () => {
    const [first, second] = [await inStatus('RUNNING'), await newExperiment()]
    const warned = [{ code: 'NO_VISITORS', message: expect.stringContaining('Copy') }]
    expect(await post(`${second.path}/launch`)).toMatchObject({ changed: true, warnings: warned })
    await post(`${second.path}/pause`)
    expect((await post(`${second.path}/resume`)).warnings).toMatchObject(warned)
    for (const { path } of [second, first]) await post(`${path}/pause`)
    expect((await post(`${second.path}/resume`)).warnings).toEqual([])
    expect((await post(`${first.path}/resume`)).warnings).toEqual([])
  })

  test('shows what to see to, and does nothing, with dryRun', async () => {
    const first = await inStatus('RUNNING')
    const second = await newExperiment({ metrics: { primary: [] } })
    const before = await read(second)
    const tried = async (verb: string) => {
      const { changed, status, warnings } = await post(`${second.path}/${verb}`, { dryRun: true })
      return [changed, status, warnings.map(({ code }: { code: string }) => code)]
    }
    expect(await tried('launch')).toEqual([false, 'DRAFT', ['NO_PRIMARY_METRIC', 'NO_VISITORS']])
    await post(`${flag.production}/pause`)
    expect(await tried('launch')).toEqual([false, 'DRAFT', ['FLAG_PAUSED', 'NO_PRIMARY_METRIC', 'NO_VISITORS']])
    expect([await read(second), await eventsOf(second)]).toEqual([before, ['experiment.created DRAFT DRAFT']])
    expect((await call('POST', `${second.path}/resume`, { dryRun: true })).status).toBe(409)
    await post(`${flag.production}/run`)
    await post(`${first.path}/pause`)
    expect(await tried('launch')).toEqual([false, 'DRAFT', ['NO_PRIMARY_METRIC']])
    expect((await call('POST', `${second.path}/pause`, { dryRun: true })).status).toBe(400)
  })

  test('happens once if two come at once: the other one changes nothing', async () => {
    const experiment = await inStatus('DRAFT')
    const answers = await Promise.all([post(`${experiment.path}/launch`), post(`${experiment.path}/launch`)])
    expect(answers.map(({ changed }) => changed).toSorted()).toEqual([false, true])
    expect((await eventsOf(experiment)).slice(1)).toEqual(['experiment.launched DRAFT RUNNING'])
  })

  test('and an edit at once leave the edit either live or staged', async () => {
    const experiment = await inStatus('DRAFT')
    await publish(service, project)
    await Promise.all([
      post(`${experiment.path}/launch`),
      succeed(service, 'PATCH', experiment.path, { trafficAllocation: 4000 }),
    ])
    const { trafficAllocation, hasStagedChanges } = await read(experiment)
    const [rule] = (await served(service, project, flag.key)).rules
    expect([trafficAllocation, rule.traffic === 4000]).toEqual([4000, !hasStagedChanges])
  })

  test('and a pause of the flag at once leave an experiment that is not served', async () => {
    const experiment = await inStatus('DRAFT')
    const [launched] = await Promise.all([call('POST', `${experiment.path}/launch`), post(`${flag.production}/pause`)])
    const isRefused = launched.status === 409
    expect([(await read(experiment)).status, await isServed()]).toEqual([isRefused ? 'DRAFT' : 'PAUSED', false])
    const moves = ['experiment.launched DRAFT RUNNING', 'experiment.paused RUNNING PAUSED']
    expect((await eventsOf(experiment)).slice(1)).toEqual(isRefused ? [] : moves)
  })

  test('with the same idempotency key is done once and answered twice', async () => {
    const experiment = await inStatus('DRAFT')
    const key = { 'idempotency-key': crypto.randomUUID() }
    const launch = () => service.call(service.people.admin, 'POST', `${experiment.path}/launch`, undefined, key)
    const [first, again] = [await launch(), await launch()]
    expect(first.body.data).toMatchObject(moved('RUNNING'))
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
    expect(await eventsOf(experiment)).toHaveLength(2)
  })

  test('sends an event with the project, both statuses and the author', async () => {
    const experiment = await inStatus('DRAFT')
    const person = await newPerson(service, { role: 'EDITOR' })
    expect((await service.call(person.token, 'POST', `${experiment.path}/launch`)).status).toBe(200)
    const events = await succeed(service, 'GET', `${project.path}/events?event=experiment.launched&limit=100`)
    const { name, shortId } = await succeed(service, 'GET', project.path)
    expect(events.at(-1)).toEqual({
      ...{ id: expect.any(String), seq: expect.any(Number), event: 'experiment.launched' },
      timestamp: begin.toISOString(),
      project: { id: project.id, shortId, name },
      experiment: {
        ...{ id: experiment.id, shortId: (await read(experiment)).shortId, name: 'Copy' },
        ...{ status: 'RUNNING', previousStatus: 'DRAFT' },
      },
      triggeredBy: {
        ...{ type: 'personal_token', id: person.id, name: person.name, email: person.email, role: 'EDITOR' },
      },
    })
  })

  test('is recorded once, as done to the experiment', async () => {
    const experiment = await inStatus('RUNNING')
    const entries = await succeed(service, 'GET', `/api/v1/audit?objectId=${experiment.id}`)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['experiment.launch', 'experiment.create'])
  })
})

test.each<[string, (experiment: TestExperiment) => Promise<unknown>, (experiment: TestExperiment) => Promise<unknown>]>(
  [
    ['the switch of the flag', () => post(`${flag.production}/pause`), () => post(`${flag.production}/run`)],
    [
      'the pause of the rule',
      ({ ruleId }) => post(`${flag.production}/rules/${ruleId}/pause`),
      ({ path }) => post(`${path}/resume`),
    ],
    [
      'a schedule of the flag',
      async () => {
        const runAt = new Date(moment.getTime() + minuteMs).toISOString()
        await succeed(service, 'PUT', `${flag.production}/schedule`, { action: 'PAUSE', runAt })
        moment = new Date(moment.getTime() + minuteMs)
        await service.schedules.run()
      },
      () => post(`${flag.production}/run`),
    ],
  ],
)('%s pauses and resumes an experiment', async (_what, pause, resume) => {
  const experiment = await inStatus('RUNNING')
  await pause(experiment)
  expect((await read(experiment)).status).toBe('PAUSED')
  await resume(experiment)
  expect((await read(experiment)).status).toBe('RUNNING')
  expect((await eventsOf(experiment)).slice(2)).toEqual([
    'experiment.paused RUNNING PAUSED',
    'experiment.resumed PAUSED RUNNING',
  ])
})

test('an experiment that is paused while its flag is paused stays so when the flag runs', async () => {
  const experiment = await inStatus('RUNNING')
  await post(`${flag.production}/pause`)
  expect(await post(`${experiment.path}/pause`)).toMatchObject({ status: 'PAUSED', previousStatus: 'PAUSED' })
  await post(`${flag.production}/run`)
  expect(await isServed()).toBe(false)
})

test('a publish leaves a draft as it is, and a switch leaves the ETag', async () => {
  const experiment = await inStatus('DRAFT')
  await publish(service, project, { flagIds: [flag.id] })
  expect([(await read(experiment)).status, await isServed()]).toEqual(['DRAFT', false])
  const etag = async () => (await call('GET', experiment.path)).headers.etag
  const before = await etag()
  for (const verb of ['launch', 'pause', 'resume']) await post(`${experiment.path}/${verb}`)
  expect(await etag()).toBe(before)
})

test.each([
  ['DRAFT', 200],
  ['RUNNING', 409],
  ['PAUSED', 409],
  ['COMPLETED', 409],
  ['ARCHIVED', 200],
])('from %s a deletion answers %d', async (status, code) => {
  const experiment = await inStatus(status)
  const before = await eventsOf(experiment)
  const answer = await call('DELETE', experiment.path)
  expect([answer.status, answer.body.error?.details]).toEqual([
    code,
    code === 409 ? { current: status, allowed: ['DRAFT', 'ARCHIVED'] } : undefined,
  ])
  const told = (await eventsOf(experiment)).slice(before.length)
  expect(told).toEqual(code === 200 ? [`experiment.deleted ${status} ${status}`] : [])
})

test('an adopted rule that is served makes a running experiment', async () => {
  await post(`${flag.production}/run`)
  const rule = await addRule(service, flag.production, abTest('Existing'))
  await publish(service, project, { flagIds: [flag.id] })
  const adopted = await post(url, { flagId: flag.id, ruleId: rule.id, name: 'Adopted' })
  expect(adopted).toMatchObject({ status: 'RUNNING', launchedAt: begin.toISOString() })
})

test('an adopted rule that was never served waits for the launch, whatever is published or run', async () => {
  const rule = await addRule(service, flag.production, abTest('Existing'))
  await publish(service, project)
  const { id, ...adopted } = await post(url, { flagId: flag.id, ruleId: rule.id, name: 'Adopted' })
  const experiment = { id, ruleId: rule.id, path: `${url}/${id}` }
  expect(adopted.status).toBe('DRAFT')
  await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 4000 })
  await post(`${flag.production}/run`)
  expect([(await read(experiment)).status, await isServed()]).toEqual(['DRAFT', false])
  await post(`${experiment.path}/launch`)
  expect(await read(experiment)).toMatchObject({ status: 'RUNNING', hasStagedChanges: false })
  expect((await served(service, project, flag.key)).rules).toMatchObject([{ traffic: 4000 }])
})

test('a completed experiment keeps the test as it ran, and its rule cannot run again', async () => {
  const experiment = await inStatus('RUNNING')
  await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 100 })
  await post(`${experiment.path}/complete`)
  expect(await read(experiment)).toMatchObject({ trafficAllocation: 10_000, hasStagedChanges: false })
  expect((await call('PATCH', experiment.path, { trafficAllocation: 1 })).status).toBe(409)
  expect((await call('PATCH', experiment.path, { description: 'Learned something' })).status).toBe(200)
  const rule = `${flag.production}/rules/${experiment.ruleId}`
  expect((await call('POST', `${rule}/run`)).status).toBe(409)
  expect((await succeed(service, 'GET', rule)).status).toBe('COMPLETED')
  const results = await refreshed(service, `${experiment.path}/results`)
  expect(results).toMatchObject({ ruleStatus: 'COMPLETED', endedAt: begin.toISOString() })
  await post(`${flag.production}/pause`)
  await post(`${flag.production}/run`)
  expect(await isServed()).toBe(false)
})

test('variations are fixed after the launch', async () => {
  const experiment = await inStatus('RUNNING')
  const one = { variations: [{ key: 'off', weight: 10_000 }], baselineVariationKey: 'off' }
  expect((await call('PATCH', experiment.path, one)).status).toBe(400)
  const weights = [
    { key: 'on', weight: 2500 },
    { key: 'off', weight: 7500 },
  ]
  expect((await succeed(service, 'PATCH', experiment.path, { variations: weights })).hasStagedChanges).toBe(true)
})

describe('a publish', () => {
  const last = async (experiment: TestExperiment) => {
    const { rows } = await sql<{ name: string; payload: Record<string, unknown> }>`
      select name, payload from events where payload #>> '{experiment,id}' = ${experiment.id}
      order by seq desc limit 1`.execute(service.db)
    return rows[0]!
  }

  test('makes the staged test live and returns what changed', async () => {
    const experiment = await inStatus('RUNNING')
    await succeed(service, 'PATCH', experiment.path, {
      conditions: { attribute: 'country', operator: 'equals', value: 'NL' },
      allowlist: [{ variationKey: 'on', userIds: ['qa-1'] }],
    })
    expect((await read(experiment)).hasStagedChanges).toBe(true)
    const late = { 'x-svc-if-match': '"old"' }
    const tooLate = await service.call(service.people.admin, 'POST', `${experiment.path}/publish`, {}, late)
    expect([tooLate.status, (await read(experiment)).hasStagedChanges]).toEqual([412, true])
    const dry = await post(`${experiment.path}/publish`, { dryRun: true })
    expect([dry.changed, dry.changes.length, (await read(experiment)).hasStagedChanges]).toEqual([false, 2, true])
    const done = await post(`${experiment.path}/publish`, { comment: 'Only the Netherlands' })
    expect(done).toMatchObject({ changed: true, status: 'RUNNING', previousStatus: 'RUNNING' })
    expect(done.warnings).toMatchObject([{ code: 'AUDIENCE_CHANGED' }])
    expect(await last(experiment)).toMatchObject({
      name: 'experiment.changes_published',
      payload: {
        changes: [{ path: 'conditions' }, { path: 'allowlist', from: null, to: null }],
        dataFile: { revision: done.dataFile.revision },
      },
    })
    const events = await eventsOf(experiment)
    expect(await post(`${experiment.path}/publish`)).toMatchObject({ changed: false, changes: [] })
    expect(await eventsOf(experiment)).toEqual(events)
  })

  test('can be bound to the experiment, or to what is staged of its flag', async () => {
    const experiment = await inStatus('RUNNING')
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 5000 })
    const staged = `${project.path}/environments/${project.production.id}/staged?flagId=${flag.id}`
    const etagOf = async (path: string) => String((await call('GET', path)).headers.etag)
    const [ofList, ofExperiment] = [await etagOf(staged), await etagOf(experiment.path)]
    await addRule(service, flag.production, abTest('Beside it'))
    const publishIf = (etag: string) =>
      service.call(service.people.admin, 'POST', `${experiment.path}/publish`, {}, { 'x-svc-if-match': etag })
    expect(await etagOf(experiment.path)).toBe(ofExperiment)
    const refused = await publishIf(ofList)
    expect([refused.status, refused.body.error.code]).toEqual([412, 'precondition_failed'])
    expect((await publishIf(await etagOf(staged))).body.data).toMatchObject({ changed: true })
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 100 })
    expect((await publishIf(await etagOf(experiment.path))).body.data).toMatchObject({ changed: true })
  })

  test('that gives visitors a different variation must be confirmed', async () => {
    const experiment = await inStatus('RUNNING')
    await succeed(service, 'PATCH', experiment.path, reweighted)
    const answer = await call('POST', `${experiment.path}/publish`)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'reassignment_unconfirmed'])
    const done = await post(`${experiment.path}/publish`, { confirmReassignment: true })
    expect(done).toMatchObject({ changed: true, warnings: [{ code: 'VISITORS_REASSIGNED' }] })
  })

  test('warns of other statistics settings before it and after it', async () => {
    const experiment = await inStatus('RUNNING')
    await succeed(service, 'PATCH', experiment.path, { statistics: { test: 'FIXED_HORIZON', alpha: 0.1 } })
    for (const dryRun of [true, false])
      expect(await post(`${experiment.path}/publish`, { dryRun })).toMatchObject({
        ...{ changed: !dryRun, warnings: [{ code: 'STATISTICS_CHANGED' }] },
      })
    expect((await post(`${experiment.path}/publish`)).warnings).toEqual([])
  })

  test('of a paused experiment is an update, and of a draft refused', async () => {
    const experiment = await inStatus('PAUSED')
    await succeed(service, 'PATCH', experiment.path, reweighted)
    expect(await post(`${experiment.path}/publish`)).toMatchObject({ changed: true, status: 'PAUSED' })
    expect((await last(experiment)).name).toBe('experiment.updated')
    const draft = await newExperiment()
    expect((await call('POST', `${draft.path}/publish`)).body.error.details).toMatchObject({ current: 'DRAFT' })
  })

  test('of the environment also publishes the test of a running experiment', async () => {
    const experiment = await inStatus('RUNNING')
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 100 })
    await publish(service, project)
    expect(await last(experiment)).toMatchObject({
      name: 'experiment.changes_published',
      payload: { changes: [{ path: 'trafficAllocation', from: 10_000, to: 100 }] },
    })
  })

  test('of a restored revision sends one event', async () => {
    const experiment = await inStatus('RUNNING')
    const { revision } = await dataFile(service, project.production.sdkKey)
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 100 })
    await publish(service, project)
    const before = await eventsOf(experiment)
    const restore = `${project.path}/environments/${project.production.id}/revisions/${revision}/restore`
    await post(restore, { flagIds: [flag.id] })
    expect(await read(experiment)).toMatchObject({ trafficAllocation: 10_000, hasStagedChanges: true })
    await publish(service, project)
    expect((await eventsOf(experiment)).slice(before.length)).toEqual(['experiment.changes_published RUNNING RUNNING'])
    expect((await last(experiment)).payload).toMatchObject({
      changes: [{ path: 'trafficAllocation', from: 100, to: 10_000 }],
    })
  })

  test('can begin a new phase with the same split', async () => {
    const experiment = await inStatus('RUNNING')
    moment = new Date(begin.getTime() + minuteMs)
    const done = await post(`${experiment.path}/publish`, { newPhase: true })
    expect([done.changed, (await read(experiment)).hasStagedChanges]).toEqual([true, false])
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 100 })
    const { changes } = await post(`${experiment.path}/publish`)
    expect(changes.map(({ path }: { path: string }) => path)).toEqual([`rules.${experiment.ruleId}.trafficAllocation`])
    moment = new Date(begin.getTime() + 2 * minuteMs)
    await succeed(service, 'PATCH', experiment.path, reweighted)
    await post(`${experiment.path}/publish`, { confirmReassignment: true })
    const { phases } = await succeed(service, 'GET', `${experiment.path}/results`)
    expect(phases.map(({ reason, variations }: Phase) => [reason, variations.map(({ weight }) => weight)])).toEqual([
      ['LAUNCHED', [0.5, 0.5]],
      ['RESTARTED', [0.5, 0.5]],
      ['SPLIT_CHANGED', [0.2, 0.8]],
    ])
  })
})

interface Phase {
  reason: string
  variations: { weight: number }[]
}

describe('a winner', () => {
  const declare = ({ path }: TestExperiment, body: object = {}) =>
    post(`${path}/winner`, { variationKey: 'on', ...body })

  test.each(['RUNNING', 'PAUSED', 'COMPLETED'])('ends an experiment that is %s', async (status) => {
    const experiment = await inStatus(status)
    const before = await eventsOf(experiment)
    const declared = await declare(experiment, { comment: 'It sells' })
    expect(declared).toMatchObject({
      ...{ status: 'COMPLETED', previousStatus: status, changed: true, changes: [] },
      winner: { variationKey: 'on', comment: 'It sells', declaredAt: begin.toISOString(), rolledOut: false },
    })
    expect(await read(experiment)).toMatchObject({ status: 'COMPLETED', winner: declared.winner })
    expect(await isServed()).toBe(false)
    const told = [
      `experiment.winner_declared ${status} COMPLETED`,
      ...(status === 'COMPLETED' ? [] : [`experiment.completed ${status} COMPLETED`]),
    ]
    expect((await eventsOf(experiment)).slice(before.length)).toEqual(told)
    expect(await declare(experiment, { comment: 'It sells' })).toMatchObject({ changed: false })
    expect((await eventsOf(experiment)).slice(before.length)).toEqual(told)
  })

  test.each(['DRAFT', 'ARCHIVED'])('is refused for an experiment that is %s', async (status) => {
    const experiment = await inStatus(status)
    const answer = await call('POST', `${experiment.path}/winner`, { variationKey: 'on' })
    expect([answer.status, answer.body.error.details]).toMatchObject([409, { current: status }])
  })

  test('must be a variation of the experiment', async () => {
    const experiment = await inStatus('RUNNING')
    const answer = await call('POST', `${experiment.path}/winner`, { variationKey: 'purple' })
    expect([answer.status, answer.body.error.details.issues]).toMatchObject([400, [{ path: ['variationKey'] }]])
  })

  test('is not declared by a caller who has not seen the last edit', async () => {
    const experiment = await inStatus('RUNNING')
    const etag = String((await call('GET', experiment.path)).headers.etag)
    await succeed(service, 'PATCH', experiment.path, { description: 'Edited' })
    const late = { 'x-svc-if-match': etag }
    const body = { variationKey: 'on', rollOut: true }
    const answer = await service.call(service.people.admin, 'POST', `${experiment.path}/winner`, body, late)
    expect([answer.status, (await read(experiment)).status]).toEqual([412, 'RUNNING'])
  })

  test('that is rolled out takes the place of the test, and other staged changes stay staged', async () => {
    const first = await addRule(service, flag.production, abTest('First'))
    const experiment = await inStatus('RUNNING')
    await addRule(service, flag.production, abTest('Waits'))
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 100 })
    const etagsOf = async () => Number(/\d+/.exec(String((await call('GET', experiment.path)).headers.etag)))
    const [before, etag] = [await served(service, project, flag.key), await etagsOf()]

    const dry = await declare(experiment, { rollOut: true, dryRun: true })
    expect(dry).toMatchObject({ changed: false, status: 'RUNNING', winner: { rolledOut: true } })
    expect(dry.changes.length).toBeGreaterThan(0)
    expect(await served(service, project, flag.key)).toEqual(before)

    const declared = await declare(experiment, { rollOut: true })
    expect(declared).toMatchObject({ changed: true, status: 'COMPLETED', winner: { rolledOut: true } })
    expect((await served(service, project, flag.key)).rules).toHaveLength(before.rules.length)
    const rules = await succeed(service, 'GET', `${flag.production}/rules`)
    expect(rules.map(({ name }: { name: string }) => name)).toEqual([first.name, 'Copy', 'Waits'])
    expect(rules[1]).toMatchObject({
      ...{ type: 'TARGETED_DELIVERY', variationKey: 'on', trafficAllocation: 10_000, exposures: false },
      ...{ experimentId: null, status: 'RUNNING', hasStagedChanges: false },
    })
    expect(rules[2].status).toBe('DRAFT')

    expect(await read(experiment)).toMatchObject({ status: 'COMPLETED', trafficAllocation: 10_000 })
    expect(await etagsOf()).toBeGreaterThan(etag)
    expect(await succeed(service, 'GET', `${experiment.path}/results`)).toMatchObject({
      ruleStatus: 'COMPLETED',
      ...{ ruleId: experiment.ruleId, experimentId: experiment.id, winner: { variationKey: 'on' } },
    })
    await succeed(service, 'PATCH', `${flag.production}/rules/${rules[1].id}`, { name: 'Ours now' })
  })

  test('is rolled out once: retries and callers at the same time find it done', async () => {
    const experiment = await inStatus('PAUSED')
    const before = await eventsOf(experiment)
    const answers = await Promise.all([declare(experiment, { rollOut: true }), declare(experiment, { rollOut: true })])
    expect(answers.map(({ changed }) => changed).toSorted()).toEqual([false, true])
    expect((await eventsOf(experiment)).slice(before.length)).toEqual([
      'experiment.winner_declared PAUSED COMPLETED',
      'experiment.completed PAUSED COMPLETED',
    ])
    expect(await isServed()).toBe(true)
  })

  test('that is rolled out stays the winner, and only the comment can change', async () => {
    const experiment = await inStatus('RUNNING')
    const { winner } = await declare(experiment, { rollOut: true })
    for (const rollOut of [false, true]) {
      const { status, body } = await call('POST', `${experiment.path}/winner`, { variationKey: 'off', rollOut })
      expect([status, body.error.code, body.error.details]).toEqual([409, 'invalid_state', { current: 'on' }])
      expect(body.error.message).toMatch(/^on was rolled out, .* change the rule of the flag/)
    }
    expect((await read(experiment)).winner).toEqual(winner)
    const explained = await declare(experiment, { comment: 'It sells' })
    expect(explained).toMatchObject({ changed: true, winner: { rolledOut: true, comment: 'It sells' } })
  })

  test('is not rolled out while the flag is paused', async () => {
    const experiment = await inStatus('RUNNING')
    await post(`${flag.production}/pause`)
    const answer = await call('POST', `${experiment.path}/winner`, { variationKey: 'on', rollOut: true })
    expect([answer.status, answer.body.error.details.missing]).toMatchObject([409, [{ code: 'FLAG_PAUSED' }]])
    expect((await read(experiment)).winner).toBe(null)
  })

  test('can be rolled out after the end, and is archived and deleted without its rule', async () => {
    const experiment = await inStatus('COMPLETED')
    await declare(experiment)
    expect(await declare(experiment, { rollOut: true })).toMatchObject({ changed: true, winner: { rolledOut: true } })
    expect(await isServed()).toBe(true)
    await post(`${experiment.path}/archive`)
    await succeed(service, 'DELETE', experiment.path)
    expect(await isServed()).toBe(true)
  })
})

describe('a schedule', () => {
  const inAnHour = new Date(begin.getTime() + 60 * minuteMs)
  const set = ({ path }: TestExperiment, action: 'RUN' | 'PAUSE') =>
    succeed(service, 'PUT', `${path}/schedule`, { action, runAt: inAnHour.toISOString(), note: 'Launch' })
  const scheduleOf = ({ path }: TestExperiment) => succeed(service, 'GET', `${path}/schedule`)
  const carryOut = async (at = inAnHour) => {
    moment = at
    await service.schedules.run()
  }

  test('is set, read and cancelled under the ETag of the experiment, with events of the experiment', async () => {
    const experiment = await inStatus('DRAFT')
    const url = `${experiment.path}/schedule`
    expect((await call('GET', url)).status).toBe(404)
    const etag = String((await call('GET', experiment.path)).headers.etag)
    await succeed(service, 'PATCH', experiment.path, { description: 'Edited' })
    const late = { 'x-svc-if-match': etag }
    const body = { action: 'RUN', runAt: inAnHour.toISOString() }
    expect((await service.call(service.people.admin, 'PUT', url, body, late)).status).toBe(412)
    const past = { ...body, runAt: begin.toISOString() }
    expect((await service.call(service.people.admin, 'PUT', url, past, late)).body.error.details.issues).toMatchObject([
      { path: ['runAt'] },
    ])

    const made = await set(experiment, 'RUN')
    expect(made).toMatchObject({ action: 'RUN', status: 'PENDING', ruleId: experiment.ruleId, note: 'Launch' })
    const answer = await call('GET', url)
    expect([answer.body.data, answer.headers.etag]).toEqual([made, (await call('GET', experiment.path)).headers.etag])
    const shown = { id: made.id, action: 'RUN', runAt: inAnHour.toISOString(), status: 'PENDING' }
    expect((await read(experiment)).schedule).toEqual(shown)
    const listed = await succeed(service, 'GET', `${project.path}/schedules?flagId=${flag.id}`)
    expect(listed).toMatchObject([
      { id: made.id, experiment: { id: experiment.id, name: 'Copy' }, by: { name: 'admin' } },
    ])
    expect((await service.call(service.people.admin, 'DELETE', url, undefined, late)).status).toBe(412)
    await succeed(service, 'DELETE', url)
    expect([(await scheduleOf(experiment)).status, (await read(experiment)).schedule]).toEqual(['CANCELLED', null])
    expect((await call('DELETE', url)).status).toBe(404)
    const told = Array(3).fill('experiment.updated DRAFT DRAFT')
    expect((await eventsOf(experiment)).slice(1)).toEqual(told)
    const { rows } = await sql<{ name: string; status: string }>`
      select name, payload #>> '{schedule,status}' as status from events where payload #>> '{schedule,id}' = ${made.id}
      order by seq`.execute(service.db)
    expect(rows).toEqual([
      { name: 'experiment.updated', status: 'PENDING' },
      { name: 'experiment.updated', status: 'CANCELLED' },
    ])
  })

  test.each(['COMPLETED', 'ARCHIVED'])('is refused for an experiment that is %s', async (status) => {
    const { path } = await inStatus(status)
    const body = { action: 'RUN', runAt: inAnHour.toISOString() }
    const { status: code, body: answer } = await call('PUT', `${path}/schedule`, body)
    expect([code, answer.error.details]).toEqual([409, { current: status, allowed: ['DRAFT', 'RUNNING', 'PAUSED'] }])
  })

  test.each([
    ['DRAFT', 'RUN', 'experiment.launched', 'RUNNING'],
    ['PAUSED', 'RUN', 'experiment.resumed', 'RUNNING'],
    ['RUNNING', 'PAUSE', 'experiment.paused', 'PAUSED'],
  ] as const)('of an experiment that is %s carries out a %s once, by nobody', async (from, action, name, to) => {
    const experiment = await inStatus(from)
    await set(experiment, action)
    const before = await eventsOf(experiment)
    moment = inAnHour
    await Promise.all([service.schedules.run(), service.schedules.run()])
    expect([(await read(experiment)).status, (await scheduleOf(experiment)).status]).toEqual([to, 'DONE'])
    const told = [`${name} ${from} ${to}`, `experiment.updated ${to} ${to}`]
    expect((await eventsOf(experiment)).slice(before.length)).toEqual(told)
    const events = await succeed(service, 'GET', `${project.path}/events?event=${name}&limit=100`)
    const { triggeredBy } = events.find(
      (event: { experiment: { id: string }; timestamp: string }) =>
        event.experiment.id === experiment.id && event.timestamp === inAnHour.toISOString(),
    )
    expect(triggeredBy).toBe(null)
  })

  test.each([
    ['launch', 'DRAFT'],
    ['resume', 'PAUSED'],
  ])('guards a %s by hand', async (verb, status) => {
    const experiment = await inStatus(status)
    const { id } = await set(experiment, 'RUN')
    const { status: code, body } = await call('POST', `${experiment.path}/${verb}`)
    expect([code, body.error.code, body.error.details]).toEqual([
      409,
      'schedule_pending',
      { scheduleId: id, action: 'RUN', runAt: inAnHour.toISOString() },
    ])
    await succeed(service, 'DELETE', `${experiment.path}/schedule`)
    expect(await post(`${experiment.path}/${verb}`)).toMatchObject(moved('RUNNING'))
  })

  test.each<[string, (experiment: TestExperiment) => Promise<{ suspendedSchedules: unknown[] }>]>([
    ['the experiment', ({ path }) => post(`${path}/pause`)],
    ['its rule', ({ ruleId }) => post(`${flag.production}/rules/${ruleId}/pause`)],
    ['the flag', () => post(`${flag.production}/pause`)],
  ])('is suspended by a pause of %s, and does not resume by itself', async (_what, pause) => {
    const experiment = await inStatus('PAUSED')
    const { id } = await set(experiment, 'RUN')
    expect((await pause(experiment)).suspendedSchedules).toMatchObject([{ id, status: 'SUSPENDED' }])
    expect((await read(experiment)).schedule).toMatchObject({ id, status: 'SUSPENDED' })
    await carryOut()
    expect((await read(experiment)).status).toBe('PAUSED')
    expect((await eventsOf(experiment)).at(-1)).toBe('experiment.updated PAUSED PAUSED')
  })

  test('of a pause neither guards a launch nor is suspended', async () => {
    const experiment = await inStatus('DRAFT')
    await set(experiment, 'PAUSE')
    await post(`${experiment.path}/launch`)
    expect((await post(`${experiment.path}/pause`)).suspendedSchedules).toEqual([])
    await post(`${experiment.path}/resume`)
    await carryOut()
    expect((await read(experiment)).status).toBe('PAUSED')
  })

  test('launches the test as it is drafted then, whatever was published before', async () => {
    const experiment = await inStatus('DRAFT')
    await set(experiment, 'RUN')
    await publish(service, project)
    await succeed(service, 'PATCH', experiment.path, { trafficAllocation: 4000 })
    await carryOut()
    expect(await read(experiment)).toMatchObject({ status: 'RUNNING', hasStagedChanges: false })
    expect((await served(service, project, flag.key)).rules).toMatchObject([{ traffic: 4000 }])
  })

  test('fails while the flag is paused, and a later run of the flag does not launch', async () => {
    const experiment = await newExperiment()
    await set(experiment, 'RUN')
    await carryOut()
    expect(await scheduleOf(experiment)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('The flag is paused'),
    })
    const { body } = await call('GET', `${project.path}/events?event=experiment.schedule_failed&limit=100`)
    expect(body.data.at(-1)).toMatchObject({
      ...{ experiment: { id: experiment.id, status: 'DRAFT', previousStatus: 'DRAFT' }, triggeredBy: null },
      ...{ flag: { id: flag.id }, rule: { id: experiment.ruleId }, schedule: { action: 'RUN', status: 'FAILED' } },
    })
    await post(`${flag.production}/run`)
    expect([await isServed(), (await read(experiment)).status]).toEqual([false, 'DRAFT'])
    await post(`${experiment.path}/launch`)
  })

  test.each([
    ['less than an hour late is carried out', 59, 'DONE', 'RUNNING'],
    ['an hour late fails', 60, 'FAILED', 'DRAFT'],
  ])('that is %s', async (_what, minutes, status, of) => {
    const experiment = await inStatus('DRAFT')
    await set(experiment, 'RUN')
    await carryOut(new Date(inAnHour.getTime() + minutes * minuteMs))
    expect([(await scheduleOf(experiment)).status, (await read(experiment)).status]).toEqual([status, of])
  })

  test.each(['complete', 'winner', 'archive'])('is cancelled by the end: %s', async (verb) => {
    const experiment = await inStatus('PAUSED')
    await set(experiment, 'RUN')
    const before = await eventsOf(experiment)
    await post(`${experiment.path}/${verb}`, verb === 'winner' ? { variationKey: 'on' } : undefined)
    expect((await scheduleOf(experiment)).status).toBe('CANCELLED')
    expect((await eventsOf(experiment))[before.length]).toBe('experiment.updated PAUSED PAUSED')
    await carryOut()
    expect(await isServed()).toBe(false)
  })

  test('and the end at the same time leave a completed experiment', async () => {
    const experiment = await inStatus('RUNNING')
    await set(experiment, 'PAUSE')
    moment = inAnHour
    const [ended] = await Promise.all([post(`${experiment.path}/complete`), service.schedules.run()])
    expect(ended).toMatchObject(moved('COMPLETED'))
    expect([(await read(experiment)).status, await isServed()]).toEqual(['COMPLETED', false])
    const { status } = await scheduleOf(experiment)
    const moves = (await eventsOf(experiment)).slice(2).filter((told) => !told.startsWith('experiment.updated'))
    expect(moves).toEqual(
      status === 'DONE'
        ? ['experiment.paused RUNNING PAUSED', 'experiment.completed PAUSED COMPLETED']
        : ['experiment.completed RUNNING COMPLETED'],
    )
  })

  test('of an adopted rule is the schedule of the experiment, until it is deleted', async () => {
    await post(`${flag.production}/run`)
    const rule = await addRule(service, flag.production, abTest('Existing', { enabled: false }))
    const ofRule = `${flag.production}/rules/${rule.id}/schedule`
    const { id } = await succeed(service, 'PUT', ofRule, { action: 'RUN', runAt: inAnHour.toISOString() })
    const adopted = await post(url, { flagId: flag.id, ruleId: rule.id, name: 'Adopted' })
    expect(adopted.schedule).toMatchObject({ id, status: 'PENDING' })
    expect((await call('DELETE', ofRule)).status).toBe(409)
    await succeed(service, 'DELETE', `${url}/${adopted.id}`)
    expect((await succeed(service, 'GET', ofRule)).status).toBe('CANCELLED')
  })
})
