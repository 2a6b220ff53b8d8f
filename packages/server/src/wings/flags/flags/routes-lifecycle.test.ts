import { afterAll, describe, expect, test } from 'vitest'
import { booleanFlag } from '../../../../testing/boolean-flag.ts'
import { addRule, delivery, newFlag, publish, served, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, dataFile, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const post = (path: string) => service.call(service.people.flagsWrite, 'POST', path)
const remove = (flag: TestFlag) => service.call(service.people.flagsWrite, 'DELETE', flag.path)
const status = async (flag: TestFlag) => (await succeed(service, 'GET', flag.path)).status

type State = 'DRAFT' | 'RUNNING' | 'PAUSED' | 'ARCHIVED'

/** The calls that bring a new flag into a state. */
const ways: Record<State, string[]> = {
  DRAFT: [],
  RUNNING: ['production/run'],
  PAUSED: ['production/run', 'production/pause'],
  ARCHIVED: ['archive'],
}

let count = 0
async function flagIn(state: State): Promise<TestFlag> {
  count += 1
  const flag = await newFlag(service, project, { key: `${state}-${count}` })
  for (const way of ways[state])
    await succeed(service, 'POST', `${flag.path}/${way.replace('production', `envs/${project.production.id}`)}`)
  expect(await status(flag)).toBe(state)
  return flag
}

test('the status follows from the environments', async () => {
  const flag = await flagIn('DRAFT')
  const steps = [
    [`${flag.production}/pause`, 'DRAFT'],
    [`${flag.production}/run`, 'RUNNING'],
    [`${flag.development}/run`, 'RUNNING'],
    [`${flag.production}/pause`, 'RUNNING'],
    [`${flag.development}/pause`, 'PAUSED'],
    [`${flag.development}/run`, 'RUNNING'],
  ] as const
  for (const [path, expected] of steps) {
    await succeed(service, 'POST', path)
    expect(await status(flag), path).toBe(expected)
  }
})

test('a flag that ran only in a deleted environment is paused and can be archived', async () => {
  const flag = await flagIn('DRAFT')
  const { id } = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Staging' })
  await succeed(service, 'POST', `${flag.path}/envs/${id}/run`)
  expect(await status(flag)).toBe('RUNNING')
  await succeed(service, 'DELETE', `${project.path}/environments/${id}`)
  expect(await status(flag)).toBe('PAUSED')
  expect((await post(`${flag.path}/archive`)).status).toBe(200)
})

describe('archiving', () => {
  test.each<State>(['DRAFT', 'PAUSED'])('a flag in %s removes it from every data file at once', async (state) => {
    const flag = await flagIn(state)
    expect(await served(service, project, flag.key)).toBeDefined()
    const { status, body } = await post(`${flag.path}/archive`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ status: 'ARCHIVED', archivedAt: expect.any(String) })
    for (const { sdkKey } of [project.production, project.development])
      expect((await dataFile(service, sdkKey)).flags[flag.key]).toBeUndefined()
  })

  test('is refused while the flag is running', async () => {
    const flag = await flagIn('RUNNING')
    const { status: code, body } = await post(`${flag.path}/archive`)
    expect(code).toBe(409)
    expect(body.error).toMatchObject({
      code: 'invalid_state',
      details: { current: 'RUNNING', allowed: ['DRAFT', 'PAUSED', 'ARCHIVED'] },
    })
    expect(await status(flag)).toBe('RUNNING')
  })

  test('is refused while the flag is running in one of two environments', async () => {
    const flag = await flagIn('RUNNING')
    await post(`${flag.development}/run`)
    await post(`${flag.production}/pause`)
    expect((await post(`${flag.path}/archive`)).status).toBe(409)
    await post(`${flag.development}/pause`)
    expect((await post(`${flag.path}/archive`)).status).toBe(200)
  })

  test('an archived flag again changes nothing', async () => {
    const flag = await flagIn('ARCHIVED')
    const before = await service.call(service.people.flagsRead, 'GET', flag.path)
    const again = await post(`${flag.path}/archive`)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(before.body)
    expect(again.headers.etag).toBe(before.headers.etag)
  })
})

