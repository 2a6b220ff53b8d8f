import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  nobody,
  served,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let flag: TestFlag
let rules: string

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'ruled' })
  rules = `${flag.production}/rules`
})
afterAll(() => service.close())

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const create = (body: unknown) => service.call(service.people.flagsWrite, 'POST', rules, body)

describe('a created rule', () => {
  test('is answered with all defaults if it is a delivery', async () => {
    const { status, body, headers } = await create({ type: 'TARGETED_DELIVERY', name: 'Least', variationKey: 'on' })
    expect(status).toBe(201)
    expect(headers.etag).toMatch(/^"r\d+"$/)
    const { id } = body.data
    expect(body.data).toEqual({
      id,
      shortId: expect.any(Number),
      key: 'least',
      flagId: flag.id,
      envId: project.production.id,
      type: 'TARGETED_DELIVERY',
      name: 'Least',
      description: null,
      audienceIds: [],
      conditions: { all: [] },
      variationKey: 'on',
      exposures: false,
      trafficAllocation: 10_000,
      bucketBy: 'targetingKey',
      position: 0,
      status: 'DRAFT',
      enabled: true,
      salt: expect.stringMatching(/^[a-z0-9]{8}$/),
      hashVersion: 1,
      hasStagedChanges: true,
      experimentId: null,
      schedule: null,
      firstServedAt: null,
      createdAt: at,
      updatedAt: at,
    })
  })

  test('is answered with all defaults if it is a test', async () => {
    const { status, body } = await create(abTest('Least of a test'))
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      ...abTest('Least of a test'),
      hypothesis: null,
      metrics: { primary: [], secondary: [], guardrails: [] },
      statistics: {
        test: 'SEQUENTIAL',
        alpha: 0.05,
        correction: 'HOLM',
        cuped: false,
        conversionWindowHours: null,
        inProgressConversions: 'EXCLUDE',
        plannedUnitsPerVariation: null,
        maxUnits: null,
        minRuntimeDays: 7,
        minUnits: 100,
        minConversions: 25,
        autoPause: { srm: false, traffic: false, guardrailMetric: false },
      },
      exclusionGroupId: null,
      holdoutId: null,
      sticky: false,
    })
    expect(body.data).not.toHaveProperty('variationKey')
  })

  test('keeps every given field', async () => {
    const sent = delivery('Beta users in Benelux', {
      description: 'Why',
      conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }, { not: { any: [] } }] },
      trafficAllocation: 2500,
      exposures: true,
      bucketBy: 'account.id',
      salt: 'shared-salt',
      enabled: false,
      position: 0,
    })
    const { body } = await create(sent)
    expect(body.data).toMatchObject(sent)
    const read = await service.call(service.people.flagsRead, 'GET', `${rules}/${body.data.id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(body)
    const byShortId = await service.call(service.people.flagsRead, 'GET', `${rules}/${body.data.shortId}`)
    expect(byShortId.body).toEqual(body)
  })

  test('is served when the environment is run, unless it was created switched off', async () => {
    const own = await newFlag(service, project, { key: 'switched-off' })
    const on = await addRule(service, own.production, delivery('On'))
    const off = await addRule(service, own.production, delivery('Off', { enabled: false }))
    await succeed(service, 'POST', `${own.production}/run`)
    expect((await served(service, project, own.key)).rules.map(({ id }: { id: string }) => id)).toEqual([
      String(on.shortId),
    ])
    const statuses = (await succeed(service, 'GET', `${own.production}/rules`)).map(
      ({ status }: { status: string }) => status,
    )
    expect(statuses).toEqual(['RUNNING', 'DRAFT'])
    await succeed(service, 'POST', `${own.production}/rules/${off.id}/run`)
    expect((await served(service, project, own.key)).rules).toHaveLength(2)
  })
})

describe('the list', () => {
  test('is in evaluation order and has pages', async () => {
    const own = await newFlag(service, project, { key: 'listed' })
    for (const name of ['3', '2', '1']) await addRule(service, own.production, delivery(name, { position: 0 }))
    const list = (query: string) => service.call(service.people.flagsRead, 'GET', `${own.production}/rules${query}`)
    const whole = await list('')
    expect(whole.body.data.map(({ name, position }: { name: string; position: number }) => [name, position])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 2],
    ])
    expect(whole.body.page).toEqual({ nextCursor: null, hasMore: false })
    const first = await list('?limit=2')
    expect(first.body).toMatchObject({ data: whole.body.data.slice(0, 2), page: { hasMore: true } })
    const second = await list(`?limit=2&cursor=${first.body.page.nextCursor}`)
    expect(second.body).toEqual({ data: whole.body.data.slice(2), page: { nextCursor: null, hasMore: false } })
  })

  test.each(['limit=0', 'limit=101', 'cursor=x', 'sort=name'])('refuses %s', async (query) => {
    const { status, body } = await service.call(service.people.flagsRead, 'GET', `${rules}?${query}`)
    expect(status).toBe(400)
    expect(body.error.code).toBe('validation_failed')
  })
})

test('a flag can have 100 rules in an environment, but not more', async () => {
  const own = await newFlag(service, project, { key: 'hundred' })
  const path = `${own.production}/rules`
  let last = (await addRule(service, own.production, delivery('First'))).id
  // Each environment gets the rules of the other one in turn: 1, 1, 2, 3, 5 … 89.
  for (let count = 1, there = 0; count < 89; ) {
    await succeed(service, 'POST', `${own.development}/rules/copy`, { sourceEnvId: project.production.id })
    there += count
    await succeed(service, 'POST', `${path}/copy`, { sourceEnvId: project.development.id })
    count += there
  }
  for (let index = 89; index < 99; index += 1) last = (await addRule(service, own.production, delivery(`${index}`))).id
  const call = (url: string, body?: unknown) => service.call(service.people.flagsWrite, 'POST', url, body)
  expect((await call(path, delivery('The last'))).status).toBe(201)
  for (const refused of [
    await call(path, delivery('One more')),
    await call(`${path}/${last}/duplicate`),
    await call(`${path}/copy`, { sourceEnvId: project.development.id }),
  ]) {
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: [] }] } })
  }
})

test.each([nobody, 'no-id', '999', 'reorder'])('the rule id %s gets 404', async (id) => {
  const { status, body } = await service.call(service.people.flagsRead, 'GET', `${rules}/${id}`)
  expect(status).toBe(404)
  expect(body.error.code).toBe('not_found')
})

test('a rule is only found in its own flag and environment', async () => {
  const rule = await addRule(service, flag.production, delivery('Here'))
  const other = await newFlag(service, project, { key: 'other' })
  for (const place of [flag.development, other.production])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/run'],
      ['POST', '/pause'],
      ['POST', '/duplicate'],
    ] as const) {
      const body = method === 'PATCH' ? {} : undefined
      const answer = await service.call(service.people.admin, method, `${place}/rules/${rule.id}${path}`, body)
      expect(answer.status, `${method} ${path}`).toBe(404)
    }
})
