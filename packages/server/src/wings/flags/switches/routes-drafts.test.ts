import { hashId } from '@svc/core'
import { afterAll, describe, expect, test } from 'vitest'
import {
  addRule,
  delivery,
  inProduction,
  newFlag,
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

const post = (path: string) => succeed(service, 'POST', path)
const liveNames = async (flag: TestFlag, names: Map<string, string>) =>
  (await served(service, project, flag.key)).rules.map(({ id }: { id: string }) => names.get(id))

let count = 0
async function flagWithRules(...names: string[]) {
  count += 1
  const flag = await newFlag(service, project, { key: `flag-${count}` })
  const rules = new Map<string, string>()
  // Names of the rules by their short id in the data file.
  const shortIds = new Map<string, string>()
  for (const name of names) {
    const { id, shortId } = await addRule(service, flag.production, delivery(name))
    rules.set(name, id)
    shortIds.set(name, String(shortId))
  }
  return { flag, rules, shortIds, names: new Map([...shortIds].map(([name, shortId]) => [shortId, name])) }
}

const overrides = { environmentAllowlist: [{ variationKey: 'on', userIds: ['u-1'] }], ruleAllowlists: [] }

/** Every edit that is staged. */
const edits: [string, (flag: TestFlag, ruleId: string) => Promise<unknown>][] = [
  ['default', (flag) => succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })],
  ['override', (flag) => succeed(service, 'PUT', `${flag.production}/overrides`, overrides)],
  [
    'value',
    (flag) =>
      succeed(service, 'PUT', `${flag.path}/variations`, {
        variations: stringVariations('off', 'on').map((each) => ({ ...each, value: 'new' })),
      }),
  ],
  ['created rule', (flag) => addRule(service, flag.production, delivery('New'))],
  ['edited rule', (flag, id) => succeed(service, 'PATCH', `${flag.production}/rules/${id}`, { trafficAllocation: 1 })],
  ['moved rule', (flag, id) => succeed(service, 'PATCH', `${flag.production}/rules/${id}`, { position: 1 })],
  ['deleted rule', (flag, id) => succeed(service, 'DELETE', `${flag.production}/rules/${id}`)],
]

describe.each(edits)('a staged %s', (what, edit) => {
  test('goes live with the publish, and not with a switch of the environment or of a rule', async () => {
    const flag = await newFlag(service, project, stringFlag(`staged-${what.replace(' ', '-')}`, 'off', 'on'))
    const first = await addRule(service, flag.production, delivery('First'))
    const second = await addRule(service, flag.production, delivery('Second'))
    await post(`${flag.production}/run`)
    const before = await served(service, project, flag.key)
    await edit(flag, first.id)
    expect(await served(service, project, flag.key)).toEqual(before)
    await post(`${flag.production}/rules/${second.id}/pause`)
    expect((await served(service, project, flag.key)).rules).toEqual([before.rules[0]])
    await post(`${flag.production}/rules/${second.id}/run`)
    await post(`${flag.production}/rules/${first.id}/pause`)
    expect((await served(service, project, flag.key)).rules).toEqual([before.rules[1]])
    await post(`${flag.production}/rules/${first.id}/run`)
    expect(await served(service, project, flag.key)).toEqual(before)
    await post(`${flag.production}/pause`)
    expect(await served(service, project, flag.key)).toMatchObject({ rules: [], variations: before.variations })
    await post(`${flag.production}/run`)
    expect(await served(service, project, flag.key)).toEqual(before)
    await publish(service, project)
    expect(await served(service, project, flag.key)).not.toEqual(before)
  })
})

describe('the first run', () => {
  test('makes the whole draft live', async () => {
    const { flag, shortIds } = await flagWithRules('Everybody')
    await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
    await succeed(service, 'PUT', `${flag.production}/overrides`, overrides)
    const { dataFile } = await post(`${flag.production}/run`)
    const { overrideSalt, ...first } = await served(service, project, flag.key)
    expect(first).toMatchObject({
      enabled: true,
      defaultVariation: 'on',
      overrides: { [hashId(overrideSalt, 'u-1')]: 'on' },
      rules: [{ id: shortIds.get('Everybody') }],
    })
    expect(await inProduction(service, flag)).toMatchObject({
      enabled: true,
      defaultVariationId: flag.ids.on,
      staged: { defaultVariationId: null, variations: false, overrides: false, rules: 0 },
      lastPublishedRevision: dataFile.revision,
    })
  })

  test('does not change the drafts of other flags and environments', async () => {
    const { flag } = await flagWithRules('Here')
    const other = await flagWithRules('There')
    await addRule(service, flag.development, delivery('Elsewhere'))
    await post(`${flag.production}/run`)
    expect((await inProduction(service, other.flag)).staged.rules).toBe(1)
    const { environments } = await succeed(service, 'GET', flag.path)
    expect(environments[1]).toMatchObject({ enabled: false, staged: { rules: 1 }, lastPublishedRevision: null })
  })

  test('makes no more drafts live after a publish', async () => {
    const { flag, shortIds } = await flagWithRules('Published')
    await publish(service, project)
    await addRule(service, flag.production, delivery('Staged since'))
    await post(`${flag.production}/run`)
    expect((await served(service, project, flag.key)).rules).toMatchObject([{ id: shortIds.get('Published') }])
    expect((await inProduction(service, flag)).staged.rules).toBe(1)
  })

  test('removes a rule that was live by itself and is no longer drafted', async () => {
    const { flag, rules } = await flagWithRules('Alone')
    const path = `${flag.production}/rules/${rules.get('Alone')}`
    await post(`${path}/run`)
    await succeed(service, 'DELETE', path)
    await post(`${flag.production}/run`)
    expect((await served(service, project, flag.key)).rules).toEqual([])
    const answer = await service.call(service.people.admin, 'POST', `${path}/pause`)
    expect(answer.status).toBe(404)
  })
})

