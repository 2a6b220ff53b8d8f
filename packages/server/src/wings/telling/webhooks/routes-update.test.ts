import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { minuteMs } from '../../../../testing/clock.ts'
import {
  deliver,
  fire,
  newWebhook,
  recordsOf,
  type TestWebhook,
  webhookOf,
  webhookTest,
} from '../../../../testing/webhooks.ts'

const on = webhookTest()

const patch = ({ path }: TestWebhook, body: unknown, headers: Record<string, string> = {}) =>
  on.service.call(on.service.people.admin, 'PATCH', path, body, headers)
const read = ({ path }: TestWebhook) => on.service.call(on.service.people.admin, 'GET', path)

describe('editing the content', () => {
  test.each([
    ['name', { name: 'Renamed' }],
    ['url', { url: 'https://moved.example/in' }],
    ['events', { events: ['flag.deleted'] }],
  ])('changes only %s', async (_what, edit) => {
    const webhook = await newWebhook(on)
    const before = await webhookOf(on, webhook)
    on.clock.move(minuteMs)
    const { status, body, headers } = await patch(webhook, edit)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, ...edit, updatedAt: on.clock.now().toISOString() })
    expect(headers.etag).toBe('"w2"')
    expect((await webhookOf(on, webhook)).events).toEqual(body.data.events)
  })

  test('replaces the whole list of events, and refuses the same values as creation', async () => {
    const webhook = await newWebhook(on, { events: ['flag.created', 'flag.updated'] })
    const { body } = await patch(webhook, { events: ['flag.deleted', 'flag.deleted'] })
    expect(body.data.events).toEqual(['flag.deleted'])
    for (const bad of [{ events: [] }, { events: ['nope'] }, { name: '' }, { secret: 'x' }, { enabled: 'no' }])
      expect((await patch(webhook, bad)).status).toBe(400)
    expect((await webhookOf(on, webhook)).events).toEqual(['flag.deleted'])
  })

  test('leaves time and ETag and sends no event if nothing changes', async () => {
    const webhook = await newWebhook(on, { events: ['webhook.updated'] })
    const before = await webhookOf(on, webhook)
    on.clock.move(minuteMs)
    for (const body of [{}, { name: before.name }, { enabled: true }]) {
      const answer = await patch(webhook, body)
      expect([answer.body.data, answer.headers.etag]).toEqual([before, '"w1"'])
    }
    expect(await recordsOf(on, webhook)).toEqual([])
  })

  test('checks the URL only if it is sent', async () => {
    const webhook = await newWebhook(on)
    const asked = on.receiver.checked.length
    await patch(webhook, { name: 'Other' })
    expect(on.receiver.checked.length).toBe(asked)
    await patch(webhook, { url: 'https://asked.example/' })
    expect(on.receiver.checked.slice(asked)).toEqual(['https://asked.example/'])
  })
})

describe('the switch', () => {
  test('notifies other webhooks whether this one is enabled', async () => {
    const listener = await newWebhook(on, { events: ['webhook.updated'] })
    const webhook = await newWebhook(on)
    for (const body of [{ enabled: false }, { name: 'Still disabled' }, { enabled: true }]) await patch(webhook, body)
    await deliver(on)
    const told = on.receiver.at(listener.url).map(({ body }) => JSON.parse(body).webhook)
    expect(told.map(({ id, enabled }) => [id, enabled]).toSorted()).toEqual(
      [false, false, true].map((enabled) => [webhook.id, enabled]),
    )
  })

  test('stores the time of disabling, and enabling clears it', async () => {
    const webhook = await newWebhook(on)
    const off = await patch(webhook, { enabled: false })
    expect(off.body.data).toMatchObject({
      enabled: false,
      disabledAt: on.clock.now().toISOString(),
      disableReason: null,
    })
    on.clock.move(minuteMs)
    const still = await patch(webhook, { enabled: false })
    expect(still.body.data.disabledAt).toBe(off.body.data.disabledAt)
    const back = await patch(webhook, { enabled: true })
    expect(back.body.data).toMatchObject({
      enabled: true,
      disabledAt: null,
      disableReason: null,
      consecutiveFailures: 0,
    })
  })

  test('changes together with the content, or neither changes if the URL is forbidden', async () => {
    const webhook = await newWebhook(on)
    const before = await webhookOf(on, webhook)
    on.receiver.forbid(() => 'The host is private.')
    const refused = await patch(webhook, { name: 'Half', url: 'https://private.example/', enabled: false })
    on.receiver.forbid(() => undefined)
    expect([refused.status, refused.body.error.message]).toEqual([400, 'url: The host is private.'])
    expect(await webhookOf(on, webhook)).toEqual(before)
    const done = await patch(webhook, { name: 'Whole', url: 'https://public.example/', enabled: false })
    expect(done.body.data).toMatchObject({ name: 'Whole', url: 'https://public.example/', enabled: false })
  })
})

