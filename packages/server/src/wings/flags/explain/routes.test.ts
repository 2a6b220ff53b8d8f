import { compile, type EvaluationContext } from '@svc/core'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, publish, stringFlag, succeed } from '../../../../testing/flags.ts'
import {
  createProject,
  dataFile,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let path: string
let moment = new Date('2026-11-22T10:00:00Z')

beforeAll(async () => {
  service = await startTestService({ now: () => moment })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  path = `${project.path}/environments/${project.production.id}/evaluate`
})

const evaluate = (body: object, who = service.people.flagsRead) => service.call(who, 'POST', path, body)
const explained = async (body: object) => {
  const { status, text, body: answer } = await evaluate(body)
  expect(status, text).toBe(200)
  return answer.data
}

const dutch = { attribute: 'country', operator: 'equals', value: 'NL' }
const belgian = { targetingKey: 'u-1', country: 'BE' }

async function targetedFlag(key = 'checkout') {
  const flag = await newFlag(service, project, stringFlag(key, 'off', 'on'))
  const rule = await addRule(service, flag.production, delivery('Dutch', { conditions: dutch }))
  const split = await addRule(service, flag.production, abTest('Split', { trafficAllocation: 0 }))
  await succeed(service, 'POST', `${flag.production}/run`)
  return { flag, rule, split }
}

test.each([
  ['NUMBER', '2.50', 2.5],
  ['JSON', '{"a":[1,null]}', { a: [1, null] }],
  ['JSON', 'null', null],
  ['JSON', '"text"', 'text'],
])('the value of a %s flag %s is parsed', async (type, value, read) => {
  const key = `typed-${value.length}`
  const variations = ['0', value].map((each, index) => ({ name: `${index}`, key: `v${index}`, value: each }))
  const flag = await newFlag(service, project, { key, type, variations, defaultVariationKey: 'v1' })
  await succeed(service, 'POST', `${flag.production}/run`)
  const { flags } = await explained({ context: {}, flagKeys: [key] })
  expect(flags).toMatchObject([{ value: read, variationKey: 'v1', reason: 'DEFAULT', errorCode: null }])
  await succeed(service, 'POST', `${flag.production}/pause`)
  await succeed(service, 'POST', `${flag.path}/archive`)
})

test('the answer has what a visitor gets and why, for each rule', async () => {
  const { flag, rule, split } = await targetedFlag()
  const { revision, envId, flags } = await explained({ context: belgian, flagKeys: ['checkout', 'nothing'] })
  expect([envId, revision]).toEqual([project.production.id, 2])
  expect(flags).toEqual([
    {
      flagId: flag.id,
      experimentId: null,
      flagKey: 'checkout',
      enabled: true,
      value: 'value of off',
      variationKey: 'off',
      ruleId: null,
      reason: 'DEFAULT',
      errorCode: null,
      rules: [
        {
          ruleId: rule.id,
          name: 'Dutch',
          type: 'TARGETED_DELIVERY',
          outcome: 'CONDITIONS_FAILED',
          variationKey: null,
          failed: [{ ...dutch, actual: 'BE', negated: false }],
          moreFailed: 0,
          unit: null,
          traffic: null,
          split: null,
        },
        {
          ruleId: split.id,
          name: 'Split',
          type: 'AB_TEST',
          outcome: 'OUTSIDE_TRAFFIC',
          variationKey: null,
          failed: [],
          moreFailed: 0,
          unit: 'u-1',
          traffic: { bucket: expect.any(Number), allocation: 0 },
          split: null,
        },
      ],
    },
    {
      flagId: null,
      experimentId: null,
      flagKey: 'nothing',
      enabled: false,
      value: null,
      variationKey: null,
      ruleId: null,
      reason: 'ERROR',
      errorCode: 'FLAG_NOT_FOUND',
      rules: [],
    },
  ])
})

test('paused rules and flags have the outcome PAUSED', async () => {
  const { flag, rule } = await targetedFlag()
  await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/pause`)
  const context = { targetingKey: 'u', country: 'NL' }
  const outcomes = async () => {
    const [{ enabled, reason, rules }] = (await explained({ context })).flags
    return [enabled, reason, ...rules.map(({ outcome }: { outcome: string }) => outcome)]
  }
  expect(await outcomes()).toEqual([true, 'DEFAULT', 'PAUSED', 'OUTSIDE_TRAFFIC'])
  await succeed(service, 'POST', `${flag.production}/pause`)
  expect(await outcomes()).toEqual([false, 'DISABLED', 'PAUSED', 'PAUSED'])
})

test('drafts are evaluated as if published, with the current switches', async () => {
  const { flag, rule } = await targetedFlag()
  await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { conditions: { all: [] } })
  const asked = { context: belgian, flagKeys: ['checkout'] }
  expect((await explained(asked)).flags[0]).toMatchObject({ variationKey: 'off', ruleId: null })
  const draft = await explained({ ...asked, draft: true })
  expect(draft).toMatchObject({ revision: null, flags: [{ variationKey: 'on', ruleId: rule.id }] })
  await publish(service, project)
  expect((await explained({ ...asked, draft: false })).flags).toEqual(draft.flags)
})

test('past revisions are found by number or time, with the keys of that time', async () => {
  const created = await newFlag(service, project, stringFlag('old-key', 'off', 'on'))
  const began = moment
  moment = new Date(moment.getTime() + 60_000)
  await succeed(service, 'PATCH', created.path, { key: 'new-key' })
  moment = new Date(moment.getTime() + 60_000)
  const asked = { context: {}, flagKeys: ['old-key', 'new-key'] }
  const codes = async (when: object) => {
    const { revision, flags } = await explained({ ...asked, ...when })
    return [revision, ...flags.map(({ errorCode }: { errorCode: string | null }) => errorCode)]
  }
  expect(await codes({ revision: 1 })).toEqual([1, null, 'FLAG_NOT_FOUND'])
  expect(await codes({ at: new Date(began.getTime() + 30_000).toISOString() })).toEqual([1, null, 'FLAG_NOT_FOUND'])
  expect(await codes({ at: moment.toISOString() })).toEqual([2, 'FLAG_NOT_FOUND', null])
  expect(await codes({})).toEqual([2, 'FLAG_NOT_FOUND', null])
})

test('`at` sets the clock for conditions', async () => {
  const flag = await newFlag(service, project, stringFlag('timed', 'off', 'on'))
  const later = new Date(moment.getTime() + 3_600_000).toISOString()
  const conditions = { attribute: '$now', operator: 'after', value: later }
  await addRule(service, flag.production, delivery('Later', { conditions }))
  await succeed(service, 'POST', `${flag.production}/run`)
  const variation = async (when: object) => (await explained({ context: {}, ...when })).flags[0].variationKey
  expect(await variation({})).toBe('off')
  expect(await variation({ at: new Date(moment.getTime() + 7_200_000).toISOString() })).toBe('on')
})

test('without flagKeys, the answer has all flags by key except archived ones', async () => {
  for (const key of ['b', 'a', 'c']) await newFlag(service, project, stringFlag(key, 'off', 'on'))
  const archived = await newFlag(service, project, stringFlag('archived', 'off', 'on'))
  await succeed(service, 'POST', `${archived.path}/archive`)
  const keysOf = async (body: object) =>
    (await explained(body)).flags.map(({ flagKey }: { flagKey: string }) => flagKey)
  expect(await keysOf({ context: {} })).toEqual(['a', 'b', 'c'])
  expect(await keysOf({ context: {}, draft: true })).toEqual(['a', 'b', 'c'])
})

test.each<[string, object, string[]]>([
  ['no context', {}, ['context']],
  ['a context that is not an object', { context: 'u-17' }, ['context']],
  ['a context that is too large', { context: { text: 'x'.repeat(40_000) } }, ['context']],
  ['two points in time', { context: {}, revision: 1, draft: true }, ['revision', 'draft']],
  [
    'three points in time',
    { context: {}, at: '2026-01-01T00:00:00Z', revision: 1, draft: true },
    ['at', 'revision', 'draft'],
  ],
  ['a future revision', { context: {}, revision: 99 }, ['revision']],
  ['a time before the first revision', { context: {}, at: '2020-01-01T00:00:00Z' }, ['at']],
  ['an invalid time', { context: {}, at: 'yesterday' }, ['at']],
  ['a misspelled field', { context: {}, flagkeys: [] }, []],
])('a request with %s is refused', async (_what, body, fields) => {
  const answer = await evaluate(body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed'])
  const named = answer.body.error.details.issues.map(({ path: [field] }: { path: string[] }) => field)
  expect(named).toEqual(expect.arrayContaining(fields))
})

test('explaining requires flags:read, and other organizations get 404', async () => {
  expect((await evaluate({ context: {} }, service.people.stranger)).status).toBe(404)
  expect((await evaluate({ context: {} }, service.people.projectsRead)).status).toBe(403)
})

test('a segment matches only its members, drafted or live', async () => {
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  const flag = await newFlag(service, project, stringFlag('by-segment', 'off', 'on'))
  await addRule(service, flag.production, delivery('Members', { conditions: { segment: segment.id } }))
  await succeed(service, 'PUT', `${project.path}/segments/${segment.id}/members`, { ids: ['u-1', '17'] })
  await succeed(service, 'POST', `${flag.production}/run`)
  const valueFor = async (targetingKey: unknown, more: object) =>
    (await explained({ context: { targetingKey }, flagKeys: ['by-segment'], ...more })).flags[0].variationKey
  for (const more of [{}, { draft: true }])
    expect(await Promise.all(['u-1', 17, 'u-2', null].map((key) => valueFor(key, more)))).toEqual([
      'on',
      'on',
      'off',
      'off',
    ])
})

test('a past revision is explained with its own audiences', async () => {
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Dutch', conditions: dutch })
  const flag = await newFlag(service, project, stringFlag('by-audience', 'off', 'on'))
  await addRule(service, flag.production, delivery('Members', { audienceIds: [audience.id] }))
  await succeed(service, 'POST', `${flag.production}/run`)
  const { revision } = await dataFile(service, project.production.sdkKey)
  await succeed(service, 'PATCH', `${project.path}/audiences/${audience.id}`, {
    conditions: { ...dutch, value: 'BE' },
  })
  const variation = async (when: object) => (await explained({ context: belgian, ...when })).flags[0].variationKey
  expect(await variation({})).toBe('off')
  expect(await variation({ draft: true })).toBe('on')
  await publish(service, project)
  expect(await variation({})).toBe('on')
  expect(await variation({ revision })).toBe('off')
})

const contexts = fc.record(
  { targetingKey: fc.stringMatching(/^[a-z]{1,8}$/), country: fc.constantFrom('NL', 'BE'), age: fc.nat(90) },
  { requiredKeys: [] },
)

test('explanations agree with the SDK for every flag and context', async () => {
  const adult = { attribute: 'age', operator: 'greaterThan', value: 17 }
  for (const conditions of [dutch, { not: dutch }, { any: [dutch, adult] }, { all: [adult, { not: dutch }] }]) {
    const flag = await newFlag(service, project, stringFlag(`flag-${JSON.stringify(conditions).length}`, 'off', 'on'))
    await addRule(service, flag.production, delivery('Some', { conditions, trafficAllocation: 5000 }))
    await addRule(service, flag.production, abTest('Rest', { bucketBy: 'age' }))
    await succeed(service, 'PUT', `${flag.production}/overrides`, {
      environmentAllowlist: [{ variationKey: 'on', userIds: ['a', 'b'] }],
      ruleAllowlists: [],
    })
    await succeed(service, 'POST', `${flag.production}/run`)
  }
  const shortIds = new Map<string, string>()
  for (const { id } of await succeed(service, 'GET', `${project.path}/flags?limit=100`))
    for (const rule of await succeed(service, 'GET', `${project.path}/flags/${id}/envs/production/rules`))
      shortIds.set(rule.id, String(rule.shortId))
  const { evaluate: sdk } = compile(await dataFile(service, project.production.sdkKey))
  await fc.assert(
    fc.asyncProperty(contexts, async (context) => {
      for (const { flagKey, ...explanation } of (await explained({ context })).flags) {
        // Responses name rules by id, data files by short id.
        const flag = { ...explanation, ruleId: shortIds.get(explanation.ruleId) ?? null }
        const { value, variationKey, ruleId, reason } = sdk(flagKey, context as EvaluationContext, moment.getTime())
        expect(flag).toMatchObject({ value, variationKey, ruleId, reason })
      }
    }),
    { numRuns: 40 },
  )
})
