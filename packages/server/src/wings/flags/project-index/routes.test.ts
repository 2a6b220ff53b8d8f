import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRule, delivery, newFlag, nobody, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { saveEvaluations } from '../../serving/heartbeat/index.ts'

const start = new Date('2026-01-01T00:00:00.000Z')
let now = start
let service: TestService
let project: TestProject
let flag: TestFlag

beforeAll(async () => {
  service = await startTestService({ now: () => now })
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout', name: 'Checkout', tags: ['web'] })
})
afterAll(() => service.close())

const index = (headers = {}, token = service.people.admin) =>
  service.call(token, 'GET', `${project.path}/index`, undefined, headers)
const read = async () => (await index()).body.data
const states = async () => (await read()).flags.find(({ key }: { key: string }) => key === flag.key).states

test('the index of a new project has its environments, and flags without a state', async () => {
  const { status, body } = await index()
  expect(status).toBe(200)
  const { production, development } = project
  expect(body.data.environments).toMatchObject([
    { id: production.id, key: 'production', name: 'Production', revision: expect.any(Number) },
    { id: development.id, key: 'development', name: 'Development', revision: expect.any(Number) },
  ])
  expect(body.data.flags).toEqual([
    {
      shortId: flag.shortId,
      key: 'checkout',
      name: 'Checkout',
      type: 'BOOLEAN',
      status: 'DRAFT',
      tags: ['web'],
      updatedAt: start.toISOString(),
      updatedBy: expect.stringMatching(/./),
      states: [{ firstRun: true }, { firstRun: true }],
    },
  ])
  const none = {
    audiences: [],
    segments: [],
    metrics: [],
    experiments: [],
    exclusionGroups: [],
    holdouts: [],
    webhooks: [],
    destinations: [],
  }
  expect(body.data).toMatchObject({ ...none, attributes: [] })
})

test('the state of a flag shows for each environment what runs, is staged, scheduled and evaluated', async () => {
  await succeed(service, 'POST', `${flag.production}/run`)
  const forAll = { rules: 0, variationKey: 'off', everyone: true }
  expect(await states()).toEqual([{ running: true, serves: forAll }, { firstRun: true }])
  await addRule(service, flag.production, delivery('Beta'))
  const unpublished = (await states())[0].unpublished
  const dryRun = await publish(service, project, { dryRun: true })
  expect(unpublished).toBe(dryRun.flags[0].changes.length)
  await publish(service, project)
  const runAt = '2026-02-01T09:00:00.000Z'
  await succeed(service, 'PUT', `${flag.development}/schedule`, { action: 'RUN', runAt, timezone: 'UTC' })
  const at = new Date('2026-01-01T08:00:00.000Z')
  await saveEvaluations(service.db, [{ envId: project.production.id, flagKey: flag.key, at }])
  expect(await states()).toEqual([
    {
      running: true,
      serves: { rules: 1, variationKey: 'on', everyone: true },
      lastEvaluatedAt: at.toISOString(),
    },
    { firstRun: true, scheduled: { action: 'RUN', runAt } },
  ])
})

test('a flag shows where an A/B test is live', async () => {
  const tested = await newFlag(service, project, { key: 'tested' })
  const split = ['off', 'on'].map((variationKey) => ({ variationKey, weight: 5_000 }))
  const test = { name: 'Colors', type: 'AB_TEST', variations: split, baselineVariationKey: 'off', audienceIds: [] }
  await succeed(service, 'POST', `${tested.development}/rules`, test)
  const tests = async () => {
    const { flags } = await read()
    const { states } = flags.find(({ key }: { key: string }) => key === 'tested')
    return states.map(({ abTest = false }) => abTest)
  }
  expect(await tests()).toEqual([false, false])
  await succeed(service, 'POST', `${tested.development}/run`)
  expect(await tests()).toEqual([false, true])
  await succeed(service, 'POST', `${tested.development}/pause`)
  await succeed(service, 'POST', `${tested.path}/archive`)
  await succeed(service, 'DELETE', tested.path)
})