describe('the ETag', () => {
  test('is the same in GET and in the answer to an edit, and depends only on the content', async () => {
    const webhook = await newWebhook(on)
    const etag = (await read(webhook)).headers.etag
    on.receiver.answer(() => 410)
    await fire(on)
    await deliver(on)
    on.receiver.answer(() => 204)
    await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/secret`)
    await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/test`)
    expect((await webhookOf(on, webhook)).consecutiveFailures).toBe(1)
    expect((await read(webhook)).headers.etag).toBe(etag)
    const edited = await patch(webhook, { name: 'Mine' }, { 'X-Svc-If-Match': String(etag) })
    expect(edited.status).toBe(200)
    expect(edited.headers.etag).not.toBe(etag)
    expect((await read(webhook)).headers.etag).toBe(edited.headers.etag)
  })

  test.each(['X-Svc-If-Match', 'Svc-If-Match', 'If-Match'])(
    'that is outdated in %s gets 412 with the current one',
    async (name) => {
      const webhook = await newWebhook(on)
      const old = String((await read(webhook)).headers.etag)
      const forms = [
        (etag: string) => etag,
        (etag: string) => etag.replaceAll('"', ''),
        () => '*',
        (etag: string) => `"x", ${etag}`,
      ]
      for (const [index, form] of forms.entries()) {
        const current = String((await read(webhook)).headers.etag)
        expect((await patch(webhook, { name: `edit ${index}` }, { [name]: form(current) })).status).toBe(200)
      }
      const { status, body } = await patch(webhook, { name: 'Too late' }, { [name]: old })
      expect([status, body.error.code]).toEqual([412, 'precondition_failed'])
      expect(body.error.details.expected).toBe((await read(webhook)).headers.etag)
      expect((await webhookOf(on, webhook)).name).not.toBe('Too late')
    },
  )

  test('lets one of 20 concurrent edits through, and 19 get 412', async () => {
    const webhook = await newWebhook(on)
    const headers = { 'X-Svc-If-Match': '"w1"' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => patch(webhook, { name: `n${at}` }, headers)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(412)])
    expect((await read(webhook)).headers.etag).toBe('"w2"')
  })
})

describe('deleting a webhook', () => {
  test('deletes its history, secrets and pending deliveries', async () => {
    const webhook = await newWebhook(on)
    await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/secret`)
    on.receiver.answer(() => 500)
    await fire(on)
    await deliver(on)
    on.receiver.answer(() => 204)
    expect(await recordsOf(on, webhook)).toHaveLength(1)
    const { status, text } = await on.service.call(on.service.people.admin, 'DELETE', webhook.path)
    expect([status, text]).toEqual([200, '{"data":null}'])
    expect((await read(webhook)).status).toBe(404)
    expect((await on.service.call(on.service.people.admin, 'GET', `${webhook.path}/deliveries`)).status).toBe(404)
    expect((await on.service.call(on.service.people.admin, 'DELETE', webhook.path)).status).toBe(404)
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from deliveries where destination_id = ${webhook.id})
        + (select count(*) from destination_secrets where destination_id = ${webhook.id}) as left`.execute(
      on.service.db,
    )
    expect(rows[0]?.left).toBe(0)
    on.clock.move(10 * minuteMs)
    const sent = on.receiver.at(webhook.url).length
    await deliver(on)
    expect(on.receiver.at(webhook.url).length).toBe(sent)
  })
})

test('rotating the secret answers only the new secret', async () => {
  const webhook = await newWebhook(on)
  const { status, body } = await on.service.call(on.service.people.admin, 'POST', `${webhook.path}/secret`)
  expect([status, body]).toEqual([200, { data: { secret: expect.stringMatching(/^[0-9a-f]{64}$/) } }])
  expect(body.data.secret).not.toBe(webhook.secret)
  expect(Object.keys(await webhookOf(on, webhook))).not.toContain('secret')
})
