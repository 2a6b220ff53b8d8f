import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codedExperiment, ruleNameOf, sendErrors } from '../../../../testing/code-errors.ts'
import { configs, newDestination } from '../../../../testing/destinations.ts'
import { experimentAfter } from '../../../../testing/experiments.ts'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  publish,
  stringFlag,
  stringVariations,
  succeed,
} from '../../../../testing/flags.ts'
import { plainKinds } from '../../../../testing/nouns.ts'
import { createProject } from '../../../../testing/service.ts'
import { failInEveryWay, guardedTest, ownedByExperiment, watchedRule } from '../../../../testing/watching.ts'
import { design } from '../../../../testing/web-experiments.ts'
import { deliver, newWebhook, recordsOf, webhookTest } from '../../../../testing/webhooks.ts'
import { eventNames } from '../../../catalogue/events.ts'
import { bodySchemas, isProduced, type ProducedEvent, publishReasonField } from '../../../catalogue/payloads.ts'
import { authors } from '../../../platform/outbox.ts'
import { expiryWarnings } from '../../people/tokens/index.ts'
import { fanOut } from '../deliveries/index.ts'

const on = webhookTest()

const send = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  succeed(on.service, method, path, body)

async function everyChangeOfFlags(): Promise<void> {
  const { service, project } = on
  const flag = await newFlag(service, project, stringFlag('every-change', 'off', 'on'))
  await send('PATCH', flag.path, { name: 'Renamed' })
  await send('PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'on', 'third') })
  const rule = await addRule(service, flag.production, delivery('First'))
  const second = await addRule(service, flag.production, abTest('Second'))
  await send('PUT', `${flag.production}/rules/reorder`, { ruleIds: [second.id, rule.id] })
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
  const draft = await newFlag(service, project, { key: 'draft' })
  await send('PATCH', draft.path, { key: 'draft-renamed' })
  await send('DELETE', draft.path)
}

async function everyChangeOfEnvironmentsAndProjects(): Promise<void> {
  const { service, project } = on
  await send('PATCH', project.path, { name: 'Renamed project' })
  const environment = await send('POST', `${project.path}/environments`, { name: 'Staging' })
  await send('PATCH', `${project.path}/environments/${environment.id}`, { name: 'Rehearsal' })
  await send('POST', `${project.path}/environments/${environment.id}/sdk-keys`)
  await send('DELETE', `${project.path}/environments/${environment.id}/sdk-keys/${environment.sdkKey}`)
  const ingestKey = await send('POST', `${project.path}/environments/${environment.id}/ingest-keys`)
  await send('DELETE', `${project.path}/environments/${environment.id}/ingest-keys/${ingestKey.id}`)
  await send('DELETE', `${project.path}/environments/${environment.id}`)
  const other = await createProject(service)
  const { key } = await send('GET', other.path)
  await service.call(service.people.admin, 'DELETE', other.path, undefined, { 'x-svc-confirm': key })
  await service.call(service.people.owner, 'PATCH', project.path, { name: 'Renamed by a person' })
}

/** An edited audience goes live once in an environment where visitors see it, and once in one where they do not. */
async function everyChangeOfAudiencesAndSegments(): Promise<void> {
  const { service, project } = on
  const flag = await newFlag(service, project, { key: 'with-audience' })
  const segment = await send('POST', `${project.path}/segments`, { name: 'Testers' })
  const members = `${project.path}/segments/${segment.id}/members`
  const wanted = { name: 'They', conditions: { segment: segment.id } }
  const audience = await send('POST', `${project.path}/audiences`, wanted)
  const path = `${project.path}/audiences/${audience.id}`
  const rule = await addRule(service, flag.production, delivery('Theirs', { audienceIds: [audience.id] }))
  await send('POST', `${flag.production}/run`)
  await send('PUT', members, { ids: ['u-1'] })
  await send('PATCH', path, { conditions: { not: { segment: segment.id } } })
  await publish(service, project)
  await send('POST', `${flag.production}/pause`)
  await send('PATCH', path, { conditions: { any: [] } })
  await publish(service, project)
  await send('DELETE', `${flag.production}/rules/${rule.id}`)
  await publish(service, project)
  await send('DELETE', path)
  await send('DELETE', `${project.path}/segments/${segment.id}`)
}

/** Audiences and segments can cause more: see above. */
async function everyChangeOfPlainNouns(): Promise<void> {
  for (const { path, body } of plainKinds) {
    const { id } = await send('POST', `${on.project.path}/${path}`, body())
    await send('PATCH', `${on.project.path}/${path}/${id}`, { name: body().name })
    await send('DELETE', `${on.project.path}/${path}/${id}`)
  }
}

async function everyChangeOfExperiments(): Promise<void> {
  const { service, project } = on
  const { path } = await experimentAfter(service, project, ['launch'])
  await send('PATCH', path, { trafficAllocation: 5000 })
  for (const verb of ['publish', 'pause', 'resume', 'complete']) await send('POST', `${path}/${verb}`)
  await send('POST', `${path}/winner`, { variationKey: 'on', rollOut: true })
  for (const verb of ['archive', 'unarchive', 'archive']) await send('POST', `${path}/${verb}`)
  await send('DELETE', path)
}

/** The events of a web project, which has webhooks of its own. */
async function everyChangeOfPages(): Promise<{ event: string }[]> {
  const { service } = on
  const project = await createProject(service, service.people.admin, 'WEB')
  const url = `${project.path}/experiments`
  const { id } = await send('POST', url, { name: 'Price in the headline' })
  await design(service, `${url}/${id}`)
  await send('PUT', `${project.path}/web-settings`, { maxDelayMs: 500 })
  await send('POST', `${url}/${id}/launch`)
  const changes = [{ id: 'c1', type: 'TEXT', selector: 'h1', value: 'From € 9' }]
  await send('PUT', `${url}/${id}/variations/variation-1/changes`, { changes })
  await send('POST', `${url}/${id}/publish`)
  const coded = await codedExperiment(service, {}, project)
  const ruleId = await ruleNameOf(service, coded)
  await sendErrors(
    service,
    coded,
    coded.visitors('price', 3).map((unit) => ({ unit, ruleId })),
  )
  await service.codeErrors.flush()
  const events: { seq: number; event: string }[] = await send('GET', `${project.path}/events?after=0&limit=100`)
  return events.map(({ seq: _seq, ...event }) => event)
}

async function everyChangeOfJobs(): Promise<void> {
  const { service, project, clock } = on
  const erase = () => send('POST', `${project.path}/erasures`, { units: ['u-1'] })
  await erase()
  await service.jobs.run()
  const { id } = await erase()
  await service.jobs.run()
  // As if four nodes in a row had died with it.
  const until = new Date(clock.now().getTime() + 3_600_000)
  await sql`
    update jobs set status = 'RUNNING', attempt = 4, ended_at = null, leased_until = ${until},
      due_at = ${new Date(clock.now().getTime() - 3_600_000)} where id = ${id}`.execute(service.db)
  await service.jobs.watch()
}

async function everyChangeOfTheCatalog(): Promise<void> {
  const { project } = on
  const item = { itemId: 'SKU-1', title: 'Shirt', link: 'https://shop.example/1', price: '19.99', currency: 'EUR' }
  await send('PATCH', `${project.path}/catalog`, { currency: 'EUR' })
  await send('POST', `${project.path}/catalog/items/batch`, { upsert: [item] })
}

async function everyChangeOfSources(): Promise<void> {
  const { service, project, receiver } = on
  const feed = 'id,title,link,price\nSKU-2,Shirt,https://shop.example/2,1 EUR'
  receiver.answer(() => ({ status: 200, body: feed, error: null }))
  const made = { name: 'Synced', type: 'PRODUCTS', url: 'https://shop.example/feed.csv' }
  const { id } = await send('POST', `${project.path}/catalog/sources`, made)
  await send('POST', `${project.path}/catalog/sources/${id}/sync`)
  await service.jobs.run()
  const { admin } = service.people
  await service.call(admin, 'POST', `${project.path}/catalog/sources/${id}/uploads`, feed, {
    'content-type': 'text/csv',
  })
  await expect.poll(() => send('GET', `${project.path}/commerce/jobs?kind=catalog_import&status=RUNNING`)).toEqual([])
  receiver.answer(() => ({ status: 200, body: 'id,stock\nSKU-2,5', error: null }))
  const more = { ...made, name: 'Stock', type: 'SUPPLEMENT', fields: ['stock'] }
  const supplement = await send('POST', `${project.path}/catalog/sources`, more)
  await send('POST', `${project.path}/catalog/sources/${supplement.id}/sync`)
  await service.jobs.run()
  receiver.answer(() => 204)
}

async function everyChangeOfModels(): Promise<void> {
  const { service, project } = on
  const { id } = await send('POST', `${project.path}/recommendations/models`, { name: 'Similar', strategy: 'SIMILAR' })
  await send('POST', `${project.path}/recommendations/models/${id}/runs`)
  const dataset = await send('POST', `${project.path}/datasets`, { name: 'Behaviour', kind: 'INTERACTIONS' })
  await send('POST', `${project.path}/datasets/${dataset.id}/versions`)
  await service.jobs.run()
}

async function everyChangeOfSchedules(): Promise<void> {
  const { service, project, clock } = on
  const flag = await newFlag(service, project, { key: 'scheduled' })
  const runAt = new Date(clock.now().getTime() + 60_000).toISOString()
  await send('PUT', `${flag.production}/schedule`, { action: 'RUN', runAt })
  const experiment = await experimentAfter(service, project)
  await send('PUT', `${experiment.path}/schedule`, { action: 'RUN', runAt })
  clock.move(2 * 3_600_000)
  await service.schedules.run()
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

async function everyChangeOfDestinations(): Promise<void> {
  const destination = await newDestination(on, 'SLACK')
  await send('PATCH', destination.path, { name: 'Renamed' })
  await send('POST', `${destination.path}/test`)
  on.receiver.answer(({ url }) => (url === configs.SLACK.url ? 404 : 204))
  for (let at = 0; at < 5; at += 1) {
    await newFlag(on.service, on.project, { key: `unheard-${at}` })
    await deliver(on)
    on.clock.move(1_000)
  }
  const [{ id }] = await send('GET', `${destination.path}/deliveries?status=PERMANENTLY_FAILED`)
  await send('POST', `${destination.path}/deliveries/${id}/retry`)
  await send('DELETE', destination.path)
}

interface Pulled {
  seq: number
  event: string
  [field: string]: unknown
}

async function pulledAfter(seq: number): Promise<Pulled[]> {
  const events: Pulled[] = []
  for (;;) {
    const after = events.at(-1)?.seq ?? seq
    const path = `${on.project.path}/events?limit=100&after=${after}`
    const { body } = await on.service.call(on.service.people.admin, 'GET', path)
    events.push(...body.data)
    if (!body.page.hasMore) return events
  }
}

async function everyAlarm(): Promise<void> {
  await failInEveryWay(on, await watchedRule(on, 'watched', await guardedTest(on)))
  const owned = await watchedRule(on, 'owned', abTest('Copy', { metrics: { guardrails: ['paid'] } }))
  await ownedByExperiment(on, owned)
  await failInEveryWay(on, owned)
}

async function aTokenNearsItsEnd(): Promise<void> {
  const { service, clock } = on
  const { db } = service
  const expiresAt = new Date(clock.now().getTime() + 24 * 3_600_000)
  await sql`update tokens set expires_at = ${expiresAt} where name = 'nothing'`.execute(db)
  const authorOf = authors([fanOut], clock.now)
  const onError = (error: unknown) => expect.unreachable(String(error))
  const context = { db, authorOf, now: clock.now, mailer: null, baseUrl: service.baseUrl, onError }
  await expiryWarnings(context).run()
}

test('every payload, delivered or pulled, matches its schema without extra fields', async () => {
  const all = await newWebhook(on, { events: eventNames })
  await everyChangeOfFlags()
  await everyChangeOfAudiencesAndSegments()
  await everyChangeOfPlainNouns()
  await everyChangeOfExperiments()
  const ofPages = await everyChangeOfPages()
  await everyChangeOfJobs()
  await everyChangeOfTheCatalog()
  await everyChangeOfSources()
  await everyChangeOfModels()
  await everyChangeOfSchedules()
  await everyChangeOfEnvironmentsAndProjects()
  await everyChangeOfWebhooks()
  await everyChangeOfDestinations()
  await everyAlarm()
  await aTokenNearsItsEnd()
  await send('POST', `${all.path}/test`)
  await deliver(on)
  const records: { eventType: string; sourceEntityId: string | null }[] = await recordsOf(on, all)
  const sourceless = records.filter(({ sourceEntityId }) => sourceEntityId === null)
  expect(sourceless.map(({ eventType }) => eventType)).toEqual(['webhook.test'])
  const delivered = on.receiver.at(all.url).map(({ body }) => JSON.parse(body))
  const pulled = (await pulledAfter(0)).map(({ seq: _seq, ...event }) => event)
  expect(delivered.length).toBeGreaterThan(40)
  expect(pulled.length).toBeGreaterThan(delivered.length - 2)
  for (const body of [...delivered, ...pulled, ...ofPages]) {
    const schema = bodySchemas[body.event as ProducedEvent]
    expect(schema, `${body.event} has a schema`).toBeDefined()
    expect(schema.parse(body), body.event).toEqual(body)
  }
  const seen = new Set([...delivered, ...pulled, ...ofPages].map(({ event }) => event))
  expect([...seen].toSorted()).toEqual(eventNames.filter(isProduced).toSorted())
  const reasons = pulled.flatMap(({ event, reason }) => (event === 'flag.published' ? [reason] : []))
  expect([...new Set(reasons)].toSorted()).toEqual(publishReasonField.options.toSorted())
})

describe('the status of a flag in its events', () => {
  let seq = 0
  /** The events since the last call, each with the status of the flag. */
  async function toldOf(id: string): Promise<string[]> {
    const events = await pulledAfter(seq)
    seq = events.at(-1)?.seq ?? seq
    return events.flatMap(({ event, flag, flags }) =>
      ([flag ?? flags ?? []].flat() as { id: string; status: string }[])
        .filter((each) => each.id === id)
        .map(({ status }) => `${event} ${status}`),
    )
  }

  async function listedAs(id: string): Promise<string[]> {
    const statuses = ['DRAFT', 'PAUSED', 'RUNNING', 'ARCHIVED']
    const lists = await Promise.all(
      statuses.map((status) => send('GET', `${on.project.path}/flags?limit=100&status=${status}`)),
    )
    return statuses.filter((_status, at) => lists[at].some((each: { id: string }) => each.id === id))
  }

  const one = (name: string, status: string) => [`flag.${name} ${status}`]
  const both = (name: string, status: string) => [
    `flag.${name} ${status}`,
    `flag.published ${status}`,
    `flag.published ${status}`,
  ]

  test('is the status after the change, as in the API and its status filter', async () => {
    const { service, project } = on
    const flag = await newFlag(service, project, stringFlag('whose-status', 'off', 'on'))
    const rule = await addRule(service, flag.production, delivery('First'))
    expect(await toldOf(flag.id)).toEqual([...both('created', 'DRAFT'), ...one('updated', 'DRAFT')])
    const switched = (status: string) => [`flag.updated ${status}`, `flag.published ${status}`]
    const steps: [string, () => Promise<unknown>, string[]][] = [
      ['DRAFT', () => send('PATCH', flag.path, { name: 'Renamed' }), one('updated', 'DRAFT')],
      [
        'RUNNING',
        () => send('POST', `${flag.production}/run`),
        [...switched('RUNNING'), 'flag.rule_activated RUNNING'],
      ],
      ['RUNNING', () => send('POST', `${flag.development}/run`), switched('RUNNING')],
      ['RUNNING', () => send('POST', `${flag.production}/pause`), switched('RUNNING')],
      ['PAUSED', () => send('POST', `${flag.development}/pause`), switched('PAUSED')],
      [
        'PAUSED',
        () => send('PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'on', 'x') }),
        one('updated', 'PAUSED'),
      ],
      ['PAUSED', () => publish(service, project), one('published', 'PAUSED')],
      [
        'PAUSED',
        () => send('PATCH', `${flag.production}/rules/${rule.id}`, { name: 'Only its name' }),
        one('updated', 'PAUSED'),
      ],
      ['PAUSED', () => publish(service, project), one('updated', 'PAUSED')],
      ['ARCHIVED', () => send('POST', `${flag.path}/archive`), both('archived', 'ARCHIVED')],
      ['PAUSED', () => send('POST', `${flag.path}/unarchive`), both('unarchived', 'PAUSED')],
      ['ARCHIVED', () => send('POST', `${flag.path}/archive`), both('archived', 'ARCHIVED')],
    ]
    for (const [status, step, told] of steps) {
      await step()
      expect(await toldOf(flag.id)).toEqual(told)
      expect((await send('GET', flag.path)).status).toBe(status)
      expect(await listedAs(flag.id)).toEqual([status])
    }
    await send('DELETE', flag.path)
    expect(await toldOf(flag.id)).toEqual(one('deleted', 'ARCHIVED'))
  })

  test('is the last status for a deleted draft', async () => {
    const flag = await newFlag(on.service, on.project, { key: 'never-ran' })
    await toldOf(flag.id)
    await send('DELETE', flag.path)
    expect(await toldOf(flag.id)).toEqual(both('deleted', 'DRAFT'))
  })

  test('is PAUSED for an unarchived flag, even if it never ran', async () => {
    const flag = await newFlag(on.service, on.project, { key: 'came-back' })
    await send('POST', `${flag.path}/archive`)
    await toldOf(flag.id)
    await send('POST', `${flag.path}/unarchive`)
    expect(await toldOf(flag.id)).toEqual(both('unarchived', 'PAUSED'))
    expect(await listedAs(flag.id)).toEqual(['PAUSED'])
  })
})
