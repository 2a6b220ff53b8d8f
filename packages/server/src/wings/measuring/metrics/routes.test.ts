import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newExperiment } from '../../../../testing/experiments.ts'
import { abTest, addRule, newFlag, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import {
  type Answer,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

let project: TestProject
let url: string
let flag: TestFlag
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/metrics`
  flag = await newFlag(service, project, { key: 'checkout' })
})

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)
const created = (key: string, more?: Record<string, unknown>) => succeed(service, 'POST', url, proportion(key, more))
const issues = ({ body }: Answer) => body.error.details.issues
const measuring = (...primary: string[]) => abTest('Copy', { metrics: { primary } })
const referenceTo = (ruleId: string) => ({
  type: 'rule',
  id: ruleId,
  flagId: flag.id,
  envId: project.production.id,
})

describe('a metric', () => {
  test('is created with defaults, and can be read, listed, edited and deleted', async () => {
    const answer = await call('POST', url, proportion('order_paid'))
    const { data } = answer.body
    expect([answer.status, answer.headers.etag]).toEqual([201, '"m1"'])
    expect(data).toEqual({
      id: expect.any(String),
      projectId: project.id,
      key: 'order_paid',
      name: 'Visitors with order_paid',
      type: 'PROPORTION',
      eventKey: 'order_paid',
      valueFrom: null,
      denominator: null,
      direction: 'INCREASE',
      unit: null,
      conversionWindowHours: 168,
      winsorizeAt: null,
      nonInferiorityMargin: null,
      trigger: null,
      archived: false,
      inUse: false,
      usedBy: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const revenue = await succeed(service, 'POST', url, {
      key: 'revenue',
      name: 'Revenue',
      type: 'MEAN',
      eventKey: 'order_paid',
      valueFrom: 'value',
      unit: 'EUR',
      winsorizeAt: 0.999,
    })
    expect(await succeed(service, 'GET', url)).toEqual([revenue, data])
    const path = `${url}/order_paid`
    const edit = { type: 'RATIO', denominator: { eventKey: 'visit' } }
    const edited = await call('PATCH', path, edit, { 'x-svc-if-match': '"m1"' })
    expect(edited.body.data).toMatchObject({ type: 'RATIO', denominator: { eventKey: 'visit', valueFrom: null } })
    expect((await call('GET', `${url}/${data.id}`)).body.data).toEqual(edited.body.data)
    expect((await call('PATCH', path, {}, { 'x-svc-if-match': '"m1"' })).status).toBe(412)
    expect((await call('DELETE', path)).body).toEqual({ data: null })
    expect((await call('GET', path)).status).toBe(404)
  })

  test('has a key and a name of its own, and keeps the key', async () => {
    const { id } = await created('order_paid', { name: 'Orders' })
    const sameKey = await call('POST', url, proportion('order_paid'))
    expect([sameKey.status, issues(sameKey)[0].path]).toEqual([409, ['key']])
    const sameName = await call('POST', url, proportion('other', { name: 'Orders' }))
    expect([sameName.status, issues(sameName)[0].path]).toEqual([409, ['name']])
    const newKey = await call('PATCH', `${url}/${id}`, { key: 'other' })
    expect([newKey.status, newKey.body.error.message]).toEqual([400, expect.stringContaining('key cannot be changed')])
  })

  test('is checked against its type, when it is created and after each edit', async () => {
    const wrong = await call('POST', url, proportion('p', { valueFrom: 'value' }))
    expect([wrong.status, issues(wrong)[0].path]).toEqual([400, ['valueFrom']])
    const mean = await created('m', { type: 'MEAN', winsorizeAt: 0.99 })
    const edited = await call('PATCH', `${url}/${mean.id}`, { type: 'PROPORTION' })
    expect([edited.status, issues(edited)[0].path]).toEqual([400, ['winsorizeAt']])
  })

  test('is not found by other organizations, and requires its scopes', async () => {
    const { id } = await created('order_paid')
    for (const method of ['GET', 'DELETE'] as const)
      expect((await service.call(service.people.stranger, method, `${url}/${id}`)).status).toBe(404)
    const { status, body } = await service.call(service.people.viewer, 'POST', url, proportion('x'))
    expect([status, body.error.details]).toEqual([403, { scope: 'metrics:write' }])
  })
})

describe('a rule', () => {
  test('names metrics of its project, each once', async () => {
    await created('order_paid')
    const rules = `${flag.production}/rules`
    expect((await call('POST', rules, measuring('order_paid'))).status).toBe(201)
    const unknown = await call('POST', rules, measuring('order_paid', 'none'))
    expect([unknown.status, issues(unknown)[0].path]).toEqual([400, ['metrics', 'primary', 1]])
    const twice = await call('POST', rules, measuring('order_paid', 'order_paid'))
    expect([twice.status, issues(twice)[0].path]).toEqual([400, ['metrics', 'primary', 1]])
    const other = await createProject(service)
    const elsewhere = await newFlag(service, other, { key: 'elsewhere' })
    expect((await call('POST', `${elsewhere.production}/rules`, measuring('order_paid'))).status).toBe(400)
  })

  test('cannot choose an archived metric, and keeps one that was archived later', async () => {
    await created('kept')
    await created('late')
    const rule = await addRule(service, flag.production, measuring('kept'))
    for (const key of ['kept', 'late']) await succeed(service, 'PATCH', `${url}/${key}`, { archived: true })
    const path = `${flag.production}/rules/${rule.id}`
    expect((await succeed(service, 'PATCH', path, { name: 'Renamed' })).metrics.primary).toEqual(['kept'])
    const moved = { metrics: { guardrails: ['kept'] } }
    expect((await succeed(service, 'PATCH', path, moved)).metrics.guardrails).toEqual(['kept'])
    const late = await call('PATCH', path, { metrics: { primary: ['late'] } })
    expect([late.status, late.body.error.message]).toEqual([400, expect.stringContaining('archived')])
  })
})

describe('a metric that rules use', () => {
  test('can be redefined until a test with it has started, and never be deleted', async () => {
    const { id } = await created('order_paid')
    const path = `${url}/${id}`
    const rule = await addRule(service, flag.production, measuring('order_paid'))
    expect(await succeed(service, 'PATCH', path, { eventKey: 'paid' })).toMatchObject({
      inUse: false,
      usedBy: [referenceTo(rule.id)],
    })
    const drafted = await call('DELETE', path)
    expect([drafted.status, drafted.body.error.details.references]).toEqual([409, [referenceTo(rule.id)]])

    await succeed(service, 'POST', `${flag.production}/run`)
    for (const state of ['running', 'paused']) {
      const refused = await call('PATCH', path, { conversionWindowHours: 24 })
      expect([state, refused.status, refused.body.error.details.references]).toEqual([
        state,
        409,
        [referenceTo(rule.id)],
      ])
      expect(await succeed(service, 'PATCH', path, { name: `While ${state}` })).toMatchObject({ inUse: true })
      await succeed(service, 'POST', `${flag.production}/pause`)
    }

    await succeed(service, 'DELETE', `${flag.production}/rules/${rule.id}`)
    await publish(service, project)
    const past = await call('DELETE', path)
    expect([past.status, past.body.error.code]).toEqual([409, 'invalid_state'])
    expect(await succeed(service, 'PATCH', path, { archived: true })).toMatchObject({ inUse: false, archived: true })
  })

  test('stays as it is for the results of an experiment that was rolled out, until that is deleted', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    await created('order_paid')
    const metrics = { primary: ['order_paid'] }
    const { id, ruleId, path } = await newExperiment(service, project, flag, { metrics })
    await succeed(service, 'POST', `${path}/launch`)
    await succeed(service, 'POST', `${path}/winner`, { variationKey: 'on', rollOut: true })
    expect((await call('GET', `${flag.production}/rules/${ruleId}`)).status).toBe(404)
    const refused = await call('PATCH', `${url}/order_paid`, { direction: 'DECREASE' })
    const references = [{ ...referenceTo(id), type: 'experiment' }]
    expect([refused.status, refused.body.error.details]).toEqual([409, { references }])
    expect((await call('GET', url)).body.data).toMatchObject([{ inUse: true, usedBy: [] }])

    await succeed(service, 'POST', `${path}/archive`)
    await succeed(service, 'DELETE', path)
    expect(await succeed(service, 'PATCH', `${url}/order_paid`, { direction: 'DECREASE' })).toMatchObject({
      inUse: false,
    })
  })

  test('cannot be deleted while a rule begins to use it', async () => {
    const { id } = await created('order_paid')
    const outcomes = await Promise.all([
      call('DELETE', `${url}/${id}`),
      call('POST', `${flag.production}/rules`, measuring('order_paid')),
    ])
    const statuses = outcomes.map(({ status }) => status)
    expect([
      [200, 400],
      [409, 201],
    ]).toContainEqual(statuses)
  })
})
