import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  nobody,
  publish,
  stringFlag,
  stringVariations,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject } from '../../../../testing/service.ts'

let moment = Date.parse('2026-11-20T10:00:00Z')
const service = await startTestService({ now: () => new Date(moment) })
afterAll(() => service.close())

const { admin, flagsRead, flagsWrite } = service.people
let project: TestProject
let url: string

beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/environments/${project.production.id}/staged`
})

type Change = { path: string; from: unknown; to: unknown; by: { name: string } | null; at: string | null }

const read = (query = '', headers = {}) => service.call(flagsRead, 'GET', `${url}${query}`, undefined, headers)
const list = async (query = '') => (await read(query)).body.data
/** Each change of a flag with the name of its author. */
const authors = async (flag: TestFlag) => {
  const [found] = (await list(`?flagId=${flag.id}`)).flags
  return Object.fromEntries((found?.changes ?? []).map(({ path, by }: Change) => [path, by?.name]))
}

const runningFlag = async (key: string, ...rules: Record<string, unknown>[]) => {
  const flag = await newFlag(service, project, stringFlag(key, 'off', 'on', 'third'))
  const ids: string[] = []
  for (const rule of rules) ids.push((await addRule(service, flag.production, rule)).id)
  await succeed(service, 'POST', `${flag.production}/run`)
  return { flag, ids, rule: (place: number) => `${flag.production}/rules/${ids[place]}` }
}

describe('the list of staged changes', () => {
  test('is empty while nothing is staged', async () => {
    await runningFlag('still')
    const { status, body } = await read()
    expect([status, body.data]).toEqual([200, { envId: project.production.id, flags: [], audiences: [], warnings: [] }])
  })

  test('has the changes of a dry run with authors, times, names and warnings', async () => {
    const { flag, ids, rule } = await runningFlag('checkout', delivery('Benelux'), abTest('Price'))
    await service.call(admin, 'PATCH', rule(0), { trafficAllocation: 2500 })
    moment += 60_000
    const weights = [
      { variationKey: 'off', weight: 8000 },
      { variationKey: 'on', weight: 2000 },
    ]
    const edit = { variations: weights, confirmReassignment: true }
    expect((await service.call(flagsWrite, 'PATCH', rule(1), edit)).status).toBe(200)
    const { flags, warnings } = await list()
    expect(flags).toMatchObject([{ flagId: flag.id, key: 'checkout', name: 'Flag checkout' }])
    expect(flags[0].changes).toEqual([
      {
        path: `rules.${ids[0]}.trafficAllocation`,
        from: 10_000,
        to: 2500,
        rules: [{ id: ids[0], shortId: expect.any(Number), name: 'Benelux', type: 'TARGETED_DELIVERY' }],
        by: { type: 'service_token', id: expect.any(String), name: 'admin' },
        at: new Date(moment - 60_000).toISOString(),
      },
      {
        path: `rules.${ids[1]}.variations`,
        from: [
          { variationKey: 'off', weight: 5000 },
          { variationKey: 'on', weight: 5000 },
        ],
        to: weights,
        rules: [{ id: ids[1], shortId: expect.any(Number), name: 'Price', type: 'AB_TEST' }],
        by: { type: 'service_token', id: expect.any(String), name: 'flags-write' },
        at: new Date(moment).toISOString(),
      },
    ])
    const dryRun = await publish(service, project, { dryRun: true })
    expect(warnings).toEqual([{ code: 'reassigns_exposed_visitors', ruleId: ids[1], visitors: null }])
    expect(dryRun.warnings).toEqual(warnings)
    expect(dryRun.flags[0].changes).toEqual(flags[0].changes.map(({ path, from, to }: Change) => ({ path, from, to })))
  })

  test('has edited audiences with their author, unless it is asked for one flag', async () => {
    const conditions = { attribute: 'plan', operator: 'equals', value: 'beta' }
    const audience = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Beta', conditions })
    const { flag } = await runningFlag('used', delivery('Theirs', { audienceIds: [audience.id] }))
    const path = `${project.path}/audiences/${audience.id}`
    await service.call(admin, 'PATCH', path, { conditions: { ...conditions, value: 'pro' } })
    const edited = moment
    moment += 60_000
    await service.call(admin, 'PATCH', path, { name: 'Beta users' })
    expect((await list()).audiences).toEqual([
      {
        audienceId: audience.id,
        name: 'Beta users',
        changes: [
          {
            path: 'conditions',
            from: conditions,
            to: { ...conditions, value: 'pro' },
            rules: [],
            by: { type: 'service_token', id: expect.any(String), name: 'admin' },
            at: new Date(edited).toISOString(),
          },
        ],
      },
    ])
    expect((await list(`?flagId=${flag.id}`)).audiences).toEqual([])
  })

  test('is limited to one flag, and an unknown flag is refused', async () => {
    const [one, two] = [await runningFlag('one'), await runningFlag('two')]
    for (const { flag } of [one, two])
      await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
    const keys = ({ flags }: { flags: { key: string }[] }) => flags.map(({ key }) => key)
    expect(keys(await list())).toEqual(['one', 'two'])
    expect(keys(await list(`?flagId=${two.flag.id.toUpperCase()}`))).toEqual(['two'])
    for (const id of [nobody, 'checkout'])
      expect(await read(`?flagId=${id}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_failed', details: { issues: [{ path: ['flagId'] }] } } },
      })
  })

  test('needs flags:read in the organization', async () => {
    const status = async (token: string) => (await service.call(token, 'GET', url)).status
    const { stranger, noScopes, projectsRead } = service.people
    expect([await status(stranger), await status(noScopes), await status(projectsRead)]).toEqual([404, 403, 403])
    const byKey = `${project.path}/environments/production/staged`
    expect((await service.call(flagsRead, 'GET', byKey)).status).toBe(200)
  })
})

