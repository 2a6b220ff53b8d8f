import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../testing/clock.ts'
import { createProject } from '../../../../testing/service.ts'
import { held } from '../../../../testing/vendors/receiver.ts'
import {
  deliver,
  fire,
  newWebhook,
  recordsOf,
  type TestWebhook,
  webhookBody,
  webhookOf,
  webhookTest,
} from '../../../../testing/webhooks.ts'

const on = webhookTest()

let keys = 0
const newKey = () => `key-${++keys}`

interface Write {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
}

const send = ({ method, path, body }: Write, key: string, who = on.service.people.admin) =>
  on.service.call(who, method, path, body, { 'Idempotency-Key': key })

async function failedRecord(webhook: TestWebhook): Promise<string> {
  on.receiver.answer(({ url }) => (url === webhook.url ? 410 : 204))
  await fire(on)
  await deliver(on)
  on.receiver.answer(() => 204)
  return (await recordsOf(on, webhook))[0].id
}

/** Every write with a function that counts its effects. */
const writes: Record<string, () => Promise<{ write: Write; effects: () => Promise<number> }>> = {
  create: async () => ({
    write: { method: 'POST', path: `${on.project.path}/webhooks`, body: webhookBody() },
    effects: async () => events('webhook.created'),
  }),
  update: async () => {
    const { path } = await newWebhook(on)
    return {
      write: { method: 'PATCH', path, body: { name: 'Edited' } },
      effects: async () => events('webhook.updated'),
    }
  },
  delete: async () => {
    const { path } = await newWebhook(on)
    return { write: { method: 'DELETE', path }, effects: async () => events('webhook.deleted') }
  },
  rotate: async () => {
    const { path } = await newWebhook(on)
    return {
      write: { method: 'POST', path: `${path}/secret` },
      effects: async () => events('webhook.secret_rotated'),
    }
  },
  test: async () => {
    const { path, url } = await newWebhook(on)
    return {
      write: { method: 'POST', path: `${path}/test` },
      effects: async () => on.receiver.at(url).length,
    }
  },
  retry: async () => {
    const webhook = await newWebhook(on)
    const record = await failedRecord(webhook)
    return {
      write: { method: 'POST', path: `${webhook.path}/deliveries/${record}/retry` },
      effects: async () => events('webhook.delivery_retried'),
    }
  },
  replay: async () => {
    const webhook = await newWebhook(on)
    await failedRecord(webhook)
    const body = { since: '2000-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
    return {
      write: { method: 'POST', path: `${webhook.path}/deliveries/replay`, body },
      effects: async () => events('webhook.delivery_retried'),
    }
  },
}

async function events(name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from events where name = ${name}`.execute(on.service.db)
  return rows[0]!.count
}

const withoutSecret = (text: string) => text.replace(/"secret":"[0-9a-f]{64}"/, '"secret":null')

describe.each(Object.keys(writes))('the write %s', (name) => {
  test('happens once, and repeats get the same bytes without secrets', async () => {
    const { write, effects } = await writes[name]!()
    const [before, key] = [await effects(), newKey()]
    const first = await send(write, key)
    expect(first.status).toBeLessThan(300)
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    on.clock.move(minuteMs)
    for (let at = 0; at < 2; at += 1) {
      const again = await send(write, key)
      expect([again.status, again.text]).toEqual([first.status, withoutSecret(first.text)])
      expect(again.headers['idempotency-replayed']).toBe('true')
      for (const header of ['etag', 'content-type', 'x-ratelimit-limit'])
        expect(again.headers[header], header).toBe(first.headers[header])
    }
    expect(await effects()).toBe(before + 1)
  })

  test('happens once for 20 concurrent calls, and each gets that answer or that it is in progress', async () => {
    const { write, effects } = await writes[name]!()
    const [before, key] = [await effects(), newKey()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(write, key)))
    expect(await effects()).toBe(before + 1)
    const done = answers.filter(({ status }) => status < 300)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ text }) => withoutSecret(text))).size).toBe(1)
    expect(done.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    expect(done.filter(({ text }) => text !== withoutSecret(text)).length).toBeLessThanOrEqual(1)
    for (const { status, body, headers } of answers.filter(({ status }) => status >= 300)) {
      expect([name, status, body.error.code]).toEqual(['test', 409, 'idempotency_in_progress'])
      expect(headers['retry-after']).toBe('1')
    }
  })

  test('happens again with the same key after 24 hours', async () => {
    const { write, effects } = await writes[name]!()
    const key = newKey()
    await send(write, key)
    on.clock.move(dayMs - minuteMs)
    expect((await send(write, key)).headers['idempotency-replayed']).toBe('true')
    const before = await effects()
    on.clock.move(2 * minuteMs)
    const late = await send(write, key)
    expect(late.headers).not.toHaveProperty('idempotency-replayed')
    const expected = { create: 201, delete: 404, retry: 400 }[name] ?? 200
    expect([late.status, (await effects()) - before]).toEqual([expected, expected >= 400 || name === 'update' ? 0 : 1])
  })
})

test('a different body under the same key gets 422 and has no effect, even if the body is invalid', async () => {
  const { write } = await writes.create!()
  const key = newKey()
  await send(write, key)
  const before = await events('webhook.created')
  for (const body of [webhookBody(), {}, { ...(write.body as object), events: ['flag.created', 'flag.created'] }]) {
    const { status, body: answer } = await send({ ...write, body }, key)
    expect([status, answer.error.code]).toEqual([422, 'idempotency_key_reused'])
  }
  expect(await events('webhook.created')).toBe(before)
})

test('a key is separate for each credential, organization, method and path', async () => {
  const key = newKey()
  const webhook = await newWebhook(on)
  const other = await newWebhook({ ...on, project: await createProject(on.service) })
  const rotate = { method: 'POST', path: `${webhook.path}/secret` } as const
  const answers = [
    await send(rotate, key),
    await send(rotate, key, on.service.people.owner),
    await send({ method: 'POST', path: `${other.path}/secret` }, key),
    await send({ method: 'POST', path: `${webhook.path}/test` }, key),
    await send({ method: 'PATCH', path: webhook.path, body: {} }, key),
    await send({ method: 'DELETE', path: webhook.path }, key),
  ]
  for (const { status, headers } of answers) expect([status, headers['idempotency-replayed']]).toEqual([200, undefined])
  const stranger = await send({ method: 'DELETE', path: webhook.path }, key, on.service.people.stranger)
  expect(stranger.status).toBe(404)
})

test('a refusal is not stored: the corrected call can use the same key', async () => {
  const key = newKey()
  const body = webhookBody()
  const create = { method: 'POST', path: `${on.project.path}/webhooks`, body } as const
  on.receiver.forbid(() => 'The host cannot be resolved.')
  expect((await send(create, key)).status).toBe(400)
  on.receiver.forbid(() => undefined)
  const made = await send(create, key)
  expect([made.status, made.headers['idempotency-replayed']]).toEqual([201, undefined])
  const webhook = { id: made.body.data.id, path: `${on.project.path}/webhooks/${made.body.data.id}` }
  const retry = { method: 'POST', path: `${webhook.path}/deliveries/${webhook.id}/retry` } as const
  expect((await send(retry, key)).status).toBe(404)
  const headers = { 'Idempotency-Key': key, 'X-Svc-If-Match': '"w9"' }
  const edit = { name: 'Edited' }
  const call = (more: Record<string, string>) =>
    on.service.call(on.service.people.admin, 'PATCH', webhook.path, edit, { ...headers, ...more })
  expect((await call({})).status).toBe(412)
  expect((await call({ 'X-Svc-If-Match': '"w1"' })).status).toBe(200)
})

test('a repeated edit is answered before its ETag is checked', async () => {
  const webhook = await newWebhook(on)
  const headers = { 'Idempotency-Key': newKey(), 'X-Svc-If-Match': '"w1"' }
  const edit = () => on.service.call(on.service.people.admin, 'PATCH', webhook.path, { name: 'Edited' }, headers)
  const [first, again] = [await edit(), await edit()]
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
})

test.each([
  ['empty', ''],
  ['256 characters long', 'x'.repeat(256)],
  ['not ASCII', 'ü'],
  ['not printable', 'a\tb'],
])('a key that is %s is refused', async (_what, key) => {
  const { status, body } = await send({ method: 'POST', path: `${on.project.path}/webhooks`, body: webhookBody() }, key)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toMatchObject([{ path: ['Idempotency-Key'] }])
})

test('a key of 255 printable characters is accepted', async () => {
  const webhook = await newWebhook(on)
  expect((await send({ method: 'POST', path: `${webhook.path}/secret` }, '~'.repeat(255))).status).toBe(200)
})

test('a ping that a crash interrupted can be repeated when its time is over', async () => {
  const webhook = await newWebhook(on)
  const [key, arrived, answer] = [newKey(), held<void>(), held<number>()]
  on.receiver.answer(() => {
    arrived.resolve()
    return answer.promise
  })
  const ping = { method: 'POST', path: `${webhook.path}/test` } as const
  const first = send(ping, key)
  await arrived.promise
  expect((await send(ping, key)).status).toBe(409)
  on.clock.move(hourMs)
  on.receiver.answer(() => 204)
  expect((await send(ping, key)).status).toBe(200)
  answer.resolve(204)
  await first
})

test('no secret is stored in clear, neither with the keys nor anywhere else', async () => {
  const { body } = await send({ method: 'POST', path: `${on.project.path}/webhooks`, body: webhookBody() }, newKey())
  const { id, secret } = body.data
  const rotated = await send({ method: 'POST', path: `${on.project.path}/webhooks/${id}/secret` }, newKey())
  await fire(on)
  await deliver(on)
  expect((await webhookOf(on, { path: `${on.project.path}/webhooks/${id}` } as TestWebhook)).id).toBe(id)
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(on.service.db)
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['idempotency_keys', 'destination_secrets']))
  for (const { name } of tables)
    for (const known of [secret, rotated.body.data.secret] as string[]) {
      const raw = Buffer.from(known, 'hex').toString('hex')
      const ascii = Buffer.from(known, 'ascii').toString('hex')
      const { rows } = await sql<{ hits: number }>`
        select count(*)::integer as hits from ${sql.table(name)} as line
        where line::text like ${`%${known}%`} or line::text like ${`%${raw}%`} or line::text like ${`%${ascii}%`}`.execute(
        on.service.db,
      )
      expect([name, rows[0]?.hits]).toEqual([name, 0])
    }
})

test('keys are deleted after 24 hours', async () => {
  on.clock.move(2 * dayMs)
  await on.service.retention.run()
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from idempotency_keys`.execute(on.service.db)
  expect(rows[0]?.count).toBe(0)
})
