import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { github } from '../src/wings/telling/destinations/kinds/github.ts'
import { jira } from '../src/wings/telling/destinations/kinds/jira.ts'
import { linear } from '../src/wings/telling/destinations/kinds/linear.ts'
import { pagerduty } from '../src/wings/telling/destinations/kinds/pagerduty.ts'
import type { Body } from '../src/wings/telling/tickets/body.ts'
import { keyOf } from '../src/wings/telling/tickets/keys.ts'
import { deleteOldRefs, findRefs, saveRefs } from '../src/wings/telling/tickets/queries.ts'
import type { Ref } from '../src/wings/telling/tickets/ticket.ts'
import { attemptTickets } from '../src/wings/telling/tickets/ticket-attempt.ts'
import type { Message, TicketKind } from '../src/wings/telling/tickets/ticket-kind.ts'
import { hostileMessages } from '../testing/vendors/hostile-messages.ts'
import { messageOf } from '../testing/vendors/ticket-messages.ts'
import {
  type TicketKindName,
  type Vendor,
  vendorConfigs,
  vendorOrigins,
  vendors,
} from '../testing/vendors/ticket-vendors.ts'
import { startVendor, type VendorServer, vendorSite } from '../testing/vendors/vendor-server.ts'
import { newWebhook, type WebhookTest, webhookTest } from '../testing/webhooks.ts'

const minuteMs = 60_000
const hostileCount = 40
const host = 'vendor.example.test'
const kinds = { PAGERDUTY: pagerduty, GITHUB: github, JIRA: jira, LINEAR: linear } as const
const names = Object.keys(kinds) as TicketKindName[]

const on: WebhookTest = webhookTest()
const site = vendorSite(host)

let destinationId: string
beforeEach(async () => {
  // Remembered tickets can belong to a destination of any kind.
  destinationId = (await newWebhook(on)).id
})

const triggeredBy = { type: 'user', id: 'u1', name: 'Ada' }
const environment = { id: 'e1', name: 'Production' }
const rule = { id: 'r1', shortId: 12, name: 'Half' }
const failed: Body = { event: 'flag.srm_failed', environment, rule, triggeredBy: null }
const stopped: Body = {
  event: 'flag.published',
  environment,
  triggeredBy,
  flags: [{ before: { rules: [{ id: '12' }] }, after: {} }],
}
const key = keyOf(failed)

/** Deliveries to a vendor behind HTTPS, over the outbound connections of the service. */
class Deliveries {
  now = Date.parse('2026-11-27T12:00:00.000Z')
  limited = false
  readonly name: TicketKindName
  readonly vendor: Vendor
  server!: VendorServer
  #count = 0

  constructor(name: TicketKindName) {
    this.name = name
    this.vendor = vendors[name]({ now: () => new Date(this.now) })
    const { answer } = this.vendor
    this.vendor.answer = (request) =>
      this.limited ? { status: 429, headers: { 'retry-after': '7' }, body: '{}' } : answer(request)
  }

  async start(): Promise<void> {
    this.server = await startVendor(this.vendor, { ...site.certificate, origin: vendorOrigins[this.name] })
    await site.openTo(this.server)
  }

  async deliver(body: Body, afterMinutes = 0, message: Partial<Message> = {}) {
    this.#count += 1
    this.now += afterMinutes * minuteMs
    const db = on.service.db
    const end = await attemptTickets({
      kind: kinds[this.name] as TicketKind<unknown>,
      config: vendorConfigs[this.name],
      delivery: {
        id: `0199aa7e-5f00-7000-8000-${String(this.#count).padStart(12, '0')}`,
        eventType: 'flag.srm_failed',
      },
      body,
      message: messageOf({ ...message, key: keyOf(body), at: new Date(this.now) }),
      find: (asked) => findRefs(db, destinationId, asked),
      save: (saved, ref) => saveRefs(db, destinationId, [[saved, ref]]),
      request: ({ url, body: bytes, ...rest }) => {
        const { pathname, search } = new URL(url)
        return site.caller.request({
          ...rest,
          url: `https://${host}:${this.server.port}${pathname}${search}`,
          body: bytes?.toString() ?? null,
        })
      },
      hasTime: () => true,
      now: () => new Date(this.now),
    })
    await db.transaction().execute((tx) => saveRefs(tx, destinationId, end.refs))
    return end
  }
}

