import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  nobody,
  stringFlag,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let flag: TestFlag

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  flag = await newFlag(service, project, stringFlag('refusing', 'off', 'on', 'third'))
})
afterAll(() => service.close())

const part = (variationKey: string, weight: unknown) => ({ variationKey, weight })
const split = (...variations: unknown[]) => abTest('t', { variations })
const nested = (depth: number): object => (depth === 0 ? { all: [] } : { all: [nested(depth - 1)] })
const is = (operator: string, value?: unknown) => delivery('d', { conditions: { attribute: 'a', operator, value } })
const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
const conditions = (conditions: unknown) => delivery('d', { conditions })

const refused: [string, unknown, unknown[]][] = [
  ['no type', { name: 'n', variationKey: 'on' }, ['type']],
  ['an unknown type', { ...delivery('d'), type: 'ROLLOUT' }, ['type']],
  ['no name', { ...delivery('d'), name: undefined }, ['name']],
  ['a name of 201 characters', delivery('n'.repeat(201)), ['name']],
  ['no variation', { ...delivery('d'), variationKey: undefined }, ['variationKey']],
  ['an unknown variation', delivery('d', { variationKey: 'maybe' }), ['variationKey']],
  ['negative traffic', delivery('d', { trafficAllocation: -1 }), ['trafficAllocation']],
  ['more than all traffic', delivery('d', { trafficAllocation: 10_001 }), ['trafficAllocation']],
  ['traffic that is not a whole number', delivery('d', { trafficAllocation: 0.5 }), ['trafficAllocation']],
  ['an empty bucketBy', delivery('d', { bucketBy: '' }), ['bucketBy']],
  ['$now as bucketBy', delivery('d', { bucketBy: '$now' }), ['bucketBy']],
  ['a space after bucketBy', delivery('d', { bucketBy: 'company ' }), ['bucketBy']],
  ['a space before the bucketBy of a test', abTest('t', { bucketBy: ' company' }), ['bucketBy']],
  ['an empty salt', delivery('d', { salt: '' }), ['salt']],
  ['a negative position', delivery('d', { position: -1 }), ['position']],
  ['an unknown audience', delivery('d', { audienceIds: [nobody] }), ['audienceIds', 0]],
  ['a repeated audience', delivery('d', { audienceIds: [nobody, nobody] }), ['audienceIds']],
  ['a field of the other type', delivery('d', { baselineVariationKey: 'on' }), ['baselineVariationKey']],
  ['a field that the service sets', delivery('d', { status: 'RUNNING' }), ['status']],
  ['weights that sum to 9999', split(part('off', 5000), part('on', 4999)), ['variations']],
  ['weights that sum to 10001', split(part('off', 5000), part('on', 5001)), ['variations']],
  ['a weight below 0', split(part('off', -1), part('on', 10_001)), ['variations', 0, 'weight']],
  ['a weight that is not a whole number', split(part('off', 0.5), part('on', 9999.5)), ['variations', 0, 'weight']],
  ['a test of 1 variation', split(part('off', 10_000)), ['variations']],
  ['a repeated variation', split(part('off', 5000), part('off', 5000)), ['variations']],
  ['an unknown variation in a test', split(part('off', 5000), part('x', 5000)), ['variations', 1, 'variationKey']],
  ['no baseline', abTest('t', { baselineVariationKey: undefined }), ['baselineVariationKey']],
  ['a baseline outside the test', abTest('t', { baselineVariationKey: 'third' }), ['baselineVariationKey']],
  ['an unknown metric', abTest('t', { metrics: { guardrails: ['js_error'] } }), ['metrics', 'guardrails', 0]],
  ['an unknown role of metrics', abTest('t', { metrics: { tertiary: [] } }), ['metrics', 'tertiary']],
  ['alpha 0', abTest('t', { statistics: { alpha: 0 } }), ['statistics', 'alpha']],
  ['an unknown correction', abTest('t', { statistics: { correction: 'SIDAK' } }), ['statistics', 'correction']],
  ['an unknown exclusion group', abTest('t', { exclusionGroupId: nobody }), ['exclusionGroupId']],
  ['an unknown holdout', abTest('t', { holdoutId: nobody }), ['holdoutId']],
  ['conditions that are a list', conditions([]), ['conditions']],
  ['a condition of two kinds', conditions({ all: [], any: [] }), ['conditions']],
  ['a condition without a kind', conditions({ none: [] }), ['conditions']],
  ['an unknown operator', is('is', 'x'), ['conditions', 'operator']],
  ['an inherited operator', is('toString', 'x'), ['conditions', 'operator']],
  ['a missing value', is('equals'), ['conditions', 'value']],
  ['a value for an operator without one', is('exists', true), ['conditions', 'value']],
  ['a string for a number', is('greaterThan', '7'), ['conditions', 'value']],
  ['a value that is not a date', is('before', 'tomorrow'), ['conditions', 'value']],
  ['a value that is not a version', is('semverEquals', 'four'), ['conditions', 'value']],
  ['a value that is not a network', is('inCidr', '10.0.0.0/33'), ['conditions', 'value']],
  ['a value that is not a list', is('in', 'NL'), ['conditions', 'value']],
  ['an invalid pattern', is('matches', '('), ['conditions', 'value']],
  ['a pattern that backtracks', is('matches', '(a+)+$'), ['conditions', 'value']],
  ['a back reference', is('matches', '(a)\\1'), ['conditions', 'value']],
  [
    'an unknown audience in a condition',
    conditions({ any: [{ audience: nobody }] }),
    ['conditions', 'any', 0, 'audience'],
  ],
  ['6 levels of conditions', conditions(nested(5)), ['conditions', 'all', 0, 'all', 0, 'all', 0, 'all', 0, 'all', 0]],
  [
    '101 conditions',
    conditions({ any: many(101).map((value) => ({ attribute: 'a', operator: 'equals', value })) }),
    ['conditions'],
  ],
  ['1001 list values', is('in', many(1001)), ['conditions']],
  ['an unknown field', delivery('d', { colour: 'red' }), ['colour']],
  ['no body', undefined, []],
]

