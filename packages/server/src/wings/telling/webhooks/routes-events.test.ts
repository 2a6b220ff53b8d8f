import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, stringFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { rowsOf } from '../../../../testing/full.ts'
import { createProject, type TestProject } from '../../../../testing/service.ts'
import {
  deliver,
  fire,
  newWebhook,
  recordsOf,
  startWebhookTest,
  type TestWebhook,
  webhookTest,
} from '../../../../testing/webhooks.ts'

const on = webhookTest()

const bodiesAt = ({ url }: TestWebhook) => on.receiver.at(url).map(({ body }) => JSON.parse(body))

describe('an event is sent to', () => {
  test('each webhook of its project that subscribes to it, once', async () => {
    const elsewhere = { ...on, project: await createProject(on.service) }
    const [mine, other, deaf] = [
      await newWebhook(on),
      await newWebhook(elsewhere),
      await newWebhook(on, { events: ['flag.deleted', 'webhook.test'] }),
    ]
    const flag = await fire(on)
    await deliver(on)
    expect(bodiesAt(mine)).toMatchObject([
      { event: 'flag.created', project: { id: on.project.id, shortId: expect.any(Number) }, flag: { id: flag.id } },
    ])
    expect([bodiesAt(other), bodiesAt(deaf)]).toEqual([[], []])
  })

  test('webhooks that were enabled and subscribed when the change committed', async () => {
    const [disabled, late] = [await newWebhook(on), await newWebhook(on, { events: ['flag.deleted'] })]
    await succeed(on.service, 'PATCH', disabled.path, { enabled: false })
    await fire(on)
    await succeed(on.service, 'PATCH', disabled.path, { enabled: true })
    await succeed(on.service, 'PATCH', late.path, { events: ['flag.created'] })
    const after = await newWebhook(on)
    await deliver(on)
    expect([bodiesAt(disabled), bodiesAt(late), bodiesAt(after)]).toEqual([[], [], []])
  })

  test('a webhook that unsubscribes between the change and the delivery', async () => {
    const webhook = await newWebhook(on)
    on.receiver.answer(() => 500)
    await fire(on)
    await deliver(on)
    on.receiver.answer(() => 204)
    await succeed(on.service, 'PATCH', webhook.path, { events: ['flag.deleted'] })
    on.clock.move(60_000)
    await deliver(on)
    expect(await recordsOf(on, webhook)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  test('no webhook if the change was refused or rolled back', async () => {
    const webhook = await newWebhook(on, { events: ['flag.created', 'flag.updated', 'webhook.created'] })
    const { admin } = on.service.people
    const before = (await recordsOf(on, webhook)).length
    await newFlag(on.service, on.project, { key: 'taken' })
    const count = before + 1
    expect((await recordsOf(on, webhook)).length).toBe(count)
    const again = { name: 'x', key: 'taken', type: 'BOOLEAN', variations: [], defaultVariationKey: 'on' }
    expect((await on.service.call(admin, 'POST', `${on.project.path}/flags`, again)).status).toBe(400)
    const { body } = await on.service.call(admin, 'GET', `${on.project.path}/flags?limit=1`)
    const path = `${on.project.path}/flags/${body.data[0].id}`
    const headers = { 'X-Svc-If-Match': 'old' }
    expect((await on.service.call(admin, 'PATCH', path, { name: 'Too late' }, headers)).status).toBe(412)
    await sql`alter table events add constraint full_disk check (name <> 'flag.updated') not valid`.execute(
      on.service.db,
    )
    expect((await on.service.call(admin, 'PATCH', path, { name: 'Not saved' })).status).toBe(500)
    await sql`alter table events drop constraint full_disk`.execute(on.service.db)
    await deliver(on)
    expect((await recordsOf(on, webhook)).length).toBe(count)
    expect((await on.service.call(admin, 'GET', path)).body.data.name).not.toBe('Not saved')
  })

  test('no webhook if it is webhook.test', async () => {
    const webhook = await newWebhook(on, { events: ['webhook.test'] })
    const other = await newWebhook(on)
    await succeed(on.service, 'POST', `${other.path}/test`)
    await deliver(on)
    expect(bodiesAt(webhook)).toEqual([])
  })
})

test('triggeredBy is the person behind a personal token, or the service token', async () => {
  const webhook = await newWebhook(on, { events: ['project.updated'] })
  const { owner, admin } = on.service.people
  await on.service.call(owner, 'PATCH', on.project.path, { name: 'By the owner' })
  await on.service.call(admin, 'PATCH', on.project.path, { name: 'By a token' })
  await deliver(on)
  const by = Object.fromEntries(bodiesAt(webhook).map(({ project, triggeredBy }) => [project.name, triggeredBy]))
  expect(by).toMatchObject({
    'By the owner': { type: 'personal_token', name: 'owner', email: 'owner@svc.test', role: 'OWNER' },
    'By a token': { type: 'service_token', name: 'admin', email: null, role: null },
  })
})

describe('flag.published', () => {
  let hook: TestWebhook
  let project: TestProject
  let flag: TestFlag
  const published = () => bodiesAt(hook).filter(({ event }) => event === 'flag.published')
  /** The flags that the change published, by environment, each with before and after. */
  async function publishedBy(change: () => Promise<unknown>) {
    await deliver(on)
    const before = published().length
    await change()
    await deliver(on)
    return published().slice(before)
  }
  const post = (path: string) => succeed(on.service, 'POST', path)

  beforeAll(async () => {
    project = await createProject(on.service)
    hook = await newWebhook({ ...on, project }, { events: ['flag.published', 'flag.rule_activated'] })
    flag = await newFlag(on.service, project, stringFlag('shown', 'off', 'on'))
    await deliver(on)
  })

  test('is sent for each environment when a flag is created, because every data file changes', async () => {
    expect(
      published()
        .map(({ environment }) => environment.name)
        .toSorted(),
    ).toEqual(['Development', 'Production'])
    for (const { dataFile, flags } of published()) {
      expect(dataFile).toMatchObject({ revision: 1, previousRevision: 0, etag: expect.stringMatching(/^"sha256-/) })
      expect(flags).toMatchObject([{ id: flag.id, key: 'shown', before: null, after: { enabled: false } }])
    }
  })

  test('contains the address of the data file with the change', async () => {
    const { dataFile } = published().find(({ environment }) => environment.name === 'Production')
    const environment = await succeed(on.service, 'GET', `${project.path}/environments/${project.production.id}`)
    expect(dataFile.url).toBe(`http://svc.test/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
    expect(dataFile.url).toBe(environment.dataFile.url)
    const { headers, body } = await on.service.call(null, 'GET', new URL(dataFile.url).pathname)
    expect([headers.etag, body.revision]).toEqual([dataFile.etag, dataFile.revision])
  })

  test('is sent only for the environment in which a flag is run or paused, with before and after', async () => {
    const run = await publishedBy(() => post(`${flag.production}/run`))
    expect(run).toMatchObject([
      {
        environment: { id: project.production.id, name: 'Production' },
        dataFile: { revision: 2, previousRevision: 1 },
        flags: [{ key: 'shown', before: { enabled: false }, after: { enabled: true } }],
      },
    ])
    const pause = await publishedBy(() => post(`${flag.production}/pause`))
    expect(pause).toMatchObject([{ flags: [{ before: { enabled: true }, after: { enabled: false } }] }])
    expect(await publishedBy(() => post(`${flag.production}/pause`))).toEqual([])
    await post(`${flag.production}/run`)
  })

  test('is sent on a publish, once for all edited flags, but not on an empty publish', async () => {
    const second = await newFlag(on.service, project, stringFlag('second', 'off', 'on'))
    await post(`${second.production}/run`)
    await deliver(on)
    const edits = await publishedBy(async () => {
      await addRule(on.service, flag.production, delivery('Everybody'))
      await addRule(on.service, second.production, delivery('Everybody'))
    })
    expect(edits).toEqual([])
    const [event, ...more] = await publishedBy(() => publish(on.service, project))
    expect(more).toEqual([])
    expect(event.flags.map(({ key }: { key: string }) => key).toSorted()).toEqual(['second', 'shown'])
    for (const { before, after } of event.flags) expect([before.rules, after.rules.length]).toEqual([undefined, 1])
    expect(await publishedBy(() => publish(on.service, project))).toEqual([])
  })

  test('comes with flag.rule_activated when a rule starts to serve, and again when it resumes', async () => {
    const activated = () => bodiesAt(hook).filter(({ event }) => event === 'flag.rule_activated')
    const before = activated().length
    const rule = await addRule(on.service, flag.production, delivery('Second rule'))
    await publish(on.service, project)
    await post(`${flag.production}/rules/${rule.id}/pause`)
    await post(`${flag.production}/rules/${rule.id}/run`)
    await post(`${flag.production}/rules/${rule.id}/run`)
    await deliver(on)
    expect(activated().slice(before)).toMatchObject([
      {
        rule: { id: rule.id, shortId: rule.shortId, name: 'Second rule', type: 'TARGETED_DELIVERY' },
        flag: { key: 'shown' },
      },
      { rule: { id: rule.id } },
    ])
  })

  test('has the cause of the publish as its reason', async () => {
    const send = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) => () =>
      succeed(on.service, method, path, body)
    const reasons = async (change: () => Promise<unknown>) => [
      ...new Set((await publishedBy(change)).map(({ reason }) => reason)),
    ]
    const segment = await send('POST', `${project.path}/segments`, { name: 'Testers' })()
    const members = `${project.path}/segments/${segment.id}/members`
    let made: TestFlag
    const create = async () => {
      made = await newFlag(on.service, project, stringFlag('with-reasons', 'off', 'on'))
    }
    expect(await reasons(create)).toEqual(['CREATED'])
    const { path, production } = made!
    const rule = await addRule(on.service, production, delivery('Theirs', { conditions: { segment: segment.id } }))
    const schedule = { action: 'PAUSE', runAt: new Date(on.clock.now().getTime() + 60_000).toISOString() }
    const publishNewRule = async () => {
      await addRule(on.service, production, delivery('Everybody'))
      await publish(on.service, project)
    }
    const carriedOut = async () => {
      await send('PUT', `${production}/schedule`, schedule)()
      on.clock.move(61_000)
      await on.service.schedules.run()
    }
    const steps: [string, () => Promise<unknown>][] = [
      ['EDITED', send('PATCH', path, { key: 'another-key' })],
      ['SWITCHED', send('POST', `${production}/run`)],
      ['PUBLISHED', publishNewRule],
      ['SEGMENT_CHANGED', send('PUT', members, { ids: ['u-1'] })],
      ['SWITCHED', send('POST', `${production}/rules/${rule.id}/pause`)],
      ['SWITCHED', send('POST', `${production}/rules/${rule.id}/run`)],
      ['SWITCHED', carriedOut],
      ['ARCHIVED', send('POST', `${path}/archive`)],
      ['UNARCHIVED', send('POST', `${path}/unarchive`)],
    ]
    for (const [reason, change] of steps) expect(await reasons(change), reason).toEqual([reason])
    const draft = await newFlag(on.service, project, stringFlag('never-ran', 'off', 'on'))
    expect(await reasons(send('DELETE', draft.path))).toEqual(['DELETED'])
  })

  test('shows that archiving removes the flag from every data file', async () => {
    await post(`${flag.production}/pause`)
    const events = await publishedBy(() => post(`${flag.path}/archive`))
    expect(events).toHaveLength(2)
    for (const { flags } of events) expect(flags).toMatchObject([{ key: 'shown', after: null }])
  })
})

describe('the notification filter of the provisioning file', () => {
  const filters = {
    INCLUDE: { keywords: ['CHECK'], expected: ['checkout'] },
    EXCLUDE: { keywords: ['check', 'nope'], expected: ['search'] },
  }

  test.each(rowsOf(filters, ['INCLUDE']))('%s %j passes all safety events', async (mode, { keywords, expected }) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-filter-'))
    const file = join(folder, 'provisioning.json')
    const admin = `svc_svc_${randomBytes(32).toString('base64url')}`
    const serviceTokens = [{ name: 'all', secret: admin, scopes: ['admin:*'] }]
    const organizations = [{ name: 'Filtered', notifications: { mode, keywords }, serviceTokens }]
    await writeFile(file, JSON.stringify({ organizations }))
    const filtered = await startWebhookTest({ settings: { SVC_BOOTSTRAP_FILE: file } }, admin)
    const events = ['flag.created', 'webhook.disabled']
    const hook = await newWebhook(filtered, { events })
    const failing = await newWebhook(filtered, { name: 'Failing', events: ['project.updated'] })
    for (const key of ['checkout', 'search']) await newFlag(filtered.service, filtered.project, { key })
    await sql`update webhooks set consecutive_failures = 4 where id = ${failing.id}`.execute(filtered.service.db)
    await sql`update organizations set notification_filter = null`.execute(filtered.service.db)
    filtered.receiver.answer(({ url }) => (url === failing.url ? 410 : 204))
    await succeed(filtered.service, 'PATCH', filtered.project.path, { name: 'Renamed' })
    await sql`update organizations set notification_filter = ${JSON.stringify({ mode, keywords: ['failing'] })}`.execute(
      filtered.service.db,
    )
    // The result of the first round causes webhook.disabled, which the second round sends.
    await deliver(filtered)
    await deliver(filtered)
    const bodies = filtered.receiver.at(hook.url).map(({ body }) => JSON.parse(body))
    const created = bodies.filter(({ event }) => event === 'flag.created').map(({ flag }) => flag.key)
    expect(created).toEqual(expected)
    expect(bodies.filter(({ event }) => event === 'webhook.disabled')).toMatchObject([{ webhook: { id: failing.id } }])
    await filtered.service.close()
    await rm(folder, { recursive: true })
  })
})

describe('the notification filter for names in the body', () => {
  const filterBy = (filter: object | null) =>
    sql`update organizations set notification_filter = ${filter && JSON.stringify(filter)}
      where id = (select org_id from projects where id = ${on.project.id})`.execute(on.service.db)

  afterEach(() => filterBy(null))

  /** The edit and its publish. Neither changes a data file. */
  const renamed = ['Beta testers', 'Beta testers']

  const filters = {
    'INCLUDE PRODUCT': ['run', 'Beta users', 'Everybody', 'Everybody', 'Everybody, Beta users', ...renamed],
    'EXCLUDE production': ['run', 'Beta users, Everybody'],
    'INCLUDE BETA': ['Beta users', 'Beta users, Everybody', 'Everybody, Beta users', ...renamed],
    'EXCLUDE every': ['run', 'run', 'Beta users', ...renamed],
    'INCLUDE targeted_delivery': [],
  }
  /** An environment and a rule, and each mode. */
  const always = ['INCLUDE PRODUCT', 'EXCLUDE every']

  test.each(rowsOf(filters, always))(
    '%s checks the names of the environment and its rules',
    async (filter, expected) => {
      const [mode, keyword] = filter.split(' ')
      const { service } = on
      const project = await createProject(service)
      const hook = await newWebhook({ ...on, project }, { events: ['flag.updated'] })
      const flag = await newFlag(service, project, stringFlag('flag', 'off', 'on'))
      await filterBy({ mode, keywords: [keyword] })
      await succeed(service, 'POST', `${flag.production}/run`)
      await succeed(service, 'POST', `${flag.development}/run`)
      const beta = await addRule(service, flag.production, delivery('Beta users'))
      const everybody = await addRule(service, flag.production, delivery('Everybody'))
      await succeed(service, 'POST', `${flag.development}/rules/copy`, { sourceEnvId: project.production.id })
      await succeed(service, 'POST', `${flag.production}/rules/${everybody.id}/pause`)
      await succeed(service, 'PUT', `${flag.production}/rules/reorder`, { ruleIds: [everybody.id, beta.id] })
      await publish(service, project)
      await succeed(service, 'PATCH', `${flag.production}/rules/${beta.id}`, { name: 'Beta testers' })
      await publish(service, project)
      await deliver(on)
      const told = bodiesAt(hook).map(({ rule, rules = [rule] }) =>
        rules.map((each?: { name: string }) => each?.name ?? 'run').join(', '),
      )
      expect(told.toSorted()).toEqual(expected.toSorted())
    },
  )

  test.each([
    ['INCLUDE', ['EU visitors', 'EU visitors', 'VIPs of the EU']],
    ['EXCLUDE', ['US visitors', 'VIPs of the US']],
  ])('%s checks the names of audiences and segments', async (mode, expected) => {
    const { service } = on
    const project = await createProject(service)
    const events = ['audience.created', 'audience.updated', 'segment.created']
    const hook = await newWebhook({ ...on, project }, { events })
    await filterBy({ mode, keywords: ['eu'] })
    const create = (list: string, body: object) => succeed(service, 'POST', `${project.path}/${list}`, body)
    for (const region of ['EU', 'US']) {
      await create('audiences', { name: `${region} visitors`, conditions: { all: [] } })
      await create('segments', { name: `VIPs of the ${region}` })
    }
    const [eu] = (await succeed(service, 'GET', `${project.path}/audiences`)).filter(
      ({ name }: { name: string }) => name === 'EU visitors',
    )
    await succeed(service, 'PATCH', `${project.path}/audiences/${eu.id}`, { description: 'From the EU' })
    await deliver(on)
    const told = bodiesAt(hook).map(({ audience, segment }) => (audience ?? segment).name)
    expect(told.toSorted()).toEqual(expected)
  })
})
