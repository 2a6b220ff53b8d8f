import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { booleanFlag } from '../../../testing/boolean-flag.ts'
import { describedAnswers } from '../../../testing/described-answers.ts'
import { configs } from '../../../testing/destinations.ts'
import { delivery, succeed } from '../../../testing/flags.ts'
import { isFull } from '../../../testing/full.ts'
import { plainKinds } from '../../../testing/nouns.ts'
import { newPerson } from '../../../testing/people.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import { almostUrls, bodiesOf, conditions, growing, type Known, type Schema } from '../../../testing/schema-bodies.ts'
import { seed } from '../../../testing/seed.ts'
import type { Answer, TestService } from '../../../testing/service.ts'
import type { TestReceiver } from '../../../testing/vendors/receiver.ts'
import { deliver, startWebhookTest, webhookBody } from '../../../testing/webhooks.ts'
import type { Operation as Described } from '../openapi/document.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Ids = Record<string, string>

interface Operation extends Described {
  method: Method
  path: string
}

const requestsEach = isFull ? 20_000 : 12
/** Each body of this operation is a file that a thread reads. */
const requestsOf = ({ operationId }: Operation) => (!isFull && operationId === 'uploadCatalogSource' ? 2 : requestsEach)
const limitMs = isFull ? 1_800_000 : 300_000
/** The number of requests that share resources. Then new ones are created, because the old ones can be full. */
const sharedBy = 200
const dayMs = 86_400_000

const description = await apiDescription()
const { faultsOf } = describedAnswers(description)
const operations = Object.entries(description.paths!)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase() as Method, path })),
  )
const writes = operations.filter(({ method }) => method !== 'GET')

let service: TestService
let receiver: TestReceiver
/** The resources that paths name, and how many more requests can use them. */
let ids: Ids = {}
let left = 0

beforeAll(async () => {
  console.info(`generated requests: SVC_TEST_SEED=${seed}`)
  const started = await startWebhookTest()
  service = started.service
  receiver = started.receiver
})
// Searching the log of a full run takes a while.
afterAll(() => service.close(), limitMs)

const url = ({ path }: Pick<Operation, 'path'>, at = ids) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => idsOn(path, at)[name] ?? 'none')

/** A failure reports the smallest body that breaks a promise. Only full runs print the status codes. */
test.each(writes.map((write) => [write.operationId, write] as const))(
  `A2 %s accepts generated bodies without faults, answers by its schema, and accepted values read back`,
  async (_name, write) => {
    const counts: Record<number, number> = {}
    const schema = inlined((write.requestBody?.content['application/json']?.schema ?? { type: 'object' }) as Schema)
    receiver.answer(() => 204)
    let isUsedUp = true
    const once = async (body: string) => {
      if (left === 0) await renew()
      if (isUsedUp || left === sharedBy) await again[write.operationId]?.()
      left -= 1
      const answer = await service.call(service.people.admin, write.method, url(write), body)
      counts[answer.status] = (counts[answer.status] ?? 0) + 1
      expectDocumented(write, answer)
      isUsedUp = answer.status < 300
      if (isUsedUp) await expectReadBack(write, schema, JSON.parse(body || '{}') ?? {}, answer)
    }
    const property = fc.asyncProperty(bodiesOf(schema, known, write.operationId), once)
    const start = performance.now()
    await fc.assert(property, { numRuns: requestsOf(write), seed }).finally(() => {
      const seconds = Math.round((performance.now() - start) / 1000)
      if (isFull) console.info(`${write.operationId} ${JSON.stringify(counts)} seed ${seed} ${seconds} s`)
    })
    if (spoils(write)) left = 0
    else if (isUsedUp) await again[write.operationId]?.()
  },
  limitMs,
)

/**
 * What these operations leave refuses others, even after `again`. To make all resources anew takes longer than all other
 * requests of an operation, so only a full run, which fills them, does so after each operation of `again`.
 */
const spoiling = /^(?:delete(?:Environment|Flag|Dataset|RecommendationModel|Webhook)|unarchiveFlag|cancel\w+Schedule)$/
const spoils = ({ operationId }: Operation) => spoiling.test(operationId) || (isFull && operationId in again)

async function renew(): Promise<void> {
  if (ids.roleId) {
    for (const path of holders) await call('DELETE', path)
    for (const path of limited) await emptyOut(path)
  }
  ids = { ...(await oneOfEach(service)), revision: '1' }
  // An open schedule refuses a manual run.
  for (const path of [environment, rule, experiment]) await call('DELETE', `${path}/schedule`)
  left = sharedBy
}

const project = '/api/v1/projects/{projectId}'
const flag = `${project}/flags/{flagId}`
/** The holders of a role. A role cannot be deleted while a member or an invitation has it. */
const holders = ['/api/v1/members/{userId}', '/api/v1/members/invitations/{invitationId}']
/** An organization can have only a limited number of these. */
const limited = ['/api/v1/roles', `${project}/webhooks`, `${project}/holdouts`]

