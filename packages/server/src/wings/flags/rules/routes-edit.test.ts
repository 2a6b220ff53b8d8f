import { afterAll, describe, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, publish, served, stringFlag, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

describe('an update', () => {
  test('changes only the given fields, with the next publish', async () => {
    const own = await newFlag(service, project, stringFlag('updated', 'off', 'on'))
    const rule = await addRule(service, own.production, delivery('Before', { description: 'Stays' }))
    await succeed(service, 'POST', `${own.production}/run`)
    const live = await served(service, project, own.key)
    const edit = { name: 'After', variationKey: 'off', trafficAllocation: 0, conditions: { any: [] } }
    const path = `${own.production}/rules/${rule.id}`
    const { status, body, headers } = await service.call(service.people.flagsWrite, 'PATCH', path, edit)
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^"r\d+"$/)
    const { firstServedAt, updatedAt } = body.data
    expect(firstServedAt).toEqual(expect.any(String))
    expect(body.data).toEqual({ ...rule, ...edit, status: 'RUNNING', firstServedAt, updatedAt })
    expect(body.data).toEqual(await succeed(service, 'GET', path))
    expect(await served(service, project, own.key)).toEqual(live)
    await publish(service, project)
    expect((await served(service, project, own.key)).rules).toMatchObject([{ variation: 'off', traffic: 0 }])
    expect(await succeed(service, 'GET', path)).toMatchObject({ hasStagedChanges: false, status: 'RUNNING' })
  })

  test('changes nothing if the values are the same', async () => {
    const own = await newFlag(service, project, { key: 'no-edit' })
    const rule = await addRule(service, own.production, abTest('Same'))
    const path = `${own.production}/rules/${rule.id}`
    const before = await service.call(service.people.admin, 'GET', path)
    const after = await service.call(service.people.admin, 'PATCH', path, { ...abTest('Same'), position: 0 })
    expect(after.body).toEqual(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
  })

  test('does not change other rules and their ETags', async () => {
    const own = await newFlag(service, project, { key: 'neighbours' })
    const [one, two] = [
      await addRule(service, own.production, delivery('1')),
      await addRule(service, own.production, delivery('2')),
    ]
    const read = () => service.call(service.people.admin, 'GET', `${own.production}/rules/${two.id}`)
    const before = await read()
    await succeed(service, 'PATCH', `${own.production}/rules/${one.id}`, { name: 'Changed' })
    const after = await read()
    expect(after.body).toEqual(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
  })
})

describe('a deleted rule', () => {
  test('that was never served is removed at once', async () => {
    const own = await newFlag(service, project, { key: 'never-served' })
    const rule = await addRule(service, own.production, delivery('Gone'))
    const path = `${own.production}/rules/${rule.id}`
    const { status, body } = await service.call(service.people.flagsWrite, 'DELETE', path)
    expect(status).toBe(200)
    expect(body).toEqual({ data: null })
    for (const method of ['GET', 'DELETE'] as const)
      expect((await service.call(service.people.admin, method, path)).status).toBe(404)
    expect((await service.call(service.people.admin, 'POST', `${path}/run`)).status).toBe(404)
  })

  test('that is served is removed with the next publish', async () => {
    const own = await newFlag(service, project, { key: 'going' })
    const rule = await addRule(service, own.production, delivery('Going'))
    await succeed(service, 'POST', `${own.production}/run`)
    await succeed(service, 'DELETE', `${own.production}/rules/${rule.id}`)
    expect(await succeed(service, 'GET', `${own.production}/rules`)).toEqual([])
    expect((await served(service, project, own.key)).rules).toHaveLength(1)
    await publish(service, project)
    expect((await served(service, project, own.key)).rules).toEqual([])
  })
})
