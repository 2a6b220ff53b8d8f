import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { delivery, inProduction, newFlag, stringFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { saveEvaluations } from '../../serving/heartbeat/index.ts'

const start = new Date('2026-01-01T00:00:00.000Z')
const dayMs = 24 * 3_600_000
let now = start
let service: TestService
let project: TestProject
let running: TestFlag
let paused: TestFlag

beforeAll(async () => {
  service = await startTestService({ now: () => now })
  project = await createProject(service)
  await newFlag(service, project, { key: 'draft', name: 'A draft', tags: ['one', 'two'] })
  running = await newFlag(service, project, { ...stringFlag('running', 'a', 'b'), name: 'Änderung' })
  await succeed(service, 'POST', `${running.production}/run`)
  paused = await newFlag(service, project, { key: 'paused', description: 'Holds 100% of_it', tags: ['two'] })
  await succeed(service, 'POST', `${paused.production}/run`)
  await succeed(service, 'POST', `${paused.production}/pause`)
  const archived = await newFlag(service, project, { key: 'archived' })
  await succeed(service, 'POST', `${archived.path}/archive`)
  const back = await newFlag(service, project, { key: 'back' })
  await succeed(service, 'POST', `${back.path}/archive`)
  await succeed(service, 'POST', `${back.path}/unarchive`)
})
afterAll(() => service.close())

const list = (query: string) => service.call(service.people.flagsRead, 'GET', `${project.path}/flags?${query}`)
const keys = (body: { data: { key: string }[] }) => body.data.map(({ key }) => key)
const all = ['back', 'archived', 'paused', 'running', 'draft']

test('the list has the same objects as GET of one flag, newest first', async () => {
  const { status, body } = await list('')
  expect(status).toBe(200)
  expect(keys(body)).toEqual(all)
  expect(body.page).toEqual({ nextCursor: null, hasMore: false })
  expect(body.data[3]).toEqual(await succeed(service, 'GET', running.path))
})

test.each([
  ['status=DRAFT', ['draft']],
  ['status=RUNNING', ['running']],
  ['status=PAUSED', ['back', 'paused']],
  ['status=ARCHIVED', ['archived']],
  ['type=STRING', ['running']],
  ['type=BOOLEAN', ['back', 'archived', 'paused', 'draft']],
  ['tag=two', ['paused', 'draft']],
  ['tag=One', []],
  ['q=RUNN', ['running']],
  ['q=A+DRAFT', ['draft']],
  ['q=%C3%A4nderung', ['running']],
  ['q=100%25+of_', ['paused']],
  ['q=%25', ['paused']],
  ['tag=two&status=DRAFT', ['draft']],
  ['stale=false', all],
  ['stale=true', []],
])('the filter %s gives %j', async (query, expected) => {
  const { status, body } = await list(query)
  expect(status).toBe(200)
  expect(keys(body)).toEqual(expected)
})

test('a flag is stale after 90 days without an edit or a switch, unless it is archived', async () => {
  now = new Date(start.getTime() + 90 * dayMs + 1)
  await succeed(service, 'PATCH', `${project.path}/flags/1`, { name: 'A fresh draft' })
  const stale = await list('stale=true')
  expect(keys(stale.body)).toEqual(['back', 'paused', 'running'])
  expect(stale.body.data.every((flag: { stale: boolean }) => flag.stale)).toBe(true)
  expect(keys((await list('stale=false')).body)).toEqual(['archived', 'draft'])
  await succeed(service, 'POST', `${running.production}/pause`)
  expect((await succeed(service, 'GET', running.path)).stale).toBe(false)
  await succeed(service, 'POST', `${running.production}/run`)
})

test('switching a rule keeps its flag from being stale', async () => {
  const rule = await succeed(service, 'POST', `${running.development}/rules`, delivery('Rule', { variationKey: 'a' }))
  now = new Date(now.getTime() + 90 * dayMs + 1)
  await succeed(service, 'POST', `${running.development}/rules/${rule.id}/pause`)
  expect((await succeed(service, 'GET', running.path)).stale).toBe(false)
})

test('a flag is stale 30 days after its last evaluation, unless it was edited since', async () => {
  const isStale = async () => {
    const listed = keys((await list('stale=true')).body).includes('running')
    expect((await succeed(service, 'GET', running.path)).stale).toBe(listed)
    return listed
  }
  const asked = { envId: project.production.id, flagKey: 'running', at: now }
  await saveEvaluations(service.db, [asked, { ...asked, flagKey: 'unknown' }])
  expect((await inProduction(service, running)).lastEvaluatedAt).toBe(now.toISOString())
  now = new Date(now.getTime() + 29 * dayMs)
  expect(await isStale()).toBe(false)
  now = new Date(now.getTime() + 2 * dayMs)
  expect(await isStale()).toBe(true)
  await saveEvaluations(service.db, [{ ...asked, at: now }])
  expect(await isStale()).toBe(false)
})

test('a permanent flag is never stale', async () => {
  now = new Date(now.getTime() + 91 * dayMs)
  expect((await succeed(service, 'PATCH', paused.path, { permanent: true })).permanent).toBe(true)
  now = new Date(now.getTime() + 91 * dayMs)
  expect((await succeed(service, 'GET', paused.path)).stale).toBe(false)
  expect(keys((await list('stale=true')).body)).not.toContain('paused')
  expect((await succeed(service, 'PATCH', paused.path, { permanent: false })).permanent).toBe(false)
})

describe('pages', () => {
  const walk = async (query: string) => {
    const pages = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await list(query + (cursor && `&cursor=${cursor}`))
      pages.push(keys(body))
      cursor = body.page.nextCursor
      expect(body.page.hasMore).toBe(cursor !== null)
    }
    return pages
  }

  test.each([
    ['limit=2', [all.slice(0, 2), all.slice(2, 4), all.slice(4)]],
    ['limit=5', [all]],
    ['limit=100', [all]],
    ['limit=1&type=BOOLEAN', [['back'], ['archived'], ['paused'], ['draft']]],
  ])('with %s have each flag once', async (query, pages) => {
    expect(await walk(query)).toEqual(pages)
  })

  test('are not affected by flags that are created meanwhile', async () => {
    const first = await list('limit=3')
    await newFlag(service, project, { key: 'meanwhile' })
    const second = await list(`limit=3&cursor=${first.body.page.nextCursor}`)
    expect([...keys(first.body), ...keys(second.body)]).toEqual(all)
  })

  test('have 20 flags by default', async () => {
    const crowded = await createProject(service)
    for (let index = 1; index <= 21; index += 1) await newFlag(service, crowded, { key: `flag-${index}` })
    const { body } = await service.call(service.people.flagsRead, 'GET', `${crowded.path}/flags`)
    expect(body.data).toHaveLength(20)
    expect(body.page.hasMore).toBe(true)
  })

  test('refuse the cursor of a different list', async () => {
    const elsewhere = await createProject(service)
    const { nextCursor } = (await list('limit=1')).body.page
    for (const path of [`${elsewhere.path}/flags?`, `${project.path}/flags?status=DRAFT&`]) {
      const { status, body } = await service.call(service.people.flagsRead, 'GET', `${path}cursor=${nextCursor}`)
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: ['cursor'] }] } })
    }
  })
})

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['cursor=', 'cursor'],
  ['cursor=bm90LW91cnM', 'cursor'],
  ['status=running', 'status'],
  ['status=', 'status'],
  ['type=OBJECT', 'type'],
  ['stale=1', 'stale'],
  ['q=%00', 'q'],
  ['tag=%00', 'tag'],
  [`q=${'x'.repeat(201)}`, 'q'],
])('the query %s is refused', async (query, field) => {
  const { status, body } = await list(query)
  expect(status).toBe(400)
  expect(body.error.code).toBe('validation_failed')
  expect(body.error.details.issues[0].path).toEqual([field])
})

test.each(['page=2', 'Limit=5', 'projectId=1'])('the unknown query parameter %s is refused', async (query) => {
  const { status, body } = await list(query)
  expect(status).toBe(400)
  expect(body.error.code).toBe('validation_failed')
})
