import { afterAll, describe, expect, test } from 'vitest'
import { addRule, delivery, inProduction, newFlag, served, succeed } from '../../../../testing/flags.ts'
import { createProject, dataFile, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const post = (path: string) => service.call(service.people.flagsWrite, 'POST', path)

const revision = async () => (await dataFile(service, project.production.sdkKey)).revision

describe('one rule', () => {
  test('can be paused and run by itself before the call returns', async () => {
    const flag = await newFlag(service, project, { key: 'rule-by-rule' })
    const [first, second] = [
      await addRule(service, flag.production, delivery('1')),
      await addRule(service, flag.production, delivery('2')),
    ]
    await post(`${flag.production}/run`)
    const ids = async () => (await served(service, project, flag.key)).rules.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([String(first.shortId), String(second.shortId)])

    const before = await revision()
    const pause = await post(`${flag.production}/rules/${first.id}/pause`)
    expect(pause.status).toBe(200)
    expect(pause.body.data).toMatchObject({
      flagId: flag.id,
      envId: project.production.id,
      ruleId: first.id,
      enabled: false,
      changed: true,
      flagStatus: 'RUNNING',
      dataFile: { revision: before + 1 },
      suspendedSchedules: [],
    })
    expect(await ids()).toEqual([String(second.shortId)])
    expect((await succeed(service, 'GET', `${flag.production}/rules/${first.id}`)).status).toBe('PAUSED')
    expect((await succeed(service, 'GET', `${flag.production}/rules/${second.id}`)).status).toBe('RUNNING')

    const again = await post(`${flag.production}/rules/${first.id}/pause`)
    expect(again.body.data).toMatchObject({ changed: false, dataFile: { revision: before + 1 } })

    expect((await post(`${flag.production}/rules/${first.id}/run`)).body.data).toMatchObject({
      changed: true,
      enabled: true,
    })
    expect(await ids()).toEqual([String(first.shortId), String(second.shortId)])
    expect((await post(`${flag.production}/rules/${first.id}/run`)).body.data.changed).toBe(false)
  })

  test('keeps its switch while the environment is paused', async () => {
    const flag = await newFlag(service, project, { key: 'keeps-its-switch' })
    const rules = [
      await addRule(service, flag.production, delivery('1')),
      await addRule(service, flag.production, delivery('2')),
    ]
    await post(`${flag.production}/run`)
    await post(`${flag.production}/rules/${rules[0].id}/pause`)
    await post(`${flag.production}/pause`)
    const before = await revision()
    const late = await post(`${flag.production}/rules/${rules[1].id}/pause`)
    expect(late.body.data).toMatchObject({ changed: true, enabled: false, dataFile: { revision: before } })
    await post(`${flag.production}/rules/${rules[1].id}/run`)
    await post(`${flag.production}/run`)
    expect((await served(service, project, flag.key)).rules).toMatchObject([{ id: String(rules[1].shortId) }])
    expect(await inProduction(service, flag)).toMatchObject({ ruleCount: 2, runningRuleCount: 1 })
  })
})
