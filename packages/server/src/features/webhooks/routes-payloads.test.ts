import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, stringFlag, stringVariations, succeed } from '../../../testing/flags.ts'
import { deliver, newWebhook, startWebhookTest, type WebhookTest } from '../../../testing/webhooks.ts'
import { eventNames } from '../../events.ts'
import { isProduced, type ProducedEvent, payloadSchemas } from './payload-schemas.ts'

let on: WebhookTest

beforeAll(async () => {
  on = await startWebhookTest()
})
afterAll(() => on.service.close())

const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  succeed(on.service, method, path, body)

async function everyChangeOfFlags(): Promise<void> {
  const { service, project } = on
  const flag = await newFlag(service, project, stringFlag('every-change', 'off', 'on'))
  await send('PATCH', flag.path, { name: 'Renamed' })
  await send('PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'on', 'third') })
  const rule = await addRule(service, flag.production, delivery('First'))
  await addRule(service, flag.production, delivery('Second'))
  await publish(service, project)
  await send('POST', `${flag.production}/run`)
  await send('PATCH', flag.production, { defaultVariationId: flag.ids.on })
  await send('POST', `${flag.production}/rules/${rule.id}/pause`)
  await send('POST', `${flag.production}/rules/${rule.id}/run`)
  await send('PATCH', `${flag.production}/rules/${rule.id}`, { trafficAllocation: 5000 })
  const copy = await send('POST', `${flag.production}/rules/${rule.id}/duplicate`)
  await send('POST', `${flag.development}/rules/copy`, { sourceEnvId: project.production.id })
  await send('DELETE', `${flag.production}/rules/${copy.id}`)
  await send('PUT', `${flag.production}/overrides`, {
    environmentAllowlist: [{ variationKey: 'on', userIds: ['u'] }],
    ruleAllowlists: [],
  })
  await publish(service, project)
  await send('PATCH', `${flag.production}/rules/${rule.id}`, { name: 'Only its name' })
  await publish(service, project)
  await send('POST', `${flag.production}/pause`)
  await send('POST', `${flag.path}/archive`)
  await send('POST', `${flag.path}/unarchive`)
  await send('POST', `${flag.path}/archive`)
  await send('DELETE', flag.path)
}

async function everyChangeOfEnvironmentsAndProjects(): Promise<void> {
  const { service, project } = on
  await send('PATCH', project.path, { name: 'Renamed project' })
  const environment = await send('POST', `${project.path}/environments`, { name: 'Staging' })
  await send('PATCH', `${project.path}/environments/${environment.id}`, { name: 'Rehearsal' })
  await send('DELETE', `${project.path}/environments/${environment.id}`)
  await service.call(service.people.owner, 'PATCH', project.path, { name: 'Renamed by a person' })
}

async function everyChangeOfWebhooks(): Promise<void> {
  const webhook = await newWebhook(on)
  await send('PATCH', webhook.path, { name: 'Renamed' })
  await send('POST', `${webhook.path}/secret`)
  await send('POST', `${webhook.path}/test`)
  on.receiver.answer(({ url }) => (url === webhook.url ? 410 : 204))
  for (let at = 0; at < 5; at += 1) await newFlag(on.service, on.project, { key: `failing-${at}` })
  await deliver(on)
  await send('POST', `${webhook.path}/deliveries/replay`, {
    since: '2000-01-01T00:00:00Z',
    until: '2100-01-01T00:00:00Z',
  })
  await send('DELETE', webhook.path)
}

test('every payload, as delivered and as pulled, is as its schema says, with no field beyond it', async () => {
  const all = await newWebhook(on, { events: eventNames })
  await everyChangeOfFlags()
  await everyChangeOfEnvironmentsAndProjects()
  await everyChangeOfWebhooks()
  await send('POST', `${all.path}/test`)
  await deliver(on)
  const delivered = on.receiver.at(all.url).map(({ body }) => JSON.parse(body))
  const pulled = []
  let after = 0
  for (;;) {
    const { body } = await on.service.call(
      on.service.people.admin,
      'GET',
      `${on.project.path}/events?limit=100&after=${after}`,
    )
    pulled.push(...body.data.map(({ seq: _seq, ...event }: { seq: number }) => event))
    if (!body.page.hasMore) break
    after = body.data.at(-1).seq
  }
  expect(delivered.length).toBeGreaterThan(40)
  expect(pulled.length).toBeGreaterThan(delivered.length - 2)
  for (const body of [...delivered, ...pulled]) {
    const schema = payloadSchemas[body.event as ProducedEvent]
    expect(schema, `${body.event} has a schema`).toBeDefined()
    expect(schema.parse(body), body.event).toEqual(body)
  }
  const seen = new Set([...delivered, ...pulled].map(({ event }) => event))
  expect([...seen].toSorted()).toEqual(eventNames.filter(isProduced).toSorted())
})
