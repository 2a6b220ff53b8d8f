import { compile, type DataFile, hashId } from '@svc/core'
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
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, dataFile, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const none = { environmentAllowlist: [], ruleAllowlists: [] }
const entry = (variationKey: string, ...userIds: string[]) => ({ variationKey, userIds })
const replace = (flag: TestFlag, body: unknown) =>
  service.call(service.people.flagsWrite, 'PUT', `${flag.production}/overrides`, body)
const users = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `user-${from + index}`)

describe('overrides', () => {
  test('are stored as sent, replace the old ones, and are staged until the publish', async () => {
    const flag = await newFlag(service, project, { key: 'stored' })
    const rule = await addRule(service, flag.production, abTest('Half'))
    await succeed(service, 'POST', `${flag.production}/run`)
    const lists = {
      environmentAllowlist: [entry('on', 'u-17', 'qa-1'), entry('off', 'u-18')],
      ruleAllowlists: [{ ruleId: rule.id, entries: [entry('on', 'u-99')] }],
    }
    const { status, body, headers } = await replace(flag, lists)
    expect(status).toBe(200)
    expect(body).toEqual({ data: { ...lists, live: none, staged: true } })
    expect(headers.etag).toBe((await service.call(service.people.admin, 'GET', flag.path)).headers.etag)
    expect(await inProduction(service, flag)).toMatchObject({ overrideCount: 4, staged: { overrides: true } })
    expect(await served(service, project, flag.key)).not.toHaveProperty('overrides')

    await publish(service, project)
    const file = await served(service, project, flag.key)
    const hashed = (variations: Record<string, string>) =>
      Object.fromEntries(Object.entries(variations).map(([id, key]) => [hashId(file.overrideSalt, id), key]))
    expect(file).toMatchObject({
      overrides: hashed({ 'u-17': 'on', 'qa-1': 'on', 'u-18': 'off' }),
      rules: [{ overrides: hashed({ 'u-99': 'on' }) }],
    })
    expect((await replace(flag, none)).body).toEqual({ data: { ...none, live: lists, staged: true } })
    await publish(service, project)
    const after = await served(service, project, flag.key)
    expect(after).not.toHaveProperty('overrides')
    expect(after.rules[0]).not.toHaveProperty('overrides')
  })

  test('can be read in the format of the PUT, with the live ones and the ETag for the PUT', async () => {
    const flag = await newFlag(service, project, { key: 'read-back' })
    const url = `${flag.production}/overrides`
    const read = () => service.call(service.people.flagsRead, 'GET', url)
    const lists = { environmentAllowlist: [entry('on', 'qa-1')], ruleAllowlists: [] }
    expect((await read()).body).toEqual({ data: { ...none, live: none, staged: false } })
    await replace(flag, lists)
    await publish(service, project)
    const { body, headers } = await read()
    expect(body).toEqual({ data: { ...lists, live: lists, staged: false } })

    const { live: _live, staged: _staged, ...draft } = body.data
    draft.environmentAllowlist[0].userIds.push('qa-2')
    const put = (etag: string) => service.call(service.people.flagsWrite, 'PUT', url, draft, { 'x-svc-if-match': etag })
    expect((await put(headers.etag as string)).status).toBe(200)
    expect((await put(headers.etag as string)).status).toBe(412)
    const after = await read()
    expect(after.body.data).toEqual({ ...draft, live: lists, staged: true })
    expect(after.headers.etag).not.toBe(headers.etag)
  })

  test('apply after the pause: first the environment list, then each rule’s list before its conditions', async () => {
    const flag = await newFlag(service, project, { key: 'in-order' })
    const conditions = { attribute: 'plan', operator: 'equals', value: 'beta' }
    const first = await addRule(service, flag.production, delivery('Beta', { conditions }))
    await addRule(service, flag.production, delivery('Everybody', { variationKey: 'off' }))
    await replace(flag, {
      environmentAllowlist: [entry('off', 'always-off')],
      ruleAllowlists: [{ ruleId: first.id, entries: [entry('on', 'tester', 'always-off')] }],
    })
    const evaluate = async (targetingKey: string, context = {}) => {
      const file: DataFile = await dataFile(service, project.production.sdkKey)
      return compile(file).evaluate(flag.key, { targetingKey, ...context })
    }
    expect(await evaluate('tester')).toMatchObject({ value: false, reason: 'DISABLED' })
    await succeed(service, 'POST', `${flag.production}/run`)
    expect(await evaluate('tester')).toMatchObject({ value: true, reason: 'OVERRIDE' })
    expect(await evaluate('always-off', { plan: 'beta' })).toMatchObject({ value: false, reason: 'OVERRIDE' })
    expect(await evaluate('visitor', { plan: 'beta' })).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
    expect(await evaluate('visitor')).toMatchObject({ value: false, reason: 'TARGETING_MATCH' })
    await succeed(service, 'POST', `${flag.production}/rules/${first.id}/pause`)
    expect(await evaluate('tester')).toMatchObject({ value: false, reason: 'TARGETING_MATCH' })
  })

  test.each(['__proto__', 'constructor', 'toString', '*', 'ü😀', 'a b'])(
    'accept the user id %j literally',
    async (userId) => {
      const flag = await newFlag(service, project, { key: `literally-${Buffer.from(userId).toString('hex')}` })
      expect((await replace(flag, { ...none, environmentAllowlist: [entry('on', userId)] })).status).toBe(200)
      await succeed(service, 'POST', `${flag.production}/run`)
      const evaluator = compile((await dataFile(service, project.production.sdkKey)) as DataFile)
      expect(evaluator.evaluate(flag.key, { targetingKey: userId })).toMatchObject({ value: true, reason: 'OVERRIDE' })
      expect(evaluator.evaluate(flag.key, { targetingKey: 'u' })).toMatchObject({ value: false, reason: 'DEFAULT' })
    },
  )

  test('drop the spaces around a user id', async () => {
    const flag = await newFlag(service, project, { key: 'spaces-around' })
    const sent = entry('on', ' qa-2 ', 'qa-3\n')
    const rule = await addRule(service, flag.production, delivery('With a list'))
    const lists = { environmentAllowlist: [sent], ruleAllowlists: [{ ruleId: rule.id, entries: [sent] }] }
    const kept = entry('on', 'qa-2', 'qa-3')
    expect((await replace(flag, lists)).body.data).toMatchObject({
      environmentAllowlist: [kept],
      ruleAllowlists: [{ ruleId: rule.id, entries: [kept] }],
    })
    await succeed(service, 'POST', `${flag.production}/run`)
    const evaluator = compile((await dataFile(service, project.production.sdkKey)) as DataFile)
    for (const targetingKey of ['qa-2', 'qa-3'])
      expect(evaluator.evaluate(flag.key, { targetingKey })).toMatchObject({ value: true, reason: 'OVERRIDE' })
  })

  test.each(['', ' ', '\n', '\u200bqa-2', 'qa\u00ad2', 'qa\n2', 'qa\u00002'])(
    'refuse the user id %j, because no visitor has it',
    async (userId) => {
      const flag = await newFlag(service, project, { key: `nobody-${Buffer.from(userId).toString('hex')}` })
      const rule = await addRule(service, flag.production, delivery('With a list'))
      const entries = [entry('on', 'qa-1', userId)]
      for (const [lists, path] of [
        [{ ...none, environmentAllowlist: entries }, ['environmentAllowlist', 0, 'userIds', 1]],
        [
          { ...none, ruleAllowlists: [{ ruleId: rule.id, entries }] },
          ['ruleAllowlists', 0, 'entries', 0, 'userIds', 1],
        ],
      ] as const) {
        const { status, body } = await replace(flag, lists)
        expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([400, 'validation_failed', path])
      }
    },
  )

  test('can name a user in the environment list and in the lists of several rules', async () => {
    const flag = await newFlag(service, project, { key: 'several-lists' })
    const rules = [
      await addRule(service, flag.production, delivery('1')),
      await addRule(service, flag.production, delivery('2')),
    ]
    const ruleAllowlists = rules.map(({ id }) => ({ ruleId: id, entries: [entry('on', 'u-1')] }))
    expect((await replace(flag, { environmentAllowlist: [entry('off', 'u-1')], ruleAllowlists })).status).toBe(200)
  })

  test('of a rule are removed with the rule', async () => {
    const flag = await newFlag(service, project, { key: 'goes-along' })
    const rule = await addRule(service, flag.production, delivery('Short-lived'))
    await replace(flag, { ...none, ruleAllowlists: [{ ruleId: rule.id, entries: [entry('on', 'u-1')] }] })
    await succeed(service, 'DELETE', `${flag.production}/rules/${rule.id}`)
    expect(await inProduction(service, flag)).toMatchObject({
      overrideCount: 0,
      staged: { overrides: false, rules: 0 },
    })
  })

  test('can have 1000 ids in all lists of an environment, but not more', async () => {
    const flag = await newFlag(service, project, { key: 'thousand' })
    const rule = await addRule(service, flag.production, delivery('Half of them'))
    const lists = (more: number) => ({
      environmentAllowlist: [entry('on', ...users(400)), entry('off', ...users(100, 400))],
      ruleAllowlists: [{ ruleId: rule.id, entries: [entry('on', ...users(500 + more))] }],
    })
    expect((await replace(flag, lists(0))).status).toBe(200)
    const { status, body } = await replace(flag, lists(1))
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: [] }] } })
    expect((await inProduction(service, flag)).overrideCount).toBe(1000)
  })
})

