import { compile } from '@svc/core'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag, nobody, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import {
  type Answer,
  createProject,
  dataFile,
  startTestService,
  type TestProject,
} from '../../../../testing/service.ts'

const service = await startTestService()
afterAll(() => service.close())

let project: TestProject
let url: string
let flag: TestFlag
let segment: { id: string; shortId: number; path: string }
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/segments`
  flag = await newFlag(service, project, { key: 'checkout' })
  segment = await newSegment('Testers')
})

async function newSegment(name: string) {
  const { id, shortId } = await succeed(service, 'POST', url, { name })
  return { id, shortId, path: `${url}/${id}` }
}

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)

const upload = (body: unknown, headers?: Record<string, string>) =>
  call('PUT', `${segment.path}/members`, body, headers)
const csv = { 'content-type': 'text/csv; charset=utf-8' }
const issues = ({ body }: Answer) => body.error.details.issues
const file = () => dataFile(service, project.production.sdkKey)
const valueFor = async (targetingKey: string) => compile(await file()).evaluate('checkout', { targetingKey }).value
const ruleFor = (conditions: object = { segment: segment.id }) =>
  addRule(service, flag.production, delivery('Testers', { conditions }))
const run = () => succeed(service, 'POST', `${flag.production}/run`)

describe('a segment', () => {
  test('is created empty and can be read, listed, edited and deleted', async () => {
    const created = await call('POST', url, { name: 'Buyers' })
    const { data } = created.body
    expect([created.status, created.headers.etag]).toEqual([201, '"s1"'])
    expect(data).toEqual({
      id: expect.any(String),
      shortId: expect.any(Number),
      projectId: project.id,
      key: 'buyers',
      name: 'Buyers',
      description: null,
      count: 0,
      lastEdit: null,
      usedBy: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await succeed(service, 'GET', url)).toMatchObject([data, { id: segment.id }])
    const path = `${url}/${data.id}`
    const edited = await call('PATCH', path, { description: 'Since May' }, { 'x-svc-if-match': '"s1"' })
    expect(edited.body.data).toMatchObject({ name: 'Buyers', description: 'Since May' })
    expect((await call('PATCH', path, {}, { 'x-svc-if-match': '"s1"' })).status).toBe(412)
    expect((await call('PATCH', path, { name: 'Testers' })).status).toBe(409)
    expect((await call('DELETE', path)).body).toEqual({ data: null })
    expect((await call('GET', path)).status).toBe(404)
  })

  test('says which rules and audiences name it, each once', async () => {
    const other = await newSegment('Buyers')
    const rule = await ruleFor({ any: [{ segment: segment.id }, { not: { segment: segment.id } }] })
    const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
      name: 'Testers or buyers',
      conditions: { any: [{ segment: segment.id }, { segment: other.id }] },
    })
    const usedBy = async () => (await succeed(service, 'GET', url)).map((each: { usedBy: unknown }) => each.usedBy)
    const byRule = { type: 'rule', id: rule.id, flagId: flag.id, envId: project.production.id }
    const byAudience = { type: 'audience', id: audience.id }
    expect(await usedBy()).toEqual([[byAudience], [byRule, byAudience]])
    const added = await call('POST', `${segment.path}/members/add`, { ids: ['u-1'] })
    expect(added.body.data.usedBy).toEqual([byRule, byAudience])
    await succeed(service, 'PATCH', `${project.path}/audiences/${audience.id}`, { conditions: { all: [] } })
    expect(await usedBy()).toEqual([[], [byRule]])
  })

  test('is not found by other organizations, and requires its scopes', async () => {
    for (const method of ['GET', 'DELETE'] as const)
      expect((await service.call(service.people.stranger, method, segment.path)).status).toBe(404)
    const { status, body } = await service.call(service.people.flagsWrite, 'GET', url)
    expect([status, body.error.details]).toEqual([403, { scope: 'segments:read' }])
  })

  test('cannot be deleted while a rule or an audience uses it', async () => {
    const { id } = await newSegment('Other')
    const rule = await ruleFor()
    const conditions = { not: { segment: id } }
    const audience = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Not they', conditions })
    const [ofRule, ofAudience] = [await call('DELETE', segment.path), await call('DELETE', `${url}/${id}`)]
    expect([ofRule.status, ofRule.body.error.details.references]).toMatchObject([409, [{ type: 'rule', id: rule.id }]])
    const references = [{ type: 'audience', id: audience.id }]
    expect([ofAudience.status, ofAudience.body.error.details]).toEqual([409, { references }])
  })

  test('of a different project cannot be used', async () => {
    const conditions = { any: [{ segment: nobody }] }
    const rule = await call('POST', `${flag.production}/rules`, delivery('x', { conditions }))
    const audience = await call('POST', `${project.path}/audiences`, { name: 'x', conditions })
    for (const answer of [rule, audience])
      expect([answer.status, issues(answer)[0].path]).toEqual([400, ['conditions', 'any', 0, 'segment']])
  })
})

describe('members', () => {
  test('can be uploaded as JSON or CSV, which replaces all others', async () => {
    const first = await upload({ ids: ['b', 'a', 'b'] })
    expect([first.status, first.body.data.count, first.headers.etag]).toEqual([200, 2, '"s2"'])
    expect((await upload('id\na\nb\n', csv)).headers.etag).toBe('"s2"')
    const second = await upload('c\r\n"d,e",x', { ...csv, 'x-svc-if-match': '"s2"' })
    expect([second.status, second.body.data.count]).toEqual([200, 2])
    expect((await upload('z', { ...csv, 'x-svc-if-match': '"s2"' })).status).toBe(412)
    expect(second.text).not.toContain('d,e')
  })

  test('can be read in pages by those who can change them', async () => {
    const ids = ['z', 'ü', '😀', '\uffee', 'a', 'B']
    await upload({ ids })
    const pages: string[][] = []
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `${segment.path}/members?limit=4${cursor}`)
      pages.push(body.data)
      if (!body.page.hasMore) break
      cursor = `&cursor=${body.page.nextCursor}`
      // A cursor contains the last id, so members that are added or removed meanwhile do not shift the pages.
      await call('POST', `${segment.path}/members/remove`, { ids: ['B'] })
    }
    expect(pages).toEqual([
      ['B', 'a', 'z', 'ü'],
      ['\uffee', '😀'],
    ])
    const { status, body } = await service.call(service.people.viewer, 'GET', `${segment.path}/members`)
    expect([status, body.error.details]).toEqual([403, { scope: 'segments:write' }])
    expect((await service.call(service.people.stranger, 'GET', `${segment.path}/members`)).status).toBe(404)
    const other = await newSegment('Other')
    const { body: first } = await call('GET', `${segment.path}/members?limit=1`)
    expect((await call('GET', `${other.path}/members?cursor=${first.page.nextCursor}`)).status).toBe(400)
  })

  test('can be found by how they begin, and the id itself comes first', async () => {
    await upload({ ids: ['u-4', 'u-42', 'u-421', 'U-42', 'v-42', 'u_4'] })
    const found = async (startsWith: string) =>
      (await call('GET', `${segment.path}/members?startsWith=${encodeURIComponent(startsWith)}`)).body.data
    expect(await found('u-42')).toEqual(['u-42', 'u-421'])
    expect(await found('u-4%')).toEqual([])
    expect(await found('u_')).toEqual(['u_4'])
    const page = (await call('GET', `${segment.path}/members?startsWith=u-&limit=2`)).body
    const next = `${segment.path}/members?limit=2&cursor=${page.page.nextCursor}`
    expect((await call('GET', `${next}&startsWith=u-`)).body.data).toEqual(['u-421'])
    expect((await call('GET', next)).status).toBe(400)
  })

  test('can be exported to a file that an upload reads again', async () => {
    const ids = ['007', '=1+1', 'a "b"', 'a,b', 'id', 'u-1'].toSorted()
    await upload({ ids })
    const { text, headers } = await call('GET', `${segment.path}/members/export`)
    expect(headers['content-disposition']).toContain('testers')
    expect(text).toBe(
      `id\n${ids.map((id) => (/[",]/.test(id) ? JSON.stringify(id).replaceAll('\\"', '""') : id)).join('\n')}\n`,
    )
    await upload({ ids: [] })
    await upload(text, csv)
    expect(await succeed(service, 'GET', `${segment.path}/members`)).toEqual(ids)
  })

  test('say who changed them last, and how many there were', async () => {
    expect((await succeed(service, 'GET', segment.path)).lastEdit).toBeNull()
    await upload({ ids: ['a', 'b'] })
    await call('POST', `${segment.path}/members/remove`, { ids: ['a'] })
    await call('POST', `${segment.path}/members/remove`, { ids: ['nobody'] })
    const { lastEdit } = await succeed(service, 'GET', segment.path)
    const by = { type: expect.any(String), id: expect.any(String), name: expect.any(String) }
    expect(lastEdit).toEqual({ edit: 'remove', at: expect.any(String), by, before: 2, after: 1 })
  })

  test('can be added and removed at once, with audit entry, event and ETag', async () => {
    await upload({ ids: ['u-1'] })
    await ruleFor()
    await run()
    const edit = (verb: 'add' | 'remove', ids: unknown, headers?: Record<string, string>) =>
      call('POST', `${segment.path}/members/${verb}`, { ids }, headers)
    const before = await file()
    const added = await edit('add', ['u-2', 'u-1', 'u-2'], { 'x-svc-if-match': '"s2"' })
    expect([added.status, added.body.data.count, added.headers.etag]).toEqual([200, 2, '"s3"'])
    expect([await valueFor('u-1'), await valueFor('u-2'), await valueFor('u-3')]).toEqual([true, true, false])
    expect((await file()).revision).toBe(before.revision + 1)
    expect((await edit('add', ['u-2'])).headers.etag).toBe('"s3"')
    expect((await edit('remove', ['nobody'])).headers.etag).toBe('"s3"')
    expect((await edit('remove', ['u-1'], { 'x-svc-if-match': '"s2"' })).status).toBe(412)

    const removed = await edit('remove', ['u-1'])
    expect([removed.status, removed.body.data.count]).toEqual([200, 1])
    expect([await valueFor('u-1'), await valueFor('u-2')]).toEqual([false, true])
    expect((await file()).revision).toBe(before.revision + 2)
    const { rows } = await sql`
      select action, before, after from audit_entries
      where object_id = ${segment.id} and action in ('segment.add_members', 'segment.remove_members') order by seq`.execute(
      service.db,
    )
    expect(rows).toEqual([
      { action: 'segment.add_members', before: { count: 1 }, after: { count: 2 } },
      { action: 'segment.remove_members', before: { count: 2 }, after: { count: 1 } },
    ])
    const events = await succeed(service, 'GET', `${project.path}/events?limit=100&event=segment.updated`)
    expect(events.map((each: { segment: { count: number } }) => each.segment.count)).toEqual([1, 2, 1])
  })

  test.each([
    ['no id', [], ['ids']],
    ['an empty id', ['a', ''], ['ids', 1]],
    ['1,001 ids', Array.from({ length: 1001 }, (_, index) => `u-${index}`), ['ids']],
  ])('%s cannot be added or removed', async (_what, ids, path) => {
    for (const verb of ['add', 'remove']) {
      const answer = await call('POST', `${segment.path}/members/${verb}`, { ids })
      expect([answer.status, issues(answer)[0].path]).toEqual([400, path])
    }
  })

  test('can be added and removed concurrently without losing an edit', async () => {
    await upload({ ids: ['old-0', 'old-1', 'old-2'] })
    await ruleFor()
    await run()
    const edits = Array.from({ length: 12 }, (_, index) =>
      index < 9
        ? call('POST', `${segment.path}/members/add`, { ids: [`new-${index}`] })
        : call('POST', `${segment.path}/members/remove`, { ids: [`old-${index - 9}`] }),
    )
    for (const { status } of await Promise.all(edits)) expect(status).toBe(200)
    const members = await succeed(service, 'GET', `${segment.path}/members?limit=100`)
    expect(members).toEqual(Array.from({ length: 9 }, (_, index) => `new-${index}`))
    expect([await valueFor('new-8'), await valueFor('old-0')]).toEqual([true, false])
  })

  test.each([
    ['a line without an id', 'a\n,b', csv, ['line', 2]],
    ['an id that is not a string', { ids: ['a', 7] }, undefined, ['ids', 1]],
    ['an empty id', { ids: ['a', ''] }, undefined, ['ids', 1]],
    ['a missing list', {}, undefined, ['ids']],
  ])('are refused with %s', async (_what, body, headers, path) => {
    const answer = await upload(body, headers)
    expect([answer.status, issues(answer)[0]?.path]).toEqual([400, path])
    expect((await succeed(service, 'GET', segment.path)).count).toBe(0)
  })

  test('are refused with a different media type, and CSV is refused everywhere else', async () => {
    expect((await upload('a', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await call('POST', url, 'name\nx', csv)).status).toBe(415)
    expect((await upload(Buffer.from([0xff]), csv)).status).toBe(400)
    expect((await call('POST', url, { name: 'x'.repeat(2 ** 20) })).status).toBe(413)
    const tooLarge = await upload('x'.repeat(2 ** 23 + 1), csv)
    expect([tooLarge.status, tooLarge.body.error.message]).toEqual([413, 'The body is larger than 8 MiB.'])
  })

  test('never appear in clear in the data file, the audit log or an event', async () => {
    await upload({ ids: ['ada@example.com'] })
    await ruleFor()
    await run()
    await upload({ ids: ['ada@example.com', 'bea@example.com'] })
    const bytes = await service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
    const { rows } = await sql<{ text: string }>`
      select (select string_agg(audit_entries::text, ' ') from audit_entries)
        || (select string_agg(events::text, ' ') from events) as text`.execute(service.db)
    for (const text of [bytes.text, rows[0]!.text]) expect(text).not.toContain('@example.com')
    expect(await valueFor('bea@example.com')).toBe(true)
  })

  test('are limited to 100,000', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `visitor-${index}`)
    await ruleFor()
    await run()
    expect((await upload({ ids })).body.data.count).toBe(100_000)
    expect([await valueFor('visitor-99999'), await valueFor('visitor-100000')]).toEqual([true, false])
    // The same function counts what a file has, and takes as long as the upload above.
    if (isFull) expect((await upload([...ids, 'one more'].join('\n'), csv)).status).toBe(400)
    const more = await call('POST', `${segment.path}/members/add`, { ids: ['one more', 'visitor-1'] })
    expect([more.status, issues(more)[0].message]).toEqual([
      400,
      'ids: A segment can have up to 100000 ids, not 100001.',
    ])
    expect((await succeed(service, 'GET', segment.path)).count).toBe(100_000)
  })
})