test('a running flag shows what visitors get', async () => {
  const shown = await newFlag(service, project, { key: 'shown' })
  const serves = async () => {
    const { flags } = await read()
    return flags.find(({ key }: { key: string }) => key === 'shown').states[0].serves
  }
  const staged = async (...rules: Record<string, unknown>[]) => {
    for (const rule of rules) await addRule(service, shown.production, rule)
    await publish(service, project)
    return serves()
  }
  expect(await serves()).toBeUndefined()
  await succeed(service, 'POST', `${shown.production}/run`)
  const inBenelux = { attribute: 'country', operator: 'in', value: ['NL', 'BE'] }
  expect(await staged(delivery('Some', { trafficAllocation: 500, conditions: inBenelux }))).toEqual({
    rules: 1,
    variationKey: 'on',
    share: 500,
  })
  expect(await staged(delivery('Others', { conditions: inBenelux }), delivery('Rest'))).toEqual({ rules: 3 })
  await succeed(service, 'POST', `${shown.production}/pause`)
  await succeed(service, 'POST', `${shown.path}/archive`)
  await succeed(service, 'DELETE', shown.path)
})

test('the owners of flags are listed by name, and one who leaves changes the ETag', async () => {
  const owned = await newFlag(service, project, { key: 'owned', owner: 'viewer@svc.test' })
  const { headers, body } = await index()
  const [owner] = body.data.owners
  expect(body.data.flags.find(({ key }: { key: string }) => key === 'owned').owner).toBe(owner.id)
  expect(owner).toEqual({ id: expect.any(String), name: expect.any(String) })
  await sql`delete from memberships where user_id = ${owner.id}`.execute(service.db)
  const after = await index({ 'if-none-match': headers.etag })
  expect([after.status, after.body.data.owners]).toEqual([200, [{ ...owner, left: true }]])
  await succeed(service, 'DELETE', owned.path)
})

test('a flag names who edited or switched it last', async () => {
  const { admin, flagsWrite } = service.people
  const author = async () => (await read()).flags.find(({ key }: { key: string }) => key === flag.key).updatedBy
  const by = async (token: string, method: 'PATCH' | 'POST', path: string, body?: object) => {
    expect((await service.call(token, method, path, body)).status).toBeLessThan(300)
    return author()
  }
  const names = [
    await by(admin, 'PATCH', flag.path, { description: 'Short' }),
    await by(flagsWrite, 'POST', `${flag.production}/rules`, delivery('By another')),
    await by(admin, 'POST', `${flag.production}/pause`),
    await by(flagsWrite, 'POST', `${flag.production}/run`),
  ]
  expect(names[0]).not.toBe(names[1])
  expect(names).toEqual([names[0], names[1], names[0], names[1]])
})

test('other kinds are sorted by name, and attributes include those of rules and audiences', async () => {
  const conditions = (attribute: string) => ({ attribute, operator: 'equals', value: 'x' })
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
    name: 'Beta users',
    conditions: { all: [{ not: conditions('plan') }, { attribute: '$now', operator: 'after', value: '2020-01-01' }] },
  })
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'VIPs' })
  const metric = await succeed(service, 'POST', `${project.path}/metrics`, proportion('order_paid'))
  await succeed(service, 'PATCH', `${project.path}/metrics/${metric.id}`, { archived: true })
  const group = await succeed(service, 'POST', `${project.path}/exclusion-groups`, { name: 'Prices', slotSize: 2500 })
  const holdout = await succeed(service, 'POST', `${project.path}/holdouts`, { name: 'Without tests', share: 500 })
  await addRule(service, flag.development, delivery('By country', { conditions: { any: [conditions('country')] } }))
  expect(await read()).toMatchObject({
    audiences: [{ id: audience.id, shortId: audience.shortId, name: 'Beta users' }],
    segments: [{ id: segment.id, shortId: segment.shortId, name: 'VIPs' }],
    metrics: [{ id: metric.id, key: 'order_paid', name: 'Visitors with order_paid', archived: true }],
    exclusionGroups: [{ id: group.id, shortId: group.shortId, name: 'Prices' }],
    holdouts: [{ id: holdout.id, shortId: holdout.shortId, name: 'Without tests' }],
    attributes: ['country', 'plan'],
  })
})

