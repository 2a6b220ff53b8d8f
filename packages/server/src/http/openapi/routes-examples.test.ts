import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { newDestination } from '../../../testing/destinations.ts'
import { openEditor, openingBody } from '../../../testing/editors.ts'
import { newExperiment } from '../../../testing/experiments.ts'
import { abTest, addRule, delivery, newFlag, publish, succeed, type TestFlag } from '../../../testing/flags.ts'
import { isFull } from '../../../testing/full.ts'
import { proportion } from '../../../testing/metrics.ts'
import { plainKinds } from '../../../testing/nouns.ts'
import { newPerson, roleIds } from '../../../testing/people.ts'
import { earlierVersion, placedOrder } from '../../../testing/resources.ts'
import { createProject, type TestProject } from '../../../testing/service.ts'
import { newWebhook, startWebhookTest, type WebhookTest } from '../../../testing/webhooks.ts'
import { type Operation, publicPart } from './document.ts'

/** Files can be sent as many types, which one list names. A full run sends each. */
const sentAs = <Type>(types: Type[]): Type[] => (isFull ? types : types.slice(0, 2))

const document = publicPart(await apiDescription())
const sent = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    sentAs(mediaTypesOf(operation)).map((type) => ({
      ...operation,
      path,
      type,
      method: method.toUpperCase() as Method,
    })),
  ),
)
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Each media type of a body, or nothing for a call that is all in its address. */
function mediaTypesOf({ requestBody, parameters = [] }: Operation): (string | null)[] {
  const hasQuery = parameters.some((each) => each.in === 'query' && each.required)
  return requestBody ? Object.keys(requestBody.content) : hasQuery ? [null] : []
}

let on: WebhookTest
let roles: Record<string, string>
beforeAll(async () => {
  on = await startWebhookTest()
  roles = await roleIds(on.service, 'Acme')
})
afterAll(() => on.service.close())

/** A project of one test. What its address or its body names is made when it is first asked for. */
interface World {
  project: TestProject
  flag: () => Promise<TestFlag>
  rule: () => Promise<{ id: string }>
  metric: () => Promise<{ id: string }>
  experiment: () => Promise<{ id: string; path: string }>
  dataset: () => Promise<{ id: string }>
}

/** Operations of web experiments, which only a project of the type WEB has. */
const isOfWeb = (path: string): boolean => /\/(?:web-settings|try|previews)$|\{variationKey\}|^\/api\/web\//.test(path)

async function newWorld(path: string): Promise<World> {
  const { service } = on
  const project = await createProject(service, undefined, isOfWeb(path) ? 'WEB' : undefined)
  const flag = once(() => newFlag(service, project, { key: 'new-checkout' }))
  const metric = once(() => succeed(service, 'POST', `${project.path}/metrics`, proportion('order_paid')))
  const rule = once(async () => addRule(service, (await flag()).production, delivery('Beta users in Benelux')))
  const experiment = once(async () =>
    isOfWeb(path) ? newWebExperiment(project) : newExperiment(service, project, await flag()),
  )
  // A file is of a dataset that others have trained.
  const kind = path.endsWith('/versions') ? 'NEIGHBOURS' : 'INTERACTIONS'
  const dataset = once(() => succeed(service, 'POST', `${project.path}/datasets`, { name: 'Trained', kind }))
  return { project, flag, rule, metric, experiment, dataset }
}

