import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { booleanFlag } from '../../../../testing/boolean-flag.ts'
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

describe('the owner', () => {
  const flags = `${project.path}/flags`
  const create = async (token: string, key: string, more = {}) => {
    const { status, body } = await service.call(token, 'POST', flags, { ...booleanFlag(key), ...more })
    return status === 201 ? body.data.owner : body.error
  }
  const editor = { id: expect.any(String), name: expect.any(String), email: 'editor@svc.test', left: false }

  test('is the person who creates the flag, or whom the body names', async () => {
    const { editor: person, flagsWrite: token } = service.people
    expect(await create(person, 'by-a-person')).toEqual(editor)
    expect(await create(person, 'of-nobody', { owner: null })).toBeNull()
    expect(await create(token, 'by-a-token')).toBeNull()
    expect(await create(token, 'for-a-person', { owner: 'Editor@svc.test' })).toEqual(editor)
    expect(await create(token, 'for-a-stranger', { owner: 'nobody@svc.test' })).toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ path: ['owner'] }] },
    })
  })

  test('changes at once, is recorded, and can be looked for', async () => {
    const flag = await newFlag(service, project, { key: 'handed-over' })
    const { body } = await update(flag, { owner: 'editor@svc.test' })
    expect(body.data).toMatchObject({ owner: editor, status: 'DRAFT' })
    const found = async (query: string, token = service.people.flagsRead) => {
      const answer = await service.call(token, 'GET', `${flags}?limit=100&owner=${query}`)
      return answer.status === 200 ? answer.body.data.map(({ key }: { key: string }) => key) : answer.body.error.code
    }
    const own = ['handed-over', 'for-a-person', 'by-a-person']
    expect(await found('editor@svc.test')).toEqual(own)
    expect(await found(body.data.owner.id)).toEqual(own)
    expect(await found('me', service.people.editor)).toEqual(own)
    expect(await found('me')).toBe('validation_failed')
    expect(await found('nobody@svc.test')).toEqual([])
    const nobody = await found('none')
    expect(nobody).toContain('by-a-token')
    expect(nobody).not.toContain('handed-over')
    const { rows } = await sql<{ before: unknown; after: unknown }>`
      select before -> 'ownerId' as before, after -> 'ownerId' as after from audit_entries
      where object_id = ${flag.id} order by seq desc limit 1`.execute(service.db)
    expect(rows).toEqual([{ before: null, after: body.data.owner.id }])
  })

  test('who leaves the organization is shown as gone until another one is chosen', async () => {
    const flag = await newFlag(service, project, { key: 'left-behind', owner: 'consultant@svc.test' })
    await sql`delete from memberships where user_id = (select id from users where email = 'consultant@svc.test')`.execute(
      service.db,
    )
    expect(await succeed(service, 'GET', flag.path)).toMatchObject({
      owner: { email: 'consultant@svc.test', left: true },
    })
    const unowned = await service.call(service.people.flagsRead, 'GET', `${flags}?limit=100&owner=none`)
    expect(unowned.body.data.map(({ key }: { key: string }) => key)).toContain('left-behind')
    expect((await update(flag, { owner: 'consultant@svc.test' })).status).toBe(400)
    expect((await update(flag, { owner: null })).body.data.owner).toBeNull()
  })
})
