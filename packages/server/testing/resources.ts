import { sql } from 'kysely'
import { newDestination } from './destinations.ts'
import { abTest, addRule, delivery, newFlag, succeed } from './flags.ts'
import { plainKinds } from './nouns.ts'
import { newPerson, roleIds } from './people.ts'
import { createProject, type TestProject, type TestService } from './service.ts'
import { newWebhook } from './webhooks.ts'

const scheduledInMs = 86_400_000

/**
 * Creates a project with one of everything that a path can name. Returns the ids by their names in paths and bodies.
 */
export async function oneOfEach(service: TestService, who = service.people.admin): Promise<Record<string, string>> {
  const acting = { ...service, people: { ...service.people, admin: who } }
  const organization = who === service.people.stranger ? 'Other' : 'Acme'
  const project = await createProject(acting, who)
  const sdkKey = await succeed(acting, 'POST', `${project.path}/environments/${project.production.id}/sdk-keys`)
  const ingestKey = await succeed(acting, 'POST', `${project.path}/environments/${project.production.id}/ingest-keys`)
  const webhook = await newWebhook({ service: acting, project })
  const destination = await newDestination({ service: acting, project }, 'SLACK')
  const flag = await newFlag(acting, project, { key: 'flag' })
  const rule = await addRule(acting, flag.production, delivery('rule'))
  const schedule = { action: 'RUN', runAt: new Date(Date.now() + scheduledInMs).toISOString() }
  for (const path of [flag.production, `${flag.production}/rules/${rule.id}`])
    await succeed(acting, 'PUT', `${path}/schedule`, schedule)
  const plain: Record<string, string> = {}
  for (const { path, param, body } of plainKinds)
    plain[param] = (await succeed(acting, 'POST', `${project.path}/${path}`, body())).id
  const test = await addRule(acting, flag.production, abTest('test'))
  const adopting = { flagId: flag.id, ruleId: test.id, name: 'Checkout' }
  const experiment = await succeed(acting, 'POST', `${project.path}/experiments`, adopting)
  await succeed(acting, 'PUT', `${project.path}/experiments/${experiment.id}/schedule`, schedule)
  const site = await createProject(acting, who, 'WEB')
  const onPage = await succeed(acting, 'POST', `${site.path}/experiments`, { name: 'Headline' })
  const page = { key: 'home', name: 'Home', url: 'https://shop.example/', conditions: { all: [] } }
  await succeed(acting, 'PUT', `${site.path}/web-settings`, { hosts: ['shop.example'] })
  await succeed(acting, 'PATCH', `${site.path}/experiments/${onPage.id}`, { pages: [page] })
  const shown = { variationKey: 'original', pageKey: 'home' }
  const preview = await succeed(acting, 'POST', `${site.path}/experiments/${onPage.id}/previews`, shown)
  const editor = await newPerson(service, { organization, role: 'EDITOR' })
  const opened = await editor.inSession(
    'POST',
    `${site.path.replace('/api/v1/', '/api/dashboard/')}/experiments/${onPage.id}/editor-sessions`,
    { variationKey: 'original', url: page.url },
  )
  const [message] = await succeed(acting, 'GET', `${destination.path}/deliveries`)
  const [record] = await succeed(acting, 'GET', `${webhook.path}/deliveries`)
  const jobId = await waitingJob(service, project)
  const item = { itemId: 'SKU-1', title: 'Shirt', link: 'https://shop.example/1', price: '19.99', currency: 'EUR' }
  await succeed(acting, 'POST', `${project.path}/catalog/items/batch`, {
    upsert: [{ ...item, productId: `shirt-${project.id}` }],
  })
  const orderId = await placedOrder(acting, project)
  const role = await succeed(acting, 'POST', '/api/v1/roles', { name: `Role ${project.id}`, capabilities: [] })
  const wanted = { email: `${project.id}@svc.test`, roleId: (await roleIds(service, organization)).VIEWER }
  const invitation = await succeed(acting, 'POST', '/api/v1/members/invitations', wanted)
  return {
    projectId: project.id,
    flagId: flag.id,
    envId: project.production.id,
    sdkKeyId: sdkKey.id,
    ingestKeyId: ingestKey.id,
    ruleId: rule.id,
    otherEnvId: project.development.id,
    onId: flag.ids.on!,
    offId: flag.ids.off!,
    ...plain,
    experimentId: experiment.id,
    webProjectId: site.id,
    webEnvId: site.production.id,
    webExperimentId: onPage.id,
    previewId: preview.id,
    editorSessionId: opened.body.data.id,
    webhookId: webhook.id,
    destinationId: destination.id,
    recordId: message.id,
    deliveryId: record.id,
    jobId,
    productId: `shirt-${project.id}`,
    runId: await builtRun(service, plain.modelId!),
    versionId: await earlierVersion(service, plain.datasetId!),
    orderId,
    roleId: role.id,
    invitationId: invitation.id,
    userId: (await newPerson(service, { organization })).id,
  }
}

export async function placedOrder(service: TestService, { path, production }: TestProject): Promise<string> {
  const order = { orderId: '100234', currency: 'EUR', total: '5', items: [{ itemId: 'A', quantity: 1, price: '5' }] }
  const event = { type: 'order', id: crypto.randomUUID(), ts: new Date().toISOString(), unit: 'u-1', order }
  await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey: production.sdkKey, events: [event] })
  const [{ id }] = await succeed(service, 'GET', `${path}/orders`)
  return id
}

/** A run of a model as if it had succeeded. */
async function builtRun(service: TestService, modelId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into model_runs (id, model_id, number, job_id, status, started_at, ended_at, products, bytes)
    values (gen_random_uuid(), ${modelId}, 1, gen_random_uuid(), 'SUCCEEDED', now(), now(), 1, 1)
    returning id`.execute(service.db)
  return rows[0]!.id
}

/** A version of a dataset that was active before the one that is. */
export async function earlierVersion(service: TestService, datasetId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into dataset_versions (id, dataset_id, number, status, sha256, created_at, activated_at)
    select gen_random_uuid(), ${datasetId}, number, 'READY', '', now(), now() - number * interval '1 hour'
    from (values (1), (2)) told (number) returning id, number`.execute(service.db)
  const [earlier, active] = rows
  await sql`update datasets set active_version_id = ${active!.id}, versions = 2 where id = ${datasetId}`.execute(
    service.db,
  )
  return earlier!.id
}

/** A job of a kind that no worker knows yet, so it stays as it is. */
async function waitingJob(service: TestService, { id: projectId }: TestProject): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into jobs (id, project_id, kind, source_id, source_name, queues, status, trigger, due_at, created_at, updated_at)
    values (gen_random_uuid(), ${projectId}, 'feed_sync', gen_random_uuid(), 'Main feed', false, 'QUEUED', 'SCHEDULE',
      now(), now(), now()) returning id`.execute(service.db)
  return rows[0]!.id
}

/** The ids of `oneOfEach` for a path. Some paths exist only in a project of the type WEB. */
export const idsOn = <Ids extends Record<string, string | undefined>>(path: string, ids: Ids): Ids =>
  /\/web-settings(?:\?|$)|\{variationKey\}|\{experimentId\}\/(?:errors|try|previews|editor-sessions|presence)(?:[/?]|$)/.test(
    path,
  )
    ? {
        ...ids,
        ...{ projectId: ids.webProjectId, envId: ids.webEnvId, experimentId: ids.webExperimentId },
        variationKey: 'original',
      }
    : ids