test('the ETag changes exactly when the list changes', async () => {
  const { flag, rule } = await runningFlag('tagged', delivery('First'))
  const other = await runningFlag('other')
  const etag = async (query = '') => (await read(query)).headers.etag
  const empty = await etag()
  const steps: [string, () => Promise<unknown>, boolean][] = [
    ['an edit', () => succeed(service, 'PATCH', rule(0), { trafficAllocation: 100 }), true],
    ['a pause', () => succeed(service, 'POST', `${other.flag.production}/pause`), false],
    ['an edit elsewhere', () => addRule(service, flag.development, delivery('There')), false],
    ['a tag', () => succeed(service, 'PATCH', flag.path, { tags: ['x'] }), false],
    ['a second edit', () => succeed(service, 'PATCH', rule(0), { name: 'Renamed' }), true],
    ['undoing it', () => succeed(service, 'PATCH', rule(0), { name: 'First' }), true],
    ['a publish of something else', () => publish(service, project, { flagIds: [other.flag.id] }), false],
  ]
  for (const [step, act, changes] of steps) {
    const before = await etag()
    await act()
    expect([step, (await etag()) !== before]).toEqual([step, changes])
    expect((await read('', { 'if-none-match': before })).status).toBe(changes ? 200 : 304)
  }
  expect(await etag(`?flagId=${flag.id}`)).toBe(await etag())
  await publish(service, project)
  expect(await etag()).toBe(empty)
})

