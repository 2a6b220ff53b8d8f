import { afterAll, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, succeed } from '../../../../../testing/flags.ts'
import { plainKinds } from '../../../../../testing/nouns.ts'
import { type Answer, createProject, startTestService } from '../../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)

/** Those that make a key from the name. A metric is always given one. */
const kinds = plainKinds.filter(({ noun }) => noun !== 'metric')

describe.each(kinds)('$path', ({ noun, path: many, body }) => {
  const url = `${project.path}/${many}`
  const create = (more: Record<string, unknown>) => call('POST', url, { ...body(), ...more })

  test('have a key that is made from the name', async () => {
    const made = await succeed(service, 'POST', url, { ...body(), name: 'VIP (Benelux)' })
    expect(made.key).toBe('vip-benelux')
    const [one, other] = [await create({ name: 'Vip: Benelux' }), await create({ name: '2026' })]
    expect([one.body.data.key, other.body.data.key]).toEqual([
      'vip-benelux-2',
      `${noun.replace(/^(exclusion|catalog|recommendation)_/, '')}-2026`,
    ])
  })

  test('can be given a key, which addresses take in place of the id', async () => {
    const made = await succeed(service, 'POST', url, { ...body(), name: 'Chosen', key: 'Chosen.key_1' })
    expect(made.key).toBe('Chosen.key_1')
    expect(await succeed(service, 'GET', `${url}/Chosen.key_1`)).toEqual(made)
    expect((await call('GET', `${url}/chosen.key_1`)).status).toBe(404)
    expect((await call('PATCH', `${url}/Chosen.key_1`, { name: 'Renamed' })).body.data).toMatchObject({
      ...{ id: made.id, key: 'Chosen.key_1', name: 'Renamed' },
    })
  })

  test('keep their key, and no other one of the project gets it', async () => {
    await create({ name: 'First', key: 'taken' })
    const again = await create({ name: 'Second', key: 'taken' })
    expect([again.status, again.body.error.code]).toEqual([409, 'validation_failed'])
    expect(again.body.error.details.issues[0].path).toEqual(['key'])
    const changed = await call('PATCH', `${url}/taken`, { key: 'other' })
    expect([changed.status, changed.body.error.code]).toEqual([400, 'validation_failed'])
    for (const key of ['17', '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', 'with space', ''])
      expect((await create({ name: key || 'Empty', key })).status, key).toBe(400)
  })

  test('are recorded with their key', async () => {
    const { id } = await succeed(service, 'POST', url, { ...body(), name: 'Recorded', key: 'recorded' })
    const entries = (await call('GET', `/api/v1/audit?objectId=${id}`)).body.data
    expect(entries[0].after.key).toBe('recorded')
  })
})

