import { afterAll, describe, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  inProduction,
  newFlag,
  nobody,
  publish,
  served,
  stringFlag,
  stringVariations,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const replace = (flag: TestFlag, variations: unknown, more = {}) =>
  service.call(service.people.flagsWrite, 'PUT', `${flag.path}/variations`, { variations, ...more })

let count = 0
function colors(...keys: string[]): Promise<TestFlag> {
  count += 1
  return newFlag(service, project, stringFlag(`colors-${count}`, 'red', 'green', ...keys))
}

describe('replacing the variations', () => {
  test('matches by id or else by key, gives new variations an id, and removes omitted ones', async () => {
    const flag = await colors('blue')
    const { status, body } = await replace(flag, [
      { id: flag.ids.red, name: 'Crimson', key: 'crimson', value: '#dc143c' },
      { name: 'Green, renamed', key: 'green', value: '#0f0' },
      { name: 'Yellow', key: 'yellow', value: '#ff0' },
    ])
    expect(status).toBe(200)
    expect(body.data.variations).toEqual([
      { id: flag.ids.red, name: 'Crimson', key: 'crimson', value: '#dc143c' },
      { id: flag.ids.green, name: 'Green, renamed', key: 'green', value: '#0f0' },
      { id: expect.any(String), name: 'Yellow', key: 'yellow', value: '#ff0' },
    ])
    expect(Object.values(flag.ids)).not.toContain(body.data.variations[2].id)
    expect(body.data.defaultVariationKey).toBe('crimson')
    expect(body.data).toEqual(await succeed(service, 'GET', flag.path))
  })

  test('can swap two keys and change the default', async () => {
    const flag = await colors()
    const swapped = [
      { id: flag.ids.red, name: 'Was red', key: 'green', value: 'g' },
      { id: flag.ids.green, name: 'Was green', key: 'red', value: 'r' },
    ]
    const { body } = await replace(flag, swapped, { defaultVariationKey: 'red' })
    expect(body.data).toMatchObject({ variations: swapped, defaultVariationKey: 'red' })
  })

  test('is staged in every environment until the publish', async () => {
    const flag = await colors()
    await succeed(service, 'POST', `${flag.production}/run`)
    const before = await served(service, project, flag.key)
    const values = stringVariations('red', 'green').map((each) => ({ ...each, value: each.key.toUpperCase() }))
    const { body } = await replace(flag, values, { defaultVariationKey: 'green' })
    const staged = { variations: true, defaultVariationId: null, overrides: false, rules: 0 }
    for (const environment of body.data.environments) expect(environment.staged).toEqual(staged)
    await succeed(service, 'POST', `${flag.production}/pause`)
    expect(await served(service, project, flag.key)).toMatchObject({ enabled: false, defaultVariation: 'red' })
    await succeed(service, 'POST', `${flag.production}/run`)
    expect(await served(service, project, flag.key)).toEqual(before)
    await publish(service, project)
    expect((await served(service, project, flag.key)).variations).toEqual({ red: 'RED', green: 'GREEN' })
    await succeed(service, 'POST', `${flag.production}/pause`)
    expect((await served(service, project, flag.key)).defaultVariation).toBe('green')
  })

  test('with the same variations changes nothing', async () => {
    const flag = await colors()
    const before = await service.call(service.people.flagsRead, 'GET', flag.path)
    const after = await replace(flag, before.body.data.variations)
    expect(after.status).toBe(200)
    expect(after.body).toEqual(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
  })

  test('of a BOOLEAN flag keeps its two values, but the keys can change', async () => {
    const flag = await newFlag(service, project, { key: 'yes-no' })
    const { status, body } = await replace(flag, [
      { id: flag.ids.on, name: 'Yes', key: 'yes', value: 'true' },
      { id: flag.ids.off, name: 'No', key: 'no', value: 'false' },
    ])
    expect(status).toBe(200)
    expect(body.data.defaultVariationKey).toBe('no')
  })
})

describe('replacing the variations of a flag of numbers or JSON', () => {
  const numbers = (...values: string[]) => values.map((value, index) => ({ name: `${index}`, key: `v${index}`, value }))

  test('stores canonical values, so a different spelling changes nothing', async () => {
    const body = { key: 'limits', type: 'NUMBER', variations: numbers('1', '2.50'), defaultVariationKey: 'v0' }
    const flag = await newFlag(service, project, body)
    const before = await service.call(service.people.flagsRead, 'GET', flag.path)
    const again = await replace(flag, numbers('1.0', '25e-1'))
    expect([again.status, again.headers.etag]).toEqual([200, before.headers.etag])
    expect((await replace(flag, numbers('1', '3e0'))).body.data.variations[1].value).toBe('3')
    const refused = await replace(flag, numbers('1', 'three'))
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, ['variations', 1, 'value']])
  })

  test('serves the new values after the publish', async () => {
    const body = { key: 'themes', type: 'JSON', variations: numbers('{"a":1}', '[]'), defaultVariationKey: 'v0' }
    const flag = await newFlag(service, project, body)
    await succeed(service, 'POST', `${flag.production}/run`)
    await replace(flag, numbers('{ "a": [2, null] }', '[]'))
    const evaluated = async () => {
      const path = `${project.path}/environments/${project.production.id}/evaluate`
      return (await succeed(service, 'POST', path, { context: {}, flagKeys: ['themes'] })).flags[0].value
    }
    expect(await evaluated()).toEqual({ a: 1 })
    await publish(service, project)
    expect(await evaluated()).toEqual({ a: [2, null] })
    expect((await served(service, project, 'themes')).variations.v0).toBe('{"a":[2,null]}')
  })
})

