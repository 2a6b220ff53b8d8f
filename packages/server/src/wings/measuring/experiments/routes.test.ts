import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evenSplit } from '../../../../testing/experiments.ts'
import { abTest, addRule, newFlag, nobody, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { type Answer, createProject, startTestService, type TestProject } from '../../../../testing/service.ts'
import { signIn } from '../../../../testing/sessions.ts'
import { refreshed } from '../../../../testing/watching.ts'

const service = await startTestService()
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
  count += 1
  flag = await newFlag(service, project, { key: `tested-${count}` })
})
afterAll(() => service.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  service.call(service.people.admin, method, path, body, headers)
const create = (body: object = {}) =>
  succeed(service, 'POST', url, { flagId: flag.id, name: 'Copy', ...evenSplit, ...body })
const issuesOf = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: string[] }) => path.join('.'))

describe('a new experiment', () => {
  test('makes a rule in the draft, whose switch is off', async () => {
    const made = await create({
      hypothesis: 'Shorter copy lifts orders',
      tags: ['checkout'],
      metrics: { primary: ['order_paid'] },
      allowlist: [{ variationKey: 'on', userIds: ['qa-1'] }],
    })
    expect(made).toMatchObject({
      type: 'FEATURE',
      status: 'DRAFT',
      hasStagedChanges: false,
      envId: project.production.id,
      variations: [
        { id: flag.ids.off, key: 'off', weight: 5000 },
        { id: flag.ids.on, key: 'on', weight: 5000 },
      ],
      metrics: { primary: ['order_paid'], secondary: [], guardrails: [] },
      allowlist: [{ variationKey: 'on', userIds: ['qa-1'] }],
      autoPause: { srm: false, traffic: false, guardrailMetric: false },
      ...{ winner: null, schedule: null, launchedAt: null, pages: null },
    })
    const [rule] = await succeed(service, 'GET', `${flag.production}/rules`)
    expect(rule).toMatchObject({
      id: made.ruleId,
      experimentId: made.id,
      enabled: false,
      type: 'AB_TEST',
      name: 'Copy',
    })
    expect(await succeed(service, 'GET', `${url}/${made.shortId}`)).toEqual(made)
  })

  test('adopts an A/B rule with its definition', async () => {
    const rule = await addRule(service, flag.development, abTest('Existing', { hypothesis: 'It works' }))
    const adopting = { flagId: flag.id, envId: project.development.id, ruleId: rule.id, name: 'Adopted' }
    const made = await succeed(service, 'POST', url, adopting)
    expect(made).toMatchObject({
      ruleId: rule.id,
      hypothesis: 'It works',
      envId: project.development.id,
      salt: rule.salt,
    })
    const again = await call('POST', url, adopting)
    expect([again.status, again.body.error.details.references]).toEqual([409, [{ type: 'experiment', id: made.id }]])
  })

  test.each([
    ['an unknown flag', { flagId: nobody }, 'flagId'],
    ['an unknown environment', { envId: nobody }, 'envId'],
    [
      'a rule that the flag does not have',
      { ruleId: nobody, variations: undefined, baselineVariationKey: undefined },
      'ruleId',
    ],
    ['a definition besides the rule', { ruleId: nobody, variations: undefined }, 'baselineVariationKey'],
    ['no variations', { variations: undefined }, 'variations'],
    [
      'an unknown variation',
      { variations: [evenSplit.variations[0], { key: 'purple', weight: 5000 }] },
      'variations.1.key',
    ],
    ['weights that do not sum up', { variations: [evenSplit.variations[0], { key: 'on', weight: 1 }] }, 'variations'],
    ['an unknown metric', { metrics: { primary: ['nothing'] } }, 'metrics.primary.0'],
    ['a space before bucketBy', { bucketBy: ' company' }, 'bucketBy'],
    ['a visitor twice', { allowlist: [{ variationKey: 'on', userIds: ['a', 'a'] }] }, 'allowlist.0.userIds.1'],
    ['a switch', { enabled: true }, 'enabled'],
  ])('is refused with %s', async (_what, change, field) => {
    const answer = await call('POST', url, { flagId: flag.id, name: 'Copy', ...evenSplit, ...change })
    expect([answer.status, issuesOf(answer)[0]]).toEqual([400, field])
    expect(await succeed(service, 'GET', `${flag.production}/rules`)).toEqual([])
  })
})

