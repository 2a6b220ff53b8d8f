import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { apiDescription } from '../../../../scripts/api-description.ts'
import { succeed } from '../../testing/flags.ts'
import { oneOfEach } from '../../testing/resources.ts'
import { bodiesOf, conditions, type Known, type Schema } from '../../testing/schema-bodies.ts'
import type { Answer, TestService } from '../../testing/service.ts'
import { startWebhookTest } from '../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Ids = Record<string, string>

interface Operation {
  operationId: string
  method: Method
  path: string
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

const isFull = process.env.SVC_TEST_FULL === '1'
const requestsEach = isFull ? 20_000 : 24
const limitMs = isFull ? 1_800_000 : 60_000
/** After so many requests there are new resources: the old ones may be full. */
const sharedBy = 200
/** How often a route may use up its resources and get new ones. */
const mostRenewals = isFull ? 400 : 2
const dayMs = 86_400_000
const seed = Number(process.env.SVC_TEST_SEED ?? randomInt(2 ** 31))

const description = (await apiDescription('test')) as unknown as {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { schemas: object }
}
const operations = Object.entries(description.paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase() as Method, path })),
  )
const writes = operations.filter(({ method }) => method !== 'GET')

let service: TestService
/** The resources that paths name, and how many more requests may use them. */
let ids: Ids = {}
let left = 0

beforeAll(async () => {
  console.info(`generated requests: SVC_TEST_SEED=${seed}`)
  service = (await startWebhookTest()).service
})
afterAll(() => service.close())

const url = ({ path }: Pick<Operation, 'path'>, at = ids) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => at[name] ?? 'none')

/** The smallest body that breaks a promise is told; only full runs say how all were answered. */
test.each(writes.map((write) => [write.operationId, write] as const))(
  `%s takes ${requestsEach} generated bodies: no fault, answers of the schema, and what is accepted reads back`,
  async (_name, write) => {
    const counts: Record<number, number> = {}
    const schema = write.requestBody?.content['application/json']?.schema ?? { type: 'object' }
    let renewals = 0
    const once = async (body: string) => {
      if (left === 0) await renew()
      left -= 1
      const answer = await service.call(service.people.admin, write.method, url(write), body)
      counts[answer.status] = (counts[answer.status] ?? 0) + 1
      expectDocumented(write, answer)
      if (answer.status >= 300) return
      await expectReadBack(write, JSON.parse(body || '{}'), answer)
      if (!usesUp(write) || renewals === mostRenewals) return
      left = 0
      renewals += 1
    }
    const property = fc.asyncProperty(bodiesOf(schema, known, write.operationId), once)
    await fc.assert(property, { numRuns: requestsEach, seed }).finally(() => {
      if (isFull) console.info(`${write.operationId} ${JSON.stringify(counts)}`)
    })
    if (usesUp(write)) left = 0
  },
  limitMs,
)

const usesUp = ({ method, path }: Operation) => method === 'DELETE' || path.endsWith('/archive')

async function renew(): Promise<void> {
  for (const path of ids.roleId ? limited : []) await service.call(service.people.admin, 'DELETE', url({ path }))
  ids = { ...(await oneOfEach(service)), revision: '1' }
  // An open schedule refuses a run by hand.
  for (const path of ['', '/rules/{ruleId}'])
    await service.call(service.people.admin, 'DELETE', url({ path: `${environment}${path}/schedule` }))
  left = sharedBy
}

/** Of these an organization has so many and no more. */
const limited = [
  '/api/v1/roles/{roleId}',
  '/api/v1/members/invitations/{invitationId}',
  '/api/v1/projects/{projectId}/webhooks/{webhookId}',
]
const environment = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
const name = fc.string({ minLength: 1 }).map((text) => `x${text}`)
const idOf = (name: string) => fc.constant(null).map(() => ids[name])
const variationKey = fc.constantFrom('on', 'off')

/** Fields whose values the schema alone would hardly ever hit. */
const known: Known = {
  conditions,
  audienceIds: fc.constant([]),
  metrics: fc.constant({}),
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
  runAt: fc.integer({ min: 1, max: 300 }).map((days) => new Date(Date.now() + days * dayMs).toISOString()),
}

/** A status that the document names, and a body of the schema that stands there. */
function expectDocumented({ responses }: Operation, answer: Answer): void {
  expect(answer.status, answer.text).toBeLessThan(500)
  const documented = responses[answer.status]
  expect(documented, `${answer.status} is not documented: ${answer.text}`).toBeDefined()
  const schema = documented!.content?.['application/json']?.schema
  if (schema) expect(parserOf(schema).safeParse(answer.body).error, answer.text).toBeUndefined()
}

const parsers = new WeakMap<object, z.ZodType>()

function parserOf(schema: object): z.ZodType {
  const made = parsers.get(schema)
  if (made) return made
  const local = JSON.stringify({ ...schema, $defs: description.components.schemas }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  )
  const parser = z.fromJSONSchema(JSON.parse(local))
  parsers.set(schema, parser)
  return parser
}

/** What is read otherwise than it was sent: without blanks, in an order of its own, or with what was left out. */
const normal: Record<string, (sent: never) => unknown> = {
  name: (text: string) => text.trim(),
  capabilities: (list: string[]) => [...new Set(list)].sort(),
  events: (list: string[]) => [...new Set(list)].sort(),
  variations: (list: { id?: string; name?: string }[]) =>
    list.map(({ id: _id, name: text, ...rest }) => ({ ...rest, ...(text !== undefined && { name: text.trim() }) })),
  metrics: (metrics: object) => ({ primary: [], secondary: [], guardrails: [], ...metrics }),
  statistics: (statistics: object) => ({ ...usualStatistics, ...statistics }),
  /** Beyond the last is the last. */
  position: () => 'a place',
}

async function expectReadBack(write: Operation, body: Record<string, unknown>, answer: Answer): Promise<void> {
  const { data } = answer.body
  const isNew = answer.status === 201
  const path = isNew ? operations.find((each) => isChild(each.path, write.path))?.path : write.path
  if (path === undefined || data === null) return
  const at = isNew ? { ...ids, [/\{(\w+)\}$/.exec(path)![1]!]: data.id } : ids
  const can = (method: Method) => operations.some((each) => each.method === method && each.path === path)
  if (can('GET')) {
    const kept = await succeed(service, 'GET', url({ path }, at))
    for (const [field, value] of Object.entries(kept))
      if (field in data) expect([field, data[field]]).toEqual([field, value])
    for (const [field, value] of Object.entries(body))
      if (field in kept) expect([field, normalOf(field, kept[field])]).toEqual([field, normalOf(field, value)])
  }
  // Of some things there may be a hundred and no more.
  if (isNew && can('DELETE')) await service.call(service.people.admin, 'DELETE', url({ path }, at))
}

const usualStatistics = {
  test: 'SEQUENTIAL',
  alpha: 0.05,
  correction: 'HOLM',
  cuped: false,
  conversionWindowHours: 168,
}

const normalOf = (field: string, value: unknown) => normal[field]?.(value as never) ?? value
const isChild = (path: string, list: string) => path.startsWith(`${list}/{`) && !path.includes('/', list.length + 1)
