import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { succeed } from '../../../../testing/flags.ts'
import {
  type Answer,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { type TestReceiver, testReceiver } from '../../../../testing/vendors/receiver.ts'

let service: TestService
let receiver: TestReceiver
beforeAll(async () => {
  receiver = testReceiver()
  service = await startTestService({ outbound: receiver.outbound })
})
afterAll(() => service.close())

let project: TestProject
let url: string
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/catalog/sources`
  receiver.forbid(() => undefined)
})

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => service.call(service.people.admin, method, path, body, headers)

const secret = 'token-0123456789-WxYz'
const main = {
  name: 'Main feed',
  type: 'PRODUCTS',
  url: 'https://shop.example/feed.xml',
  auth: { type: 'BEARER', secret },
  defaultCurrency: 'EUR',
}
const issuesOf = ({ body }: Answer): string[] =>
  body.error.details.issues.map(({ path }: { path: string[] }) => path.join('.'))

const sealed = async (id: string) => {
  const { rows } = await sql<{ secret_id: string | null; sealed: Buffer | null }>`
    select secret_id, sealed from catalog_sources where id = ${id}`.execute(service.db)
  return rows[0]!
}

const feed = (items: string) => `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items}</channel></rss>`
const item = (id: string, price = '15.00 USD') =>
  `\n<item><g:id>${id}</g:id><title>Shirt</title><link>https://shop.example/${id}</link><g:price>${price}</g:price></item>`