test('the list is filtered by status, environment, tag and text', async () => {
  const [first, second] = [
    await create({ name: 'Alpha', tags: ['home'] }),
    await create({ name: 'Beta', hypothesis: 'Alphabet soup', envId: project.development.id }),
  ]
  const listed = async (query: string) => {
    const rows: { id: string }[] = await succeed(service, 'GET', `${url}?limit=100&${query}`)
    return rows.map(({ id }) => id).filter((id) => [first.id, second.id].includes(id))
  }
  expect(await listed('q=alpha')).toEqual([second.id, first.id])
  expect(await listed('tag=home')).toEqual([first.id])
  expect(await listed(`envId=${project.development.id}`)).toEqual([second.id])
  expect(await listed('status=DRAFT&type=FEATURE')).toEqual([second.id, first.id])
  expect(await listed('status=RUNNING')).toEqual([])
  expect(await listed('type=WEB')).toEqual([])
  expect((await call('GET', `${url}?status=DONE`)).status).toBe(400)
})

describe('an edit', () => {
  test('changes the record and the draft of the rule under one ETag', async () => {
    const { id, ruleId } = await create()
    const { headers } = await call('GET', `${url}/${id}`)
    expect(headers.etag).toMatch(/^"x\d+"$/)
    const ifMatch = { 'x-svc-if-match': String(headers.etag) }
    const edit = { name: 'Better copy', trafficAllocation: 5000, allowlist: [{ variationKey: 'on', userIds: ['qa'] }] }
    const edited = await call('PATCH', `${url}/${id}`, edit, ifMatch)
    expect(edited.body.data).toMatchObject(edit)
    expect((await call('PATCH', `${url}/${id}`, { name: 'Other' }, ifMatch)).status).toBe(412)
    expect(await succeed(service, 'GET', `${flag.production}/rules/${ruleId}`)).toMatchObject({
      trafficAllocation: 5000,
    })
    const same = await call('PATCH', `${url}/${id}`, edit)
    expect(same.headers.etag).toBe(edited.headers.etag)
    const allowing = { allowlist: [{ variationKey: 'off', userIds: ['qa'] }] }
    const allowed = await call('PATCH', `${url}/${id}`, allowing)
    expect(allowed.body.data).toMatchObject(allowing)
    const overtaken = { 'x-svc-if-match': String(edited.headers.etag) }
    expect((await call('PATCH', `${url}/${id}`, edit, overtaken)).status).toBe(412)
    await succeed(service, 'PATCH', `${url}/${id}`, { allowlist: edit.allowlist })
    const wrong = await call('PATCH', `${url}/${id}`, {
      variations: [evenSplit.variations[0]!, { key: 'no', weight: 5000 }],
    })
    expect([wrong.status, issuesOf(wrong)]).toEqual([400, ['variations.1.key']])
  })
})

test('a rule of an experiment can be read and moved, and only the experiment edits, runs and deletes it', async () => {
  const { id, ruleId } = await create()
  const other = await addRule(service, flag.production, abTest('Other'))
  const rule = `${flag.production}/rules/${ruleId}`
  const entries = [{ variationKey: 'on', userIds: ['qa-1'] }]
  const schedule = { action: 'RUN', runAt: new Date(Date.now() + 3_600_000).toISOString() }
  for (const [method, path, body] of [
    ['PATCH', rule, { trafficAllocation: 1 }],
    ['DELETE', rule],
    ['POST', `${rule}/run`],
    ['PUT', `${rule}/schedule`, schedule],
    ['PUT', `${flag.production}/overrides`, { environmentAllowlist: [], ruleAllowlists: [{ ruleId, entries }] }],
  ] as const) {
    const { status, body: answer } = await call(method, path, body)
    expect([status, answer.error?.code, answer.error?.details.references], `${method} ${path}`).toEqual([
      409,
      'invalid_state',
      [{ type: 'experiment', id }],
    ])
  }
  expect((await call('GET', rule)).status).toBe(200)
  expect((await call('POST', `${rule}/pause`)).body.data).toMatchObject({ changed: false })
  expect((await call('PUT', `${flag.production}/rules/reorder`, { ruleIds: [other.id, ruleId] })).status).toBe(200)
  const copy = await succeed(service, 'POST', `${rule}/duplicate`)
  const copied = await succeed(service, 'POST', `${flag.development}/rules/copy`, {
    sourceEnvId: project.production.id,
  })
  expect([copy, ...copied.rules].map(({ experimentId }) => experimentId)).toEqual([null, null, null, null])
})

