import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { type Answer, createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

let flag: TestFlag
let count = 0
beforeEach(async () => {
  count += 1
  flag = await newFlag(service, project, { key: `draft-${count}` })
})

type Body = Record<string, unknown>
const put = (body: Body, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call(service.people.flagsWrite, 'PUT', `${flag.production}/draft`, body, headers)
const read = () => succeed(service, 'GET', flag.production)
const replaced = async (rules: Body[], more: Body = {}) => {
  const answer = await put({ defaultVariationKey: 'off', rules, ...more })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
const keysOf = (rules: { key: string }[]) => rules.map(({ key }) => key)
const pathsOf = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: unknown[] }) => path.join('.'))
const entriesOf = async () =>
  (await succeed(service, 'GET', `/api/v1/audit?objectId=${flag.id}`)).map(({ action }: { action: string }) => action)

describe('a draft', () => {
  test('gets its default, new, edited and deleted rules in one write with one audit entry', async () => {
    const kept = await addRule(service, flag.production, delivery('Kept'))
    await addRule(service, flag.production, delivery('Left out'))
    const { draft } = await replaced(
      [
        { ...abTest('Price test'), key: 'price', enabled: false },
        { ...delivery('Renamed'), key: 'kept' },
      ],
      { defaultVariationKey: 'on' },
    )
    expect([draft.defaultVariationKey, keysOf(draft.rules)]).toEqual(['on', ['price', 'kept']])
    expect(draft.rules[1]).toMatchObject({ id: kept.id, shortId: kept.shortId, salt: kept.salt, name: 'Renamed' })
    const rules = await succeed(service, 'GET', `${flag.production}/rules`)
    expect(rules.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([false, true])
    expect(await entriesOf()).toEqual(['flag.replace_draft', 'flag.create'])
    const { changes } = await read()
    expect(changes.every(({ by }: { by: { type: string } }) => by.type === 'SERVICE_TOKEN' || by)).toBe(true)
    const [event] = (await succeed(service, 'GET', `${project.path}/events?limit=100`)).slice(-1)
    expect([event.event, event.flag.id]).toEqual(['flag.updated', flag.id])
  })

  test('can be sent as it was read, which changes and records nothing', async () => {
    await addRule(service, flag.production, delivery('One', { audienceIds: [], trafficAllocation: 2500 }))
    await addRule(service, flag.production, abTest('Two'))
    const list = { ruleId: 'two', entries: [{ variationKey: 'on', userIds: ['qa'] }] }
    await succeed(service, 'PUT', `${flag.production}/overrides`, { environmentAllowlist: [], ruleAllowlists: [list] })
    const before = await service.call(service.people.admin, 'GET', flag.production)
    const answer = await put(before.body.data.draft)
    expect(answer.body.data).toEqual(before.body.data)
    expect(answer.headers.etag).toBe(before.headers.etag)
    expect(await entriesOf()).not.toContain('flag.replace_draft')
  })

  test('keeps its overrides unless they are given, without those of deleted rules', async () => {
    const rule = await addRule(service, flag.production, delivery('Listed'))
    const entries = [{ variationKey: 'on', userIds: ['qa'] }]
    const lists = { environmentAllowlist: entries, ruleAllowlists: [{ ruleId: rule.id, entries }] }
    await succeed(service, 'PUT', `${flag.production}/overrides`, lists)
    expect((await replaced([{ type: 'UNCHANGED', key: 'listed' }])).draft.overrides).toEqual(lists)
    expect((await replaced([])).draft.overrides).toEqual({ environmentAllowlist: entries, ruleAllowlists: [] })
    const { draft } = await replaced([{ ...delivery('New'), key: 'new' }], {
      overrides: { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 'new', entries }] },
    })
    expect(draft.overrides.ruleAllowlists).toEqual([{ ruleId: draft.rules[0].id, entries }])
  })

  test('is in the staged changes with its source', async () => {
    const answer = await put({ defaultVariationKey: 'on', rules: [] }, { 'x-svc-source': 'svc apply svc.yaml' })
    expect(answer.body.data.changes).toMatchObject([{ path: 'defaultVariationKey', source: 'svc apply svc.yaml' }])
    await replaced([delivery('By hand')], { defaultVariationKey: 'on' })
    const sources = (await read()).changes.map(({ source }: { source?: string }) => source ?? null)
    expect(sources).toEqual(['svc apply svc.yaml', null])
  })

  test.each(['', 'x'.repeat(201), 'caf\u00e9'])('is refused with the source %j', async (source) => {
    const answer = await put({ defaultVariationKey: 'on', rules: [] }, { 'x-svc-source': source })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('X-Svc-Source')])
  })

  test('a write that stages nothing refuses a source', async () => {
    const path = `${flag.production}/pause`
    const answer = await service.call(service.people.admin, 'POST', path, undefined, { 'x-svc-source': 'a' })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('does not support X-Svc-Source')])
  })

  test('goes live with a publish; a rule that was deleted comes back as the same rule until then', async () => {
    const [first] = (await replaced([delivery('First')])).draft.rules
    await publish(service, project)
    await replaced([])
    expect((await read()).live.rules).toHaveLength(1)
    const again = await replaced([{ ...delivery('First'), key: 'first' }])
    expect([again.draft.rules[0].id, again.changes]).toEqual([first.id, []])
  })

  test('puts new tests into different slots of a group', async () => {
    await succeed(service, 'POST', `${project.path}/exclusion-groups`, {
      name: `Group ${count}`,
      key: `group-${count}`,
    })
    const test = (name: string) => ({ ...abTest(name), key: name, exclusionGroupId: `group-${count}` })
    await replaced([test('One'), test('Two')])
    const group = await succeed(service, 'GET', `${project.path}/exclusion-groups/group-${count}`)
    expect(group.slots.map(({ from }: { from: number }) => from)).toEqual([0, 2500])
    await replaced([test('Two'), test('One'), test('Three')])
    const { slots } = await succeed(service, 'GET', `${project.path}/exclusion-groups/group-${count}`)
    expect(slots.map(({ from }: { from: number }) => from)).toEqual([0, 2500, 5000])
  })
})

