import { afterAll, describe, expect, test } from 'vitest'
import { newFlag, served, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const update = (flag: TestFlag, body: unknown) => service.call(service.people.flagsWrite, 'PATCH', flag.path, body)

test.each<[string, Record<string, unknown>]>([
  ['name', { name: 'Renamed' }],
  ['description', { description: 'Now with a description' }],
  ['description to null', { description: null }],
  ['tags', { tags: ['b', 'a'] }],
  ['everything', { name: 'N', description: 'D', key: 'everything-new', tags: [] }],
])('an update changes only %s', async (what, edit) => {
  const flag = await newFlag(service, project, { key: what.replaceAll(' ', '-'), description: 'Old', tags: ['t'] })
  const before = await succeed(service, 'GET', flag.path)
  const { status, body } = await update(flag, edit)
  expect(status).toBe(200)
  expect(body.data).toEqual({ ...before, ...edit, updatedAt: body.data.updatedAt })
  expect(body.data).toEqual(await succeed(service, 'GET', flag.path))
})

test('an update with an empty body changes nothing', async () => {
  const flag = await newFlag(service, project, { key: 'untouched' })
  const before = await service.call(service.people.flagsRead, 'GET', flag.path)
  const after = await update(flag, {})
  expect(after.status).toBe(200)
  expect(after.body).toEqual(before.body)
  expect(after.headers.etag).toBe(before.headers.etag)
})

describe('the key', () => {
  test('of a flag that never ran can change, including in the data file', async () => {
    const flag = await newFlag(service, project, { key: 'working-title' })
    const { status, body } = await update(flag, { key: 'final-title' })
    expect(status).toBe(200)
    expect(body.data.key).toBe('final-title')
    expect(await served(service, project, 'working-title')).toBeUndefined()
    expect(await served(service, project, 'final-title')).toMatchObject({ id: String(flag.shortId), enabled: false })
  })

  test('can be used again after its flag was renamed', async () => {
    const flag = await newFlag(service, project, { key: 'set-free' })
    await update(flag, { key: 'gone-on' })
    await newFlag(service, project, { key: 'set-free' })
  })

  test.each([
    ['runs in one environment', ['run']],
    ['ran once', ['run', 'pause']],
  ])('of a flag that %s is immutable', async (what, verbs) => {
    const flag = await newFlag(service, project, { key: what.replaceAll(' ', '-') })
    for (const verb of verbs) await succeed(service, 'POST', `${flag.development}/${verb}`)
    const { status, body } = await update(flag, { name: 'Not this either', key: 'another' })
    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: 'invalid_state',
      details: { current: flag.key, allowed: [flag.key] },
    })
    expect(await succeed(service, 'GET', flag.path)).toMatchObject({ key: flag.key, name: `Flag ${flag.key}` })
    expect((await update(flag, { name: 'Same key', key: flag.key })).status).toBe(200)
  })

  test('of a flag that ran is still immutable after archiving and unarchiving', async () => {
    const flag = await newFlag(service, project, { key: 'ran-and-rested' })
    for (const verb of ['run', 'pause']) await succeed(service, 'POST', `${flag.production}/${verb}`)
    for (const verb of ['archive', 'unarchive']) await succeed(service, 'POST', `${flag.path}/${verb}`)
    expect((await update(flag, { key: 'another' })).body.error.code).toBe('invalid_state')
  })

  test('of a different flag in the project is refused, even if that flag is archived', async () => {
    const archived = await newFlag(service, project, { key: 'archived-key' })
    await succeed(service, 'POST', `${archived.path}/archive`)
    const flag = await newFlag(service, project, { key: 'wants-more' })
    const { status, body } = await update(flag, { key: 'archived-key' })
    expect(status).toBe(409)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: ['key'] }] } })
  })
})

test.each<[string, unknown, unknown[]]>([
  ['a blank name', { name: '' }, ['name']],
  ['a null name', { name: null }, ['name']],
  ['a bad key', { key: 'ü' }, ['key']],
  ['a description of 2001 characters', { description: 'd'.repeat(2001) }, ['description']],
  ['an empty tag', { tags: [''] }, ['tags', 0]],
  ['the type', { type: 'STRING' }, ['type']],
  ['the status', { status: 'ARCHIVED' }, ['status']],
  ['variations', { variations: [] }, ['variations']],
  ['a list', [], []],
  ['no body', undefined, []],
])('an update with %s is refused', async (what, body, path) => {
  const flag = await newFlag(service, project, { key: `refused-${what.replaceAll(' ', '-')}` })
  const answer = await update(flag, body)
  expect(answer.status).toBe(400)
  expect(answer.body.error.code).toBe('validation_failed')
  expect(answer.body.error.details.issues[0].path).toEqual(path)
})
