import { sql } from 'kysely'
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
    expect([status, body.data]).toEqual([
      200,
      { envId: project.production.id, flags: [], experiments: [], audiences: [], warnings: [] },
    ])
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
  const etag = async (query = '') => String((await read(query)).headers.etag)
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

describe('discarding staged changes', () => {
  const discard = (flag: TestFlag, paths: string[], headers = {}, token = flagsWrite) =>
    service.call(token, 'POST', `${url}/discard`, { flagId: flag.id, paths }, headers)
  const rulesOf = async (flag: TestFlag) => await succeed(service, 'GET', `${flag.production}/rules`)
  const etagOf = async (path: string) => String((await service.call(admin, 'GET', path)).headers.etag)

  test('takes back one of three changes, and the others are published', async () => {
    const { flag, ids, rule } = await runningFlag('three', delivery('First'))
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 100 })
    await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
    const created = await addRule(service, flag.production, delivery('New'))
    const { status, body, headers } = await discard(flag, [`rules.${ids[0]}.trafficAllocation`])
    expect([status, headers.etag]).toEqual([200, (await read(`?flagId=${flag.id}`)).headers.etag])
    expect(body.data).toEqual(await list(`?flagId=${flag.id}`))
    const left = ['defaultVariationKey', `rules.${created.id}`]
    expect(body.data.flags[0].changes.map(({ path }: Change) => path)).toEqual(left)
    const { flags } = await publish(service, project)
    expect(flags[0].changes.map(({ path }: Change) => path)).toEqual(left)
  })

  test('of everything makes the draft equal to the live version', async () => {
    const { flag, ids, rule } = await runningFlag('everything', delivery('A'), delivery('B'), delivery('C'))
    const live = (await succeed(service, 'GET', flag.production)).live
    const [first, second, third] = ids
    const before = await etagOf(rule(1))
    await succeed(service, 'DELETE', rule(1))
    await succeed(service, 'PUT', `${flag.production}/rules/reorder`, { ruleIds: [third, first] })
    await succeed(service, 'PATCH', rule(0), { name: 'Renamed' })
    const created = await addRule(service, flag.production, delivery('New', { position: 0 }))
    const overrides = { environmentAllowlist: [], ruleAllowlists: [{ ruleId: created.id, entries: [] }] }
    overrides.ruleAllowlists[0]!.entries = [{ variationKey: 'on', userIds: ['u-1'] }] as never
    await succeed(service, 'PUT', `${flag.production}/overrides`, overrides)
    const { changes } = (await list()).flags[0]
    const answer = await discard(
      flag,
      changes.map(({ path }: Change) => path),
    )
    expect([answer.status, answer.body.data.flags]).toEqual([200, []])
    const after = await succeed(service, 'GET', flag.production)
    expect([after.draft, after.changes]).toEqual([live, []])
    expect((await rulesOf(flag)).map(({ id }: { id: string }) => id)).toEqual([first, second, third])
    const stale = await service.call(admin, 'PATCH', rule(1), { name: 'Stale' }, { 'x-svc-if-match': before })
    expect(stale.status, 'an ETag of the deleted rule').toBe(412)
    expect((await service.call(admin, 'POST', `${flag.production}/rules/${created.id}/run`)).status).toBe(404)
  })

  test('is refused for a path at which nothing is staged, and for one that needs a different one', async () => {
    const { flag, ids, rule } = await runningFlag('refused', delivery('First'))
    const variations = stringVariations('off', 'on', 'third', 'fourth')
    await succeed(service, 'PUT', `${flag.path}/variations`, { variations })
    await succeed(service, 'PATCH', rule(0), { variationKey: 'fourth' })
    const before = await list()
    for (const [paths, place, message] of [
      [['variations.fourth', 'ruleOrder'], 1, 'Nothing is staged at ruleOrder. Read the list again.'],
      [
        ['variations.fourth'],
        0,
        `variations.fourth cannot be discarded without rules.${ids[0]}.variationKey. Discard both.`,
      ],
    ] as const) {
      const { status, body } = await discard(flag, [...paths])
      expect([status, body.error.details.issues]).toEqual([
        400,
        [{ path: ['paths', place], message: `paths[${place}]: ${message}` }],
      ])
    }
    expect(await list()).toEqual(before)
    expect((await discard(flag, ['variations.fourth', `rules.${ids[0]}.variationKey`])).status).toBe(200)
  })

  test.each<[string, unknown, unknown[]]>([
    ['no paths', { flagId: nobody, paths: [] }, ['paths']],
    ['a path twice', { flagId: nobody, paths: ['overrides', 'overrides'] }, ['paths']],
    ['an unknown flag', { flagId: nobody, paths: ['overrides'] }, ['flagId']],
    ['a key of no flag', { flagId: 'no-flag', paths: ['overrides'] }, ['flagId']],
    ['an unknown field', { flagId: nobody, paths: ['overrides'], all: true }, ['all']],
  ])('is refused with %s', async (_what, body, path) => {
    expect(await service.call(flagsWrite, 'POST', `${url}/discard`, body)).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path }] } } },
    })
  })

  test('needs flags:write in the organization, and a flag of the project', async () => {
    const { flag } = await runningFlag('mine')
    const status = async (token: string) => (await discard(flag, ['overrides'], {}, token)).status
    expect([await status(service.people.stranger), await status(flagsRead)]).toEqual([404, 403])
    const other = await createProject(service)
    const foreign = await newFlag(service, other, { key: 'foreign' })
    expect((await discard(foreign, ['overrides'])).body.error.details.unknown).toEqual([foreign.id])
  })

  test('gives variations their live values in every environment', async () => {
    const { flag } = await runningFlag('valued')
    const edited = stringVariations('off', 'on', 'third').map((each) => ({ ...each, value: `new ${each.key}` }))
    const fourth = { name: 'Fourth', key: 'fourth', value: 'four' }
    await succeed(service, 'PUT', `${flag.path}/variations`, { variations: [...edited, fourth] })
    await succeed(service, 'PATCH', flag.development, { defaultVariationId: flag.ids.third })
    expect((await discard(flag, ['variations.on', 'variations.fourth'])).status).toBe(200)
    const { variations } = await succeed(service, 'GET', flag.path)
    expect(variations.map(({ key, value }: { key: string; value: string }) => [key, value])).toEqual([
      ['off', 'new off'],
      ['on', 'value of on'],
      ['third', 'new third'],
    ])
    for (const environment of [flag.production, flag.development]) {
      const { changes } = await succeed(service, 'GET', environment)
      const paths = changes.map(({ path }: Change) => path).filter((path: string) => path.startsWith('variations.'))
      expect(paths).toEqual(['variations.off', 'variations.third'])
    }
  })

  test('is refused while a different environment uses the variation', async () => {
    const { flag } = await runningFlag('elsewhere')
    const variations = stringVariations('off', 'on', 'third', 'fourth')
    const { variations: made } = await succeed(service, 'PUT', `${flag.path}/variations`, { variations })
    await succeed(service, 'PATCH', flag.development, { defaultVariationId: made[3].id })
    const { status, body } = await discard(flag, ['variations.fourth'])
    expect([status, body.error.details.references]).toEqual([
      409,
      [expect.objectContaining({ type: 'default', envId: project.development.id, variationKey: 'fourth' })],
    ])
  })

  test('takes back a deleted variation, and swapped values only together', async () => {
    const { flag } = await runningFlag('deleted')
    await succeed(service, 'PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'on') })
    expect((await discard(flag, ['variations.third'])).status).toBe(200)
    const { variations } = await succeed(service, 'GET', flag.path)
    expect(variations[2]).toEqual({ id: flag.ids.third, name: 'third', key: 'third', value: 'value of third' })
    const boolean = await newFlag(service, project, { key: 'boolean' })
    const swapped = ['on', 'off'].map((key) => ({ name: key, key, value: String(key === 'off') }))
    await succeed(service, 'PUT', `${boolean.path}/variations`, { variations: swapped })
    const refused = await discard(boolean, ['variations.on'])
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, ['paths', 0]])
    expect((await discard(boolean, ['variations.on', 'variations.off'])).body.data.flags).toEqual([])
  })

  test('takes the ETag of the flag or of its list, and refuses others', async () => {
    const { flag, ids, rule } = await runningFlag('bound', delivery('First'))
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 100, name: 'Renamed' })
    const old = [await etagOf(flag.path), await etagOf(`${url}?flagId=${flag.id}`)]
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 200 })
    const under = async (etag: string, path: string) =>
      (await discard(flag, [`rules.${ids[0]}.${path}`], { 'x-svc-if-match': etag })).status
    for (const etag of old) expect(await under(etag, 'name')).toBe(412)
    expect(await under(await etagOf(flag.path), 'name')).toBe(200)
    expect(await under(await etagOf(`${url}?flagId=${flag.id}`), 'trafficAllocation')).toBe(200)
  })

  test('is recorded with the values and an event that names the rules', async () => {
    const { flag, ids, rule } = await runningFlag('recorded', delivery('First'))
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 100 })
    await discard(flag, [`rules.${ids[0]}.trafficAllocation`])
    const path = `rules.${ids[0]}.trafficAllocation`
    const envId = project.production.id
    const { rows } = await sql`
      select actor_name, object_name, before, after from audit_entries
      where project_id = ${project.id} and action = 'flag.discard_changes'`.execute(service.db)
    expect(rows).toEqual([
      {
        actor_name: 'flags-write',
        object_name: 'Flag recorded',
        before: { envId, changes: { [path]: 100 } },
        after: { envId, changes: { [path]: 10_000 } },
      },
    ])
    const events = await sql<{ name: string; payload: object }>`
      select name, payload from events where project_id = ${project.id} order by seq desc limit 1`.execute(service.db)
    expect(events.rows).toMatchObject([
      {
        name: 'flag.updated',
        payload: { flag: { id: flag.id }, environment: { id: envId, name: 'Production' }, rules: [{ id: ids[0] }] },
      },
    ])
  })

  test('at the same time as edits loses none of them', async () => {
    const { flag, ids, rule } = await runningFlag('raced', delivery('First'), delivery('Second'))
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 100, name: 'Renamed' })
    const path = (field: string) => `rules.${ids[0]}.${field}`
    const answers = await Promise.all([
      discard(flag, [path('name')]),
      service.call(admin, 'PATCH', rule(1), { trafficAllocation: 300 }),
      discard(flag, [path('trafficAllocation')]),
      service.call(admin, 'PATCH', flag.production, { defaultVariationId: flag.ids.on }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await authors(flag)).toEqual({
      defaultVariationKey: 'admin',
      [`rules.${ids[1]}.trafficAllocation`]: 'admin',
    })
  })
})

