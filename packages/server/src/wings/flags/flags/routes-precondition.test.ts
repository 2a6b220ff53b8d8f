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

/** Every conditional write: [what, method, path, body, the resource whose ETag counts, somebody else's edit of it]. */
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

describe.each(writes)('a write of %s', (_what, method, pathOf, bodyOf, resource) => {
  const write = (on: On, headers: Record<string, string>) =>
    service.call(service.people.flagsWrite, method, pathOf(on), bodyOf(on), headers)

  test('goes through with the current ETag, in each header and form', async () => {
    const on = await flagWithRules()
    for (const [name, form] of goodHeaders) {
      const { status } = await write(on, { [name]: form(await etagOf(resource(on))) })
      expect(status, `${name}: ${form('"f1"')}`).toBe(200)
    }
  })

  test('goes through without a header, whoever was faster, and moves the ETag', async () => {
    const on = await flagWithRules()
    await succeed(service, 'PATCH', resource(on), { name: 'Theirs' })
    const before = await etagOf(resource(on))
    expect((await write(on, {})).status).toBe(200)
    expect(await etagOf(resource(on))).not.toBe(before)
  })

  test('is refused with an old ETag, names the current one, and changes nothing', async () => {
    const on = await flagWithRules()
    const old = await etagOf(resource(on))
    await succeed(service, 'PATCH', resource(on), { name: 'Theirs' })
    const before = await succeed(service, 'GET', on.flag.path)
    const current = await etagOf(resource(on))
    expect(current).not.toBe(old)
    for (const name of ['X-Svc-If-Match', 'Svc-If-Match', 'If-Match'])
      for (const value of [old, old.replaceAll('"', ''), `W/${current}`, 'x']) {
        const { status, body } = await write(on, { [name]: value })
        expect(status, `${name}: ${value}`).toBe(412)
        expect(body.error).toMatchObject({ code: 'precondition_failed', details: { expected: current } })
      }
    expect(await succeed(service, 'GET', on.flag.path)).toEqual(before)
    expect((await write(on, { 'X-Svc-If-Match': current })).status).toBe(200)
  })

  test('that is invalid is refused as such, even with an old ETag', async () => {
    const on = await flagWithRules()
    const headers = { 'X-Svc-If-Match': 'old' }
    const { body } = await service.call(service.people.flagsWrite, method, pathOf(on), { nonsense: 1 }, headers)
    expect(body.error.code).toBe('validation_failed')
  })
})

test('run, pause and publish are no edits: the ETag of somebody who is editing stays good', async () => {
  const on = await flagWithRules()
  const [flag, rule] = [await etagOf(ofFlag(on)), await etagOf(ofRule(on))]
  for (const path of [on.flag.production, ofRule(on)])
    for (const verb of ['run', 'pause', 'run']) await succeed(service, 'POST', `${path}/${verb}`)
  await publish(service, project)
  expect([await etagOf(ofFlag(on)), await etagOf(ofRule(on))]).toEqual([flag, rule])
})

test('an old ETag comes before the state: a variation in use and a key that can no longer change', async () => {
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