test('a source is created with defaults, read, listed, edited and deleted', async () => {
  const created = await call('POST', url, main)
  const { data } = created.body
  expect([created.status, created.headers.etag]).toEqual([201, '"i1"'])
  expect(data).toEqual({
    id: expect.any(String),
    projectId: project.id,
    key: 'main-feed',
    name: 'Main feed',
    type: 'PRODUCTS',
    mode: 'FULL',
    format: 'AUTO',
    encoding: 'utf-8',
    url: 'https://shop.example/feed.xml',
    auth: { type: 'BEARER', secret: '…WxYz' },
    mapping: {},
    defaultCurrency: 'EUR',
    guards: { maxRemovedShare: 0.2, maxSkippedShare: 0.1, maxPriceShiftShare: 0.2, minItems: 1 },
    schedule: null,
    envId: null,
    fields: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await succeed(service, 'GET', url)).toEqual([data])
  const edit = { mapping: { cost: 'wholesale_price' }, schedule: { every: 'HOUR', at: '00:15' }, mode: 'DELTA' }
  const edited = await call('PATCH', `${url}/main-feed`, edit, { 'x-svc-if-match': '"i1"' })
  expect(edited.body.data).toMatchObject({ ...edit, schedule: { ...edit.schedule, timezone: 'UTC' } })
  expect((await call('PATCH', `${url}/main-feed`, {}, { 'x-svc-if-match': '"i1"' })).status).toBe(412)
  expect((await call('POST', url, { ...main, key: 'other' })).status).toBe(409)
  expect((await call('DELETE', `${url}/main-feed`)).body).toEqual({ data: null })
  expect((await call('GET', `${url}/main-feed`)).status).toBe(404)
})

test('orders have an environment, and supplements the fields that they set', async () => {
  const orders = await succeed(service, 'POST', url, { name: 'Orders', type: 'ORDERS' })
  expect(orders).toMatchObject({ mode: 'DELTA', envId: project.production.id, guards: { maxSkippedShare: 0.1 } })
  const named = await succeed(service, 'POST', url, { name: 'Tests', type: 'ORDERS', envId: 'development' })
  expect(named.envId).toBe(project.development.id)
  const costs = await succeed(service, 'POST', url, { name: 'Costs', type: 'SUPPLEMENT', fields: ['cost'] })
  expect(costs.fields).toEqual(['cost'])
  const elsewhere = await createProject(service)
  for (const [body, ...paths] of [
    [{ name: 'a', type: 'ORDERS', envId: elsewhere.production.id }, 'envId'],
    [{ name: 'b', type: 'ORDERS', mode: 'FULL' }, 'mode'],
    [{ name: 'c', type: 'SUPPLEMENT' }, 'fields'],
    [{ name: 'd', type: 'PRODUCTS', schedule: { cron: '15 * * * *' } }, 'schedule'],
    [{ name: 'e', type: 'PRODUCTS', mapping: { colour: 'x' } }, 'mapping.colour'],
    [{ name: 'f', type: 'PRODUCTS', defaultCurrency: 'XYZ' }, 'defaultCurrency'],
    [{ name: 'g', type: 'PRODUCTS', auth: { type: 'HEADER', header: 'Host', secret } }, 'auth.header'],
  ] as [object, ...string[]][]) {
    const answer = await call('POST', url, body)
    expect([answer.status, issuesOf(answer)], JSON.stringify(body)).toEqual([400, paths])
  }
  expect((await call('PATCH', `${url}/orders`, { type: 'PRODUCTS' })).status).toBe(400)
})

test('the secret is sealed, shown by its end, and stays unless another is sent', async () => {
  const { id } = await succeed(service, 'POST', url, main)
  const first = await sealed(id)
  expect(first.sealed!.includes(Buffer.from(secret))).toBe(false)
  for (const auth of [{ type: 'BEARER' }, { type: 'BEARER', secret: '…WxYz' }])
    expect((await call('PATCH', `${url}/${id}`, { auth, url: 'https://shop.example/other.xml' })).status).toBe(200)
  expect(await sealed(id)).toEqual(first)
  const changed = await succeed(service, 'PATCH', `${url}/${id}`, {
    auth: { type: 'BEARER', secret: 'token-another-AbCd' },
  })
  expect(changed.auth).toEqual({ type: 'BEARER', secret: '…AbCd' })
  expect((await sealed(id)).secret_id).not.toBe(first.secret_id)
  expect((await succeed(service, 'PATCH', `${url}/${id}`, { auth: null })).auth).toBeNull()
  expect(await sealed(id)).toEqual({ secret_id: null, sealed: null })
  const log = await sql<{
    text: string
  }>`select string_agg(entry::text, '') as text from audit_entries as entry`.execute(service.db)
  expect(log.rows[0]!.text).toContain('WxYz')
  expect(log.rows[0]!.text).not.toContain('0123456789')
})

test('a secret does not follow the address to a different host', async () => {
  const { id } = await succeed(service, 'POST', url, main)
  const away = { url: 'https://evil.example/feed.xml' }
  for (const edit of [
    away,
    { ...away, auth: { type: 'BEARER', secret: '…WxYz' } },
    { ...away, auth: { type: 'BASIC', username: 'x' } },
  ]) {
    const answer = await call('PATCH', `${url}/${id}`, edit)
    expect([answer.status, issuesOf(answer)]).toEqual([400, ['auth.secret']])
  }
  expect(
    (await call('PATCH', `${url}/${id}`, { ...away, auth: { type: 'BEARER', secret: 'token-for-elsewhere' } })).status,
  ).toBe(200)
  expect((await call('PATCH', `${url}/${id}`, { url: 'https://third.example/', auth: null })).status).toBe(200)
})

test('an address obeys the rules of webhooks, and is checked when it changes', async () => {
  receiver.forbid((text) => (text.includes('internal') ? 'URL must use a public hostname' : undefined))
  const refused = await call('POST', url, { ...main, url: 'https://shop.internal/' })
  expect([refused.status, issuesOf(refused)]).toEqual([400, ['url']])
  const { id } = await succeed(service, 'POST', url, { name: 'Open', type: 'PRODUCTS', url: 'https://shop.example/' })
  const before = receiver.checked.length
  await succeed(service, 'PATCH', `${url}/${id}`, { url: 'https://shop.example/', name: 'Renamed' })
  expect(receiver.checked).toHaveLength(before)
  expect((await call('PATCH', `${url}/${id}`, { url: 'https://shop.internal/' })).status).toBe(400)
})

test('a project has at most 20', async () => {
  for (let count = 0; count < 20; count += 1)
    await succeed(service, 'POST', url, { name: `n${count}`, type: 'PRODUCTS' })
  const { status, body } = await call('POST', url, { name: 'One more', type: 'PRODUCTS' })
  expect([status, body.error.message]).toEqual([400, 'A project can have up to 20 catalog sources.'])
})

test('a preview of the address shows items and errors by line, with the secret, and saves nothing', async () => {
  await succeed(service, 'POST', url, { ...main, mapping: { sku: 'id' } })
  receiver.answer(() => ({ status: 200, body: feed(`${item('a')}${item('b', 'free')}${item('a')}`), error: null }))
  const { data } = (await call('POST', `${url}/main-feed/preview`)).body
  expect(receiver.received.at(-1)).toMatchObject({
    method: 'GET',
    url: main.url,
    headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'gzip' },
  })
  expect(data).toMatchObject({
    rows: 3,
    items: [
      { line: 2, itemId: 'a', sku: 'a', price: '15.00', salePrice: null, currency: 'USD', availability: 'IN_STOCK' },
    ],
    errors: [
      { line: 3, itemId: 'b', code: 'bad_price', isWarning: false },
      { line: 4, itemId: 'a', code: 'duplicate_id', isWarning: false },
    ],
    fault: null,
  })
})

test('a preview says why a file cannot be fetched or read', async () => {
  await succeed(service, 'POST', url, main)
  receiver.answer(() => ({ status: 503, error: 'The endpoint answered 503' }))
  const preview = async () => (await call('POST', `${url}/main-feed/preview`)).body.data
  expect(await preview()).toEqual({
    rows: 0,
    ...{ items: [], values: [], orders: [], errors: [] },
    fault: { message: 'The endpoint answered 503.', line: null },
  })
  receiver.answer(() => ({ status: 200, body: '<!doctype html><html>', error: null }))
  expect((await preview()).fault).toEqual({ message: 'The file is a web page, not a feed.', line: 1 })
})