const inEnvironment = (...entries: unknown[]) => ({ ...none, environmentAllowlist: entries })
const inRules = (...ruleAllowlists: unknown[]) => ({ ...none, ruleAllowlists })

describe('overrides are refused', () => {
  test.each<[string, (ruleId: string) => unknown, unknown[]]>([
    ['without the environment list', () => ({ ruleAllowlists: [] }), ['environmentAllowlist']],
    ['without the rule lists', () => ({ environmentAllowlist: [] }), ['ruleAllowlists']],
    ['without both', () => ({}), ['environmentAllowlist']],
    ['without a body', () => undefined, []],
    [
      'with an unknown variation',
      () => inEnvironment(entry('maybe', 'u')),
      ['environmentAllowlist', 0, 'variationKey'],
    ],
    [
      'with a user in two variations of one list',
      () => inEnvironment(entry('on', 'a', 'u'), entry('off', 'u')),
      ['environmentAllowlist', 1, 'userIds', 0],
    ],
    [
      'with a repeated user in one variation',
      () => inEnvironment(entry('on', 'u', 'u')),
      ['environmentAllowlist', 0, 'userIds', 1],
    ],
    [
      'with a user in two variations of a rule’s list',
      (ruleId) => inRules({ ruleId, entries: [entry('on', 'u'), entry('off', 'u')] }),
      ['ruleAllowlists', 0, 'entries', 1, 'userIds', 0],
    ],
    [
      'with a repeated rule',
      (ruleId) => inRules({ ruleId, entries: [] }, { ruleId, entries: [] }),
      ['ruleAllowlists', 1, 'ruleId'],
    ],
    ['with an unknown rule', () => inRules({ ruleId: nobody, entries: [] }), ['ruleAllowlists', 0, 'ruleId']],
    ['with an empty user id', () => inEnvironment(entry('on', '')), ['environmentAllowlist', 0, 'userIds', 0]],
    ['with a blank user id', () => inEnvironment(entry('on', ' ')), ['environmentAllowlist', 0, 'userIds', 0]],
    [
      'with a number as a user id',
      () => inEnvironment({ variationKey: 'on', userIds: [7] }),
      ['environmentAllowlist', 0, 'userIds', 0],
    ],
    [
      'with an id of 513 characters',
      () => inEnvironment(entry('on', 'u'.repeat(513))),
      ['environmentAllowlist', 0, 'userIds', 0],
    ],
    ['with an unknown field', () => ({ ...none, staged: true }), ['staged']],
  ])('%s', async (what, body, path) => {
    const flag = await newFlag(service, project, { key: what.replace(/[^a-z]/g, '-') })
    const rule = await addRule(service, flag.production, delivery('Here'))
    const kept = inEnvironment(entry('on', 'kept'))
    await replace(flag, kept)
    const answer = await replace(flag, body(rule.id))
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_failed')
    expect(answer.body.error.details.issues[0].path).toEqual(path)
    expect((await inProduction(service, flag)).overrideCount).toBe(1)
  })

  test('with a rule of a different environment', async () => {
    const flag = await newFlag(service, project, { key: 'other-environment' })
    const rule = await addRule(service, flag.development, delivery('There'))
    const { status, body } = await replace(flag, inRules({ ruleId: rule.id, entries: [] }))
    expect(status).toBe(400)
    expect(body.error.details.issues[0].path).toEqual(['ruleAllowlists', 0, 'ruleId'])
  })
})