describe.each(names)('%s over HTTPS', (name) => {
  let on: Deliveries
  beforeEach(async () => {
    on = new Deliveries(name)
    await on.start()
    return () => on.server.close()
  })

  it('gets one ticket, which is closed when it is over', async () => {
    expect(await on.deliver(failed)).toMatchObject({ end: 'JUDGED', verdict: { verdict: 'DELIVERED' } })
    await on.deliver(failed, 20)
    await on.deliver(failed, 50)
    expect(await on.deliver(stopped, 1)).toMatchObject({ end: 'JUDGED', verdict: { verdict: 'DELIVERED' } })
    expect(await on.deliver(stopped, 1)).toMatchObject({ end: 'NOTHING' })
    expect(on.vendor.tickets).toMatchObject([{ title: messageOf().title, isOpen: false }])
    // PagerDuty counts each trigger. The others got a comment after an hour, and one at the end.
    expect(on.vendor.tickets[0]!.comments).toHaveLength(2)
    await on.deliver(failed, 1)
    expect(on.vendor.tickets).toMatchObject([{ isOpen: false }, { isOpen: true }])
  })

  it('takes every ticket, whatever names contain', async () => {
    const messages = fc.sample(hostileMessages, hostileCount)
    for (const [at, { key: _key, at: _at, ...message }] of messages.entries()) {
      const other = { ...failed, rule: { ...rule, shortId: 100 + at } }
      expect(await on.deliver(other, 1, message)).toMatchObject(
        kinds[name].opens(messageOf(message))
          ? { end: 'JUDGED', verdict: { verdict: 'DELIVERED' } }
          : { end: 'NOTHING' },
      )
    }
    expect(on.vendor.tickets.filter(({ isOpen }) => isOpen).length).toBe(
      messages.filter((message) => kinds[name].opens(messageOf(message))).length,
    )
  })

  it('waits when it is limited, and remembers nothing', async () => {
    on.limited = true
    const end = await on.deliver(failed)
    expect(end).toMatchObject({ end: 'JUDGED', verdict: { verdict: 'HOLD', holdMs: 7_000 }, answer: { status: 429 } })
    await expect(remembered({ key })).resolves.toEqual([])
    on.limited = false
    await on.deliver(failed)
    expect(on.server.requests).toHaveLength(2)
    expect(on.vendor.tickets).toHaveLength(1)
  })
})

const remembered = (asked: Parameters<typeof findRefs>[2], id = destinationId) => findRefs(on.service.db, id, asked)

describe('what a destination remembers', () => {
  const at = new Date('2026-11-27T12:00:00.000Z')
  const ticket = { id: 'OPS-1', url: 'https://acme.atlassian.net/browse/OPS-1' }
  const told = '0199aa7e-5f00-7000-8000-000000000001'
  const making: Ref = { state: 'MAKING', mark: told, since: at }
  const open: Ref = { state: 'OPEN', ticket, toldBy: told, toldAt: at }
  const alarm: Ref = { ...open, ticket: { id: 'svc-1', url: null } }
  const resolved: Ref = { state: 'RESOLVED', ticket, at }
  const never: Ref = { state: 'RESOLVED', ticket: null, at }

  it('comes back as it was stored, and the newest counts', async () => {
    for (const ref of [making, open, alarm, resolved, never]) {
      await saveRefs(on.service.db, destinationId, [['a/1', ref]])
      expect(await remembered({ key: 'a/1' })).toEqual([{ key: 'a/1', ref }])
    }
    await saveRefs(on.service.db, destinationId, [['a/1', null]])
    expect(await remembered({ key: 'a/1' })).toEqual([])
  })

  it('is found by the beginning of a key, if it is not resolved', async () => {
    const refs = { 'a/1': open, 'a/1/x': making, 'a/10': open, 'a/1/y': resolved, 'b/1': alarm, 'a%': open }
    await saveRefs(on.service.db, destinationId, Object.entries(refs))
    const keysOf = async (...endings: string[]) => (await remembered({ endings })).map(({ key }) => key)
    expect(await keysOf('a/1')).toEqual(['a/1', 'a/1/x'])
    expect(await keysOf('a/1', 'b')).toEqual(['a/1', 'a/1/x', 'b/1'])
    expect(await keysOf('%', 'a/_')).toEqual([])
    expect(await keysOf()).toEqual([])
  })

  it('belongs to one destination, and goes with it', async () => {
    const other = await newWebhook(on)
    await saveRefs(on.service.db, other.id, [['a/1', open]])
    expect(await remembered({ key: 'a/1' })).toEqual([])
    expect((await on.service.call(on.service.people.admin, 'DELETE', other.path)).status).toBe(200)
    expect(await remembered({ key: 'a/1' }, other.id)).toEqual([])
    await saveRefs(on.service.db, other.id, [['a/1', open]])
    expect(await remembered({ key: 'a/1' }, other.id)).toEqual([])
  })

  it('is deleted long after it was resolved', async () => {
    await saveRefs(on.service.db, destinationId, Object.entries({ old: resolved, open, making }))
    await saveRefs(on.service.db, destinationId, [['newer', { ...resolved, at: new Date(at.getTime() + minuteMs) }]])
    const before = new Date(at.getTime() + 1)
    expect(await deleteOldRefs(on.service.db, before, 100)).toBeGreaterThanOrEqual(1)
    expect(await deleteOldRefs(on.service.db, before, 100)).toBe(0)
    const left = await Promise.all(['old', 'open', 'making', 'newer'].map((each) => remembered({ key: each })))
    expect(left.map((refs) => refs.length)).toEqual([0, 1, 1, 1])
  })
})