describe('a publish with the ETag of the list', () => {
  const publishUnder = (etag: string, body?: unknown) =>
    service.call(admin, 'POST', url.replace('/staged', '/publish'), body, { 'x-svc-if-match': etag })
  const etag = async (query = '') => String((await read(query)).headers.etag)

  test('is refused after a change of the list, and publishes what was read', async () => {
    const { rule } = await runningFlag('reviewed', delivery('First'))
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 100 })
    const seen = await etag()
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 200 })
    const { revision } = (await succeed(service, 'GET', url.replace('/staged', ''))).dataFile
    for (const body of [undefined, { dryRun: true }]) {
      const refused = await publishUnder(seen, body)
      expect([refused.status, refused.body.error.code]).toEqual([412, 'precondition_failed'])
    }
    expect((await succeed(service, 'GET', url.replace('/staged', ''))).dataFile.revision).toBe(revision)
    const published = await publishUnder(await etag())
    expect([published.status, published.body.data.changed]).toEqual([200, true])
    expect((await publishUnder(seen)).status, 'nothing is staged any more').toBe(412)
  })

  test('of chosen flags takes the ETag of the whole list or of the flag alone', async () => {
    const [one, two] = [await runningFlag('first'), await runningFlag('second')]
    const stage = ({ flag }: typeof one, key: string) =>
      succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids[key] })
    await stage(one, 'on')
    await stage(two, 'on')
    const alone = await etag(`?flagId=${one.flag.id}`)
    const whole = await etag()
    await stage(two, 'third')
    const body = { flagIds: [one.flag.id] }
    expect((await publishUnder(whole, body)).status).toBe(412)
    expect((await publishUnder(alone, body)).status).toBe(200)
    expect((await publishUnder(await etag(), { flagIds: [two.flag.id] })).status).toBe(200)
  })

  test('takes the ETag of the environment as before', async () => {
    const environment = url.replace('/staged', '')
    const { headers } = await service.call(admin, 'GET', environment)
    expect((await publishUnder(String(headers.etag))).status).toBe(200)
    await succeed(service, 'PATCH', environment, { color: '#000000' })
    expect((await publishUnder(String(headers.etag))).status).toBe(412)
  })

  test('never publishes an edit that comes at the same time', async () => {
    const { flag, rule } = await runningFlag('meeting', delivery('First'))
    await succeed(service, 'PATCH', rule(0), { trafficAllocation: 100 })
    const seen = await etag()
    const [published, edited] = await Promise.all([
      publishUnder(seen),
      service.call(admin, 'PATCH', rule(0), { trafficAllocation: 200 }),
    ])
    expect(edited.status).toBe(200)
    const { live } = await succeed(service, 'GET', flag.production)
    expect([200, 412]).toContain(published.status)
    expect(live.rules[0].trafficAllocation).toBe(published.status === 200 ? 100 : 10_000)
  })
})