describe('rules', () => {
  test('have a key that is unique in the flag and environment, drafted or live', async () => {
    const flag = await newFlag(service, project, { key: 'rule-keys' })
    const first = await addRule(service, flag.production, delivery('Staff'))
    const second = await addRule(service, flag.production, delivery('Staff'))
    const elsewhere = await addRule(service, flag.development, delivery('Staff'))
    expect([first.key, second.key, elsewhere.key]).toEqual(['staff', 'staff-2', 'staff'])
    const given = await addRule(service, flag.production, { ...delivery('Given'), key: 'my.key' })
    expect(given.key).toBe('my.key')
    await publish(service, project)
    expect((await call('DELETE', `${flag.production}/rules/my.key`)).status).toBe(200)
    // It is live until the next publish.
    const again = await call('POST', `${flag.production}/rules`, { ...delivery('Again'), key: 'my.key' })
    expect([again.status, again.body.error.details.issues[0].path]).toEqual([409, ['key']])
    await publish(service, project)
    expect((await addRule(service, flag.production, { ...delivery('Again'), key: 'my.key' })).id).not.toBe(given.id)
    expect((await call('PATCH', `${flag.production}/rules/staff`, { key: 'other' })).status).toBe(400)
  })

  test('are found by short id and by key where the address names no environment', async () => {
    const flag = await newFlag(service, project, { key: 'results-by-key' })
    const variations = [
      { variationKey: 'off', weight: 5000 },
      { variationKey: 'on', weight: 5000 },
    ]
    const test = { type: 'AB_TEST', variations, baselineVariationKey: 'off' }
    const one = await addRule(service, flag.production, { ...test, name: 'One' })
    const shared = await addRule(service, flag.production, { ...test, name: 'Shared' })
    const other = await addRule(service, flag.development, { ...test, name: 'Shared' })
    await publish(service, project)
    const results = (rule: string) => call('GET', `${project.path}/flags/results-by-key/rules/${rule}/results`)
    for (const [name, rule] of [
      ['one', one],
      [one.shortId, one],
      [shared.shortId, shared],
      [other.shortId, other],
    ])
      expect((await results(name)).body.data?.ruleId).toBe(rule.id)
    expect((await results('shared')).status).toBe(404)
  })

  test('are found by key in addresses and bodies', async () => {
    const flag = await newFlag(service, project, { key: 'rules-by-key' })
    const one = await addRule(service, flag.production, delivery('One'))
    const two = await addRule(service, flag.production, delivery('Two'))
    expect(await succeed(service, 'GET', `${flag.production}/rules/two`)).toEqual(two)
    expect((await call('POST', `${flag.production}/rules/two/pause`)).body.data.ruleId).toBe(two.id)
    expect((await call('GET', `${flag.production}/rules/three`)).status).toBe(404)
    const order = await succeed(service, 'PUT', `${flag.production}/rules/reorder`, {
      ruleIds: ['two', `${one.shortId}`],
    })
    expect(order.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id])
    const overrides = { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 'two', entries: [] }] }
    const saved = await succeed(service, 'PUT', `${flag.production}/overrides`, overrides)
    expect(saved.ruleAllowlists[0].ruleId).toBe(two.id)
    const unknown = { ...overrides, ruleAllowlists: [{ ruleId: 'three', entries: [] }] }
    expect((await call('PUT', `${flag.production}/overrides`, unknown)).status).toBe(400)
  })

  test('keep their key in another environment, and a duplicate gets the next one', async () => {
    const flag = await newFlag(service, project, { key: 'copied-keys' })
    await addRule(service, flag.production, { ...delivery('Price'), key: 'Price' })
    expect((await call('POST', `${flag.production}/rules/Price/duplicate`)).body.data.key).toBe('price')
    expect((await call('POST', `${flag.production}/rules/Price/duplicate`)).body.data.key).toBe('price-2')
    const source = { sourceEnvId: 'production' }
    const keys = async () =>
      (await call('POST', `${flag.development}/rules/copy`, source)).body.data.rules.map(
        ({ key }: { key: string }) => key,
      )
    expect(await keys()).toEqual(['Price', 'price-2', 'price'])
    expect(await keys()).toEqual(['price-3', 'price-2-2', 'price-4'])
  })

  test('name audiences and segments by key, also deep in conditions', async () => {
    const flag = await newFlag(service, project, { key: 'conditions-by-key' })
    const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
      ...{ name: 'By key', key: 'by-key', conditions: { attribute: 'plan', operator: 'exists' } },
    })
    const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers', key: 'testers' })
    const conditions = (one: string, other: string) => ({
      all: [{ not: { segment: one } }, { any: [{ audience: other }] }],
    })
    const rule = await addRule(service, flag.production, {
      ...delivery('Named'),
      ...{ audienceIds: ['by-key'], conditions: conditions('testers', String(audience.shortId)) },
    })
    expect([rule.audienceIds, rule.conditions]).toEqual([[audience.id], conditions(segment.id, audience.id)])
    const missing = await call('PATCH', `${flag.production}/rules/named`, {
      conditions: conditions('nobody', 'by-key'),
    })
    expect([missing.status, missing.body.error.details.issues[0].path]).toEqual([
      400,
      ['conditions', 'all', 0, 'not', 'segment'],
    ])
    const inAudience = await succeed(service, 'PATCH', `${project.path}/audiences/by-key`, {
      conditions: { any: [{ segment: 'testers' }] },
    })
    expect(inAudience.conditions).toEqual({ any: [{ segment: segment.id }] })
  })

  test('of another project are not found by key', async () => {
    const other = await createProject(service)
    await succeed(service, 'POST', `${other.path}/audiences`, { name: 'Elsewhere', conditions: { all: [] } })
    const flag = await newFlag(service, project, { key: 'not-elsewhere' })
    const answer = await call('POST', `${flag.production}/rules`, { ...delivery('Rule'), audienceIds: ['elsewhere'] })
    expect(answer.body.error.details.issues[0].path).toEqual(['audienceIds', 0])
  })
})