describe('the data file', () => {
  test('contains a segment while a running rule needs it, directly or through an audience', async () => {
    await upload({ ids: ['u-1'] })
    expect(await file()).not.toHaveProperty('segments')
    const conditions = { segment: segment.id }
    const audience = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'They', conditions })
    const rule = await ruleFor({ audience: audience.id })
    await run()
    expect(Object.keys((await file()).segments)).toEqual([String(segment.shortId)])
    expect([await valueFor('u-1'), await valueFor('u-2')]).toEqual([true, false])
    await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/pause`)
    expect(await file()).not.toHaveProperty('segments')
  })

  test('has the upload when the call returns, as one revision that names the affected flags', async () => {
    await ruleFor()
    await run()
    const before = await file()
    await upload({ ids: ['u-1'] })
    const { revision } = await file()
    expect(revision).toBe(before.revision + 1)
    expect([await valueFor('u-1'), await valueFor('u-2')]).toEqual([true, false])
    const events = await succeed(service, 'GET', `${project.path}/events?limit=100`)
    expect(events.at(-1)).toMatchObject({ event: 'flag.published', dataFile: { revision }, flags: [{ id: flag.id }] })
    const [last] = await succeed(service, 'GET', `${project.path}/environments/${project.production.id}/revisions`)
    expect(last).toMatchObject({ revision, segments: [{ id: segment.id, name: 'Testers', change: 'CHANGED' }] })
    await upload('u-1', csv)
    expect((await file()).revision).toBe(revision)
    expect(await publish(service, project)).toMatchObject({ changed: false })
  })

  test('has different hashes of the same visitors in each environment', async () => {
    await upload({ ids: ['u-1'] })
    await ruleFor()
    await run()
    await addRule(service, flag.development, delivery('Testers', { conditions: { segment: segment.id } }))
    await succeed(service, 'POST', `${flag.development}/run`)
    const development = await dataFile(service, project.development.sdkKey)
    expect(development.segments[segment.shortId].ids).not.toBe((await file()).segments[segment.shortId].ids)
  })
})