describe('running a rule that was never published', () => {
  test.each([
    ['A', ['A', 'B', 'C']],
    ['B', ['B', 'A', 'C']],
    ['C', ['B', 'C', 'A']],
  ])('makes %s live at its position in the draft', async (name, order) => {
    const others = ['A', 'B', 'C'].filter((each) => each !== name)
    const { flag, rules, names } = await flagWithRules(
      ...others.sort((one, two) => order.indexOf(one) - order.indexOf(two)),
    )
    await post(`${flag.production}/run`)
    const rule = await addRule(service, flag.production, delivery(name, { position: order.indexOf(name) }))
    names.set(String(rule.shortId), name)
    const late = await addRule(service, flag.production, delivery('Not this one', { position: 0 }))
    await succeed(service, 'PATCH', `${flag.production}/rules/${rules.get(others[0]!)}`, { trafficAllocation: 1 })
    const { changed } = await post(`${flag.production}/rules/${rule.id}/run`)
    expect(changed).toBe(true)
    expect(await liveNames(flag, names)).toEqual(order)
    expect(
      (await served(service, project, flag.key)).rules.every(
        ({ traffic }: { traffic?: number }) => traffic === undefined,
      ),
    ).toBe(true)
    expect(await succeed(service, 'GET', `${flag.production}/rules/${rule.id}`)).toMatchObject({
      status: 'RUNNING',
      hasStagedChanges: false,
    })
    expect((await succeed(service, 'GET', `${flag.production}/rules/${late.id}`)).status).toBe('DRAFT')
    await publish(service, project)
    expect(await liveNames(flag, names)).toEqual([undefined, ...order])
  })

  test('serves nothing in a paused environment, and the first run still makes the draft live', async () => {
    const { flag, rules } = await flagWithRules('One', 'Two')
    const before = await served(service, project, flag.key)
    expect(await post(`${flag.production}/rules/${rules.get('Two')}/run`)).toMatchObject({
      changed: true,
      enabled: true,
    })
    expect(await served(service, project, flag.key)).toEqual(before)
    await post(`${flag.production}/run`)
    expect((await served(service, project, flag.key)).rules).toHaveLength(2)
  })

  test('is refused while its variation is not live', async () => {
    const flag = await newFlag(service, project, stringFlag('not-live-yet', 'off', 'on'))
    await post(`${flag.production}/run`)
    const { variations } = await succeed(service, 'PUT', `${flag.path}/variations`, {
      variations: stringVariations('off', 'on', 'new'),
    })
    const rule = await addRule(service, flag.production, delivery('Too early', { variationKey: 'new' }))
    const path = `${flag.production}/rules/${rule.id}/run`
    const { status, body } = await service.call(service.people.flagsWrite, 'POST', path)
    expect(status).toBe(409)
    const reference = { type: 'variation', id: variations[2].id }
    expect(body.error).toMatchObject({ code: 'invalid_state', details: { references: [reference] } })
    expect(await inProduction(service, flag)).toMatchObject({ staged: { rules: 1 }, runningRuleCount: 0 })
    await publish(service, project)
    expect((await served(service, project, flag.key)).rules).toMatchObject([{ variation: 'new' }])
  })
})

test('a deleted rule that is still served can be paused until the publish removes it', async () => {
  const { flag, rules, shortIds } = await flagWithRules('Leaving', 'Staying')
  await post(`${flag.production}/run`)
  const path = `${flag.production}/rules/${rules.get('Leaving')}`
  await succeed(service, 'DELETE', path)
  expect((await served(service, project, flag.key)).rules).toHaveLength(2)
  expect((await post(`${path}/pause`)).changed).toBe(true)
  expect((await served(service, project, flag.key)).rules).toMatchObject([{ id: shortIds.get('Staying') }])
  await publish(service, project)
  expect((await service.call(service.people.admin, 'POST', `${path}/run`)).status).toBe(404)
})