describe('the author of a change', () => {
  const as = (token: string, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    service.call(token, method, path, body).then((answer) => {
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body.data
    })

  test('is recorded by every kind of edit, and stays when others edit', async () => {
    const { flag, ids, rule } = await runningFlag('edited', delivery('First'), delivery('Second'), delivery('Third'))
    const [first, second, third] = ids
    await as(admin, 'PATCH', rule(0), { name: 'Renamed' })
    await as(flagsWrite, 'DELETE', rule(1))
    await as(admin, 'PUT', `${flag.production}/rules/reorder`, {
      ruleIds: [third, first],
    })
    const created = await as(flagsWrite, 'POST', `${flag.production}/rules`, delivery('New'))
    const copy = await as(admin, 'POST', `${flag.production}/rules/${created.id}/duplicate`)
    await as(flagsWrite, 'PATCH', flag.production, { defaultVariationId: flag.ids.third })
    await as(admin, 'PUT', `${flag.production}/overrides`, {
      environmentAllowlist: [{ variationKey: 'on', userIds: ['u-1'] }],
      ruleAllowlists: [],
    })
    const variations = stringVariations('off', 'on', 'third').map((each) =>
      each.key === 'on' ? { ...each, value: 'other' } : each,
    )
    await as(flagsWrite, 'PUT', `${flag.path}/variations`, { variations })
    expect(await authors(flag)).toEqual({
      'variations.on': 'flags-write',
      defaultVariationKey: 'flags-write',
      overrides: 'admin',
      [`rules.${first}.name`]: 'admin',
      [`rules.${second}`]: 'flags-write',
      [`rules.${created.id}`]: 'flags-write',
      [`rules.${copy.id}`]: 'admin',
      ruleOrder: 'admin',
    })
  })

  test('leaves with the publish, and with a run that takes the draft live', async () => {
    const { flag, ids, rule } = await runningFlag('published', delivery('First'))
    await as(flagsWrite, 'PATCH', rule(0), { name: 'Renamed' })
    await publish(service, project)
    await as(admin, 'PATCH', rule(0), { name: 'First' })
    expect(await authors(flag)).toEqual({
      [`rules.${ids[0]}.name`]: 'admin',
    })
    const fresh = await newFlag(service, project, stringFlag('fresh', 'off', 'on'))
    await addRule(service, fresh.production, delivery('First'))
    expect(Object.values(await authors(fresh))).toEqual(['admin'])
    await as(admin, 'POST', `${fresh.production}/run`)
    expect(await authors(fresh)).toEqual({})
  })

  test('stays while a drafted rule goes live alone', async () => {
    const { flag, rule } = await runningFlag('alone', delivery('First'))
    await as(flagsWrite, 'PATCH', rule(0), { trafficAllocation: 100 })
    const drafted = await addRule(service, flag.production, delivery('Drafted', { enabled: false }))
    await as(admin, 'POST', `${flag.production}/rules/${drafted.id}/run`)
    expect(Object.values(await authors(flag))).toEqual(['flags-write'])
  })

  test('is the person who restored a revision or copied an environment', async () => {
    const { flag, rule } = await runningFlag('restored', delivery('First'))
    const { revision } = (await succeed(service, 'GET', `${project.path}/environments/${project.production.id}`))
      .dataFile
    await succeed(service, 'DELETE', rule(0))
    await publish(service, project)
    const path = `${project.path}/environments/${project.production.id}/revisions/${revision}/restore`
    await as(flagsWrite, 'POST', path)
    expect(Object.values(await authors(flag))).toEqual(['flags-write'])
    const copied = await succeed(service, 'POST', `${project.path}/environments`, {
      name: 'Staging',
      copyFromEnvId: project.production.id,
    })
    url = `${project.path}/environments/${copied.id}/staged`
    expect(Object.values(await authors(flag))).toEqual(['admin'])
  })

  test('is right after edits at the same time', async () => {
    const rules = ['A', 'B', 'C', 'D'].map((name) => delivery(name))
    const { flag, ids, rule } = await runningFlag('crowded', ...rules)
    const tokens = [admin, flagsWrite, admin, flagsWrite]
    await Promise.all(tokens.map((token, place) => as(token, 'PATCH', rule(place), { trafficAllocation: 100 })))
    expect(await authors(flag)).toEqual(
      Object.fromEntries(
        ids.map((id, place) => [`rules.${id}.trafficAllocation`, place % 2 === 0 ? 'admin' : 'flags-write']),
      ),
    )
  })
})