test('an unchanged index is sent only once', async () => {
  const { etag } = (await index()).headers
  const unchanged = await index({ 'if-none-match': etag })
  expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag])
})

test('everything that the index shows gives it a new ETag', async () => {
  const dayMs = 24 * 3_600_000
  const at = (days: number) => new Date(start.getTime() + days * dayMs)
  const evaluated = (days: number) =>
    saveEvaluations(service.db, [{ envId: project.development.id, flagKey: flag.key, at: at(days) }])
  const changes: [string, () => unknown][] = [
    // First, because a schedule that is due would change the index by itself.
    ['a schedule', () => succeed(service, 'DELETE', `${flag.development}/schedule`)],
    ['a name', () => succeed(service, 'PATCH', flag.path, { name: 'Checkout 2' })],
    ['a first evaluation', () => evaluated(0)],
    ['a later evaluation', () => evaluated(1)],
    ['a flag that becomes stale', () => (now = at(32))],
    ['a flag that is evaluated again', () => evaluated(31)],
    ['a switch', () => succeed(service, 'POST', `${flag.development}/run`)],
    [
      'an environment',
      () => succeed(service, 'PATCH', `${project.path}/environments/${project.production.id}`, { color: '#123456' }),
    ],
    [
      'an audience',
      () =>
        succeed(service, 'POST', `${project.path}/audiences`, {
          name: 'Dutch',
          conditions: { attribute: 'country', operator: 'equals', value: 'NL' },
        }),
    ],
    [
      'an exclusion group',
      () => succeed(service, 'POST', `${project.path}/exclusion-groups`, { name: 'Texts', slotSize: 5000 }),
    ],
    ['a segment', () => succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })],
  ]
  let before = (await index()).headers.etag
  for (const [name, change] of changes) {
    await change()
    const { status, headers } = await index({ 'if-none-match': before })
    expect([name, status]).toEqual([name, 200])
    before = headers.etag
  }
  now = start
})

test('callers with different scopes have different ETags', async () => {
  const [all, some] = [await index(), await index({}, service.people.flagsRead)]
  expect((await index({ 'if-none-match': all.headers.etag }, service.people.flagsRead)).status).toBe(200)
  expect((await index({ 'if-none-match': some.headers.etag }, service.people.flagsRead)).status).toBe(304)
})

test('calls at the same time get what each would get alone', async () => {
  const tokens = [service.people.admin, service.people.flagsRead, service.people.admin, service.people.flagsRead]
  const alone: Awaited<ReturnType<typeof index>>[] = []
  for (const token of tokens) alone.push(await index({}, token))
  const atOnce = await Promise.all(tokens.map((token) => index({}, token)))
  const told = ({ status, text, headers }: Awaited<ReturnType<typeof index>>) => [
    status,
    headers.etag,
    headers['content-type'],
    text,
  ]
  expect(atOnce.map(told)).toEqual(alone.map(told))
  expect(new Set(atOnce.map(({ headers }) => headers['x-request-id'])).size).toBe(4)
  const head = await service.call(service.people.admin, 'HEAD', `${project.path}/index`)
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', alone[0]!.headers.etag])
})

test('a flag becomes stale in the index at the same time as in its own answer', async () => {
  expect((await read()).flags[0]).not.toHaveProperty('stale')
  now = new Date(now.getTime() + 91 * 24 * 3_600_000)
  expect((await read()).flags[0].stale).toBe(true)
  expect((await succeed(service, 'GET', flag.path)).stale).toBe(true)
  now = start
})

test('a token without the scope of a kind gets null for it', async () => {
  const { status, body } = await index({}, service.people.flagsRead)
  expect(status).toBe(200)
  expect(body.data.flags).toHaveLength(1)
  expect(body.data.environments).toHaveLength(2)
  const hidden = {
    audiences: null,
    segments: null,
    experiments: null,
    exclusionGroups: null,
    holdouts: null,
    webhooks: null,
    destinations: null,
  }
  expect(body.data).toMatchObject(hidden)
})

test('an unknown project has no index', async () => {
  expect((await service.call(service.people.admin, 'GET', `/api/v1/projects/${nobody}/index`)).status).toBe(404)
})