test('a preview reads a file that is sent, also a packed one, and no more of it than it needs', async () => {
  await succeed(service, 'POST', url, { name: 'Uploads', type: 'PRODUCTS', defaultCurrency: 'EUR' })
  const path = `${url}/uploads/preview`
  const csv = `id,title,link,price\n${Array.from({ length: 5_000 }, (_, n) => `${n},Shirt,https://shop.example/${n},1.50`).join('\n')}`
  const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const send = async (body: BodyInit | undefined, headers: Record<string, string>) => {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.people.admin}`, ...headers },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, body: await response.json() }
  }
  for (const body of [csv, gzipSync(csv)]) {
    const { status, body: answer } = await send(body, { 'content-type': 'text/csv' })
    expect([status, answer.data.rows, answer.data.items.length]).toEqual([200, 100, 100])
    expect(answer.data.items[99]).toMatchObject({ line: 101, itemId: '99', price: '1.50', currency: 'EUR' })
  }
  expect((await send('a', { 'content-type': 'image/png' })).status).toBe(415)
  expect((await send(csv, { 'content-type': 'text/csv', 'idempotency-key': 'k' })).status).toBe(400)
  expect((await send(undefined, {})).body.error.message).toContain('has no url')
  const tooLarge = { 'content-type': 'text/csv', 'content-length': String(2 ** 31) }
  const refused = await call('POST', path, csv, tooLarge)
  expect([refused.status, refused.body.error.message]).toEqual([413, 'The body is larger than 1024 MiB.'])
})

test('a preview of a supplement names the items of each row, and those that the catalog does not have', async () => {
  const itemsBatch = url.replace('/sources', '/items/batch')
  const upsert = ['A', 'B', 'C'].map((itemId) => ({
    ...{ itemId, title: 'Shirt', link: 'https://shop.example/1', price: '9', currency: 'EUR' },
    sku: itemId === 'C' ? 'S-2' : 'S-1',
  }))
  await succeed(service, 'POST', itemsBatch, { upsert })
  await succeed(service, 'POST', url, { name: 'Costs', type: 'SUPPLEMENT', fields: ['cost', 'stock'] })
  const csv = 'sku,cost,stock\nS-1,2.50,7\nS-2,,3\nS-9,1,1\nS-2,,4\nS-2,free,'
  const { data } = (await call('POST', `${url}/costs/preview`, csv, { 'content-type': 'text/csv' })).body
  expect(data).toMatchObject({ rows: 5, items: [], orders: [], fault: null })
  expect(data.values).toEqual([
    { line: 2, name: 'sku', key: 'S-1', itemIds: ['A', 'B'], currency: 'EUR', cost: '2.50', stock: 7 },
    { line: 3, name: 'sku', key: 'S-2', itemIds: ['C'], currency: 'EUR', stock: 3 },
  ])
  expect(data.errors.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
    [4, 'unknown_item'],
    [5, 'duplicate_id'],
    [6, 'bad_price'],
  ])
})

test('a preview of orders has the first 100 of them with their lines', async () => {
  await succeed(service, 'POST', url, { name: 'Orders', type: 'ORDERS', defaultCurrency: 'EUR' })
  const preview = async (csv: string) =>
    (await call('POST', `${url}/orders/preview`, csv, { 'content-type': 'text/csv' })).body.data
  const head = 'order_id,placed_at,unit,total,item_id,quantity,price,refunded_amount\n'
  const first = '1,2026-01-02T10:00:00Z,u-1,30,A,1,10,\n1,,,,B,2,10,10\n2,soon,,5,A,1,5,\n'
  expect(await preview(head + first)).toMatchObject({
    ...{ rows: 2, items: [], values: [], fault: null },
    orders: [
      {
        ...{ orderId: '1', placedAt: '2026-01-02T10:00:00.000Z', unit: 'u-1', currency: 'EUR', total: '30.00' },
        ...{ refunded: '10.00', status: 'PARTIALLY_REFUNDED' },
        items: [{ itemId: 'A', quantity: 1, price: '10.00', cost: null }, { itemId: 'B' }],
      },
    ],
    errors: [{ line: 4, itemId: '2', code: 'bad_time' }],
  })
  const many = Array.from({ length: 300 }, (_, at) => `${at},2026-01-02T10:00:00Z,,5,A,1,5,`).join('\n')
  const { rows, orders } = await preview(head + many)
  expect([rows, orders.length]).toEqual([100, 100])
  expect((await preview('<rss>')).fault).toEqual({ message: 'The file must be CSV, TSV or JSONL.', line: 1 })
})

test('a preview is only for who can write the catalog', async () => {
  await succeed(service, 'POST', url, { name: 'Orders', type: 'ORDERS' })
  const { body } = await service.call(service.people.viewer, 'POST', `${url}/orders/preview`)
  expect(body.error.details).toEqual({ scope: 'catalog:write' })
  expect((await service.call(service.people.stranger, 'POST', `${url}/orders/preview`)).status).toBe(404)
})