async function emptyOut(path: string): Promise<void> {
  const { data }: { data: { id: string; builtIn?: boolean }[] } = (await call('GET', path)).body
  for (const { id, builtIn } of data) if (!builtIn) await call('DELETE', `${path}/${id}`)
}

const environment = `${flag}/envs/{envId}`
const rule = `${environment}/rules/{ruleId}`
const experiment = `${project}/experiments/{experimentId}`
const runSchedule = () => ({ action: 'RUN', runAt: new Date(Date.now() + dayMs).toISOString() })

const sdkKeys = `${project}/environments/{envId}/sdk-keys`
/** The newest of two keys is revoked, because a single key cannot be revoked. */
async function leaveOneKey(): Promise<void> {
  const [newest] = (await call('GET', sdkKeys)).body.data
  await call('DELETE', `${sdkKeys}/${newest.id}`)
}

const ingestKeys = `${project}/environments/{envId}/ingest-keys`
async function leaveNoIngestKey(): Promise<void> {
  await call('PATCH', `${project}/environments/{envId}`, { ingestKeyRequiredFor: 'NONE' })
  await emptyOut(ingestKeys)
}

/** Creates again what an accepted request used up. */
const again: Record<string, () => Promise<unknown>> = {
  removeMember: async () => {
    ids.userId = (await newPerson(service)).id
  },
  // One address can get only a few mails per minute.
  resendInvitation: async () => {
    await call('DELETE', '/api/v1/members/invitations/{invitationId}')
    await newInvitation()
  },
  revokeInvitation: () => newInvitation(),
  deleteRole: () => make('roleId', '/api/v1/roles', { name: randomUUID(), capabilities: [] }),
  deleteEnvironment: () => make('envId', `${project}/environments`, { name: 'Another' }),
  createSdkKey: () => leaveOneKey(),
  revokeSdkKey: async () => {
    await leaveOneKey()
    await make('sdkKeyId', sdkKeys, {})
  },
  createIngestKey: () => leaveNoIngestKey(),
  revokeIngestKey: async () => {
    await leaveNoIngestKey()
    await make('ingestKeyId', ingestKeys, {})
  },
  deleteFlag: () => make('flagId', `${project}/flags`, booleanFlag(`flag-${randomUUID()}`)),
  archiveFlag: () => call('POST', `${flag}/unarchive`),
  unarchiveFlag: () => call('POST', `${flag}/archive`),
  cancelEnvironmentSchedule: () => call('PUT', `${environment}/schedule`, runSchedule()),
  cancelRuleSchedule: () => call('PUT', `${rule}/schedule`, runSchedule()),
  cancelExperimentSchedule: () => call('PUT', `${experiment}/schedule`, runSchedule()),
  deleteRule: () => make('ruleId', `${environment}/rules`, delivery('rule')),
  ...Object.fromEntries(
    plainKinds.map(({ operation, path, param, body }) => [
      `delete${operation}`,
      () => make(param, `${project}/${path}`, body()),
    ]),
  ),
  // The flag of a placement can be made once.
  measurePlacement: () =>
    make('placementId', `${project}/recommendations/placements`, {
      ...{ name: crypto.randomUUID(), variants: { default: { strategies: [] } } },
    }),
  cancelJob: () => make('jobId', `${project}/erasures`, { units: ['nobody'] }),
  syncCatalogSource: () =>
    make('sourceId', `${project}/catalog/sources`, {
      ...{ name: crypto.randomUUID(), type: 'PRODUCTS', url: 'https://shop.example/feed.csv' },
    }),
  uploadCatalogSource: () =>
    make('sourceId', `${project}/catalog/sources`, { name: crypto.randomUUID(), type: 'PRODUCTS' }),
  applyJob: async () => {
    await make('jobId', `${project}/erasures`, { units: ['nobody'] })
    await sql`update jobs set status = 'HELD', result = '{}', ended_at = now() where id = ${ids.jobId}`.execute(
      service.db,
    )
  },
  retryJob: async () => {
    await make('jobId', `${project}/erasures`, { units: ['nobody'] })
    await call('POST', `${project}/commerce/jobs/{jobId}/cancel`)
  },
  deleteWebhook: () => make('webhookId', `${project}/webhooks`, webhookBody()),
  // Only failed deliveries can be retried, and failures disable the webhook.
  retryDelivery: async () => {
    receiver.answer(() => 410)
    await deliver({ service })
    await call('PATCH', `${project}/webhooks/{webhookId}`, { enabled: true })
    await call('POST', `${project}/webhooks/{webhookId}/deliveries/replay`, { ...allTime, includeDelivered: true })
    await deliver({ service })
  },
}