describe('a draft is refused, whole,', () => {
  test.each<[string, Body, string]>([
    ['with an unknown default', { defaultVariationKey: 'blue', rules: [] }, 'defaultVariationKey'],
    [
      'with an unknown variation',
      { rules: [delivery('A'), delivery('B', { variationKey: 'blue' })] },
      'rules.1.variationKey',
    ],
    ['with a space after bucketBy', { rules: [delivery('A', { bucketBy: 'company ' })] }, 'rules.0.bucketBy'],
    [
      'with a space before the bucketBy of a test',
      { rules: [abTest('A', { bucketBy: ' company' })] },
      'rules.0.bucketBy',
    ],
    ['with an unknown audience', { rules: [delivery('A', { audienceIds: ['nobody'] })] }, 'rules.0.audienceIds.0'],
    ['with an unknown group', { rules: [abTest('A', { exclusionGroupId: 'none' })] }, 'rules.0.exclusionGroupId'],
    ['with an unknown rule', { rules: [{ ...delivery('A'), id: crypto.randomUUID() }] }, 'rules.0.id'],
    ['with an unknown rule that stays', { rules: [{ type: 'UNCHANGED', key: 'none' }] }, 'rules.0.key'],
    [
      'with a key twice',
      {
        rules: [
          { ...delivery('A'), key: 'a' },
          { ...delivery('B'), key: 'a' },
        ],
      },
      'rules.1.key',
    ],
    ['with another type', { rules: [{ ...abTest('A'), key: 'present' }] }, 'rules.0.type'],
    ['with another short id', { rules: [{ ...delivery('A'), key: 'present', shortId: 99_999 }] }, 'rules.0.shortId'],
    ['with a moved switch', { rules: [{ ...delivery('A'), key: 'present', enabled: false }] }, 'rules.0.enabled'],
    ['with a position', { rules: [{ ...delivery('A'), position: 0 }] }, 'rules.0.position'],
    [
      'with an unknown rule in a list',
      { rules: [], overrides: { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 'present', entries: [] }] } },
      'overrides.ruleAllowlists.0.ruleId',
    ],
    ['with too many rules', { rules: Array.from({ length: 101 }, (_, at) => delivery(`Rule ${at}`)) }, 'rules'],
  ])('%s', async (_what, body, path) => {
    await addRule(service, flag.production, delivery('Present'))
    const before = await read()
    const answer = await put({ defaultVariationKey: 'off', ...body })
    expect([answer.status, pathsOf(answer)]).toEqual([400, [path]])
    expect(await read()).toEqual(before)
  })

  test('if the flag has changed since it was read', async () => {
    const { headers } = await service.call(service.people.admin, 'GET', flag.production)
    await addRule(service, flag.production, delivery('Meanwhile'))
    const answer = await put({ defaultVariationKey: 'off', rules: [] }, { 'x-svc-if-match': String(headers.etag) })
    expect(answer.status).toBe(412)
    expect((await read()).draft.rules).toHaveLength(1)
  })

  test('if it moves visitors of a running test, unless that is confirmed', async () => {
    const variations = (on: number) => [
      { variationKey: 'on', weight: on },
      { variationKey: 'off', weight: 10_000 - on },
    ]
    await replaced([abTest('Test', { variations: variations(5000) })])
    await succeed(service, 'POST', `${flag.production}/run`)
    const moved = {
      defaultVariationKey: 'off',
      rules: [{ ...abTest('Test', { variations: variations(2000) }), key: 'test' }],
    }
    expect((await put(moved)).body.error.code).toBe('reassignment_unconfirmed')
    expect((await put({ ...moved, confirmReassignment: true })).status).toBe(200)
  })

  test('if it changes or deletes the rule of an experiment, which can stay', async () => {
    const rule = await addRule(service, flag.production, abTest('Owned'))
    const path = `${project.path}/experiments`
    const wanted = { name: 'Owner', flagId: flag.id, envId: project.production.id, ruleId: rule.id }
    const experiment = await succeed(service, 'POST', path, wanted)
    for (const rules of [[], [{ ...abTest('Owned', { trafficAllocation: 100 }), key: 'owned' }]]) {
      const answer = await put({ defaultVariationKey: 'off', rules })
      expect(answer.body.error.details.references).toEqual([{ type: 'experiment', id: experiment.id }])
    }
    const { draft } = await replaced([delivery('Before'), { type: 'UNCHANGED', key: 'owned' }])
    expect(keysOf(draft.rules)).toEqual(['before', 'owned'])
  })

  test('without the scope, and for a stranger', async () => {
    const body = { defaultVariationKey: 'off', rules: [] }
    const status = async (who: string) => (await service.call(who, 'PUT', `${flag.production}/draft`, body)).status
    expect([await status(service.people.flagsRead), await status(service.people.stranger)]).toEqual([403, 404])
  })
})