describe('a deletion', () => {
  test('takes the rule that the experiment made with it', async () => {
    const { id } = await create()
    await publish(service, project, { flagIds: [flag.id] })
    expect((await call('DELETE', `${url}/${id}`)).body).toEqual({ data: null })
    expect((await call('GET', `${url}/${id}`)).status).toBe(404)
    expect(await succeed(service, 'GET', `${flag.production}/rules`)).toEqual([])
  })

  test('leaves an adopted rule as a plain one', async () => {
    const rule = await addRule(service, flag.production, abTest('Existing'))
    const { id } = await succeed(service, 'POST', url, { flagId: flag.id, ruleId: rule.id, name: 'Adopted' })
    await succeed(service, 'DELETE', `${url}/${id}`)
    expect(await succeed(service, 'GET', `${flag.production}/rules/${rule.id}`)).toMatchObject({ experimentId: null })
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { trafficAllocation: 1 })
  })
})

describe('a duplicate', () => {
  const content = {
    hypothesis: 'Shorter copy lifts orders',
    tags: ['checkout'],
    autoPause: { srm: true, traffic: false, guardrailMetric: false },
    metrics: { primary: ['order_paid'] },
    trafficAllocation: 5000,
    allowlist: [{ variationKey: 'on', userIds: ['qa-1'] }],
  }

  test('is a draft of the same test with a rule and a salt of its own', async () => {
    const original = await create(content)
    const copy = await succeed(service, 'POST', `${url}/${original.id}/duplicate`)
    const { id, shortId, ruleId, salt, createdAt, updatedAt, ...same } = original
    expect(copy).toMatchObject({ ...same, name: 'Copy (copy)' })
    for (const field of ['id', 'shortId', 'ruleId', 'salt']) expect(copy[field], field).not.toBe(original[field])
    const elsewhere = { envId: project.development.id }
    expect(await succeed(service, 'POST', `${url}/${original.id}/duplicate`, elsewhere)).toMatchObject({
      ...{ ...elsewhere, status: 'DRAFT', allowlist: content.allowlist },
    })
    const wrong = await call('POST', `${url}/${original.id}/duplicate`, { envId: nobody })
    expect([wrong.status, issuesOf(wrong)]).toEqual([400, ['envId']])
  })

  test('of a rolled out experiment has the test as it ran', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    const { id } = await create(content)
    await succeed(service, 'POST', `${url}/${id}/launch`)
    await succeed(service, 'POST', `${url}/${id}/winner`, { variationKey: 'on', rollOut: true })
    expect(await succeed(service, 'POST', `${url}/${id}/duplicate`)).toMatchObject({
      ...{ status: 'DRAFT', winner: null, launchedAt: null, trafficAllocation: 5000 },
      variations: [{ key: 'off' }, { key: 'on' }],
    })
  })
})

test('copies of a test leave an exclusion group that was deleted', async () => {
  const groups = `${project.path}/exclusion-groups`
  const group = await succeed(service, 'POST', groups, { name: 'Gone', slotSize: 10_000 })
  await succeed(service, 'POST', `${flag.production}/run`)
  const { id, ruleId } = await create({ exclusionGroupId: group.id })
  for (const verb of ['launch', 'complete']) await succeed(service, 'POST', `${url}/${id}/${verb}`)
  await succeed(service, 'DELETE', `${groups}/${group.id}`)
  expect((await succeed(service, 'GET', `${url}/${id}`)).exclusionGroupId).toBe(group.id)
  const copies = [
    await succeed(service, 'POST', `${url}/${id}/duplicate`),
    await succeed(service, 'POST', `${flag.production}/rules/${ruleId}/duplicate`),
  ]
  expect(copies.map(({ exclusionGroupId }) => exclusionGroupId)).toEqual([null, null])
  const copied = await succeed(service, 'POST', `${flag.development}/rules/copy`, {
    sourceEnvId: project.production.id,
  })
  expect(copied.rules).toHaveLength(3)
})