const allTime = { since: '2000-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
const call = (method: Method, path: string, body?: unknown) =>
  service.call(service.people.admin, method, url({ path }), body)

async function make(id: string, path: string, body: unknown): Promise<void> {
  ids[id] = (await succeed(service, 'POST', url({ path }), body)).id
}

async function newInvitation(): Promise<void> {
  const wanted = { email: `${randomUUID()}@svc.test`, roleId: ids.roleId }
  await make('invitationId', '/api/v1/members/invitations', wanted)
}

const name = fc.string({ minLength: 1 }).map((text) => `x${text}`)
const idOf = (name: string) => fc.constant(null).map(() => ids[name])
const variationKey = fc.constantFrom('on', 'off')
const userIds = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 })

/** Forms of destinations: one field of a valid form is a text that is almost an address, or grows when it is filled. */
const destination = fc
  .constantFrom(...Object.entries(configs))
  .chain(([kind, config]) =>
    fc
      .tuple(
        fc.constantFrom(...Object.keys(config)),
        fc.constantFrom<unknown>(...almostUrls, ...growing, growing, 'u'.repeat(65_536)),
      )
      .map(([field, text]) => ({ kind, config: { ...config, [field]: text } })),
  )
const grown = fc.constantFrom(...growing, null).map((text) => ({ title: text, summary: text }))

/** Valid values of fields that the schema alone would rarely produce. */
const known: Known = {
  conditions,
  previewDestination: fc
    .tuple(destination, grown)
    .map(([form, template]) => ({ ...form, template, event: 'flag.published' })),
  createDestination: fc
    .tuple(destination, name)
    .map(([form, called]) => ({ ...form, name: called, events: ['flag.published'] })),
  updateDestination: destination.map(({ config }) => ({ config })),
  audienceIds: fc.constant([]),
  metrics: fc.constant({}),
  // Projects of flags have no script.
  trigger: fc.constant(null),
  exclusionGroupId: fc.constant(null),
  holdoutId: fc.constant(null),
  weight: fc.constant(5000),
  variationKey,
  baselineVariationKey: variationKey,
  defaultVariationKey: variationKey,
  evaluate: fc.record(
    {
      context: fc.dictionary(fc.constantFrom('targetingKey', 'country', 'toString', 'constructor'), fc.string()),
      flagKeys: fc.constantFrom(['flag'], ['flag', '__proto__', 'none']),
      draft: fc.boolean(),
    },
    { requiredKeys: ['context'] },
  ),
  'createFlag.variations': fc.tuple(name, name).map(([on, off]) => [
    { name: on, key: 'on', value: 'true' },
    { name: off, key: 'off', value: 'false' },
  ]),
  'replaceVariations.variations': fc.tuple(name, name).map(([on, off]) => [
    { id: ids.onId, name: on, key: 'on', value: 'true' },
    { id: ids.offId, name: off, key: 'off', value: 'false' },
  ]),
  'createRule.variations': fc
    .constantFrom(['on', 'off'], ['off', 'on'])
    .map((keys) => keys.map((key) => ({ variationKey: key, weight: 5000 }))),
  userIds,
  ruleAllowlists: fc.array(
    fc.record({
      ruleId: idOf('ruleId'),
      entries: fc.array(fc.record({ variationKey, userIds }), { maxLength: 1 }),
    }),
    { maxLength: 1 },
  ),
  updateRule: fc.record(
    {
      name,
      conditions,
      trafficAllocation: fc.nat(10_000),
      variationKey,
      confirmReassignment: fc.constant(true),
    },
    { requiredKeys: ['confirmReassignment'] },
  ),
  audienceId: idOf('audienceId'),
  roleId: idOf('roleId'),
  projectIds: idOf('projectId').map((projectId) => [projectId]),
  copyFromEnvId: idOf('otherEnvId'),
  sourceEnvId: idOf('otherEnvId'),
  defaultVariationId: idOf('onId'),
  timezone: fc.constantFrom('UTC', 'Europe/Amsterdam'),
  flagIds: idOf('flagId').map((flagId) => [flagId]),
  ruleId: idOf('ruleId'),
  ruleIds: idOf('ruleId').map((ruleId) => [ruleId]),
  url: fc.constantFrom('https://hook.example/in', 'https://example.com:8443/a?b=c', 'http://x', 'https://[::1]/'),
  since: fc.constantFrom(allTime.since, '2026-11-20T12:00:00.000+02:00'),
  until: fc.constant(allTime.until),
  runAt: fc.integer({ min: 1, max: 300 }).map((days) => new Date(Date.now() + days * dayMs).toISOString()),
}

/** The status, headers and body that the document describes. */
function expectDocumented(operation: Operation, answer: Answer): void {
  expect(answer.status, answer.text).toBeLessThan(500)
  expect(faultsOf(operation, answer)).toEqual([])
}