test('values of a JSON flag fit its schema', async () => {
  const variations = (...values: string[]) => values.map((value, at) => ({ name: `V${at}`, key: `v${at}`, value }))
  const valueSchema = { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] }
  const flags = `${project.path}/flags`
  const body = { name: 'Sized', key: 'sized', type: 'JSON', defaultVariationKey: 'v0', valueSchema }
  const create = (more: Body) => service.call(service.people.admin, 'POST', flags, { ...body, ...more })
  const misfit = await create({ variations: variations('{"size":1}', '{"size":0}') })
  expect([misfit.status, pathsOf(misfit)]).toEqual([400, ['variations.1.value']])
  expect(misfit.body.error.message).toContain('does not fit the schema of the flag at size: must be at least 1.')
  const wrongType = await create({ type: 'STRING', variations: variations('a', 'b') })
  expect([wrongType.status, pathsOf(wrongType)]).toEqual([400, ['valueSchema']])
  const badSchema = await create({ variations: variations('{}', '[]'), valueSchema: { items: { pattern: 'a' } } })
  expect(pathsOf(badSchema)).toEqual(['valueSchema.items.pattern'])
  const tooLarge = await create({ variations: variations('1', '2'), valueSchema: { const: 'x'.repeat(16_384) } })
  expect(pathsOf(tooLarge)).toEqual(['valueSchema'])
  const made = await create({ variations: variations('{"size":1}', '{"size":2}') })
  expect([made.status, made.body.data.valueSchema]).toEqual([201, valueSchema])
  const replace = (...values: string[]) =>
    service.call(service.people.admin, 'PUT', `${flags}/sized/variations`, { variations: variations(...values) })
  expect(pathsOf(await replace('{"size":1}', '{}'))).toEqual(['variations.1.value'])
  const patch = (schema: unknown) =>
    service.call(service.people.admin, 'PATCH', `${flags}/sized`, { valueSchema: schema })
  const narrower = await patch({ properties: { size: { maximum: 1 } } })
  expect([narrower.status, narrower.body.error.message]).toEqual([400, expect.stringContaining('variation v1')])
  expect((await patch(null)).body.data.valueSchema).toBe(null)
  expect((await replace('{"size":1}', '{}')).status).toBe(200)
  expect((await service.call(service.people.admin, 'GET', `${flags}/sized`)).body.data.valueSchema).toBe(null)
})

