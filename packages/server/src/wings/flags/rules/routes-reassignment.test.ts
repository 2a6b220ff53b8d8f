import { afterAll, describe, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, publish, served, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'
import { refresh, visit, watchedRule } from '../../../../testing/watching.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const split = (off: number) => [
  { variationKey: 'off', weight: off },
  { variationKey: 'on', weight: 10_000 - off },
]

let count = 0
async function running(rule: Record<string, unknown> = abTest('Test')) {
  count += 1
  const flag = await newFlag(service, project, { key: `flag-${count}` })
  const { id } = await addRule(service, flag.production, rule)
  await succeed(service, 'POST', `${flag.production}/run`)
  const path = `${flag.production}/rules/${id}`
  return { flag, path, edit: (body: unknown) => service.call(service.people.flagsWrite, 'PATCH', path, body) }
}

const moving: [string, Record<string, unknown>][] = [
  ['weights', { variations: split(8000) }],
  ['bucketBy', { bucketBy: 'account' }],
  ['salt', { salt: 'another' }],
]

describe.each(moving)('a change of the %s of a running test', (_what, edit) => {
  test('requires confirmReassignment: true', async () => {
    const test = await running()
    const before = await succeed(service, 'GET', test.path)
    for (const body of [edit, { ...edit, confirmReassignment: false }]) {
      const { status, body: answer } = await test.edit(body)
      expect(status).toBe(409)
      expect(answer.error.code).toBe('reassignment_unconfirmed')
      expect(answer.error.details).toEqual({ visitors: null })
    }
    expect(await succeed(service, 'GET', test.path)).toEqual(before)
    const { status, body } = await test.edit({ ...edit, confirmReassignment: true })
    expect(status).toBe(200)
    expect(body.data).toMatchObject(edit)
    expect(body.data).not.toHaveProperty('confirmReassignment')
  })

  test('requires confirmation for every further edit until it is undone or published', async () => {
    const test = await running()
    await test.edit({ ...edit, confirmReassignment: true })
    expect((await test.edit({ name: 'Renamed' })).status).toBe(409)
    expect((await test.edit({ name: 'Renamed', confirmReassignment: true })).status).toBe(200)
    await publish(service, project)
    expect((await test.edit({ name: 'Renamed again' })).status).toBe(200)
  })
})

test('an undone change of the split needs no confirmation', async () => {
  const test = await running()
  await test.edit({ variations: split(8000), confirmReassignment: true })
  expect((await test.edit({ variations: split(5000) })).status).toBe(200)
  expect((await succeed(service, 'GET', test.path)).hasStagedChanges).toBe(false)
})

test('publishing a confirmed change returns a warning and serves the change', async () => {
  const test = await running()
  const { id } = (await test.edit({ variations: split(8000), confirmReassignment: true })).body.data
  const { warnings } = await publish(service, project)
  expect(warnings).toEqual([{ code: 'reassigns_exposed_visitors', ruleId: id, visitors: null }])
  expect((await served(service, project, test.flag.key)).rules[0].split).toEqual([
    { variation: 'off', end: 8000 },
    { variation: 'on', end: 10_000 },
  ])
})

test('the refusal and the warnings say how many of the counted visitors move', async () => {
  const on = { service, project, clock: { now: () => new Date() } }
  const rule = await watchedRule(on, 'counted')
  await visit(on, rule, { on: 12, off: 8 })
  await refresh(on, rule)
  const edit = { variations: split(8000) }
  const { body } = await service.call(service.people.flagsWrite, 'PATCH', rule.path, edit)
  expect(body.error).toMatchObject({
    message: expect.stringMatching(/^The change gives about 6 visitors of a running test a different variation\./),
    details: { visitors: 6 },
  })
  // A dry run says the same and saves nothing.
  const asked = await service.call(service.people.flagsWrite, 'PATCH', rule.path, { ...edit, dryRun: true })
  expect([asked.status, asked.body.error.details]).toEqual([409, { visitors: 6 }])
  await succeed(service, 'PATCH', rule.path, { ...edit, dryRun: true, confirmReassignment: true })
  await succeed(service, 'PATCH', rule.path, { name: 'Another', dryRun: true })
  expect(await succeed(service, 'GET', rule.path)).toMatchObject({ name: 'Copy', hasStagedChanges: false })
  await succeed(service, 'PATCH', rule.path, { ...edit, confirmReassignment: true })
  const warnings = [{ code: 'reassigns_exposed_visitors', ruleId: rule.id, visitors: 6 }]
  const staged = `${project.path}/environments/${project.production.id}/staged`
  expect((await succeed(service, 'GET', staged)).warnings).toEqual(warnings)
  expect((await publish(service, project, { dryRun: true })).warnings).toEqual(warnings)
  expect((await publish(service, project)).warnings).toEqual(warnings)
})

test.each<[string, Record<string, unknown>]>([
  ['more traffic', { trafficAllocation: 2000 }],
  ['a name', { name: 'Renamed' }],
  ['conditions', { conditions: { any: [] } }],
  ['a different baseline', { baselineVariationKey: 'on' }],
  ['a new position', { position: 0 }],
])('changing a running test needs no confirmation for %s', async (_what, edit) => {
  const test = await running()
  expect((await test.edit(edit)).status).toBe(200)
})

test.each(moving)('a change of the %s of a paused test needs no confirmation', async (_what, edit) => {
  const off = await running(abTest('Off', { enabled: false }))
  expect((await off.edit(edit)).status).toBe(200)
  const paused = await running()
  await succeed(service, 'POST', `${paused.path}/pause`)
  expect((await paused.edit(edit)).status).toBe(200)
  const environment = await running()
  await succeed(service, 'POST', `${environment.flag.production}/pause`)
  expect((await environment.edit(edit)).status).toBe(200)
})

test('changing a running delivery needs no confirmation', async () => {
  const { edit } = await running(delivery('Delivery', { trafficAllocation: 100 }))
  expect((await edit({ bucketBy: 'account', salt: 'another' })).status).toBe(200)
})
