import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../../testing/clock.ts'
import { newDestination } from '../../../../testing/destinations.ts'
import { newExperiment } from '../../../../testing/experiments.ts'
import { addRule, delivery, newFlag, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { newWebhook, startWebhookTest, type TestWebhook, type WebhookTest } from '../../../../testing/webhooks.ts'

const dayMs = 24 * 60 * minuteMs

let on: WebhookTest
let start: Date
let administrator: TestPerson
let editor: TestPerson
let flag: TestFlag
let rule: { id: string }
let failing: TestWebhook
let disabled: TestWebhook

const attention = (who: TestPerson) => who.inSession('GET', '/api/dashboard/attention')
const problems = async (who: TestPerson) => {
  const { status, body, text } = await attention(who)
  expect(status, text).toBe(200)
  return body.data.problems
}
const kinds = async (who: TestPerson): Promise<string[]> =>
  (await problems(who)).map(({ kind }: { kind: string }) => kind).toSorted()
const after = (ms: number) => new Date(start.getTime() + ms).toISOString()
const beat = (sdkKey: string, instanceId: string, revision: number) =>
  on.service.call(null, 'POST', '/api/sdk/heartbeat', {
    sdkKey,
    instanceId,
    revision,
    sdkType: 'node',
    sdkVersion: '1.0.0',
  })

beforeAll(async () => {
  on = await startWebhookTest()
  const { service, project, clock } = on
  start = clock.now()
  administrator = await newPerson(service, { role: 'ADMIN' })
  editor = await newPerson(service, { role: 'EDITOR' })
  flag = await newFlag(service, project, { key: 'checkout', name: 'Checkout' })
  rule = await addRule(service, flag.production, delivery('Beta'))
})
afterAll(() => on.service.close())

test('an organization without problems has an empty list', async () => {
  expect((await attention(administrator)).body.data).toEqual({ problems: [], hasMore: false })
})

test('webhooks that fail or were disabled after failures need attention, those switched off by hand do not', async () => {
  failing = await newWebhook(on)
  disabled = await newWebhook(on)
  const off = await newWebhook(on)
  await succeed(on.service, 'PATCH', `${off.path}`, { enabled: false })
  await sql`update webhooks set consecutive_failures = 3 where id = ${failing.id}`.execute(on.service.db)
  await sql`
    update webhooks set enabled = false, consecutive_failures = 5, disabled_at = ${after(minuteMs)}, disable_reason = 'Failed.'
    where id = ${disabled.id}`.execute(on.service.db)
  const failedAt = after(30_000)
  await sql`
    insert into deliveries (id, destination_id, delivery_id, event_type, secret_id, body, status, last_attempt_at, created_at)
    select gen_random_uuid(), ${failing.id}, gen_random_uuid(), 'flag.created', gen_random_uuid(), '{}', 'FAILED',
      ${failedAt}::timestamptz + n * interval '1 s', ${failedAt} from generate_series(0, 2) n`.execute(on.service.db)
  const { data } = (await on.service.call(on.service.people.admin, 'GET', on.project.path)).body
  const project = { id: data.id, shortId: data.shortId, key: data.key, name: data.name }
  const place = { project, environment: null, flag: null }
  expect(await problems(editor)).toEqual([
    {
      kind: 'WEBHOOK_DISABLED',
      since: after(minuteMs),
      object: { kind: 'webhook', id: disabled.id, name: expect.stringMatching(/^Hook/) },
      ...place,
      details: { reason: 'Failed.', failures: 5, failuresUntilDisabled: 5 },
    },
    {
      kind: 'WEBHOOK_FAILING',
      since: failedAt,
      object: { kind: 'webhook', id: failing.id, name: expect.stringMatching(/^Hook/) },
      ...place,
      details: { failures: 3, failuresUntilDisabled: 5 },
    },
  ])
})

test('destinations that fail or were disabled after failures need attention', async () => {
  const { id } = await newDestination(on, 'SLACK')
  await sql`update integrations set consecutive_failures = 2 where id = ${id}`.execute(on.service.db)
  expect(await problems(editor)).toMatchObject([
    { kind: 'WEBHOOK_DISABLED' },
    { kind: 'WEBHOOK_FAILING' },
    {
      kind: 'DESTINATION_FAILING',
      object: { kind: 'destination', id },
      details: { failures: 2, failuresUntilDisabled: 5 },
    },
  ])
  await sql`update integrations set enabled = false, disable_reason = 'Failed.', disabled_at = ${after(1)} where id = ${id}`.execute(
    on.service.db,
  )
  expect(await kinds(editor)).toContain('DESTINATION_DISABLED')
  await on.service.call(on.service.people.admin, 'DELETE', `${on.project.path}/destinations/${id}`)
})

test('schedules that were suspended or failed need attention, until a later one replaces them', async () => {
  const runAt = after(2 * dayMs)
  const schedule = { action: 'RUN', runAt, timezone: 'UTC' }
  await succeed(on.service, 'PUT', `${flag.development}/schedule`, schedule)
  await succeed(on.service, 'PUT', `${flag.production}/rules/${rule.id}/schedule`, schedule)
  expect(await kinds(editor)).toEqual(['WEBHOOK_DISABLED', 'WEBHOOK_FAILING'])
  await sql`update schedules set status = 'SUSPENDED' where rule_id is null`.execute(on.service.db)
  await sql`
    update schedules set status = 'FAILED', failure_reason = 'Too late.' where rule_id is not null`.execute(
    on.service.db,
  )
  const found = (await problems(editor)).filter(({ kind }: { kind: string }) => kind.startsWith('SCHEDULE_'))
  const { id, shortId, key } = flag
  const place = { flag: { id, shortId, key, name: 'Checkout' }, project: { id: on.project.id } }
  expect(found).toMatchObject([
    {
      kind: 'SCHEDULE_FAILED',
      since: after(0),
      object: { kind: 'rule', id: rule.id, name: 'Beta' },
      environment: { key: 'production' },
      ...place,
      details: { reason: 'Too late.', action: 'RUN', runAt },
    },
    {
      kind: 'SCHEDULE_SUSPENDED',
      object: { kind: 'flag', id, name: 'Checkout' },
      environment: { key: 'development' },
      ...place,
      details: { action: 'RUN', runAt },
    },
  ])
  await succeed(on.service, 'PUT', `${flag.production}/rules/${rule.id}/schedule`, schedule)
  await succeed(on.service, 'DELETE', `${flag.development}/schedule`)
  expect(await kinds(editor)).toEqual(['WEBHOOK_DISABLED', 'WEBHOOK_FAILING'])
})

test('the schedule of an experiment names the experiment, not its rule', async () => {
  const { service, project } = on
  const experiment = await newExperiment(service, project, flag)
  await succeed(service, 'PATCH', experiment.path, { name: 'Shorter form' })
  await succeed(service, 'PUT', `${experiment.path}/schedule`, { action: 'RUN', runAt: after(2 * dayMs) })
  const setStatus = (status: string) =>
    sql`update schedules set status = ${status} where rule_id = ${experiment.ruleId}`.execute(service.db)
  await setStatus('FAILED')
  const found = (await problems(editor)).filter(({ kind }: { kind: string }) => kind === 'SCHEDULE_FAILED')
  expect(found).toMatchObject([
    { object: { kind: 'experiment', id: experiment.id, name: 'Shorter form' }, flag: { id: flag.id } },
  ])
  await setStatus('CANCELLED')
})

test('results that are incomplete need attention', async () => {
  const { db } = on.service
  const failingSince = after(3 * minuteMs)
  await sql`
    insert into measured_rules (rule_id, project_id, flag_id, env_id, due_at, failure, failing_since)
    values (${rule.id}, ${on.project.id}, ${flag.id}, ${on.project.production.id}, ${after(dayMs)},
      'The metric revenue cannot be computed.', ${failingSince})`.execute(db)
  const found = (await problems(editor)).filter(({ kind }: { kind: string }) => kind === 'RESULTS_FAILING')
  expect(found).toMatchObject([
    {
      since: failingSince,
      object: { kind: 'rule', id: rule.id, name: 'Beta' },
      ...{ flag: { id: flag.id }, environment: { key: 'production' }, project: { id: on.project.id } },
      details: { reason: 'The metric revenue cannot be computed.' },
    },
  ])
  await sql`delete from measured_rules where rule_id = ${rule.id}`.execute(db)
})

test('clients that are behind for five minutes need attention, and environments in which all are silent', async () => {
  const { service, project, clock } = on
  const { production, development } = project
  for (const instance of ['one', 'two']) await beat(development.sdkKey, instance, 1)
  const silentSince = clock.now().toISOString()
  await publish(service, project)
  await succeed(service, 'POST', `${flag.production}/run`)
  const publishedAt = clock.now().toISOString()
  const { currentRevision: revision } = await succeed(
    service,
    'GET',
    `${project.path}/environments/${production.id}/propagation`,
  )
  clock.move(4 * minuteMs)
  await beat(production.sdkKey, 'behind', revision - 1)
  await beat(production.sdkKey, 'current', revision)
  const clients = async () =>
    (await problems(editor)).filter(({ object }: { object: { kind: string } }) => object.kind === 'environment')
  // Heartbeats are stored together, after a moment.
  const stored = () => sql<{ n: number }>`select count(*) as n from sdk_instances`.execute(service.db)
  await expect.poll(async () => (await stored()).rows).toEqual([{ n: 4 }])
  expect(await clients()).toMatchObject([{ kind: 'CLIENTS_SILENT' }])
  clock.move(minuteMs + 1)
  expect(await clients()).toMatchObject([
    { kind: 'CLIENTS_BEHIND', since: publishedAt, object: { name: 'Production' }, details: { clients: 1, of: 2 } },
    { kind: 'CLIENTS_SILENT', since: silentSince, object: { name: 'Development' }, details: { clients: 2, of: 2 } },
  ])
  await sql`update sdk_instances set last_seen_at = last_seen_at - interval '8 days'`.execute(service.db)
  expect(await clients()).toEqual([])
})

test('people see their own tokens that expire within a week; administrators also those of the service', async () => {
  const expiresAt = new Date(on.clock.now().getTime() + 6 * dayMs).toISOString()
  const later = new Date(on.clock.now().getTime() + 8 * dayMs).toISOString()
  const { db } = on.service
  await sql`update tokens set expires_at = ${expiresAt} where name = 'flags-read' or user_id = ${editor.id}`.execute(db)
  await sql`update tokens set expires_at = ${later} where name = 'flags-write'`.execute(db)
  const tokens = async (who: TestPerson) =>
    (await problems(who)).filter(({ kind }: { kind: string }) => kind === 'TOKEN_EXPIRING')
  const since = new Date(Date.parse(expiresAt) - 7 * dayMs).toISOString()
  expect(await tokens(editor)).toMatchObject([
    { since, object: { kind: 'personal_token', name: 'laptop' }, project: null, details: { expiresAt } },
  ])
  expect(await tokens(administrator)).toMatchObject([
    { since, object: { kind: 'service_token', name: 'flags-read' }, project: null, details: { expiresAt } },
  ])
})

test('only administrators see the first token, and administrators with a password but no second factor', async () => {
  const { db } = on.service
  await sql`
    update tokens set initial = true
    where name = 'admin' and org_id = (select id from organizations where name = 'Acme')`.execute(db)
  await sql`update users set password_hash = 'x' where id in (${administrator.id}, ${editor.id})`.execute(db)
  expect(await kinds(administrator)).toEqual(expect.arrayContaining(['INITIAL_TOKEN', 'NO_SECOND_FACTOR']))
  const [found, ...others] = (await problems(administrator)).filter(
    ({ kind }: { kind: string }) => kind === 'NO_SECOND_FACTOR',
  )
  expect([found.object, others]).toEqual([{ kind: 'member', id: administrator.id, name: administrator.name }, []])
  expect(await kinds(editor)).not.toEqual(expect.arrayContaining(['INITIAL_TOKEN', 'NO_SECOND_FACTOR']))
  await sql`update users set totp_confirmed_at = now() where id = ${administrator.id}`.execute(db)
  expect(await kinds(administrator)).not.toContain('NO_SECOND_FACTOR')
})

test('a member with chosen projects and a different organization see nothing of this project', async () => {
  const elsewhere = await succeed(on.service, 'POST', '/api/v1/projects', { name: 'Elsewhere' })
  const chosen = await newPerson(on.service, { role: 'EDITOR', projectIds: [elsewhere.id] })
  expect(await problems(chosen)).toEqual([])
  expect(await problems(await newPerson(on.service, { organization: 'Other', role: 'OWNER' }))).toEqual([])
})

test('at most 50 problems are listed', async () => {
  await sql`
    insert into tokens (id, kind, user_id, name, secret_hash, expires_at, created_at)
    select gen_random_uuid(), 'PERSONAL', ${editor.id}, 'token ' || n, sha256(n::text::bytea),
      ${on.clock.now()}::timestamptz + interval '1 day', now() from generate_series(1, 60) n`.execute(on.service.db)
  const { body } = await attention(editor)
  expect([body.data.problems.length, body.data.hasMore]).toEqual([50, true])
})

test('only people who are signed in have problems', async () => {
  expect((await on.service.call(editor.token, 'GET', '/api/dashboard/attention')).status).toBe(401)
})
