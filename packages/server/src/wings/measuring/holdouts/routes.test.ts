import { bucket, compile } from '@svc/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/holdouts`
  flag = await newFlag(service, project, { key: 'checkout' })
})

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)
const newHoldout = (name = 'Of the year', share = 2000) => succeed(service, 'POST', url, { name, share })
const file = () => dataFile(service, project.production.sdkKey)

test('a holdout is created, read, listed, edited, archived and deleted', async () => {
  const created = await call('POST', url, { name: 'Of the year', share: 500 })
  const { data } = created.body
  expect([created.status, created.headers.etag]).toEqual([201, '"h1"'])
  expect(data).toEqual({
    id: expect.any(String),
    shortId: 1,
    projectId: project.id,
    key: 'of-the-year',
    name: 'Of the year',
    share: 500,
    salt: expect.stringMatching(/^\w{8}$/),
    archived: false,
    usedBy: [],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await succeed(service, 'GET', url)).toEqual([data])
  const path = `${url}/of-the-year`
  const edited = await call('PATCH', path, { share: 300, archived: true }, { 'x-svc-if-match': '"h1"' })
  expect(edited.body.data).toMatchObject({ share: 300, archived: true, salt: data.salt })
  expect((await call('PATCH', path, {}, { 'x-svc-if-match': '"h1"' })).status).toBe(412)
  expect((await call('POST', url, { name: 'Of the year', share: 1 })).status).toBe(409)
  expect((await call('POST', url, { name: 'Other', key: 'of-the-year', share: 1 })).status).toBe(409)
  for (const share of [0, 2001, 1.5]) expect((await call('POST', url, { name: 'Bad', share })).status).toBe(400)
  expect((await call('DELETE', path)).body).toEqual({ data: null })
  expect((await call('GET', path)).status).toBe(404)
})

test('a holdout is not found by other organizations, and requires its scopes', async () => {
  const { id } = await newHoldout()
  for (const method of ['GET', 'DELETE'] as const)
    expect((await service.call(service.people.stranger, method, `${url}/${id}`)).status).toBe(404)
  const { status, body } = await service.call(service.people.viewer, 'POST', url, { name: 'x', share: 1 })
  expect([status, body.error.details]).toEqual([403, { scope: 'experiments:write' }])
})

test('a rule names holdouts of its project, and keeps one that was archived later', async () => {
  const [kept, late] = [await newHoldout('Kept'), await newHoldout('Late')]
  const rule = await addRule(service, flag.production, abTest('Test', { holdoutId: kept.id }))
  expect(rule.holdoutId).toBe(kept.id)
  for (const { id } of [kept, late]) await succeed(service, 'PATCH', `${url}/${id}`, { archived: true })
  const path = `${flag.production}/rules/${rule.id}`
  expect((await succeed(service, 'PATCH', path, { name: 'Renamed' })).holdoutId).toBe(kept.id)
  for (const holdoutId of [late.id, nobody]) {
    const { status, body } = await call('PATCH', path, { holdoutId })
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['holdoutId']])
  }
  expect((await succeed(service, 'PATCH', path, { holdoutId: null })).holdoutId).toBeNull()
})

test('a holdout that was used keeps its share and stays, also after the rule has left', async () => {
  const { id } = await newHoldout()
  const rule = await addRule(service, flag.production, abTest('Test', { holdoutId: id }))
  await succeed(service, 'POST', `${flag.production}/run`)
  const references = [{ type: 'rule', id: rule.id, flagId: flag.id, envId: project.production.id }]
  const refused = async () =>
    Promise.all([call('PATCH', `${url}/${id}`, { share: 1000 }), call('DELETE', `${url}/${id}`)])
  for (const answer of await refused())
    expect([answer.status, answer.body.error.details.references]).toEqual([409, references])
  await succeed(service, 'DELETE', `${flag.production}/rules/${rule.id}`)
  await publish(service, project)
  for (const answer of await refused()) expect([answer.status, answer.body.error.details.references]).toEqual([409, []])
  expect((await call('PATCH', `${url}/${id}`, { name: 'Renamed', archived: true })).status).toBe(200)
})

test('its visitors stay out of every rule that names it, with the reason HOLDOUT', async () => {
  const { id, salt, shortId } = await newHoldout()
  const other = await newFlag(service, project, { key: 'price' })
  for (const { production } of [flag, other]) {
    await addRule(service, production, abTest('Test', { holdoutId: id, sticky: true }))
    await succeed(service, 'POST', `${production}/run`)
  }
  const served = await file()
  expect(served.holdouts).toEqual({ [shortId]: { salt, share: 2000 } })
  expect(served.flags.checkout.rules[0]).toMatchObject({ holdout: String(shortId), sticky: true })
  const evaluator = compile(served)
  const users = Array.from({ length: 500 }, (_, n) => `user-${n}`)
  const heldOut = users.filter((user) => bucket(salt, user) < 2000)
  for (const key of ['checkout', 'price'])
    expect(users.filter((targetingKey) => evaluator.evaluate(key, { targetingKey }).reason === 'HOLDOUT')).toEqual(
      heldOut,
    )
  const answer = evaluator.evaluate('checkout', { targetingKey: heldOut[0]! })
  expect(answer).toMatchObject({ value: false, ruleId: null })
  expect(answer.measured).toBeUndefined()

  const evaluate = `${project.path}/environments/${project.production.id}/evaluate`
  const { flags } = await succeed(service, 'POST', evaluate, { context: { targetingKey: heldOut[0] } })
  expect(flags[0]).toMatchObject({ reason: 'HOLDOUT', rules: [{ outcome: 'HOLDOUT' }] })
  await succeed(service, 'POST', `${flag.production}/pause`)
  expect((await file()).holdouts).toBeDefined()
  await succeed(service, 'POST', `${other.production}/pause`)
  expect((await file()).holdouts).toBeUndefined()
})