describe('the results', () => {
  test('are those of the rule, with the experiment and its winner', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    const { id, shortId, ruleId } = await create()
    const empty = await succeed(service, 'GET', `${url}/${shortId}/results`)
    expect(empty).toMatchObject({ experimentId: id, ruleId, winner: null, phases: [], ruleStatus: 'DRAFT' })
    await succeed(service, 'POST', `${url}/${id}/launch`)
    const computed = await refreshed(service, `${url}/${id}/results`)
    expect(computed).toMatchObject({ experimentId: id, refreshing: false, ruleStatus: 'RUNNING' })
    const read = await call('GET', `${url}/${id}/results`)
    const ofRule = await succeed(service, 'GET', `${flag.path}/rules/${ruleId}/results`)
    const { phases } = read.body.data
    expect(read.body.data).toEqual({ ...ofRule, experimentId: id, winner: null, phases })
    expect(phases).toMatchObject([{ phase: 1, reason: 'LAUNCHED', endedAt: null, variations: [{ weight: 0.5 }, {}] }])
    const again = { 'if-none-match': String(read.headers.etag) }
    expect((await call('GET', `${url}/${id}/results`, undefined, again)).status).toBe(304)
    const file = await call('GET', `${url}/${id}/results?format=csv`)
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
  })

  test('are summarized in the experiment for callers who can read them', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    const { id } = await create({ metrics: { primary: ['order_paid'] } })
    const inList = async (who = service.people.admin) => {
      const { body } = await service.call(who, 'GET', `${url}?limit=1`)
      return body.data[0]
    }
    expect(await inList()).toMatchObject({ id, results: null })
    await succeed(service, 'POST', `${url}/${id}/launch`)
    expect((await inList()).results).toBe(null)
    const { dataThrough, runtimeDays, progress, recommendation, metrics } = await refreshed(
      service,
      `${url}/${id}/results`,
    )
    const [{ metricId, name, direction, variations }] = metrics
    const { status, significant, lift } = variations[1].comparison
    const compared = [{ variationId: variations[1].variationId, status, significant, lift }]
    const primaryMetric = { metricId, name, direction, variations: compared }
    const summary = { asOf: dataThrough, runtimeDays, units: 0, progress, recommendation, primaryMetric }
    expect((await inList()).results).toEqual({ ...summary, health: { status: 'NOT_ENOUGH_DATA', failed: [] } })
    expect(recommendation.action).toBe('KEEP_RUNNING')
    expect((await succeed(service, 'GET', `${url}/${id}`)).results).toMatchObject(summary)
    const owner = await signIn(service, 'owner@svc.test')
    const token = { name: 'reader', scopes: ['experiments:read'], expiresIn: '30d' }
    const { secret } = (await owner.call('POST', '/api/dashboard/service-tokens', token)).body.data
    expect(await inList(secret)).toMatchObject({ id, status: 'RUNNING', results: null })
  })

  test('need results:read, and an experiment of the project', async () => {
    const { id } = await create()
    const { status, body } = await service.call(service.people.noScopes, 'GET', `${url}/${id}/results`)
    expect([status, body.error.details]).toEqual([403, { scope: 'results:read' }])
    expect((await call('GET', `${url}/${nobody}/results`)).status).toBe(404)
  })
})

describe('an experiment that is not archived', () => {
  const refused = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    return [status, body.error?.details.references]
  }

  test('keeps its flag and its environment from being deleted', async () => {
    const staging = await succeed(service, 'POST', `${project.path}/environments`, { name: `Staging ${count}` })
    const { id } = await create({ envId: staging.id })
    const references = [{ type: 'experiment', id }]
    expect(await refused(call('DELETE', flag.path))).toEqual([409, references])
    expect(await refused(call('DELETE', `${project.path}/environments/${staging.id}`))).toEqual([409, references])
    await succeed(service, 'POST', `${url}/${id}/archive`)
    expect((await call('DELETE', `${project.path}/environments/${staging.id}`)).status).toBe(200)
    expect((await call('GET', `${url}/${id}`)).status).toBe(404)
  })

  test('keeps its rule when changes are discarded and when a revision is restored', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    const restored = (revision: number) =>
      succeed(service, 'POST', `${project.path}/environments/${project.production.id}/revisions/${revision}/restore`, {
        flagIds: [flag.id],
      })
    const { revision } = await publish(service, project)
    const { id, ruleId } = await create({ allowlist: [{ variationKey: 'on', userIds: ['qa-1'] }] })
    const staged = `${project.path}/environments/${project.production.id}/staged`
    const discarded = call('POST', `${staged}/discard`, { flagId: flag.id, paths: [`rules.${ruleId}`, 'overrides'] })
    expect(await refused(discarded)).toEqual([409, [{ type: 'experiment', id }]])
    await restored(revision)
    expect(await succeed(service, 'GET', `${url}/${id}`)).toMatchObject({ status: 'DRAFT', allowlist: [{}] })
    const published = await publish(service, project)
    await succeed(service, 'PATCH', `${url}/${id}`, { trafficAllocation: 4000, allowlist: [] })
    await restored(published.revision)
    expect(await succeed(service, 'GET', `${url}/${id}`)).toMatchObject({ trafficAllocation: 4000, allowlist: [] })
  })
})