describe('a preview of drafts', () => {
  const url = `${project.path}/environments/${project.production.id}`
  const visitors = Array.from({ length: 200 }, (_, index) => ({
    targetingKey: `u-${index}`,
    country: ['NL', 'BE'][index % 2],
  }))
  const preview = (body: Body): Promise<Answer> =>
    service.call(service.people.viewer, 'POST', `${url}/drafts/preview`, { visitors, ...body })
  const inCountry = (country: string) => ({ attribute: 'country', operator: 'equals', value: country })
  const written = async () => [
    await entriesOf(),
    await read(),
    await succeed(service, 'GET', `${url}/staged`),
    (await succeed(service, 'GET', project.path)).updatedAt,
  ]

  test('counts what a publish of these drafts would change, and stages nothing', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    const rule = {
      ...delivery('Dutch', { conditions: inCountry('NL'), trafficAllocation: 5000 }),
      key: 'dutch',
      salt: 'abc',
    }
    const draft = { flagId: flag.key, defaultVariationKey: 'off', rules: [rule] }
    const before = await written()
    const { status, body } = await preview({ drafts: [draft], flagIds: [flag.id] })
    expect(status).toBe(200)
    expect(await written()).toEqual(before)
    await replaced([rule])
    const staged = await succeed(service, 'POST', `${url}/staged/preview`, { visitors, flagIds: [flag.id] })
    const same = ({ flags, ...counts }: { flags: { moves: object[] }[] }) => ({
      ...counts,
      flags: flags.map((each) => ({ ...each, moves: each.moves.map((move) => ({ ...move, ruleId: null })) })),
    })
    expect(same(body.data)).toEqual(same(staged))
    expect(body.data.changed).toBeGreaterThan(20)
    expect(body.data.changed).toBeLessThan(80)
    const nothing = await preview({ drafts: [{ ...draft, rules: [] }], flagIds: [flag.id] })
    expect(nothing.body.data).toEqual({ visitors: 200, changed: 0, flags: [] })
    await publish(service, project)
  })

  test('counts edited audiences for the flags that are live', async () => {
    await succeed(service, 'POST', `${flag.production}/run`)
    const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
      name: `Near ${count}`,
      conditions: inCountry('NL'),
    })
    await addRule(service, flag.production, delivery('Near', { audienceIds: [audience.id] }))
    await publish(service, project)
    const edit = { audienceId: audience.key, conditions: { any: [inCountry('NL'), inCountry('BE')] } }
    const { body } = await preview({ audiences: [edit] })
    expect(body.data).toMatchObject({
      changed: 100,
      flags: [{ key: flag.key, moves: [{ from: 'off', to: 'on', visitors: 100 }] }],
    })
  })

  test.each([
    [
      'a draft that its replacement would refuse',
      { rules: [{ ...delivery('A'), key: 'a', variationKey: 'no' }] },
      400,
      'drafts.0.rules.0.variationKey',
    ],
    ['an unknown default', { defaultVariationKey: 'no' }, 400, 'drafts.0.defaultVariationKey'],
    ['an unknown flag', { flagId: 'nothing' }, 400, 'drafts'],
  ])('refuses %s, and names the field', async (_what, change, status, path) => {
    const answer = await preview({ drafts: [{ flagId: flag.id, defaultVariationKey: 'off', rules: [], ...change }] })
    expect([answer.status, pathsOf(answer)]).toEqual([status, [path]])
  })
})
