import { afterAll, describe, expect, test } from 'vitest'
import {
  addRule,
  delivery,
  newFlag,
  publish,
  stringFlag,
  stringVariations,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const etagOf = async (path: string) => {
  const { headers } = await service.call(service.people.flagsRead, 'GET', path)
  return String(headers.etag)
}

interface On {
  flag: TestFlag
  rules: [string, string]
}

let count = 0
async function flagWithRules(): Promise<On> {
  count += 1
  const flag = await newFlag(service, project, stringFlag(`flag-${count}`, 'off', 'on'))
  const one = await addRule(service, flag.production, delivery('1'))
  const two = await addRule(service, flag.production, delivery('2'))
  return { flag, rules: [one.id, two.id] }
}

const ofFlag = ({ flag }: On) => flag.path
const ofRule = ({ flag, rules }: On) => `${flag.production}/rules/${rules[0]}`

/** Every conditional edit: [name, method, path, body, the resource whose ETag counts]. */
const writes: [string, 'PATCH' | 'PUT', (on: On) => string, (on: On) => unknown, (on: On) => string][] = [
  ['a flag', 'PATCH', ofFlag, () => ({ name: 'Mine' }), ofFlag],
  [
    'variations',
    'PUT',
    (on) => `${on.flag.path}/variations`,
    () => ({ variations: stringVariations('off', 'on', 'x') }),
    ofFlag,
  ],
  [
    'an environment of a flag',
    'PATCH',
    ({ flag }) => flag.production,
    ({ flag }) => ({ defaultVariationId: flag.ids.on, enabled: true }),
    ofFlag,
  ],
  [
    'overrides',
    'PUT',
    ({ flag }) => `${flag.production}/overrides`,
    () => ({ environmentAllowlist: [{ variationKey: 'on', userIds: ['u'] }], ruleAllowlists: [] }),
    ofFlag,
  ],
  [
    'an order',
    'PUT',
    ({ flag }) => `${flag.production}/rules/reorder`,
    ({ rules }) => ({ ruleIds: rules.toReversed() }),
    ofFlag,
  ],
  ['a rule', 'PATCH', ofRule, () => ({ name: 'Mine' }), ofRule],
]

const goodHeaders: [string, (etag: string) => string][] = [
  ['X-Svc-If-Match', (etag) => etag],
  ['Svc-If-Match', (etag) => etag],
  ['If-Match', (etag) => etag],
  ['X-Svc-If-Match', (etag) => etag.replaceAll('"', '')],
  ['X-Svc-If-Match', (etag) => `"x", ${etag}`],
  ['X-Svc-If-Match', () => '*'],
  ['If-Match', () => '*'],
]

describe.each(writes)('a write of %s', (what, method, pathOf, bodyOf, resource) => {
  const place = writes.findIndex(([name]) => name === what)
  /** One function reads the headers of all writes: each takes its turn with one of three forms. A full run sends all. */
  const inTurn = <Form>(forms: Form[]) => forms.filter((_form, at) => isFull || at % 3 === place % 3)

  const write = (on: On, headers: Record<string, string>) =>
    service.call(service.people.flagsWrite, method, pathOf(on), bodyOf(on), headers)

  test('succeeds with the current ETag in each header and form', async () => {
    const on = await flagWithRules()
    for (const [name, form] of inTurn(goodHeaders)) {
      const { status } = await write(on, { [name]: form(await etagOf(resource(on))) })
      expect(status, `${name}: ${form('"f1"')}`).toBe(200)
    }
  })

  test('succeeds without a header even after a different edit, and changes the ETag', async () => {
    const on = await flagWithRules()
    await succeed(service, 'PATCH', resource(on), { name: 'Theirs' })
    const before = await etagOf(resource(on))
    expect((await write(on, {})).status).toBe(200)
    expect(await etagOf(resource(on))).not.toBe(before)
  })

  test('is refused with an old ETag, and the answer names the current one', async () => {
    const on = await flagWithRules()
    const old = await etagOf(resource(on))
    await succeed(service, 'PATCH', resource(on), { name: 'Theirs' })
    const before = await succeed(service, 'GET', on.flag.path)
    const current = await etagOf(resource(on))
    expect(current).not.toBe(old)
    const values = [old, old.replaceAll('"', ''), `W/${old}`, 'x']
    const names = ['X-Svc-If-Match', 'Svc-If-Match', 'If-Match']
    for (const [name, value] of inTurn(values.flatMap((value) => names.map((name) => [name, value] as const)))) {
      const { status, body } = await write(on, { [name]: value })
      expect(status, `${name}: ${value}`).toBe(412)
      expect(body.error).toMatchObject({ code: 'precondition_failed', details: { expected: current } })
    }
    expect(await succeed(service, 'GET', on.flag.path)).toEqual(before)
    expect((await write(on, { 'X-Svc-If-Match': current })).status).toBe(200)
  })

  test('with an invalid body gets 400 even with an old ETag', async () => {
    const on = await flagWithRules()
    const headers = { 'X-Svc-If-Match': 'old' }
    const { body } = await service.call(service.people.flagsWrite, method, pathOf(on), { nonsense: 1 }, headers)
    expect(body.error.code).toBe('validation_failed')
  })
})

const dayMs = 86_400_000
const schedule = { action: 'PAUSE', runAt: new Date(Date.now() + dayMs).toISOString(), timezone: 'UTC', note: null }

interface Act {
  method: 'DELETE' | 'POST' | 'PUT'
  path: (on: On) => string
  body?: unknown
  /** The resource whose ETag counts. */
  resource: (on: On) => string
  /** Prepares the state that the act requires. */
  before?: (on: On) => Promise<unknown>
  /** The act deletes the resource, so a later edit finds nothing. */
  deletes?: true
}

const inProduction = ({ flag }: On) => flag.production
const verb = (of: (on: On) => string, name: string) => (on: On) => `${of(on)}/${name}`
const post = (path: (on: On) => string) => (on: On) => succeed(service, 'POST', path(on))
const scheduled = (of: (on: On) => string) => (on: On) => succeed(service, 'PUT', `${of(on)}/schedule`, schedule)

/** Every conditional write that does not change an ETag, or that deletes the resource. */
const acts: [string, Act][] = [
  ['deletion of a flag', { method: 'DELETE', path: ofFlag, resource: ofFlag, deletes: true }],
  ['deletion of a rule', { method: 'DELETE', path: ofRule, resource: ofRule, deletes: true }],
  ['run of a flag', { method: 'POST', path: verb(inProduction, 'run'), resource: ofFlag }],
  [
    'pause of a flag',
    { method: 'POST', path: verb(inProduction, 'pause'), resource: ofFlag, before: post(verb(inProduction, 'run')) },
  ],
  [
    'run of a rule',
    { method: 'POST', path: verb(ofRule, 'run'), resource: ofRule, before: post(verb(ofRule, 'pause')) },
  ],
  ['pause of a rule', { method: 'POST', path: verb(ofRule, 'pause'), resource: ofRule }],
  ...(['flag', 'rule'] as const).flatMap((what): [string, Act][] => {
    const of = what === 'flag' ? inProduction : ofRule
    const path = verb(of, 'schedule')
    return [
      [`schedule of a ${what}`, { method: 'PUT', path, body: { ...schedule, note: 'Mine' }, resource: ofFlag }],
      [`cancellation of a ${what}'s schedule`, { method: 'DELETE', path, resource: ofFlag, before: scheduled(of) }],
    ]
  }),
]

/** Everything that the acts can change. */
async function stateOf(on: On) {
  const read = async (path: string) => (await service.call(service.people.flagsRead, 'GET', path)).body
  const { flag } = on
  const ofFlagAndRules = [flag.path, flag.production, `${flag.production}/rules`]
  const schedules = [`${flag.production}/schedule`, `${ofRule(on)}/schedule`]
  const states = await Promise.all([...ofFlagAndRules, ...schedules].map(read))
  return states.map((state) => state.data ?? state.error.code)
}

describe.each(acts)('a %s', (_what, { method, path, body, resource, before, deletes }) => {
  const ready = async () => {
    const on = await flagWithRules()
    await before?.(on)
    return on
  }
  const act = (on: On, headers: Record<string, string>) =>
    service.call(service.people.flagsWrite, method, path(on), body, headers)
  const edit = (on: On, headers: Record<string, string> = {}) =>
    service.call(service.people.flagsWrite, 'PATCH', resource(on), { name: 'Theirs' }, headers)

  test('is refused with an old ETag, and the answer names the current one, which succeeds', async () => {
    const on = await ready()
    const old = await etagOf(resource(on))
    expect((await edit(on)).status).toBe(200)
    const current = await etagOf(resource(on))
    const state = await stateOf(on)
    const refused = await act(on, { 'X-Svc-If-Match': old })
    expect(refused.status).toBe(412)
    expect(refused.body.error).toMatchObject({ code: 'precondition_failed', details: { expected: current } })
    expect(await stateOf(on)).toEqual(state)
    expect((await act(on, { 'X-Svc-If-Match': current })).status).toBe(200)
    expect(await stateOf(on)).not.toEqual(state)
  })

  test('is refused if a concurrent edit under the same ETag comes first', async () => {
    const on = await ready()
    const headers = { 'X-Svc-If-Match': await etagOf(resource(on)) }
    const state = await stateOf(on)
    const [acted, edited] = await Promise.all([act(on, headers), edit(on, headers)])
    const after = await stateOf(on)
    const outcome = [acted.status, edited.status]
    if (acted.status === 200) expect(outcome).toEqual([200, deletes ? 404 : 200])
    else {
      expect(outcome).toEqual([412, 200])
      // Nothing changed except the edit.
      expect((await act(on, { 'X-Svc-If-Match': await etagOf(resource(on)) })).status).toBe(200)
    }
    expect(after).not.toEqual(state)
  })
})

test.each([
  ['flag', ofFlag],
  ['rule', ofRule],
])('one of two concurrent deletions of a %s under the same ETag succeeds', async (_what, of) => {
  const on = await flagWithRules()
  const headers = { 'X-Svc-If-Match': await etagOf(of(on)) }
  const remove = () => service.call(service.people.flagsWrite, 'DELETE', of(on), undefined, headers)
  const answers = await Promise.all([remove(), remove()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('an old ETag of a rule is refused before the state of its flag is checked', async () => {
  const on = await flagWithRules()
  await succeed(service, 'POST', `${on.flag.path}/archive`)
  const run = (headers?: Record<string, string>) =>
    service.call(service.people.flagsWrite, 'POST', `${ofRule(on)}/run`, undefined, headers)
  expect((await run({ 'X-Svc-If-Match': '"r99"' })).status).toBe(412)
  expect((await run()).status).toBe(409)
})

test('run, pause and publish do not change the ETag', async () => {
  const on = await flagWithRules()
  const [flag, rule] = [await etagOf(ofFlag(on)), await etagOf(ofRule(on))]
  for (const path of [on.flag.production, ofRule(on)])
    for (const verb of ['run', 'pause', 'run']) await succeed(service, 'POST', `${path}/${verb}`)
  await publish(service, project)
  expect([await etagOf(ofFlag(on)), await etagOf(ofRule(on))]).toEqual([flag, rule])
})

test('an old ETag is refused before the state is checked', async () => {
  const { flag } = await flagWithRules()
  await succeed(service, 'POST', `${flag.production}/run`)
  const headers = { 'X-Svc-If-Match': 'old' }
  for (const [method, path, body] of [
    ['PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'other') }],
    ['PATCH', flag.path, { key: 'another' }],
  ] as const) {
    expect((await service.call(service.people.flagsWrite, method, path, body, headers)).status).toBe(412)
    expect((await service.call(service.people.flagsWrite, method, path, body)).status).toBe(409)
  }
})
