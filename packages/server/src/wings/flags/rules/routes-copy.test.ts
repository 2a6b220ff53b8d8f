import { afterAll, describe, expect, test } from 'vitest'
import { abTest, addRule, delivery, nobody, publish, served, succeed } from '../../../../testing/flags.ts'
import { namesOf, rulesIn } from '../../../../testing/rules.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const { flagWithRules, order } = rulesIn(service, project)

describe('a duplicate', () => {
  test('comes after its original, switched off, with its own id and buckets', async () => {
    const { flag, path } = await flagWithRules('A', 'B')
    const original = await addRule(service, flag.production, abTest('Test', { position: 1, trafficAllocation: 3000 }))
    await succeed(service, 'POST', `${flag.production}/run`)
    const { status, body } = await service.call(service.people.flagsWrite, 'POST', `${path}/${original.id}/duplicate`)
    expect(status).toBe(201)
    const { id } = body.data
    expect(id).not.toBe(original.id)
    expect(body.data).toEqual({
      ...original,
      id,
      shortId: original.shortId + 1,
      key: 'test-2',
      name: 'Test (copy)',
      salt: expect.stringMatching(/^[a-z0-9]{8}$/),
      position: 2,
      enabled: false,
      status: 'DRAFT',
      hasStagedChanges: true,
      firstServedAt: null,
      createdAt: body.data.createdAt,
      updatedAt: body.data.updatedAt,
    })
    expect(body.data.salt).not.toBe(original.salt)
    expect(await order(flag)).toBe('ATestTest (copy)B')
    await publish(service, project)
    expect((await served(service, project, flag.key)).rules).toHaveLength(3)
  })

  test('keeps a custom salt and a name of 200 characters', async () => {
    const { flag, path } = await flagWithRules()
    const original = await addRule(service, flag.production, delivery('n'.repeat(200), { salt: 'shared' }))
    const copy = await succeed(service, 'POST', `${path}/${original.id}/duplicate`)
    expect(copy).toMatchObject({ salt: 'shared', name: original.name })
  })
})

describe('a copy from a different environment', () => {
  const copy = (path: string, body: unknown) => service.call(service.people.flagsWrite, 'POST', `${path}/copy`, body)

  test('appends every rule in order, all paused', async () => {
    const { flag, path } = await flagWithRules('A')
    for (const rule of [delivery('B'), abTest('C'), delivery('D', { enabled: false })])
      await addRule(service, flag.development, rule)
    await succeed(service, 'POST', `${flag.development}/run`)
    const source = await succeed(service, 'GET', `${flag.development}/rules`)
    const { status, body } = await copy(path, { sourceEnvId: project.development.id })
    expect(status).toBe(201)
    expect(body.data.skipped).toEqual([])
    expect(namesOf(body.data.rules)).toBe('BCD')
    for (const [index, rule] of body.data.rules.entries()) {
      expect(rule).toMatchObject({ envId: project.production.id, enabled: false, status: 'DRAFT', position: index + 1 })
      expect(rule.id).not.toBe(source[index].id)
      expect(rule.shortId).toBeGreaterThan(source[2].shortId)
      expect(rule.salt).not.toBe(source[index].salt)
    }
    expect(await order(flag)).toBe('ABCD')
    expect(await succeed(service, 'GET', `${flag.development}/rules`)).toEqual(source)
    await succeed(service, 'POST', `${flag.production}/run`)
    await publish(service, project)
    expect((await served(service, project, flag.key)).rules).toHaveLength(1)
  })

  test('changes nothing if there are no rules', async () => {
    const { flag, path } = await flagWithRules('A')
    const { status, body } = await copy(path, { sourceEnvId: project.development.id })
    expect(status).toBe(201)
    expect(body).toEqual({ data: { rules: [], skipped: [] } })
    expect(await order(flag)).toBe('A')
  })

  test('is refused if source and target are the same', async () => {
    const { path } = await flagWithRules('A')
    const { status, body } = await copy(path, { sourceEnvId: project.production.id })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: ['sourceEnvId'] }] } })
  })

  test('gets 404 if the source is unknown, malformed or in a different project', async () => {
    const { path } = await flagWithRules('A')
    const elsewhere = await createProject(service)
    for (const sourceEnvId of [elsewhere.production.id, nobody, 'staging', '']) {
      const { status, body } = await copy(path, { sourceEnvId })
      expect(status, sourceEnvId).toBe(404)
      expect(body.error.code).toBe('not_found')
    }
  })

  test.each<[unknown, string]>([
    [{}, 'sourceEnvId'],
    [{ sourceEnvId: 7 }, 'sourceEnvId'],
    [{ sourceEnvId: nobody, ruleIds: [] }, 'ruleIds'],
  ])('refuses %j', async (sent, field) => {
    const { path } = await flagWithRules()
    const { status, body } = await copy(path, sent)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: [field] }] } })
  })
})