test('a project has up to 500 experiments that are not archived', async () => {
  const full = await createProject(service)
  const tested = await newFlag(service, full, { key: 'full' })
  const path = `${full.path}/experiments`
  const wanted = { flagId: tested.id, name: 'Copy', ...evenSplit }
  const first = await succeed(service, 'POST', path, wanted)
  await sql`
    insert into experiments (id, project_id, short_id, env_id, type, flag_id, rule_id, adopted, name, tags, auto_pause,
      created_at, updated_at)
    select gen_random_uuid(), project_id, 1000 + number, env_id, type, flag_id, gen_random_uuid(), true, name, tags,
      auto_pause, created_at, updated_at
    from experiments, generate_series(1, 499) number where id = ${first.id}`.execute(service.db)
  const refused = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('up to 500 experiments')])
  }
  await refused(call('POST', path, wanted))
  await refused(call('POST', `${path}/${first.id}/duplicate`))
  await succeed(service, 'POST', `${path}/${first.id}/archive`)
  const next = await succeed(service, 'POST', path, wanted)
  await refused(call('POST', `${path}/${first.id}/unarchive`))
  await succeed(service, 'DELETE', `${path}/${next.id}`)
  await succeed(service, 'POST', `${path}/${first.id}/unarchive`)
})

test('the slot of a completed experiment is free for others', async () => {
  const group = await succeed(service, 'POST', `${project.path}/exclusion-groups`, { name: 'Whole', slotSize: 10_000 })
  await succeed(service, 'POST', `${flag.production}/run`)
  const { id } = await create({ exclusionGroupId: group.id })
  await succeed(service, 'POST', `${url}/${id}/launch`)
  const next = { flagId: flag.id, name: 'Next', ...evenSplit, exclusionGroupId: group.id }
  expect((await call('POST', url, next)).status).toBe(409)
  await succeed(service, 'POST', `${url}/${id}/complete`)
  expect((await call('POST', url, next)).status).toBe(201)
})