describe('a variation cannot be removed', () => {
  const refusal = async (flag: TestFlag) => {
    const { status, body } = await replace(flag, stringVariations('red', 'green'))
    expect(status).toBe(409)
    expect(body.error.code).toBe('invalid_state')
    expect(await succeed(service, 'GET', flag.path)).toMatchObject({ variations: { length: 3 } })
    return body.error.details.references
  }

  test.each([
    ['delivery', delivery('Blue', { variationKey: 'blue' })],
    [
      'test',
      abTest('Blue or red', {
        variations: [
          { variationKey: 'red', weight: 10_000 },
          { variationKey: 'blue', weight: 0 },
        ],
        baselineVariationKey: 'red',
      }),
    ],
  ])('while a %s rule uses it', async (_what, body) => {
    const flag = await colors('blue')
    const rule = await addRule(service, flag.development, body)
    expect(await refusal(flag)).toEqual([
      { type: 'rule', id: rule.id, envId: project.development.id, variationKey: 'blue' },
    ])
    await succeed(service, 'DELETE', `${flag.development}/rules/${rule.id}`)
    expect((await replace(flag, stringVariations('red', 'green'))).status).toBe(200)
  })

  test('while an override uses it, of the environment or of a rule', async () => {
    const flag = await colors('blue')
    const rule = await addRule(service, flag.production, delivery('Red', { variationKey: 'red' }))
    const entries = [{ variationKey: 'blue', userIds: ['qa-1'] }]
    const overrides = { environmentAllowlist: [], ruleAllowlists: [{ ruleId: rule.id, entries }] }
    await succeed(service, 'PUT', `${flag.production}/overrides`, overrides)
    const override = { type: 'override', id: flag.ids.blue, envId: project.production.id, variationKey: 'blue' }
    expect(await refusal(flag)).toEqual([override])
    await succeed(service, 'PUT', `${flag.production}/overrides`, { environmentAllowlist: entries, ruleAllowlists: [] })
    expect(await refusal(flag)).toEqual([override])
  })

  test('while it is the default of an environment', async () => {
    const flag = await colors('blue')
    await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.blue })
    expect(await refusal(flag)).toEqual([
      { type: 'default', id: flag.ids.blue, envId: project.production.id, variationKey: 'blue' },
    ])
  })

  test('while it is the default of the flag', async () => {
    const flag = await colors('blue')
    const { status, body } = await replace(flag, stringVariations('green', 'blue'))
    expect(status).toBe(409)
    expect(body.error.details.references).toHaveLength(2)
    for (const reference of body.error.details.references)
      expect(reference).toMatchObject({ type: 'default', id: flag.ids.red, variationKey: 'red' })
  })

  test('a variation that only the live version uses can be removed, and stays live until the publish', async () => {
    const flag = await colors('blue')
    const rule = await addRule(service, flag.production, delivery('Blue', { variationKey: 'blue' }))
    await succeed(service, 'POST', `${flag.production}/run`)
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { variationKey: 'red' })
    expect((await replace(flag, stringVariations('red', 'green'))).status).toBe(200)
    const live = await served(service, project, flag.key)
    expect(live.rules[0].variation).toBe('blue')
    expect(live.variations.blue).toBe('value of blue')
    expect((await inProduction(service, flag)).staged).toMatchObject({ variations: true, rules: 1 })
    await publish(service, project)
    expect((await served(service, project, flag.key)).variations).not.toHaveProperty('blue')
  })
})

describe('replacing the variations is refused with', () => {
  const two = stringVariations('red', 'green')
  test.each<[string, (flag: TestFlag) => unknown, unknown[]]>([
    ['1 variation', () => ({ variations: two.slice(1) }), ['variations']],
    ['5 variations', () => ({ variations: stringVariations('red', 'green', 'c', 'd', 'e') }), ['variations']],
    ['no variations', () => ({}), ['variations']],
    ['a repeated key', () => ({ variations: [...two, two[0]] }), ['variations', 2, 'key']],
    ['an unknown id', () => ({ variations: [...two, { ...two[0], key: 'x', id: nobody }] }), ['variations', 2, 'id']],
    ['a malformed id', () => ({ variations: [...two, { ...two[0], key: 'x', id: 'x' }] }), ['variations', 2, 'id']],
    ['a repeated id', ({ ids }) => ({ variations: two.map((each) => ({ ...each, id: ids.red })) }), ['variations', 1]],
    ['a bad key', () => ({ variations: [...two, { ...two[0], key: '' }] }), ['variations', 2, 'key']],
    ['an unknown default', () => ({ variations: two, defaultVariationKey: 'blue' }), ['defaultVariationKey']],
    ['an empty default', () => ({ variations: two, defaultVariationKey: '' }), ['defaultVariationKey']],
    ['an unknown field', () => ({ variations: two, tags: [] }), ['tags']],
    [
      'a value of 10001 characters',
      () => ({ variations: [two[0], { ...two[1], value: 'v'.repeat(10_001) }] }),
      ['variations', 1, 'value'],
    ],
  ])('%s', async (_what, body, path) => {
    const flag = await colors()
    const answer = await service.call(service.people.flagsWrite, 'PUT', `${flag.path}/variations`, body(flag))
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_failed')
    expect(answer.body.error.details.issues[0].path).toEqual(path)
  })

  test.each([
    ['a third variation', ['true', 'false', 'true'], ['variations']],
    ['a different value', ['true', 'maybe'], ['variations', 1, 'value']],
  ])('%s for a BOOLEAN flag', async (what, values, path) => {
    const flag = await newFlag(service, project, { key: what.replaceAll(' ', '-') })
    const { status, body } = await replace(
      flag,
      values.map((value, index) => ({ name: value, key: ['on', 'off', 'more'][index], value })),
    )
    expect(status).toBe(400)
    expect(body.error.details.issues[0].path).toEqual(path)
  })
})
