import { afterAll, describe, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  inProduction,
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

const environment = () => succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)
const nothing = { defaultVariationId: null, variations: false, overrides: false, rules: 0 }
const put = (path: string, body: unknown) => succeed(service, 'PUT', path, body)
const patch = (path: string, body: unknown) => succeed(service, 'PATCH', path, body)
const withValue = (value: string) => stringVariations('off', 'on').map((each) => ({ ...each, value }))
const overrides = { environmentAllowlist: [{ variationKey: 'on', userIds: ['a', 'b'] }], ruleAllowlists: [] }

interface Published {
  flag: TestFlag
  /** Paths of three published rules: delivery, delivery, test. */
  rules: [string, string, string]
  ids: string[]
}

let count = 0
async function published(): Promise<Published> {
  count += 1
  const flag = await newFlag(service, project, stringFlag(`flag-${count}`, 'off', 'on'))
  const ids: string[] = []
  for (const rule of [delivery('One'), delivery('Two'), abTest('Three')])
    ids.push((await addRule(service, flag.production, rule)).id)
  await put(`${flag.path}/variations`, { variations: withValue('live') })
  await put(`${flag.production}/overrides`, overrides)
  await publish(service, project)
  return { flag, ids, rules: ids.map((id) => `${flag.production}/rules/${id}`) as [string, string, string] }
}

const countryIs = (country: string) => ({ attribute: 'country', operator: 'equals', value: country })

/** [name, edit, what it stages, undo]. After the undo, draft and live version are equal again. */
const edits: [string, (on: Published) => Promise<unknown>, object, (on: Published) => Promise<unknown>][] = [
  [
    'a default variation',
    ({ flag }) => patch(flag.production, { defaultVariationId: flag.ids.on }),
    {},
    ({ flag }) => patch(flag.production, { defaultVariationId: flag.ids.off }),
  ],
  [
    'a value',
    ({ flag }) => put(`${flag.path}/variations`, { variations: withValue('new') }),
    { variations: true },
    ({ flag }) => put(`${flag.path}/variations`, { variations: withValue('live') }),
  ],
  [
    'the default of a pause',
    ({ flag }) => put(`${flag.path}/variations`, { variations: withValue('live'), defaultVariationKey: 'on' }),
    { variations: true },
    ({ flag }) => put(`${flag.path}/variations`, { variations: withValue('live'), defaultVariationKey: 'off' }),
  ],
  [
    'overrides',
    ({ flag }) => put(`${flag.production}/overrides`, { environmentAllowlist: [], ruleAllowlists: [] }),
    { overrides: true },
    ({ flag }) => put(`${flag.production}/overrides`, overrides),
  ],
  [
    'an edit of a rule',
    ({ rules }) => patch(rules[0], { name: 'Uno', conditions: countryIs('NL'), trafficAllocation: 5000 }),
    { rules: 1 },
    ({ rules }) => patch(rules[0], { name: 'One', conditions: { all: [] }, trafficAllocation: 10_000 }),
  ],
  [
    'the split of a test',
    ({ rules }) =>
      patch(rules[2], {
        variations: [
          { variationKey: 'off', weight: 1 },
          { variationKey: 'on', weight: 9999 },
        ],
      }),
    { rules: 1 },
    ({ rules }) => patch(rules[2], { variations: abTest('').variations }),
  ],
  [
    'a created rule',
    ({ flag }) => addRule(service, flag.production, delivery('New', { position: 0 })),
    { rules: 1 },
    async ({ flag }) => {
      const [first] = await succeed(service, 'GET', `${flag.production}/rules`)
      await succeed(service, 'DELETE', `${flag.production}/rules/${first.id}`)
    },
  ],
  [
    'a duplicate',
    ({ rules }) => succeed(service, 'POST', `${rules[0]}/duplicate`),
    { rules: 1 },
    async ({ flag }) => {
      const [, second] = await succeed(service, 'GET', `${flag.production}/rules`)
      await succeed(service, 'DELETE', `${flag.production}/rules/${second.id}`)
    },
  ],
  [
    'an order',
    ({ flag, ids }) => put(`${flag.production}/rules/reorder`, { ruleIds: ids.toReversed() }),
    { rules: 2 },
    ({ flag, ids }) => put(`${flag.production}/rules/reorder`, { ruleIds: ids }),
  ],
  [
    'a position',
    ({ rules }) => patch(rules[0], { position: 1 }),
    { rules: 2 },
    ({ rules }) => patch(rules[0], { position: 0 }),
  ],
]

describe.each(edits)('the edit of %s', (what, edit, staged, undo) => {
  test('is shown as staged by flag, rules and environment until it is undone', async () => {
    const on = await published()
    const rules = () => succeed(service, 'GET', `${on.flag.production}/rules`)
    expect((await environment()).hasStagedChanges).toBe(false)
    expect((await inProduction(service, on.flag)).staged).toEqual(nothing)

    await edit(on)
    const expected = what === 'a default variation' ? { defaultVariationId: on.flag.ids.on } : staged
    const shown = (await inProduction(service, on.flag)).staged
    expect(shown).toEqual({ ...nothing, ...expected })
    expect((await environment()).hasStagedChanges).toBe(true)
    const marked = (await rules()).filter(({ hasStagedChanges }: { hasStagedChanges: boolean }) => hasStagedChanges)
    expect(marked).toHaveLength(shown.rules)

    await undo(on)
    expect((await inProduction(service, on.flag)).staged).toEqual(nothing)
    expect((await environment()).hasStagedChanges).toBe(false)
    for (const rule of await rules()) expect(rule.hasStagedChanges).toBe(false)
    expect(await publish(service, project)).toMatchObject({ changed: false, flags: [] })
  })
})

test('a deleted rule counts as staged until the publish', async () => {
  const { flag, rules } = await published()
  await succeed(service, 'DELETE', rules[1])
  expect(await inProduction(service, flag)).toMatchObject({ staged: { rules: 1 }, ruleCount: 2 })
  await publish(service, project)
  expect(await inProduction(service, flag)).toMatchObject({ staged: nothing, ruleCount: 2 })
})

test('overrides that equal the live ones are not staged', async () => {
  const { flag } = await published()
  expect((await put(`${flag.production}/overrides`, overrides)).staged).toBe(false)
})
