import { afterAll, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  inProduction,
  newFlag,
  nobody,
  publish,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService({ now: () => new Date('2026-11-20T10:00:00Z') })
const project = await createProject(service)
afterAll(() => service.close())

interface Change {
  path: string
  from: unknown
  to: unknown
}

const none = { environmentAllowlist: [], ruleAllowlists: [] }
const read = (flag: TestFlag) => service.call(service.people.flagsRead, 'GET', flag.production)

test('a new flag has its state in the environment, no schedule, and equal draft and live versions', async () => {
  const flag = await newFlag(service, project, { key: 'new' })
  const { status, body, headers } = await read(flag)
  const version = { defaultVariationKey: 'off', overrides: none, rules: [] }
  const environment = await succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    ...(await inProduction(service, flag)),
    revision: environment.dataFile.revision,
    schedule: null,
    draft: version,
    live: version,
    changes: [],
  })
  expect(headers.etag).toBe((await service.call(service.people.admin, 'GET', flag.path)).headers.etag)
})

test('edits are only in the draft, and `changes` are the same as in a dry run', async () => {
  const flag = await newFlag(service, project, { key: 'edited' })
  const first = await addRule(service, flag.production, delivery('First'))
  await succeed(service, 'POST', `${flag.production}/run`)
  await succeed(service, 'PATCH', `${flag.production}/rules/${first.id}`, { trafficAllocation: 2500 })
  const second = await addRule(service, flag.production, abTest('Second'))
  await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
  const overrides = { environmentAllowlist: [{ variationKey: 'on', userIds: ['qa-1'] }], ruleAllowlists: [] }
  await succeed(service, 'PUT', `${flag.production}/overrides`, overrides)

  const { data } = (await read(flag)).body
  expect(data.draft).toMatchObject({
    defaultVariationKey: 'on',
    overrides,
    rules: [
      { id: first.id, trafficAllocation: 2500 },
      { id: second.id, type: 'AB_TEST', baselineVariationKey: 'off' },
    ],
  })
  expect(data.live).toMatchObject({ defaultVariationKey: 'off', overrides: none })
  expect(data.live.rules).toMatchObject([{ id: first.id, trafficAllocation: 10_000, variationKey: 'on' }])
  const dryRun = await publish(service, project, { dryRun: true, flagIds: [flag.id] })
  expect(data.changes.map(({ path, from, to }: Change) => ({ path, from, to }))).toEqual(dryRun.flags[0].changes)
  expect(data.changes.map(({ path }: Change) => path)).toContain('defaultVariationKey')
  expect(data.changes.find(({ path }: Change) => path.startsWith(`rules.${first.id}`))).toEqual({
    path: `rules.${first.id}.trafficAllocation`,
    from: 10_000,
    to: 2500,
    rules: [{ id: first.id, shortId: first.shortId, name: 'First', type: 'TARGETED_DELIVERY' }],
    by: { type: 'service_token', id: expect.any(String), name: 'admin' },
    at: '2026-11-20T10:00:00.000Z',
  })

  await publish(service, project, { flagIds: [flag.id] })
  const after = (await read(flag)).body.data
  expect([after.changes, after.live, after.revision]).toEqual([[], data.draft, data.revision + 1])
})

test('an open schedule of the switch is shown, and a cancelled one is not', async () => {
  const flag = await newFlag(service, project, { key: 'scheduled' })
  const schedule = { action: 'RUN', runAt: '2026-12-01T08:00:00.000Z' }
  await succeed(service, 'PUT', `${flag.production}/schedule`, schedule)
  expect((await read(flag)).body.data.schedule).toMatchObject({ ...schedule, ruleId: null, status: 'PENDING' })
  await succeed(service, 'DELETE', `${flag.production}/schedule`)
  expect((await read(flag)).body.data.schedule).toBeNull()
})

test.each(['', '/overrides'])(
  'envs/{envId}%s can be read by id or key by readers of the project only',
  async (rest) => {
    const flag = await newFlag(service, project, { key: `read${rest.replace('/', '-')}` })
    const { people } = service
    const status = async (token: string, path: string) => (await service.call(token, 'GET', path)).status
    const byKey = `${project.path}/flags/${flag.key}/envs/production${rest}`
    expect([
      await status(people.flagsRead, byKey),
      await status(people.flagsRead, `${flag.production}${rest}`),
    ]).toEqual([200, 200])
    expect([await status(people.stranger, byKey), await status(people.noScopes, byKey)]).toEqual([404, 403])
    expect(await status(people.flagsRead, `${flag.path}/envs/${nobody}${rest}`)).toBe(404)
  },
)