test.each(refused)('a rule with %s is refused and not created', async (_what, body, path) => {
  const answer = await service.call(service.people.flagsWrite, 'POST', `${flag.production}/rules`, body)
  expect(answer.status).toBe(400)
  expect(answer.body.error.code).toBe('validation_failed')
  expect(answer.body.error.details.issues.map((issue: { path: unknown[] }) => issue.path)).toContainEqual(path)
  expect(await succeed(service, 'GET', `${flag.production}/rules`)).toEqual([])
})

test('a number that is too large for a double is refused', async () => {
  const body = JSON.stringify(is('greaterThan', 'HUGE')).replace('"HUGE"', '1e999')
  const answer = await service.call(service.people.flagsWrite, 'POST', `${flag.production}/rules`, body)
  expect(answer.status).toBe(400)
  expect(answer.body.error.details.issues[0].path).toEqual(['conditions', 'value'])
})

test.each([
  ['5 levels of conditions', conditions(nested(4))],
  ['100 conditions', conditions({ any: many(100).map((value) => ({ attribute: 'a', operator: 'equals', value })) })],
  ['1000 list values', is('in', many(1000))],
  ['a weight of 0', split(part('off', 0), part('on', 10_000))],
  ['all variations', split(part('off', 3333), part('on', 3333), part('third', 3334))],
])('a rule with %s is accepted', async (what, body) => {
  const own = await newFlag(service, project, stringFlag(what.replaceAll(' ', '-'), 'off', 'on', 'third'))
  const { status } = await service.call(service.people.flagsWrite, 'POST', `${own.production}/rules`, body)
  expect(status).toBe(201)
})

test('an update of the switch is refused, and the message names run and pause', async () => {
  const own = await newFlag(service, project, stringFlag('switch-by-patch', 'off', 'on'))
  const rule = await addRule(service, own.production, delivery('d'))
  const url = `${own.production}/rules/${rule.id}`
  const { body } = await service.call(service.people.flagsWrite, 'PATCH', url, { enabled: false, colour: 'red' })
  const messages = body.error.details.issues.map(({ message }: { message: string }) => message)
  expect(messages).toEqual([
    'enabled cannot be changed here. Send POST to /run or /pause of the rule.',
    'colour is not a known field.',
  ])
})

describe('an update is refused', () => {
  const common: [string, Record<string, unknown>, unknown[]][] = [
    ['of the switch', { enabled: false }, ['enabled']],
    ['of the switch and an unknown field', { enabled: true, colour: 'red' }, ['enabled']],
    ['of the status', { status: 'PAUSED' }, ['status']],
    ['with an unknown field', { colour: 'red' }, ['colour']],
    ['with a blank name', { name: ' ' }, ['name']],
    ['with too much traffic', { trafficAllocation: 10_001 }, ['trafficAllocation']],
    ['with a broken condition', { conditions: { all: [{}] } }, ['conditions', 'all', 0]],
    ['with a negative position', { position: -1 }, ['position']],
    ['with a space before bucketBy', { bucketBy: ' company' }, ['bucketBy']],
  ]
  test.each<[string, object, Record<string, unknown>, unknown[]]>([
    ...common.map(
      ([what, edit, path]) => [what, delivery('d'), edit, path] as [string, object, Record<string, unknown>, unknown[]],
    ),
    ['of a delivery’s type', delivery('d'), { type: 'AB_TEST' }, ['type']],
    ['of a test’s type', abTest('t'), { type: 'TARGETED_DELIVERY', variationKey: 'on' }, ['type']],
    ['of a delivery with a field of tests', delivery('d'), { hypothesis: 'Why not' }, ['hypothesis']],
    ['of a test with a field of deliveries', abTest('t'), { variationKey: 'on' }, ['variationKey']],
    ['of a delivery to an unknown variation', delivery('d'), { variationKey: 'x' }, ['variationKey']],
    [
      'of a test to weights that sum to 1',
      abTest('t'),
      { variations: [part('on', 1), part('off', 0)] },
      ['variations'],
    ],
    ['of a test with a space after bucketBy', abTest('t'), { bucketBy: 'company ' }, ['bucketBy']],
    ['of a test to a baseline outside of it', abTest('t'), { baselineVariationKey: 'third' }, ['baselineVariationKey']],
    ['of a test to an unknown metric', abTest('t'), { metrics: { primary: ['m'] } }, ['metrics', 'primary', 0]],
  ])('%s', async (what, body, edit, path) => {
    const own = await newFlag(service, project, stringFlag(`u-${what.replace(/\W/g, '-')}`, 'off', 'on', 'third'))
    const rule = await addRule(service, own.production, body as Record<string, unknown>)
    const answer = await service.call(service.people.flagsWrite, 'PATCH', `${own.production}/rules/${rule.id}`, edit)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_failed')
    expect(answer.body.error.details.issues[0].path).toEqual(path)
    expect(await succeed(service, 'GET', `${own.production}/rules/${rule.id}`)).toEqual(rule)
  })
})
