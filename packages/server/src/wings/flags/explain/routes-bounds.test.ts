import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, stringFlag, succeed } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let path: string

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  path = `${project.path}/environments/${project.production.id}/evaluate`
})

const evaluate = (body: object) => succeed(service, 'POST', path, body)
const equals = (attribute: string, value: unknown) => ({ attribute, operator: 'equals', value })

async function running(conditions: object, key = 'checkout') {
  const flag = await newFlag(service, project, stringFlag(key, 'off', 'on'))
  await addRule(service, flag.production, delivery('Rule', { conditions }))
  await succeed(service, 'POST', `${flag.production}/run`)
  return flag
}

test.each([
  ['an object', {}],
  ['an object without toString', { toString: null }],
  ['an object with invalid methods', { toString: 1, valueOf: 1 }],
  ['a list', ['u-1']],
  ['null', null],
])('%s is not a targeting key, as in SDKs', async (_what, targetingKey) => {
  const { id } = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  await running({ segment: id })
  const { flags } = await evaluate({ context: { targetingKey } })
  expect(flags[0].rules).toMatchObject([{ outcome: 'CONDITIONS_FAILED', failed: [{ segment: id, negated: false }] }])
})

test('a repeated flag key is answered once', async () => {
  await running({ all: [] })
  const { flags } = await evaluate({ context: {}, flagKeys: ['checkout', 'nothing', 'checkout', 'nothing'] })
  expect(flags.map(({ flagKey }: { flagKey: string }) => flagKey)).toEqual(['checkout', 'nothing'])
})

test('long values are truncated, and the number of hidden conditions is given', async () => {
  const list = Array.from({ length: 90 }, (_, index) => `value ${index}`)
  await running({ any: [...Array(29).fill(equals('a', 'x'.repeat(1_000))), { ...equals('a', list), operator: 'in' }] })
  await running({ attribute: 'a', operator: 'in', value: list }, 'other')
  const { flags } = await evaluate({ context: { a: 'y'.repeat(30_000) } })
  const [checkout, other] = flags.map(({ rules }: { rules: unknown[] }) => rules[0])
  expect(checkout).toMatchObject({
    failed: Array(20).fill({ value: `${'x'.repeat(256)}…`, actual: `${'y'.repeat(256)}…` }),
    moreFailed: 10,
  })
  expect(other).toMatchObject({ failed: [{ value: [...list.slice(0, 20), '…'] }], moreFailed: 0 })
  const { flags: again } = await evaluate({ context: { a: { b: 'z'.repeat(1_000) } }, flagKeys: ['other'] })
  expect(again[0].rules[0].failed[0].actual).toMatch(/^\{"b":"z{250}…$/)
})

test('a failed condition in an audience names the audience', async () => {
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
    name: 'Dutch',
    conditions: equals('country', 'NL'),
  })
  await running({ audience: audience.id })
  const { flags } = await evaluate({ context: { country: 'BE' } })
  expect(flags[0].rules[0].failed).toEqual([
    { ...equals('country', 'NL'), actual: 'BE', negated: false, audience: audience.id },
  ])
})

test('an answer describes one revision, even during publishes', async () => {
  const audiences = `${project.path}/audiences`
  const { id } = await succeed(service, 'POST', audiences, { name: 'Version', conditions: equals('v', 0) })
  const flag = await running({ all: [equals('v', 0), { audience: id }] })
  const [rule] = await succeed(service, 'GET', `${flag.production}/rules`)
  let isOver = false
  const seen: unknown[][] = []
  const ask = async () => {
    while (!isOver) {
      const { flags } = await evaluate({ context: { v: -1 } })
      seen.push(flags[0].rules[0].failed.map(({ value }: { value: unknown }) => value))
    }
  }
  const asking = [ask(), ask()]
  const versions = isFull ? 12 : 5
  for (let version = 1; version <= versions; version += 1) {
    await succeed(service, 'PATCH', `${audiences}/${id}`, { conditions: equals('v', version) })
    const conditions = { all: [equals('v', version), { audience: id }] }
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { conditions })
    await publish(service, project)
  }
  isOver = true
  await Promise.all(asking)
  expect(seen.length).toBeGreaterThan(versions)
  expect(seen.filter(([one, other]) => one !== other)).toEqual([])
})

test('an audience says whether a visitor is in it as edited, and which conditions fail', async () => {
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  await succeed(service, 'PUT', `${project.path}/segments/${segment.id}/members`, { ids: ['u-1'] })
  const { key } = await succeed(service, 'POST', `${project.path}/audiences`, {
    name: 'Dutch testers',
    conditions: { all: [{ segment: segment.id }, equals('country', 'NL'), { not: equals('plan', 'free') }] },
  })
  const tried = (context: object) => succeed(service, 'POST', `${project.path}/audiences/${key}/evaluate`, { context })
  expect(await tried({ targetingKey: 'u-1', country: 'NL' })).toEqual({ matches: true, failed: [], moreFailed: 0 })
  expect(await tried({ targetingKey: 'u-2', country: 'BE', plan: 'free' })).toEqual({
    matches: false,
    failed: [
      { segment: segment.id, negated: false },
      { ...equals('country', 'NL'), actual: 'BE', negated: false },
      { ...equals('plan', 'free'), actual: 'free', negated: true },
    ],
    moreFailed: 0,
  })
})

test('an audience for nobody fails without a condition to name', async () => {
  const { id } = await succeed(service, 'POST', `${project.path}/audiences`, {
    name: 'No one',
    conditions: { any: [] },
  })
  const path = `${project.path}/audiences/${id}/evaluate`
  expect(await succeed(service, 'POST', path, { context: {} })).toEqual({ matches: false, failed: [], moreFailed: 0 })
})