describe('an archived flag', () => {
  test.each(['run', 'PATCH', 'run of a rule'])('cannot be run by %s', async (how) => {
    const flag = await flagIn('DRAFT')
    const rule = await addRule(service, flag.production, delivery('Everybody'))
    await succeed(service, 'POST', `${flag.path}/archive`)
    const patch = { enabled: true, defaultVariationId: flag.ids.on }
    const answer = await (how === 'PATCH'
      ? service.call(service.people.flagsWrite, 'PATCH', flag.production, patch)
      : post(`${flag.production}/${how === 'run' ? '' : `rules/${rule.id}/`}run`))
    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({
      code: 'invalid_state',
      details: { current: 'ARCHIVED', allowed: ['DRAFT', 'PAUSED', 'RUNNING'] },
    })
    const after = await succeed(service, 'GET', flag.path)
    expect(after).toMatchObject({ status: 'ARCHIVED', environments: [{ enabled: false }, { enabled: false }] })
    expect(after.environments[0].staged.defaultVariationId).toBeNull()
  })

  test('stays out of the data file after a publish', async () => {
    const flag = await flagIn('ARCHIVED')
    await addRule(service, flag.production, delivery('Later'))
    await publish(service, project)
    expect(await served(service, project, flag.key)).toBeUndefined()
  })

  test.each<[string, State]>([
    ['never ran', 'DRAFT'],
    ['ran', 'PAUSED'],
  ])('that %s is paused after unarchiving', async (_what, before) => {
    const flag = await flagIn(before)
    await post(`${flag.path}/archive`)
    const { status: code, body } = await post(`${flag.path}/unarchive`)
    expect(code).toBe(200)
    expect(body.data).toMatchObject({ status: 'PAUSED', archivedAt: null })
    expect(body.data.environments.every(({ enabled }: { enabled: boolean }) => !enabled)).toBe(true)
    expect(await served(service, project, flag.key)).toMatchObject({ enabled: false })
    await succeed(service, 'POST', `${flag.production}/run`)
    expect(await status(flag)).toBe('RUNNING')
  })
})

test.each<State>(['DRAFT', 'RUNNING', 'PAUSED'])('a flag in %s cannot be unarchived', async (state) => {
  const flag = await flagIn(state)
  const { status: code, body } = await post(`${flag.path}/unarchive`)
  expect(code).toBe(409)
  expect(body.error).toMatchObject({ code: 'invalid_state', details: { current: state, allowed: ['ARCHIVED'] } })
})

describe('deleting', () => {
  test.each<State>(['DRAFT', 'ARCHIVED'])('a flag in %s removes it everywhere', async (state) => {
    const flag = await flagIn(state)
    await addRule(service, flag.production, delivery('Goes along'))
    const { status: code, body } = await remove(flag)
    expect(code).toBe(200)
    expect(body).toEqual({ data: null })
    expect((await service.call(service.people.flagsRead, 'GET', flag.path)).status).toBe(404)
    expect((await remove(flag)).status).toBe(404)
    expect(await served(service, project, flag.key)).toBeUndefined()
    const again = await newFlag(service, project, { key: flag.key })
    expect(again.id).not.toBe(flag.id)
  })

  test.each<State>(['RUNNING', 'PAUSED'])('a flag in %s is refused', async (state) => {
    const flag = await flagIn(state)
    const { status: code, body } = await remove(flag)
    expect(code).toBe(409)
    expect(body.error).toMatchObject({
      code: 'invalid_state',
      details: { current: state, allowed: ['DRAFT', 'ARCHIVED'] },
    })
    expect(await served(service, project, flag.key)).toBeDefined()
  })

  test('never makes its short id available again', async () => {
    const { shortId } = await succeed(service, 'GET', (await flagIn('DRAFT')).path)
    await service.call(service.people.flagsWrite, 'DELETE', `${project.path}/flags/${shortId}`)
    const next = await succeed(service, 'POST', `${project.path}/flags`, booleanFlag('next'))
    expect(next.shortId).toBe(shortId + 1)
  })
})
