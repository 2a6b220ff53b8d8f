import { afterAll, describe, expect, test } from 'vitest'
import { addRule, delivery, nobody, publish, served, succeed } from '../../../../testing/flags.ts'
import { namesOf, rulesIn } from '../../../../testing/rules.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const { flagWithRules, order } = rulesIn(service, project)

describe('a position', () => {
  test.each([
    [0, 'XABC'],
    [2, 'ABXC'],
    [3, 'ABCX'],
    [99, 'ABCX'],
    [undefined, 'ABCX'],
  ])('of %s puts a new rule there', async (position, expected) => {
    const { flag } = await flagWithRules('A', 'B', 'C')
    const rule = await addRule(service, flag.production, delivery('X', { position }))
    expect(rule.position).toBe(expected.indexOf('X'))
    expect(await order(flag)).toBe(expected)
  })

  test.each([
    [0, 'BAC'],
    [1, 'ABC'],
    [2, 'ACB'],
    [99, 'ACB'],
  ])('of %s moves a rule there', async (position, expected) => {
    const { flag, rules, path } = await flagWithRules('A', 'B', 'C')
    await succeed(service, 'PATCH', `${path}/${rules[1]?.id}`, { position })
    expect(await order(flag)).toBe(expected)
  })
})

describe('reorder', () => {
  const reorder = (path: string, ruleIds: unknown) =>
    service.call(service.people.flagsWrite, 'PUT', `${path}/reorder`, { ruleIds })

  test('answers the new order, which goes live with the next publish', async () => {
    const { flag, rules, path } = await flagWithRules('A', 'B', 'C')
    await succeed(service, 'POST', `${flag.production}/run`)
    const ids = rules.map(({ id }) => id)
    const wanted = [ids[2], ids[0], ids[1]]
    const { status, body } = await reorder(path, wanted)
    expect(status).toBe(200)
    expect(namesOf(body.data)).toBe('CAB')
    expect(body.data.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2])
    const live = async () => (await served(service, project, flag.key)).rules.map(({ id }: { id: string }) => id)
    const [a, b, c] = rules.map(({ shortId }) => String(shortId))
    expect(await live()).toEqual([a, b, c])
    await publish(service, project)
    expect(await live()).toEqual([c, a, b])
  })

  test('answers an empty list if there are no rules', async () => {
    const { path } = await flagWithRules()
    expect((await reorder(path, [])).body).toEqual({ data: [], page: { nextCursor: null, hasMore: false } })
  })

  test.each<[string, (ids: string[]) => string[], { missing: number[]; unknown: string[] }]>([
    ['partial', ([a, b]) => [b!, a!], { missing: [2], unknown: [] }],
    ['empty', () => [], { missing: [0, 1, 2], unknown: [] }],
    ['duplicate', (ids) => [...ids, ids[0]!], { missing: [], unknown: [] }],
    ['unknown', (ids) => [...ids, nobody], { missing: [], unknown: [nobody] }],
    ['partial and unknown', ([a, b]) => [a!, b!, 'x'], { missing: [2], unknown: ['x'] }],
  ])('refuses a %s list', async (_what, list, { missing, unknown }) => {
    const { flag, rules, path } = await flagWithRules('A', 'B', 'C')
    const ids = rules.map(({ id }) => id)
    const { status, body } = await reorder(path, list(ids))
    expect(status).toBe(400)
    expect(body.error.code).toBe('validation_failed')
    expect(body.error.details).toMatchObject({
      issues: [{ path: ['ruleIds'] }],
      missing: missing.map((index) => ids[index]),
      unknown,
    })
    expect(await order(flag)).toBe('ABC')
  })

  test('refuses a rule of a different environment', async () => {
    const { flag, rules, path } = await flagWithRules('A')
    const foreign = await addRule(service, flag.development, delivery('B'))
    const { status, body } = await reorder(path, [rules[0]?.id, foreign.id])
    expect(status).toBe(400)
    expect(body.error.details).toMatchObject({ missing: [], unknown: [foreign.id] })
  })

  test.each<[unknown, unknown[]]>([
    [{}, ['ruleIds']],
    [{ ruleIds: 'all' }, ['ruleIds']],
    [{ ruleIds: [1] }, ['ruleIds', 0]],
    [{ ruleIds: [], force: true }, ['force']],
  ])('refuses %j', async (sent, issue) => {
    const { path } = await flagWithRules()
    const { status, body } = await service.call(service.people.flagsWrite, 'PUT', `${path}/reorder`, sent)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: issue }] } })
  })
})