/** A web experiment with the page that the example of its changes names. */
async function newWebExperiment({ path }: TestProject): Promise<{ id: string; path: string }> {
  const pages = [
    {
      ...{ key: 'pricing', name: 'Pricing', url: openingBody.url },
      conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
    },
  ]
  await succeed(on.service, 'PUT', `${path}/web-settings`, { hosts: ['shop.example'] })
  const { id } = await succeed(on.service, 'POST', `${path}/experiments`, { name: 'Headline', pages })
  return { id, path: `${path}/experiments/${id}` }
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What the parameters of addresses name, by key or id. */
const named: Record<string, (world: World) => Promise<string>> = {
  ...Object.fromEntries(
    plainKinds.map(({ path, param, body }) => [param, (world: World) => idOf(world, path, body())]),
  ),
  projectId: async ({ project }) => project.id,
  envId: async () => 'production',
  flagId: async ({ flag }) => (await flag()).id,
  key: async ({ flag }) => (await flag()).key,
  ruleId: async ({ rule }) => (await rule()).id,
  variationKey: async () => 'original',
  metricId: async ({ metric }) => (await metric()).id,
  experimentId: async ({ experiment }) => (await experiment()).id,
  datasetId: async ({ dataset }) => (await dataset()).id,
  versionId: async ({ dataset }) => earlierVersion(on.service, (await dataset()).id),
  webhookId: async ({ project }) => (await newWebhook({ ...on, project })).id,
  destinationId: async ({ project }) => (await newDestination({ ...on, project }, 'SLACK')).id,
  userId: async () => (await newPerson(on.service)).id,
  roleId: async () => (await succeed(on.service, 'POST', '/api/v1/roles', { name: 'Reader', capabilities: [] })).id,
  revision: async ({ project, flag }) => {
    await flag()
    const { dataFile } = await succeed(on.service, 'GET', `${project.path}/environments/production`)
    return String(dataFile.revision)
  },
}

const idOf = async ({ project }: World, nouns: string, body: object): Promise<string> =>
  (await succeed(on.service, 'POST', `${project.path}/${nouns}`, body)).id

const run = async ({ flag }: World) => succeed(on.service, 'POST', `${(await flag()).production}/run`)
const launch = async (world: World) => {
  await run(world)
  await succeed(on.service, 'POST', `${(await world.experiment()).path}/launch`)
}
const withFlag = ({ flag }: World) => flag()
const withRule = ({ rule }: World) => rule()

/** What must be there before the example of an operation can succeed, besides what its address names. */
const needs: Record<string, (world: World) => Promise<unknown>> = {
  // A flag with the key in the body.
  evaluate: withFlag,
  previewStagedChanges: withFlag,
  previewDrafts: withFlag,
  publishEnvironment: withFlag,
  evaluateFlagsByOfrep: withFlag,
  // A rule with the key in the body.
  replaceOverrides: withRule,
  reorderRules: withRule,
  // Changed allowlists that are staged.
  async discardStagedChanges({ flag }) {
    const lists = { environmentAllowlist: [{ variationKey: 'on', userIds: ['u-17'] }], ruleAllowlists: [] }
    await succeed(on.service, 'PUT', `${(await flag()).production}/overrides`, lists)
  },
  // A flag and a metric with the keys in the body.
  createExperiment: ({ flag, metric }) => Promise.all([flag(), metric()]),
  // A running flag; then a launched test, and for `resume` a paused one.
  launchExperiment: run,
  publishExperiment: launch,
  declareWinner: launch,
  async resumeExperiment(world) {
    await launch(world)
    await succeed(on.service, 'POST', `${(await world.experiment()).path}/pause`)
  },
  // A version that was active before.
  rollBackDataset: async ({ dataset }) => earlierVersion(on.service, (await dataset()).id),
  // An order in Production.
  measurePlacement: ({ project }) => placedOrder(on.service, project),
  getRecommendations: (world) =>
    idOf(world, 'recommendations/placements', { name: 'Product page', variants: { default: { strategies: [] } } }),
  // A published A/B rule, the first of its project.
  async sendEvents({ project, flag }) {
    await addRule(on.service, (await flag()).production, abTest('Copy'))
    await publish(on.service, project)
  },
}

/** Fields of bodies that only the service can fill. All others are sent as they are shown. */
const filled: Record<string, (world: World) => Promise<string>> = {
  sdkKey: async ({ project }) => project.production.sdkKey,
  roleId: async () => roles.VIEWER!,
  defaultVariationId: async ({ flag }) => (await flag()).ids.on!,
}

/** Secrets in bodies, by the operation that takes them. */
const secretsOf: Record<string, (world: World) => Promise<object>> = {
  async getPreviewTicket({ experiment }) {
    const wanted = { variationKey: 'variation-1', pageKey: 'pricing' }
    const { url } = await succeed(on.service, 'POST', `${(await experiment()).path}/previews`, wanted)
    return { secret: url.split('svc-preview=')[1] }
  },
  async redeemEditorCode({ experiment }) {
    const dashboard = (await experiment()).path.replace('/api/v1/', '/api/dashboard/')
    const { code } = await openEditor(await newPerson(on.service, { role: 'EDITOR' }), { dashboard })
    return { code }
  },
}

async function bodyOf({ operationId, requestBody }: Operation, type: string, world: World): Promise<unknown> {
  const { schema = {} } = requestBody!.content[type]!
  const named = schema.$ref ? document.components!.schemas![schema.$ref.split('/').at(-1)!]! : schema
  const [example] = named.examples!
  if (typeof example === 'string') return example
  const secrets = await secretsOf[operationId]?.(world)
  const body = { ...(example as Record<string, unknown>), ...secrets }
  for (const [field, fill] of Object.entries(filled)) if (field in body) body[field] = await fill(world)
  return type === 'application/json' ? body : JSON.stringify(body)
}

function queryOf({ parameters = [] }: Operation): string {
  const required = parameters.filter((each) => each.in === 'query' && each.required)
  const query = required.map(({ name, schema = {} }) => `${name}=${schema.enum?.[0] ?? schema.default ?? name}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

test.each(sent)('the example of $operationId ($type) succeeds as the reference shows it', async (operation) => {
  const { operationId, method, path, type } = operation
  const world = await newWorld(path)
  await needs[operationId]?.(world)
  let url = `${path}${queryOf(operation)}`
  for (const [place, name = ''] of path.matchAll(/\{(\w+)\}/g)) url = url.replace(place, await named[name]!(world))
  const body = type === null ? undefined : await bodyOf(operation, type, world)
  // An SDK key is public, so it is not the `who` of a call, which is kept secret.
  const isOfSdk = !path.startsWith('/api/v1/')
  const answer = await on.service.call(isOfSdk ? null : on.service.people.admin, method, url, body, {
    ...(isOfSdk && { authorization: `Bearer ${world.project.production.sdkKey}` }),
    ...(type !== null && { 'content-type': type }),
    ...(operationId === 'redeemEditorCode' && { origin: on.service.baseUrl }),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  if (operationId === 'sendEvents') expect(answer.body.rejected).toEqual([])
})