/** The schema, with each reference replaced by the named schema. */
function inlined(schema: Schema): Schema {
  if (schema.$ref) return inlined(description.components!.schemas![schema.$ref.split('/').at(-1)!] as Schema)
  const { properties, items, oneOf, anyOf } = schema
  const all = (list: Schema[]) => list.map(inlined)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inlined(each)])),
    }),
    ...(items && { items: inlined(items) }),
    ...(oneOf && { oneOf: all(oneOf) }),
    ...(anyOf && { anyOf: all(anyOf) }),
  }
}

const trimmed = (text: string) => text.trim()
/** Names are stored in the normalized form of Unicode. */
const named = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
interface Entry {
  userIds: string[]
}
const ofUsers = (list: Entry[]) => list.map((entry) => ({ ...entry, userIds: entry.userIds.map(trimmed) }))

/** How the documentation says that values are stored. What is read must be exactly this. */
const stored: Record<string, (sent: never) => unknown> = {
  name: named,
  unit: (text: string | null) => text && named(text),
  // Programs send it as it is.
  eventKey: trimmed,
  denominator: (denominator: { eventKey: string } | null) =>
    denominator && { valueFrom: null, ...denominator, eventKey: trimmed(denominator.eventKey) },
  variations: (list: { name?: string }[]) =>
    list.map(({ name: text, ...rest }) => ({ ...rest, ...(text !== undefined && { name: named(text) }) })),
  environmentAllowlist: ofUsers,
  ruleAllowlists: (list: { entries: Entry[] }[]) => list.map((of) => ({ ...of, entries: ofUsers(of.entries) })),
}

/** Values that are compared in a fixed order, or are not compared. */
const normal: Record<string, (value: never) => unknown> = {
  capabilities: (list: string[]) => [...new Set(list)].sort(),
  events: (list: string[]) => [...new Set(list)].sort(),
  variations: (list: { id?: string }[]) => list.map(({ id: _id, ...rest }) => rest),
  /** A position beyond the end means the end. */
  position: () => 'a place',
  /** Secrets are hidden, and an edit leaves out what stays. */
  config: () => 'a form',
  /** A preview takes visitors and answers how many they are. */
  visitors: () => 'a number',
}

async function expectReadBack(
  write: Operation,
  schema: Schema,
  body: Record<string, unknown>,
  answer: Answer,
): Promise<void> {
  const { data } = answer.body
  const isNew = answer.status === 201
  const path = isNew ? operations.find((each) => isChild(each.path, write.path))?.path : pathOf(write)
  if (path === undefined || data === null) return
  const at = isNew ? { ...ids, [/\{(\w+)\}$/.exec(path)![1]!]: data.id } : ids
  const can = (method: Method) => operations.some((each) => each.method === method && each.path === path)
  const shown = can('GET') ? await succeed(service, 'GET', url({ path }, at)) : data
  for (const [field, value] of Object.entries(shown))
    if (field in data) expect([field, data[field]]).toEqual([field, value])
  const kept: Record<string, unknown> = asEdited(shown)
  for (const [field, value] of Object.entries(body))
    if (Object.hasOwn(kept, field))
      expect([field, normalOf(field, kept[field])]).toEqual([
        field,
        normalOf(field, storedOf(field, withDefaults(schema.properties?.[field] ?? {}, value))),
      ])
  // Some of these are limited to a hundred.
  if (isNew && can('DELETE')) await service.call(service.people.admin, 'DELETE', url({ path }, at))
}

/** The address of the GET that shows the change of a route without its own GET. */
const pathOf = ({ operationId, path }: Operation) =>
  ({ replaceVariations: flag, archiveFlag: flag, unarchiveFlag: flag, pauseRule: rule, runRule: rule })[operationId] ??
  path

/** An edit of a flag in an environment stays staged until it is published. */
const asEdited = (data: { staged?: { defaultVariationId?: string } }) =>
  data.staged?.defaultVariationId ? { ...data, ...data.staged } : data

/** A value with the defaults of its schema. Members that an edit leaves out stay as they are, so the body has none. */
function withDefaults(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { properties = {} } = [schema, ...(schema.anyOf ?? [])].find((each) => each.properties) ?? {}
  const given: Record<string, unknown> = { ...value }
  for (const [name, property] of Object.entries(properties)) {
    const member = name in given ? given[name] : property.default
    if (member !== undefined) given[name] = withDefaults(property, member)
  }
  return given
}

const storedOf = (field: string, value: unknown) => stored[field]?.(value as never) ?? value
const normalOf = (field: string, value: unknown) => normal[field]?.(value as never) ?? value
const isChild = (path: string, list: string) => path.startsWith(`${list}/{`) && !path.includes('/', list.length + 1)
