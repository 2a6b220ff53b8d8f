import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatKind } from '../src/wings/telling/destinations/kinds/chat-kind.ts'
import { kinds } from '../src/wings/telling/destinations/kinds/index.ts'
import { messageRequest } from '../src/wings/telling/integrations/sending.ts'
import type { Message } from '../src/wings/telling/tickets/ticket-kind.ts'
import { chatNames, chatVendor } from '../testing/vendors/chat-vendors.ts'
import { hostileMessages } from '../testing/vendors/hostile-messages.ts'
import { messageOf } from '../testing/vendors/ticket-messages.ts'
import { startVendor, type VendorServer, vendorSite } from '../testing/vendors/vendor-server.ts'

const host = 'chat.example.test'
const now = new Date('2026-11-27T12:00:00.000Z')
const [apart, folded] = [40, 50]

const site = vendorSite(host)

describe.each(chatNames)('%s over HTTPS', (name) => {
  let vendor: ReturnType<typeof chatVendor>
  let server: VendorServer
  beforeEach(async () => {
    vendor = chatVendor(name)
    server = await startVendor(vendor, { ...site.certificate, origin: `https://${host}` })
    await site.openTo(server)
    return () => server.close()
  })

  async function send(...messages: [Message, ...Message[]]) {
    const kind = kinds[name] as ChatKind<{ url: string }>
    const url = `https://${host}:${server.port}/services/T0/B0/abcdWxYz`
    const outgoing = kind.requestOf({ config: { url }, messages })
    return kind.judge(await site.caller.request(outgoing), now)
  }

  it('takes every message, whatever names contain', async () => {
    const messages = fc.sample(hostileMessages, apart)
    for (const message of messages) expect(await send(message)).toEqual({ verdict: 'DELIVERED' })
    const [first, ...others] = Array.from({ length: folded }, (_, at) => messages[at % apart]!)
    expect(await send(first!, ...others)).toEqual({ verdict: 'DELIVERED' })
    expect([vendor.faults, server.requests.length]).toEqual([[], apart + 1])
  })

  it('asks to wait in its own form', async () => {
    vendor.isLimited = true
    expect(await send(messageOf())).toMatchObject({ verdict: 'HOLD', holdMs: 7_000 })
  })
})

it('TEMPLATE over HTTPS sends the JSON of its form, signed as a webhook', async () => {
  const secret = 's'.repeat(64)
  const server = await startVendor(
    { tickets: [], answer: () => ({ status: 204, headers: {}, body: '' }) },
    { ...site.certificate, origin: `https://${host}` },
  )
  await site.openTo(server)
  const name = '"}, <!channel> \u202e \\ 日本語'
  const body = { event: 'flag.created', flag: { name } }
  const config = {
    ...{ url: `https://${host}:${server.port}/in`, method: 'PUT', headers: { 'X-Api-Key': 'k' }, sign: true, secret },
    body: { text: 'New: {{flag.name}}', flag: '{{flag}}' },
  }
  const delivery = { deliveryId: '0199aa7e-5f00-7000-8000-000000000001', eventType: 'flag.created' }
  const outgoing = messageRequest(
    { batch: { kind: 'TEMPLATE' }, config, told: [{ body, delivery, message: messageOf() }] } as never,
    now,
  )
  if (typeof outgoing === 'string') throw new Error(outgoing)
  const answer = await site.caller.request(outgoing)
  expect(kinds.TEMPLATE.judge(answer, now)).toEqual({ verdict: 'DELIVERED' })
  const [received] = server.requests
  await server.close()
  expect(received).toMatchObject({ method: 'PUT', headers: { 'x-api-key': 'k' } })
  expect(JSON.parse(received!.body)).toEqual({ text: `New: ${name}`, flag: { name } })
  const signed = `${delivery.deliveryId}.${received!.headers['x-svc-timestamp']}.${received!.body}`
  const digest = createHmac('sha256', secret).update(signed).digest('hex')
  expect(received!.headers['x-svc-signature']).toBe(`sha256=${digest}`)
})