describe('an archived draft in an exclusion group', () => {
  const groups = () => `${project.path}/exclusion-groups`
  const newGroup = (slotSize: number) =>
    succeed(service, 'POST', groups(), { name: `Group ${count} of ${slotSize}`, slotSize })
  const startsIn = async ({ id }: { id: string }) =>
    (await succeed(service, 'GET', `${groups()}/${id}`)).slots.map(({ from }: { from: number }) => from)

  test('holds no slot, and gets a free one when it comes back', async () => {
    const group = await newGroup(5000)
    const joining = { exclusionGroupId: group.id }
    const [first, second] = [await create(joining), await create(joining)]
    await publish(service, project)
    await succeed(service, 'POST', `${url}/${first.id}/archive`)
    expect(await startsIn(group)).toEqual([5000])
    await create(joining)
    expect(await startsIn(group)).toEqual([0, 5000])
    const refused = await call('POST', `${url}/${first.id}/unarchive`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
    expect(refused.body.error.message).toMatch(/^The exclusion group is full/)
    expect(refused.body.error.details.references).toHaveLength(2)
    await succeed(service, 'POST', `${url}/${second.id}/archive`)
    expect((await succeed(service, 'POST', `${url}/${first.id}/unarchive`)).warnings).toEqual([])
    expect(await startsIn(group)).toEqual([0, 5000])
    await succeed(service, 'POST', `${flag.production}/run`)
    await succeed(service, 'POST', `${url}/${first.id}/launch`)
    expect(await startsIn(group)).toEqual([0, 5000])
  })

  test('comes back without a group that is gone, and says so', async () => {
    const group = await newGroup(10_000)
    const { id } = await create({ exclusionGroupId: group.id })
    await succeed(service, 'POST', `${url}/${id}/archive`)
    await succeed(service, 'DELETE', `${groups()}/${group.id}`)
    const { warnings } = await succeed(service, 'POST', `${url}/${id}/unarchive`)
    expect(warnings).toMatchObject([{ code: 'EXCLUSION_GROUP_GONE' }])
    expect((await succeed(service, 'GET', `${url}/${id}`)).exclusionGroupId).toBe(null)
  })

  test('leaves nothing live that could come back to its slot when it is deleted', async () => {
    const group = await newGroup(10_000)
    const { id } = await create({ exclusionGroupId: group.id })
    await publish(service, project)
    await succeed(service, 'POST', `${url}/${id}/archive`)
    await succeed(service, 'DELETE', `${url}/${id}`)
    expect((await succeed(service, 'GET', flag.production)).live.rules).toEqual([])
    expect(await startsIn(group)).toEqual([])
  })

  test('keeps the slot of a rule that it adopted, which is a plain one again when it is deleted', async () => {
    const group = await newGroup(10_000)
    const rule = await addRule(service, flag.production, abTest('Existing', { exclusionGroupId: group.id }))
    const { id } = await succeed(service, 'POST', url, { flagId: flag.id, ruleId: rule.id, name: 'Adopted' })
    await succeed(service, 'POST', `${url}/${id}/archive`)
    expect(await startsIn(group)).toEqual([0])
  })

  test('leaves the group in a copy of the environment, where others have its slot, as a completed test does', async () => {
    const group = await newGroup(10_000)
    const joining = { exclusionGroupId: group.id }
    await succeed(service, 'POST', `${flag.production}/run`)
    const ended = await create(joining)
    for (const verb of ['launch', 'complete']) await succeed(service, 'POST', `${url}/${ended.id}/${verb}`)
    const put = await create(joining)
    await succeed(service, 'POST', `${url}/${put.id}/archive`)
    await create(joining)
    const copyFromEnvId = project.production.id
    const made = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging', copyFromEnvId })
    const rules = await succeed(service, 'GET', `${flag.path}/envs/${made.id}/rules`)
    expect(rules.map(({ exclusionGroupId }: typeof joining) => exclusionGroupId)).toEqual([null, null, group.id])
    await succeed(service, 'DELETE', `${project.path}/environments/${made.id}`)
  })

  test('does not prevent restoring a revision, nor does a completed test', async () => {
    const group = await newGroup(10_000)
    await succeed(service, 'POST', `${flag.production}/run`)
    const ended = await create({ exclusionGroupId: group.id })
    const { dataFile } = await succeed(service, 'POST', `${url}/${ended.id}/launch`)
    await succeed(service, 'POST', `${url}/${ended.id}/complete`)
    const { id } = await create({ exclusionGroupId: group.id })
    await succeed(service, 'POST', `${url}/${id}/archive`)
    await succeed(service, 'DELETE', `${groups()}/${group.id}`)
    await addRule(service, flag.production, abTest('Beside it'))
    const restore = `${project.path}/environments/${project.production.id}/revisions/${dataFile.revision}/restore`
    await succeed(service, 'POST', restore, { flagIds: [flag.id] })
    const rules = await succeed(service, 'GET', `${flag.production}/rules`)
    expect(rules.map((rule: { experimentId: string | null }) => rule.experimentId)).toEqual([ended.id, id])
  })
})

test('the rule of a completed experiment does not come back to a slot that another has', async () => {
  const groups = `${project.path}/exclusion-groups`
  const group = await succeed(service, 'POST', groups, { name: 'Again', slotSize: 10_000 })
  const slots = async () => (await succeed(service, 'GET', `${groups}/${group.id}`)).slots
  await succeed(service, 'POST', `${flag.production}/run`)
  const { id } = await create({ exclusionGroupId: group.id })
  const { dataFile } = await succeed(service, 'POST', `${url}/${id}/launch`)
  await succeed(service, 'POST', `${url}/${id}/complete`)
  const other = await newFlag(service, project, { key: 'price' })
  const next = await succeed(service, 'POST', url, {
    ...{ flagId: other.id, name: 'Next', ...evenSplit, exclusionGroupId: group.id },
  })
  await succeed(service, 'POST', `${url}/${id}/archive`)
  await succeed(service, 'DELETE', `${url}/${id}`)
  expect(await slots()).toMatchObject([{ ruleId: next.ruleId }])
  expect((await succeed(service, 'GET', flag.production)).live.rules).toEqual([])
  const revisions = `${project.path}/environments/${project.production.id}/revisions`
  const restored = await call('POST', `${revisions}/${dataFile.revision}/restore`)
  expect([restored.status, restored.body.error.message]).toEqual([409, expect.stringContaining('is full')])
})
