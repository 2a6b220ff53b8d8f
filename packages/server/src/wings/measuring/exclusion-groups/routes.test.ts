import { bucket, compile } from '@svc/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { abTest, addRule, newFlag, nobody, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import {
  type Answer,
  createProject,
  dataFile,
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
let groupId: string
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/exclusion-groups`
  flag = await newFlag(service, project, { key: 'checkout' })
  groupId = (await succeed(service, 'POST', url, { name: 'Checkout' })).id
})

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)
const joining = (name = 'Joining', more: object = {}) => abTest(name, { exclusionGroupId: groupId, ...more })
const join = (name?: string, path = flag.production) => addRule(service, path, joining(name))
const rule = ({ id }: { id: string }, path = flag.production) => `${path}/rules/${id}`
const slots = async () => (await succeed(service, 'GET', `${url}/${groupId}`)).slots
const starts = async () => (await slots()).map(({ from }: { from: number }) => from)
const run = (path = flag.production) => succeed(service, 'POST', `${path}/run`)
const file = () => dataFile(service, project.production.sdkKey)

describe('an exclusion group', () => {
  test('is created with a key from its name, and can be read, listed, edited and deleted', async () => {
    const created = await call('POST', url, { name: 'Price tests' })
    const { data } = created.body
    expect([created.status, created.headers.etag]).toEqual([201, '"g1"'])
    expect(data).toEqual({
      id: expect.any(String),
      shortId: 2,
      projectId: project.id,
      key: 'price-tests',
      name: 'Price tests',
      slotSize: 2500,
      slots: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await succeed(service, 'GET', url)).toMatchObject([data, { id: groupId, key: 'checkout', shortId: 1 }])
    const edited = await call('PATCH', `${url}/price-tests`, { slotSize: 5000 }, { 'x-svc-if-match': '"g1"' })
    expect(edited.body.data).toMatchObject({ id: data.id, slotSize: 5000 })
    expect((await call('PATCH', `${url}/2`, {}, { 'x-svc-if-match': '"g1"' })).status).toBe(412)
    expect((await call('PATCH', `${url}/2`, { name: 'Checkout' })).status).toBe(409)
    expect((await call('POST', url, { name: 'Other', key: 'checkout' })).status).toBe(409)
    expect((await call('DELETE', `${url}/${data.id}`)).body).toEqual({ data: null })
    expect((await call('GET', `${url}/price-tests`)).status).toBe(404)
  })

  test('is not found by other organizations, and requires its scopes', async () => {
    for (const method of ['GET', 'DELETE'] as const)
      expect((await service.call(service.people.stranger, method, `${url}/${groupId}`)).status).toBe(404)
    const { status, body } = await service.call(service.people.viewer, 'POST', url, { name: 'x' })
    expect([status, body.error.details]).toEqual([403, { scope: 'experiments:write' }])
  })

  test('keeps its slot size and stays while it has members', async () => {
    const { id } = await join()
    const references = [{ type: 'rule', id, flagId: flag.id, envId: project.production.id }]
    for (const answer of [
      await call('PATCH', `${url}/${groupId}`, { slotSize: 1000 }),
      await call('DELETE', `${url}/${groupId}`),
    ])
      expect([answer.status, answer.body.error.details.references]).toEqual([409, references])
    expect((await call('PATCH', `${url}/${groupId}`, { name: 'Renamed' })).status).toBe(200)
  })
})

describe('a rule that joins a group', () => {
  test('takes the first free slot when it is saved, until the group is full in the environment', async () => {
    const rules = []
    for (const name of ['a', 'b', 'c', 'd']) rules.push(await join(name))
    expect(rules[0].exclusionGroupId).toBe(groupId)
    const envId = project.production.id
    expect(await slots()).toEqual(
      rules.map(({ id }, at) => ({
        ...{ ruleId: id, flagId: flag.id, experimentId: null, envId },
        ...{ from: at * 2500, to: (at + 1) * 2500 },
      })),
    )
    const full = await call('POST', `${flag.production}/rules`, joining('e'))
    expect([full.status, full.body.error.details.references.length]).toEqual([409, 4])
    const copies = await call('POST', `${rule(rules[0])}/duplicate`)
    expect(copies.status).toBe(409)
    // Visitors of different environments never meet.
    await join('elsewhere', flag.development)
    expect(await starts()).toHaveLength(5)
  })

  test('keeps its slot through edits and pauses, and others never move', async () => {
    const [first, second] = [await join('first'), await join('second')]
    await run()
    await succeed(service, 'POST', `${rule(first)}/pause`)
    await succeed(service, 'PATCH', rule(second), { trafficAllocation: 5000 })
    await publish(service, project)
    expect(await starts()).toEqual([0, 2500])
    await succeed(service, 'DELETE', rule(first))
    expect(await starts()).toEqual([0, 2500])
    await publish(service, project)
    expect(await starts()).toEqual([2500])
    await join('third')
    expect(await starts()).toEqual([0, 2500])
  })

  test('keeps the slot of its live version until a publish lets it leave', async () => {
    const { id } = await join()
    await run()
    await succeed(service, 'PATCH', rule({ id }), { exclusionGroupId: null })
    expect(await starts()).toEqual([0])
    const next = await join('next')
    expect(await starts()).toEqual([0, 2500])
    const staged = await succeed(service, 'GET', flag.production)
    expect(staged.changes.map(({ path }: { path: string }) => path)).toContain(`rules.${id}.exclusionGroupId`)
    await succeed(service, 'PATCH', rule({ id }), { exclusionGroupId: groupId })
    expect(await starts()).toEqual([0, 2500])
    await succeed(service, 'PATCH', rule({ id }), { exclusionGroupId: null })
    await publish(service, project)
    expect(await slots()).toMatchObject([{ ruleId: next.id, from: 2500 }])
  })

  test('must name a group of its project', async () => {
    const other = await createProject(service)
    const foreign = await succeed(service, 'POST', `${other.path}/exclusion-groups`, { name: 'Theirs' })
    for (const exclusionGroupId of [foreign.id, nobody, 'none']) {
      const { status, body } = await call('POST', `${flag.production}/rules`, abTest('x', { exclusionGroupId }))
      expect([status, body.error.details.issues[0].path]).toEqual([400, ['exclusionGroupId']])
    }
  })

  test('never gets the slot of a rule that joins at the same moment', async () => {
    const flags = await Promise.all([1, 2, 3, 4, 5].map((n) => newFlag(service, project, { key: `flag-${n}` })))
    const answers = await Promise.all(flags.map((each) => call('POST', `${each.production}/rules`, joining())))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 409])
    expect((await starts()).toSorted((one: number, other: number) => one - other)).toEqual([0, 2500, 5000, 7500])
  })

  test('gets a slot of its own as a copy, in a new environment, and when a revision is restored', async () => {
    const first = await join('first')
    await run()
    await succeed(service, 'POST', `${rule(first)}/duplicate`)
    await succeed(service, 'POST', `${flag.development}/rules/copy`, { sourceEnvId: project.production.id })
    await succeed(service, 'POST', `${project.path}/environments`, {
      name: 'Staging',
      copyFromEnvId: project.production.id,
    })
    const byEnvironment = Map.groupBy(await slots(), ({ envId }: { envId: string; from: number }) => envId)
    expect([...byEnvironment.values()].map((own) => own.map(({ from }) => from))).toEqual([
      [0, 2500],
      [0, 2500],
      [0, 2500],
    ])

    const { revision } = await succeed(service, 'GET', flag.production)
    await succeed(service, 'DELETE', rule(first))
    await publish(service, project)
    const taker = await join('taker')
    expect(await slots()).toContainEqual(expect.objectContaining({ ruleId: taker.id, from: 0 }))
    await succeed(
      service,
      'POST',
      `${project.path}/environments/${project.production.id}/revisions/${revision}/restore`,
    )
    const restored = (await slots()).filter(({ ruleId }: { ruleId: string }) => ruleId === first.id)
    expect(restored).toMatchObject([{ from: expect.any(Number) }])
    expect(restored[0].from).not.toBe(0)
  })
})

describe('the data file', () => {
  test('has the slots of rules that are served, and no visitor is in two of them', async () => {
    const other = await newFlag(service, project, { key: 'price' })
    const [first, second] = [await join('first'), await join('second', other.production)]
    await join('third')
    await run()
    expect((await file()).exclusionGroups['1'].slots).toHaveLength(2)
    await run(other.production)
    const { exclusionGroups, flags } = await file()
    const [mine] = flags.checkout.rules
    expect(mine).toMatchObject({ id: String(first.shortId), group: '1' })
    expect(exclusionGroups['1'].slots).toContainEqual({ ruleId: String(second.shortId), from: 2500, to: 5000 })

    const evaluator = compile(await file())
    const { salt } = exclusionGroups['1']
    for (let n = 0; n < 2_000; n += 1) {
      const targetingKey = `user-${n}`
      const place = bucket(salt, targetingKey)
      const isIn = (key: string) => evaluator.evaluate(key, { targetingKey }).reason === 'SPLIT'
      expect([isIn('checkout'), isIn('price')]).toEqual([
        place < 2500 || (place >= 5000 && place < 7500),
        place >= 2500 && place < 5000,
      ])
    }

    await succeed(service, 'POST', `${rule(second, other.production)}/pause`)
    expect((await file()).exclusionGroups['1'].slots).toHaveLength(2)
    await succeed(service, 'POST', `${flag.production}/pause`)
    expect((await file()).exclusionGroups).toEqual({})
    await run()
    await run(other.production)
    await succeed(service, 'POST', `${rule(second, other.production)}/run`)
    expect((await file()).exclusionGroups['1'].slots).toHaveLength(3)
  })

  test('explains a visitor of another slot, and previews a rule that joins', async () => {
    const { id } = await join()
    await run()
    const { salt } = (await file()).exclusionGroups['1']
    const users = Array.from({ length: 100 }, (_, n) => `user-${n}`)
    const outside = users.find((user) => bucket(salt, user) >= 2500)!
    const evaluate = `${project.path}/environments/${project.production.id}/evaluate`
    for (const draft of [false, true]) {
      const { flags } = await succeed(service, 'POST', evaluate, { context: { targetingKey: outside }, draft })
      expect(flags[0]).toMatchObject({ reason: 'DEFAULT', rules: [{ ruleId: id, outcome: 'OUTSIDE_GROUP' }] })
    }
    await succeed(service, 'PATCH', rule({ id }), { exclusionGroupId: null })
    const { preview } = await publish(service, project, {
      dryRun: true,
      visitors: users.map((targetingKey) => ({ targetingKey })),
    })
    const newlyOn = users.filter((user) => bucket(salt, user) >= 2500).length
    expect(preview.changed).toBeGreaterThan(0)
    expect(preview.changed).toBeLessThan(newlyOn)
  })
})
