import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, startTestService, type TestService } from '../../../../testing/service.ts'

const many = 5_000
const url = '/api/v1/audit/export'
let service: TestService
let address: string
let orgId: string

beforeAll(async () => {
  service = await startTestService()
  address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { body } = await service.call(service.people.admin, 'GET', '/api/v1/me')
  orgId = body.data.organization.id
  await sql`
    insert into audit_entries (id, org_id, at, actor_type, actor_name, action, object_type, object_id, object_name, after)
    select gen_random_uuid(), ${orgId}, now(), 'system', 'filler', 'role.update', 'role', gen_random_uuid(),
      'Role ' || number, jsonb_build_object('text', repeat('x', 500)) from generate_series(1, ${many}) number`.execute(
    service.db,
  )
})
afterAll(() => service.close())

const open = (query: string) =>
  fetch(`${address}${url}?${query}`, { headers: { authorization: `Bearer ${service.people.admin}` } })

const record = (name: string, more: { userAgent?: string; after?: unknown } = {}) =>
  sql`
  insert into audit_entries (id, org_id, at, actor_type, actor_name, action, object_type, object_id, object_name, after, user_agent)
  values (gen_random_uuid(), ${orgId}, now(), 'system', ${name}, 'note.write', 'role', gen_random_uuid(), ${name},
    ${JSON.stringify(more.after ?? null)}::jsonb, ${more.userAgent ?? null})`.execute(service.db)

/** Parses strictly by RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  for (let row: string[] = []; field.lastIndex < text.length; ) {
    const [, raw, end] = field.exec(text)!
    row.push(raw!.startsWith('"') ? raw!.slice(1, -1).replaceAll('""', '"') : raw!)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('ndjson has the entries of the list, one per line, even for thousands', async () => {
  const answer = await open('format=ndjson')
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-disposition': expect.stringMatching(/^attachment; filename="audit-1-\d{4}-\d\d-\d\d\.ndjson"$/),
    'transfer-encoding': 'chunked',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const lines = (await answer.text()).trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line))
  expect(entries.length).toBeGreaterThan(many)
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => entries.length - index))
  const { body } = await service.call(service.people.admin, 'GET', '/api/v1/audit?limit=100')
  expect(entries.slice(0, 100)).toEqual(body.data)
})

test('csv has a header and the same entries', async () => {
  const answer = await open('format=csv&action=project.create')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toMatch(/\.csv"$/)
  const [header, ...rows] = parseCsv(await answer.text())
  const { body } = await service.call(service.people.admin, 'GET', '/api/v1/audit?action=project.create')
  const [entry] = body.data
  expect(rows).toHaveLength(body.data.length)
  const row = Object.fromEntries(header!.map((name, index) => [name, rows[0]![index]]))
  expect(row).toEqual({
    seq: String(entry.seq),
    id: entry.id,
    at: entry.at,
    actorType: 'system',
    actorId: '',
    actorName: entry.actor.name,
    action: 'project.create',
    objectType: 'project',
    objectId: entry.object.id,
    objectName: entry.object.name,
    projectId: entry.projectId,
    before: '',
    after: JSON.stringify(entry.after),
    requestId: '',
    ip: '',
    userAgent: '',
    hash: entry.hash,
  })
})

test('csv of thousands of entries has one header', async () => {
  const rows = parseCsv(await (await open('format=csv')).text())
  expect(rows.length).toBeGreaterThan(many)
  expect(rows.filter(([first]) => first === 'seq')).toHaveLength(1)
  for (const row of rows) expect(row).toHaveLength(17)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"!A1'])(
  'csv contains no formula: %j',
  async (text) => {
    await record(text, { userAgent: text })
    const [, row] = parseCsv(await (await open('format=csv&action=note.')).text())
    for (const index of [5, 9, 15]) expect(row![index]).toBe(`'${text}`)
  },
)

test('csv preserves commas, quotes, line breaks and non-ASCII letters', async () => {
  const text = 'a,"b"\r\nc;é\u{1F600}'
  await record(text, { after: { text } })
  const [, row] = parseCsv(await (await open('format=csv&action=note.')).text())
  expect([row![9], JSON.parse(row![12]!)]).toEqual([text, { text }])
})

test('without matches, csv is only a header and ndjson is empty', async () => {
  expect(parseCsv(await (await open('format=csv&action=none')).text())).toHaveLength(1)
  expect(await (await open('format=ndjson&action=none')).text()).toBe('')
})

test.each(['', 'format=xml', 'format=csv&limit=5', 'format=csv&cursor=x'])('400: ?%s', async (query) => {
  expect(await service.call(service.people.admin, 'GET', `${url}?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_failed' } },
  })
})

test('a slow reader blocks nobody, and entries written in the meantime are not in the file', async () => {
  const answer = await open('format=ndjson')
  const reader = answer.body!.getReader()
  const decoder = new TextDecoder()
  let text = decoder.decode((await reader.read()).value, { stream: true })
  const newest = JSON.parse(text.slice(0, text.indexOf('\n'))).seq
  const project = await createProject(service)
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
    text += decoder.decode(chunk.value, { stream: true })
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries).toHaveLength(newest)
  expect(entries.some(({ projectId }) => projectId === project.id)).toBe(false)
})

test('a reader who disconnects leaves nothing behind', async () => {
  const leaving = new AbortController()
  const answer = await fetch(`${address}${url}?format=ndjson`, {
    headers: { authorization: `Bearer ${service.people.admin}` },
    signal: leaving.signal,
  })
  await answer.body!.getReader().read()
  leaving.abort()
  expect((await open('format=ndjson&action=none')).status).toBe(200)
})

test('a failure before the answer begins is an error like any other', async () => {
  await sql`alter table audit_entries rename to audit_entries_away`.execute(service.db)
  try {
    const answer = await open('format=csv')
    expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
  } finally {
    await sql`alter table audit_entries_away rename to audit_entries`.execute(service.db)
  }
})
