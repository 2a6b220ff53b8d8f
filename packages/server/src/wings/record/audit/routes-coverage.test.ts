import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { destinationBody, newDestination } from '../../../../testing/destinations.ts'
import { newSite, openEditor, openingBody, redeem } from '../../../../testing/editors.ts'
import { evenSplit, experimentAfter } from '../../../../testing/experiments.ts'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  stringFlag,
  stringVariations,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { inFull } from '../../../../testing/in-full.ts'
import { plainKinds } from '../../../../testing/nouns.ts'
import { newPerson, roleIds } from '../../../../testing/people.ts'
import { earlierVersion, placedOrder } from '../../../../testing/resources.ts'
import { authenticatorApp, switchOnSecondFactor } from '../../../../testing/second-factor.ts'
import { secrets } from '../../../../testing/secrets.ts'
import { databaseFilesWith } from '../../../../testing/secrets-search.ts'
import { type Answer, createProject, startTestService, type TestService } from '../../../../testing/service.ts'
import { type Browser, openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'
import {
  deliver,
  fire,
  newWebhook,
  startWebhookTest,
  type WebhookTest,
  webhookBody,
} from '../../../../testing/webhooks.ts'
import { actions } from '../../../catalogue/actions.ts'
import { auditedNouns } from '../../../catalogue/nouns.ts'
import { signersWith } from '../../../platform/sign.ts'
import { createLink } from '../../people/links/index.ts'
import { confirmationSecret } from '../../telling/integrations/index.ts'
import { linkSecret } from '../../telling/subscriptions/index.ts'

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = (method: Method, path: string, body?: unknown) => Promise<Answer>

let on: WebhookTest
let service: TestService
let url: string

beforeAll(async () => {
  on = await startWebhookTest()
  service = on.service
  url = on.project.path
  // The entry of an erasure that ends by itself would be among those of the next test.
  await service.jobs.stop()
})
afterAll(() => service.close())

/** Repeats the last request, or sends a similar one, with these headers. */
let repeat: (headers: Record<string, string>) => Promise<Answer>
/** Sent with every request below while a test has set them. */
let headers: Record<string, string> = {}

const repeatable = (send: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer> => {
  repeat = send
  return send(headers)
}

const asToken: Call = (method, path, body) =>
  repeatable((more) => service.call(service.people.admin, method, path, body, more))

interface Somebody {
  id: string
  email: string
  browser: Browser
  call: Call
}

/** A signed-in person of Acme. */
async function somebody(role = 'EDITOR'): Promise<Somebody> {
  const { id, email } = await newPerson(service, { role })
  const browser = await signIn(service, email)
  return { id, email, browser, call: inBrowser(browser) }
}

/** The link of an address that was asked to agree to mail. */
async function askedAddress(): Promise<string> {
  const { orgId } = await succeed(service, 'GET', url)
  const [email, now] = [`${crypto.randomUUID()}@svc.test`, new Date()]
  await sql`insert into mail_addresses (org_id, email, asked_at) values (${orgId}, ${email}, ${now})`.execute(
    service.db,
  )
  const signer = signersWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url')).confirmation
  return confirmationSecret(signer, { orgId, email }, now)
}

const inBrowser =
  (browser: Browser): Call =>
  (method, path, body) =>
    repeatable((more) => browser.call(method, path, body, more))

const owner = async () => (await somebody('OWNER')).call

let count = 0
async function flagWithRule(): Promise<{ flag: TestFlag; rule: string }> {
  count += 1
  const flag = await newFlag(service, on.project, stringFlag(`covered-${count}`, 'off', 'on'))
  return { flag, rule: `${flag.production}/rules/${(await addRule(service, flag.production, delivery('One'))).id}` }
}

async function webVariation(): Promise<string> {
  const { path } = await createProject(service, service.people.admin, 'WEB')
  const { id } = await succeed(service, 'POST', `${path}/experiments`, { name: 'Price in the headline' })
  return `${path}/experiments/${id}/variations/variation-1`
}

const madeSegment = async () =>
  `${url}/segments/${(await asToken('POST', `${url}/segments`, { name: crypto.randomUUID() })).body.data.id}`

const newErasure = () => asToken('POST', `${url}/erasures`, { units: [`u-${crypto.randomUUID()}`] })

const waitingErasure = async () => `${url}/commerce/jobs/${(await newErasure()).body.data.id}`

async function newSource(): Promise<string> {
  const body = { name: crypto.randomUUID(), type: 'PRODUCTS', url: 'https://shop.example/feed.csv' }
  return `${url}/catalog/sources/${(await asToken('POST', `${url}/catalog/sources`, body)).body.data.id}`
}

async function newDataset(): Promise<string> {
  const body = { name: crypto.randomUUID(), kind: 'INTERACTIONS' }
  return `${url}/datasets/${(await asToken('POST', `${url}/datasets`, body)).body.data.id}`
}

async function newModel(): Promise<string> {
  const body = { name: crypto.randomUUID(), strategy: 'SIMILAR' }
  const models = `${url}/recommendations/models`
  return `${models}/${(await asToken('POST', models, body)).body.data.id}`
}

async function newPlacement(): Promise<string> {
  const body = { name: crypto.randomUUID(), variants: { default: { strategies: [] } } }
  const { id } = await succeed(service, 'POST', `${url}/recommendations/placements`, body)
  return `${url}/recommendations/placements/${id}`
}

/** The three writes of a plain noun. */
function changesOf({ noun, operation, path, body }: (typeof plainKinds)[number]): typeof writes {
  const create = () => asToken('POST', `${url}/${path}`, body())
  const made = async () => `${url}/${path}/${(await create()).body.data.id}`
  return [
    [`create${operation}`, [`${noun}.create +`], async () => create],
    [
      `update${operation}`,
      [`${noun}.update -+`],
      async () => {
        const one = await made()
        return () => asToken('PATCH', one, { name: body().name })
      },
    ],
    [
      `delete${operation}`,
      [`${noun}.delete -`],
      async () => {
        const one = await made()
        return () => asToken('DELETE', one)
      },
    ],
  ]
}

const moveOf = (verb: string, expected: string[], before: string[]): (typeof writes)[number] => [
  `${verb}Experiment`,
  expected,
  async () => {
    const { path } = await experimentAfter(service, on.project, before)
    return () => asToken('POST', `${path}/${verb}`)
  },
]

const schedule = () => ({ action: 'RUN', runAt: new Date(Date.now() + 3_600_000).toISOString() })

async function failedDelivery(): Promise<{ path: string; recordId: string }> {
  const { path } = await newWebhook(on)
  on.receiver.answer(() => 410)
  await fire(on)
  await deliver(on)
  on.receiver.answer(() => 204)
  const [record] = await succeed(service, 'GET', `${path}/deliveries`)
  return { path, recordId: record.id }
}

async function failedMessage(): Promise<{ path: string; recordId: string }> {
  const { path } = await newDestination(on, 'SLACK')
  on.receiver.answer(() => 404)
  await fire(on)
  await deliver(on)
  on.receiver.answer(() => 204)
  const [record] = await succeed(service, 'GET', `${path}/deliveries`)
  return { path, recordId: record.id }
}

async function invited(email = `${crypto.randomUUID()}@svc.test`) {
  const roleId = (await roleIds(service)).VIEWER
  const { body } = await asToken('POST', '/api/v1/members/invitations', { email, roleId })
  return { email, id: body.data.id as string, link: body.data.link.split('#')[1] as string }
}

async function resetLink(): Promise<string> {
  const { id } = await newPerson(service)
  const { body } = await (await owner())('POST', `/api/dashboard/members/${id}/password-reset-link`)
  return body.data.link.split('#')[1]
}

const environment = async () => (await asToken('POST', `${url}/environments`, { name: `Env ${++count}` })).body.data.id
const role = async () =>
  (await asToken('POST', '/api/v1/roles', { name: `Role ${++count}`, capabilities: ['view_reports'] })).body.data.id
const serviceToken = async (call: Call) =>
  (await call('POST', '/api/dashboard/service-tokens', { name: 'ci', scopes: [], expiresIn: 'never' })).body.data.id
const password = () => `quiet harbour ${crypto.randomUUID()}`

/**
 * [operation, its audit entries, a function that prepares and returns the write]. After an action, `-` means that the
 * entry has a before, and `+` that it has an after.
 */
const writes: [string, string[], () => Promise<() => Promise<Answer>>][] = [
  [
    'updateOrganization',
    ['organization.update -+'],
    async () => {
      const call = await owner()
      return () =>
        call('PATCH', '/api/dashboard/organization', { notifications: { mode: 'EXCLUDE', keywords: ['noise'] } })
    },
  ],
  [
    'inviteMember',
    ['member.invite +'],
    async () => {
      const roleId = (await roleIds(service)).VIEWER
      return () => asToken('POST', '/api/v1/members/invitations', { email: 'new@svc.test', roleId })
    },
  ],
  [
    'resendInvitation',
    ['invitation.resend -+'],
    async () => {
      const { id } = await invited()
      return () => asToken('POST', `/api/v1/members/invitations/${id}/resend`)
    },
  ],
  [
    'revokeInvitation',
    ['invitation.revoke -'],
    async () => {
      const { id } = await invited()
      return () => asToken('DELETE', `/api/v1/members/invitations/${id}`)
    },
  ],
  [
    'updateMember',
    ['member.update -+'],
    async () => {
      const { id } = await newPerson(service)
      const roleId = (await roleIds(service)).EDITOR
      return () => asToken('PATCH', `/api/v1/members/${id}`, { roleId })
    },
  ],
  [
    'removeMember',
    ['member.remove -'],
    async () => {
      const { id } = await newPerson(service)
      return () => asToken('DELETE', `/api/v1/members/${id}`)
    },
  ],
  [
    'leaveOrganization',
    ['member.leave -'],
    async () => {
      const { call } = await somebody()
      return () => call('POST', '/api/dashboard/organization/leave')
    },
  ],
  [
    'createPasswordResetLink',
    ['member.password_reset_link +'],
    async () => {
      const { id } = await newPerson(service)
      const call = await owner()
      return () => call('POST', `/api/dashboard/members/${id}/password-reset-link`)
    },
  ],
  [
    'createRole',
    ['role.create +'],
    async () => () => asToken('POST', '/api/v1/roles', { name: 'Reader', capabilities: ['view_reports'] }),
  ],
  [
    'updateRole',
    ['role.update -+'],
    async () => {
      const id = await role()
      return () => asToken('PATCH', `/api/v1/roles/${id}`, { capabilities: [] })
    },
  ],
  [
    'deleteRole',
    ['role.delete -'],
    async () => {
      const id = await role()
      return () => asToken('DELETE', `/api/v1/roles/${id}`)
    },
  ],

  ['createProject', ['project.create +'], async () => () => asToken('POST', '/api/v1/projects', { name: 'New' })],
  ['updateProject', ['project.update -+'], async () => () => asToken('PATCH', url, { name: 'Renamed' })],
  [
    'deleteProject',
    ['project.delete -'],
    async () => {
      const { path } = await createProject(service)
      const { key } = await succeed(service, 'GET', path)
      return () =>
        repeatable((more) =>
          service.call(service.people.admin, 'DELETE', path, undefined, { ...more, 'x-svc-confirm': key }),
        )
    },
  ],
  [
    'createEnvironment',
    ['environment.create +'],
    async () => () => asToken('POST', `${url}/environments`, { name: 'Staging' }),
  ],
  [
    'updateEnvironment',
    ['environment.update -+'],
    async () => {
      const id = await environment()
      return () => asToken('PATCH', `${url}/environments/${id}`, { name: 'Other name' })
    },
  ],
  [
    'deleteEnvironment',
    ['environment.delete -'],
    async () => {
      const id = await environment()
      return () => asToken('DELETE', `${url}/environments/${id}`)
    },
  ],
  [
    'createSdkKey',
    ['environment.create_sdk_key +'],
    async () => {
      const id = await environment()
      return () => asToken('POST', `${url}/environments/${id}/sdk-keys`)
    },
  ],
  [
    'revokeSdkKey',
    ['environment.revoke_sdk_key -'],
    async () => {
      const id = await environment()
      const { sdkKey } = await succeed(service, 'GET', `${url}/environments/${id}`)
      await succeed(service, 'POST', `${url}/environments/${id}/sdk-keys`)
      return () => asToken('DELETE', `${url}/environments/${id}/sdk-keys/${sdkKey}`)
    },
  ],
  [
    'createIngestKey',
    ['environment.create_ingest_key +'],
    async () => {
      const id = await environment()
      return () => asToken('POST', `${url}/environments/${id}/ingest-keys`)
    },
  ],
  [
    'revokeIngestKey',
    ['environment.revoke_ingest_key -'],
    async () => {
      const id = await environment()
      const key = await succeed(service, 'POST', `${url}/environments/${id}/ingest-keys`)
      return () => asToken('DELETE', `${url}/environments/${id}/ingest-keys/${key.id}`)
    },
  ],
  ...plainKinds.flatMap(changesOf),
  [
    'updateCatalog',
    ['catalog.update -+'],
    async () => () => asToken('PATCH', `${url}/catalog`, { orders: { trust: 'SDK' } }),
  ],
  [
    'saveItems',
    ['catalog.save_items -+'],
    async () => () =>
      asToken('POST', `${url}/catalog/items/batch`, {
        upsert: [{ itemId: 'SKU-1', title: 'Shirt', link: 'https://shop.example/1', price: '19.99', currency: 'EUR' }],
      }),
  ],
  [
    'measurePlacement',
    [
      ...['flag.create +', 'metric.create +', 'rule.create +', 'experiment.create +', 'flag.run -+'],
      ...['experiment.launch -+', 'placement.measure -+'],
    ],
    async () => {
      const path = await newPlacement()
      await placedOrder(service, on.project)
      return () => asToken('POST', `${path}/measure`, {})
    },
  ],
  [
    'restoreCatalogRevision',
    ['job.request +'],
    async () => {
      const upsert = [{ itemId: 'SKU-2', title: 'Mug', link: 'https://shop.example/2', price: '9', currency: 'EUR' }]
      await succeed(service, 'POST', `${url}/catalog/items/batch`, { upsert })
      const { revision } = await succeed(service, 'GET', `${url}/catalog`)
      return () => asToken('POST', `${url}/catalog/revisions/${revision}/restore`)
    },
  ],
  [
    'syncCatalogSource',
    ['job.request +'],
    async () => {
      const path = await newSource()
      return () => asToken('POST', `${path}/sync`)
    },
  ],
  [
    'uploadCatalogSource',
    ['job.request +'],
    async () => {
      const path = await newSource()
      return () => asToken('POST', `${path}/uploads`, { itemId: 'a' })
    },
  ],
  [
    'createDatasetVersion',
    ['job.request +'],
    async () => {
      const path = await newDataset()
      return () => asToken('POST', `${path}/versions`)
    },
  ],
  [
    'activateDatasetVersion',
    ['dataset.activate -+'],
    async () => {
      const path = await newDataset()
      const id = await earlierVersion(service, path.split('/').at(-1)!)
      return () => asToken('POST', `${path}/versions/${id}/activate`, {})
    },
  ],
  [
    'rollBackDataset',
    ['dataset.activate -+'],
    async () => {
      const path = await newDataset()
      await earlierVersion(service, path.split('/').at(-1)!)
      return () => asToken('POST', `${path}/rollback`, {})
    },
  ],
  [
    'startRecommendationRun',
    ['job.request +'],
    async () => {
      const path = await newModel()
      return () => asToken('POST', `${path}/runs`)
    },
  ],
  [
    'activateRecommendationRun',
    ['recommendation_model.activate -+'],
    async () => {
      const path = await newModel()
      const { rows } = await sql<{ id: string }>`
        insert into model_runs (id, model_id, number, job_id, status, started_at, products, bytes)
        values (gen_random_uuid(), ${path.split('/').at(-1)!}, 1, gen_random_uuid(), 'SUCCEEDED', now(), 1, 1)
        returning id`.execute(service.db)
      return () => asToken('POST', `${path}/runs/${rows[0]!.id}/activate`)
    },
  ],
  [
    'applyJob',
    ['job.apply +'],
    async () => {
      const { id } = (await asToken('POST', `${await newSource()}/sync`)).body.data
      await sql`update jobs set status = 'HELD', result = '{}', ended_at = now() where id = ${id}`.execute(service.db)
      return () => asToken('POST', `${url}/commerce/jobs/${id}/apply`)
    },
  ],
  ['eraseVisitors', ['job.request +'], async () => newErasure],
  [
    'cancelJob',
    ['job.cancel -+'],
    async () => {
      const path = await waitingErasure()
      return () => asToken('POST', `${path}/cancel`)
    },
  ],
  [
    'retryJob',
    ['job.retry +'],
    async () => {
      const path = await waitingErasure()
      await asToken('POST', `${path}/cancel`)
      return () => asToken('POST', `${path}/retry`)
    },
  ],
  [
    'createExperiment',
    ['rule.create +', 'experiment.create +'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('POST', `${url}/experiments`, { flagId: flag.id, name: 'Copy', ...evenSplit })
    },
  ],
  [
    'updateExperiment',
    ['rule.update -+', 'experiment.update -+'],
    async () => {
      const { path } = await experimentAfter(service, on.project)
      return () => asToken('PATCH', path, { name: 'Renamed', trafficAllocation: 5000 })
    },
  ],
  [
    'deleteExperiment',
    ['rule.delete -', 'experiment.delete -'],
    async () => {
      const { path } = await experimentAfter(service, on.project)
      return () => asToken('DELETE', path)
    },
  ],
  moveOf('launch', ['experiment.launch -+'], []),
  moveOf('pause', ['experiment.pause -+'], ['launch']),
  moveOf('resume', ['experiment.resume -+'], ['launch', 'pause']),
  moveOf('complete', ['rule.pause -+', 'experiment.complete -+'], ['launch']),
  [
    'setExperimentSchedule',
    ['experiment.schedule +'],
    async () => {
      const { path } = await experimentAfter(service, on.project)
      return () => asToken('PUT', `${path}/schedule`, schedule())
    },
  ],
  [
    'cancelExperimentSchedule',
    ['experiment.cancel_schedule -+'],
    async () => {
      const { path } = await experimentAfter(service, on.project)
      await asToken('PUT', `${path}/schedule`, schedule())
      return () => asToken('DELETE', `${path}/schedule`)
    },
  ],
  [
    'setVariationChanges',
    ['experiment.save_changes -+'],
    async () => {
      const path = await webVariation()
      const changes = [{ id: 'c1', type: 'TEXT', selector: 'h1', value: 'From € 9' }]
      return () => asToken('PUT', `${path}/changes`, { changes })
    },
  ],
  [
    'setVariationCode',
    ['experiment.save_code -+'],
    async () => {
      const path = await webVariation()
      return () => asToken('PUT', `${path}/code`, { js: 'svc.track("seen")' })
    },
  ],
  [
    'createPreview',
    ['experiment.create_preview +'],
    async () => {
      const { path } = await newSite(service)
      return () => asToken('POST', `${path}/previews`, { variationKey: 'variation-1', pageKey: 'pricing' })
    },
  ],
  [
    'revokePreview',
    ['experiment.revoke_preview -+'],
    async () => {
      const { path } = await newSite(service)
      const shown = { variationKey: 'variation-1', pageKey: 'pricing' }
      const { id } = (await asToken('POST', `${path}/previews`, shown)).body.data
      return () => asToken('DELETE', `${path}/previews/${id}`)
    },
  ],
  [
    'openEditorSession',
    ['experiment.open_editor +'],
    async () => {
      const { dashboard } = await newSite(service)
      const { call } = await somebody()
      return () => call('POST', `${dashboard}/editor-sessions`, openingBody)
    },
  ],
  [
    'closeEditorSession',
    ['experiment.close_editor -'],
    async () => {
      const { dashboard } = await newSite(service)
      const { call } = await somebody()
      const { id } = (await call('POST', `${dashboard}/editor-sessions`, openingBody)).body.data
      return () => call('DELETE', `${dashboard}/editor-sessions/${id}`)
    },
  ],
  [
    'renewEditorCode',
    [],
    async () => {
      const site = await newSite(service)
      const person = await newPerson(service, { role: 'EDITOR' })
      const { id, code } = await openEditor(person, site)
      const { token } = (await redeem(service, code)).body
      const path = `${site.dashboard}/editor-sessions/${id}/code`
      return () => repeatable((more) => service.call(token, 'POST', path, undefined, more))
    },
  ],
  [
    'sayPresence',
    [],
    async () => {
      const { dashboard } = await newSite(service)
      const { call } = await somebody()
      return () => call('POST', `${dashboard}/presence`, { variationKey: 'variation-1', place: 'FORM' })
    },
  ],
  [
    'setWebSettings',
    ['project.update_web_settings -+'],
    async () => {
      const { path } = await createProject(service, service.people.admin, 'WEB')
      return () => asToken('PUT', `${path}/web-settings`, { maxDelayMs: 500 })
    },
  ],
  [
    'duplicateExperiment',
    ['rule.create +', 'experiment.create +'],
    async () => {
      const { path } = await experimentAfter(service, on.project)
      return () => asToken('POST', `${path}/duplicate`)
    },
  ],
  [
    'declareWinner',
    ['experiment.declare_winner -+'],
    async () => {
      const { path } = await experimentAfter(service, on.project, ['launch'])
      return () => asToken('POST', `${path}/winner`, { variationKey: 'on', rollOut: true })
    },
  ],
  moveOf('archive', ['experiment.archive -+'], ['launch', 'pause']),
  moveOf('unarchive', ['experiment.unarchive -+'], ['archive']),
  [
    'publishExperiment',
    ['environment.publish -+'],
    async () => {
      const { path } = await experimentAfter(service, on.project, ['launch'])
      await asToken('PATCH', path, { trafficAllocation: 5000 })
      return () => asToken('POST', `${path}/publish`)
    },
  ],
  [
    'replaceSegmentMembers',
    ['segment.replace_members -+'],
    async () => {
      const path = await madeSegment()
      return () => asToken('PUT', `${path}/members`, { ids: ['u-1'] })
    },
  ],
  [
    'addSegmentMembers',
    ['segment.add_members -+'],
    async () => {
      const path = await madeSegment()
      return () => asToken('POST', `${path}/members/add`, { ids: ['u-1'] })
    },
  ],
  [
    'removeSegmentMembers',
    ['segment.remove_members -+'],
    async () => {
      const path = await madeSegment()
      await asToken('PUT', `${path}/members`, { ids: ['u-1'] })
      return () => asToken('POST', `${path}/members/remove`, { ids: ['u-1'] })
    },
  ],
  [
    'publishEnvironment',
    ['environment.publish -+'],
    async () => {
      await flagWithRule()
      return () => asToken('POST', `${url}/environments/${on.project.production.id}/publish`)
    },
  ],
  [
    'restoreRevision',
    ['environment.restore_revision +'],
    async () => {
      await flagWithRule()
      const { id } = on.project.production
      const [{ revision }] = await succeed(service, 'GET', `${url}/environments/${id}/revisions`)
      return () => asToken('POST', `${url}/environments/${id}/revisions/${revision}/restore`)
    },
  ],

  [
    'createFlag',
    ['flag.create +'],
    async () => () => asToken('POST', `${url}/flags`, { name: 'F', ...stringFlag('created', 'off', 'on') }),
  ],
  [
    'updateFlag',
    ['flag.update -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('PATCH', flag.path, { name: 'Other' })
    },
  ],
  [
    'deleteFlag',
    ['flag.delete -'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('DELETE', flag.path)
    },
  ],
  [
    'archiveFlag',
    ['flag.archive -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('POST', `${flag.path}/archive`)
    },
  ],
  [
    'unarchiveFlag',
    ['flag.unarchive -+'],
    async () => {
      const { flag } = await flagWithRule()
      await asToken('POST', `${flag.path}/archive`)
      return () => asToken('POST', `${flag.path}/unarchive`)
    },
  ],
  [
    'replaceVariations',
    ['flag.replace_variations -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'on', 'c') })
    },
  ],
  [
    'runEnvironmentOfFlag',
    ['flag.run -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('POST', `${flag.production}/run`)
    },
  ],
  [
    'pauseEnvironmentOfFlag',
    ['flag.pause -+'],
    async () => {
      const { flag } = await flagWithRule()
      await asToken('POST', `${flag.production}/run`)
      return () => asToken('POST', `${flag.production}/pause`)
    },
  ],
  [
    'updateFlagEnvironment',
    ['flag.stage_default -+', 'flag.run -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('PATCH', flag.production, { defaultVariationId: flag.ids.on, enabled: true })
    },
  ],
  [
    'replaceOverrides',
    ['flag.replace_overrides -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () =>
        asToken('PUT', `${flag.production}/overrides`, {
          environmentAllowlist: [{ variationKey: 'on', userIds: ['u'] }],
          ruleAllowlists: [],
        })
    },
  ],
  [
    'setEnvironmentSchedule',
    ['flag.schedule +'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('PUT', `${flag.production}/schedule`, schedule())
    },
  ],
  [
    'cancelEnvironmentSchedule',
    ['flag.cancel_schedule -+'],
    async () => {
      const { flag } = await flagWithRule()
      await asToken('PUT', `${flag.production}/schedule`, schedule())
      return () => asToken('DELETE', `${flag.production}/schedule`)
    },
  ],
  [
    'setRuleSchedule',
    ['flag.schedule +'],
    async () => {
      const { rule } = await flagWithRule()
      return () => asToken('PUT', `${rule}/schedule`, schedule())
    },
  ],
  [
    'cancelRuleSchedule',
    ['flag.cancel_schedule -+'],
    async () => {
      const { rule } = await flagWithRule()
      await asToken('PUT', `${rule}/schedule`, schedule())
      return () => asToken('DELETE', `${rule}/schedule`)
    },
  ],
  [
    'createRule',
    ['rule.create +'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('POST', `${flag.production}/rules`, abTest('Two'))
    },
  ],
  [
    'updateRule',
    ['rule.update -+'],
    async () => {
      const { rule } = await flagWithRule()
      return () => asToken('PATCH', rule, { name: 'Other' })
    },
  ],
  [
    'deleteRule',
    ['rule.delete -'],
    async () => {
      const { rule } = await flagWithRule()
      return () => asToken('DELETE', rule)
    },
  ],
  [
    'duplicateRule',
    ['rule.duplicate +'],
    async () => {
      const { rule } = await flagWithRule()
      return () => asToken('POST', `${rule}/duplicate`)
    },
  ],
  [
    'pauseRule',
    ['rule.pause -+'],
    async () => {
      const { rule } = await flagWithRule()
      return () => asToken('POST', `${rule}/pause`)
    },
  ],
  [
    'runRule',
    ['rule.run -+'],
    async () => {
      const { rule } = await flagWithRule()
      await asToken('POST', `${rule}/pause`)
      return () => asToken('POST', `${rule}/run`)
    },
  ],
  [
    'copyRules',
    ['rule.copy +'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('POST', `${flag.development}/rules/copy`, { sourceEnvId: on.project.production.id })
    },
  ],
  [
    'reorderRules',
    ['rule.reorder -+'],
    async () => {
      const { flag, rule } = await flagWithRule()
      const two = await addRule(service, flag.production, delivery('Two'))
      return () => asToken('PUT', `${flag.production}/rules/reorder`, { ruleIds: [two.id, rule.split('/').at(-1)] })
    },
  ],

  [
    'replaceDraft',
    ['flag.replace_draft -+'],
    async () => {
      const { flag } = await flagWithRule()
      return () => asToken('PUT', `${flag.production}/draft`, { defaultVariationKey: 'on', rules: [] })
    },
  ],

  [
    'discardStagedChanges',
    ['flag.discard_changes -+'],
    async () => {
      const { flag } = await flagWithRule()
      const staged = `${url}/environments/${on.project.production.id}/staged`
      const { flags } = await succeed(service, 'GET', `${staged}?flagId=${flag.id}`)
      return () => asToken('POST', `${staged}/discard`, { flagId: flag.id, paths: [flags[0].changes[0].path] })
    },
  ],

  [
    'createDestination',
    ['destination.create +'],
    async () => () => asToken('POST', `${url}/destinations`, destinationBody('SLACK')),
  ],
  [
    'updateDestination',
    ['destination.update -+'],
    async () => {
      const { path } = await newDestination(on, 'SLACK')
      return () => asToken('PATCH', path, { name: '#releases' })
    },
  ],
  [
    'deleteDestination',
    ['destination.delete -'],
    async () => {
      const { path } = await newDestination(on, 'SLACK')
      return () => asToken('DELETE', path)
    },
  ],
  [
    'testDestination',
    ['destination.test +'],
    async () => {
      const { path } = await newDestination(on, 'SLACK')
      return () => asToken('POST', `${path}/test`)
    },
  ],
  [
    'retryDestinationDelivery',
    ['destination.retry_delivery +'],
    async () => {
      const { path, recordId } = await failedMessage()
      return () => asToken('POST', `${path}/deliveries/${recordId}/retry`)
    },
  ],
  [
    'replayDestinationDeliveries',
    ['destination.replay +'],
    async () => {
      const { path } = await failedMessage()
      const since = new Date(on.clock.now().getTime() - 1000).toISOString()
      const until = new Date(on.clock.now().getTime() + 1000).toISOString()
      return () => asToken('POST', `${path}/deliveries/replay`, { since, until })
    },
  ],
  ['createWebhook', ['webhook.create +'], async () => () => asToken('POST', `${url}/webhooks`, webhookBody())],
  [
    'updateWebhook',
    ['webhook.update -+'],
    async () => {
      const { path } = await newWebhook(on)
      return () => asToken('PATCH', path, { name: 'Other' })
    },
  ],
  [
    'deleteWebhook',
    ['webhook.delete -'],
    async () => {
      const { path } = await newWebhook(on)
      return () => asToken('DELETE', path)
    },
  ],
  [
    'rotateWebhookSecret',
    ['webhook.rotate_secret'],
    async () => {
      const { path } = await newWebhook(on)
      return () => asToken('POST', `${path}/secret`)
    },
  ],
  [
    'testWebhook',
    ['webhook.test +'],
    async () => {
      const { path } = await newWebhook(on)
      return () => asToken('POST', `${path}/test`)
    },
  ],
  [
    'retryDelivery',
    ['webhook.retry_delivery +'],
    async () => {
      const { path, recordId } = await failedDelivery()
      return () => asToken('POST', `${path}/deliveries/${recordId}/retry`)
    },
  ],
  [
    'replayDeliveries',
    ['webhook.replay +'],
    async () => {
      const { path } = await failedDelivery()
      const since = new Date(on.clock.now().getTime() - 1000).toISOString()
      const until = new Date(on.clock.now().getTime() + 1000).toISOString()
      return () => asToken('POST', `${path}/deliveries/replay`, { since, until })
    },
  ],

  [
    'createServiceToken',
    ['service_token.create +'],
    async () => {
      const call = await owner()
      return () =>
        call('POST', '/api/dashboard/service-tokens', { name: 'ci', scopes: ['flags:read'], expiresIn: '30d' })
    },
  ],
  [
    'rotateServiceToken',
    ['service_token.rotate +'],
    async () => {
      const call = await owner()
      const id = await serviceToken(call)
      return () => call('POST', `/api/dashboard/service-tokens/${id}/rotate`)
    },
  ],
  [
    'revokeServiceToken',
    ['service_token.revoke -+'],
    async () => {
      const call = await owner()
      const id = await serviceToken(call)
      return () => call('DELETE', `/api/dashboard/service-tokens/${id}`)
    },
  ],
  [
    'createPersonalToken',
    ['personal_token.create +'],
    async () => {
      const { call } = await somebody()
      return () => call('POST', '/api/dashboard/personal-tokens', { name: 'mine', expiresIn: '7d' })
    },
  ],
  [
    'revokePersonalToken',
    ['personal_token.revoke -+'],
    async () => {
      const { call } = await somebody()
      const { body } = await call('POST', '/api/dashboard/personal-tokens', { name: 'mine', expiresIn: '7d' })
      return () => call('DELETE', `/api/dashboard/personal-tokens/${body.data.id}`)
    },
  ],

  [
    'signIn',
    ['session.start +'],
    async () => {
      const { email } = await somebody()
      return () => inBrowser(openBrowser(service))('POST', '/api/dashboard/sign-in', { email, password: testPassword })
    },
  ],
  [
    'signInWithSecondFactor',
    ['session.start +'],
    async () => {
      const { email, browser } = await somebody()
      const { recoveryCodes } = await switchOnSecondFactor(browser, on.clock.now())
      const call = inBrowser(openBrowser(service))
      await call('POST', '/api/dashboard/sign-in', { email, password: testPassword })
      return () => call('POST', '/api/dashboard/sign-in/second-factor', { recoveryCode: recoveryCodes[0] })
    },
  ],
  [
    'signOut',
    ['session.end'],
    async () => {
      const { call } = await somebody()
      return () => call('POST', '/api/dashboard/sign-out')
    },
  ],
  [
    'endSession',
    ['session.end'],
    async () => {
      const { email, call, browser } = await somebody()
      await signIn(service, email)
      const { body } = await browser.call('GET', '/api/dashboard/sessions')
      const other = body.data.find(({ current }: { current: boolean }) => !current)
      return () => call('DELETE', `/api/dashboard/sessions/${other.id}`)
    },
  ],
  [
    'endOtherSessions',
    ['session.end -'],
    async () => {
      const { email, call } = await somebody()
      await signIn(service, email)
      return () => call('POST', '/api/dashboard/sessions/end-others')
    },
  ],
  [
    'updateProfile',
    ['user.update -+'],
    async () => {
      const { call } = await somebody()
      return () => call('PATCH', '/api/dashboard/me', { name: 'Other name' })
    },
  ],
  [
    'replaceMySubscriptions',
    ['user.mail_change -+'],
    async () => {
      const { call } = await somebody()
      const subscriptions = [{ projectId: on.project.id, events: ['flag.created'] }]
      return () => call('PUT', '/api/dashboard/me/subscriptions', { subscriptions })
    },
  ],
  [
    'checkMailAddress',
    [],
    async () => {
      const link = await askedAddress()
      return () => inBrowser(openBrowser(service))('POST', '/api/dashboard/mail-addresses/check', { link })
    },
  ],
  [
    'confirmMailAddress',
    ['organization.confirm_mail +'],
    async () => {
      const link = await askedAddress()
      return () => inBrowser(openBrowser(service))('POST', '/api/dashboard/mail-addresses/confirm', { link })
    },
  ],
  [
    'unsubscribe',
    ['user.mail_change -+'],
    async () => {
      const { id, call } = await somebody()
      const subscriptions = [{ projectId: on.project.id, events: ['flag.created'] }]
      await call('PUT', '/api/dashboard/me/subscriptions', { subscriptions })
      const { rows } = await sql<{ id: string }>`select id from own_mail where user_id = ${id}`.execute(service.db)
      const signer = signersWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url')).unsubscribe
      const link = linkSecret(signer, rows[0]!.id, id)
      return () =>
        repeatable((more) => service.call(null, 'POST', `/api/dashboard/unsubscribe/${link}`, undefined, more))
    },
  ],
  [
    'changePassword',
    ['user.password_change +'],
    async () => {
      const { call } = await somebody()
      return () =>
        call('POST', '/api/dashboard/me/password', { currentPassword: testPassword, newPassword: password() })
    },
  ],
  [
    'requestEmailChange',
    ['user.email_change_request +'],
    async () => {
      const { call } = await somebody()
      const email = `${crypto.randomUUID()}@svc.test`
      return () => call('POST', '/api/dashboard/me/email', { email, currentPassword: testPassword })
    },
  ],
  [
    'confirmEmailChange',
    ['user.email_change -+'],
    async () => {
      const { id: userId } = await newPerson(service)
      const made = { kind: 'EMAIL_CHANGE', userId, createdBy: 'Ada', now: new Date() } as const
      const { secret: link } = await service.db
        .transaction()
        .execute((tx) => createLink(tx, { ...made, email: `${crypto.randomUUID()}@svc.test` }))
      return () => inBrowser(openBrowser(service))('POST', '/api/dashboard/email/confirm', { link })
    },
  ],
  [
    'completePasswordReset',
    ['user.password_reset +'],
    async () => {
      const link = await resetLink()
      return () =>
        inBrowser(openBrowser(service))('POST', '/api/dashboard/password-reset/complete', {
          link,
          password: password(),
        })
    },
  ],
  [
    'acceptInvitation',
    ['member.join +', 'session.start +'],
    async () => {
      const { link } = await invited()
      return () =>
        inBrowser(openBrowser(service))('POST', '/api/dashboard/invitations/accept', {
          link,
          name: 'New',
          password: password(),
        })
    },
  ],
  [
    'confirmSecondFactor',
    ['user.second_factor_enable'],
    async () => {
      const { call } = await somebody()
      const { body } = await call('POST', '/api/dashboard/me/second-factor')
      const code = authenticatorApp(body.data.secret).codeAt(on.clock.now())
      return () => call('POST', '/api/dashboard/me/second-factor/confirm', { code })
    },
  ],
  [
    'disableSecondFactor',
    ['user.second_factor_disable'],
    async () => {
      const { call, browser } = await somebody()
      await switchOnSecondFactor(browser, on.clock.now())
      return () => call('POST', '/api/dashboard/me/second-factor/disable', { password: testPassword })
    },
  ],
  [
    'renewRecoveryCodes',
    ['user.recovery_codes_renew'],
    async () => {
      const { call, browser } = await somebody()
      const { app } = await switchOnSecondFactor(browser, on.clock.now())
      on.clock.move(60_000)
      return () => call('POST', '/api/dashboard/me/second-factor/recovery-codes', { code: app.codeAt(on.clock.now()) })
    },
  ],
  [
    'unlinkIdentity',
    ['user.identity_unlink -'],
    async () => {
      const { id: userId, email, call } = await somebody()
      const id = crypto.randomUUID()
      await sql`
      insert into identities (id, user_id, issuer, subject, email, created_at)
      values (${id}, ${userId}, 'https://id.test', ${id}, ${email}, now())`.execute(service.db)
      return () => call('DELETE', `/api/dashboard/me/identities/${id}`)
    },
  ],

  // These change nothing, or nothing yet.
  [
    'evaluate',
    [],
    async () => () => asToken('POST', `${url}/environments/${on.project.production.id}/evaluate`, { context: {} }),
  ],
  [
    'evaluateAudience',
    [],
    async () => {
      const { id } = await succeed(service, 'POST', `${url}/audiences`, { name: 'Tried', conditions: { all: [] } })
      return () => asToken('POST', `${url}/audiences/${id}/evaluate`, { context: {} })
    },
  ],
  [
    'previewStagedChanges',
    [],
    async () => () =>
      asToken('POST', `${url}/environments/${on.project.production.id}/staged/preview`, {
        visitors: [{ targetingKey: 'ada' }],
      }),
  ],
  [
    'previewDrafts',
    [],
    async () => () =>
      asToken('POST', `${url}/environments/${on.project.production.id}/drafts/preview`, {
        visitors: [{ targetingKey: 'ada' }],
      }),
  ],
  [
    'tryExperiment',
    [],
    async () => {
      const experiment = (await webVariation()).replace(/\/variations\/.*/, '')
      return () => asToken('POST', `${experiment}/try`, { url: 'https://shop.example/pricing' })
    },
  ],
  ['findNames', [], async () => () => asToken('POST', '/api/v1/names', { ids: [on.project.id] })],
  [
    'calculateSampleSize',
    [],
    async () => () =>
      asToken('POST', '/api/v1/calculators/sample-size', {
        type: 'PROPORTION',
        baseline: 0.05,
        minimumDetectableLift: 0.1,
      }),
  ],
  [
    'refreshRuleResults',
    [],
    async () => {
      const { flag, rule } = await flagWithRule()
      const id = rule.split('/').at(-1)
      return () => asToken('POST', `${flag.path}/rules/${id}/results/refresh`)
    },
  ],
  [
    'refreshExperimentResults',
    [],
    async () => {
      const { path } = await experimentAfter(service, on.project)
      return () => asToken('POST', `${path}/results/refresh`)
    },
  ],
  [
    'previewDestination',
    [],
    async () => () =>
      asToken('POST', `${url}/destinations/preview`, { kind: 'SLACK', config: destinationBody('SLACK').config }),
  ],
  [
    'previewCatalogSource',
    [],
    async () => {
      const { id } = await succeed(service, 'POST', `${url}/catalog/sources`, {
        name: crypto.randomUUID(),
        type: 'PRODUCTS',
      })
      return () => asToken('POST', `${url}/catalog/sources/${id}/preview`, { itemId: 'a' })
    },
  ],
  [
    'previewPlacement',
    [],
    async () => {
      const path = await newPlacement()
      return () => asToken('POST', `${path}/preview`, {})
    },
  ],
  [
    'previewNotifications',
    [],
    async () => {
      const call = await owner()
      return () =>
        call('POST', '/api/dashboard/organization/notifications/preview', {
          notifications: { mode: 'EXCLUDE', keywords: ['noise'] },
        })
    },
  ],
  [
    'checkLink',
    [],
    async () => {
      const { link } = await invited()
      return () => inBrowser(openBrowser(service))('POST', '/api/dashboard/links/check', { link })
    },
  ],
  [
    'requestPasswordReset',
    [],
    async () => {
      const { email, call } = await somebody()
      return () => call('POST', '/api/dashboard/password-reset', { email })
    },
  ],
  [
    'beginSecondFactor',
    [],
    async () => {
      const { call } = await somebody()
      return () => call('POST', '/api/dashboard/me/second-factor')
    },
  ],
]

/** `signUp` works only on an empty service, so it has its own test. SDKs and pages have no author. */
const elsewhere = [
  ...['signUp', 'sendHeartbeat', 'sendEvents', 'evaluateFlagByOfrep', 'evaluateFlagsByOfrep'],
  ...['getPreviewTicket', 'redeemEditorCode', 'getRecommendations'],
]

async function entriesSince(seq: number) {
  const { rows } = await sql<{ seq: number; entry: string }>`
    select seq, concat(action, ' ', case when before is not null then '-' end, case when after is not null then '+' end)
      as entry
    from audit_entries join organizations org on org.id = org_id where org.name = 'Acme' and seq > ${seq}
    order by seq`.execute(service.db)
  return rows
}

const lastSeq = async () => (await entriesSince(0)).at(-1)?.seq ?? 0

async function under(sent: Record<string, string>, write: () => Promise<Answer>): Promise<Answer> {
  headers = sent
  try {
    return await write()
  } finally {
    headers = {}
  }
}

interface Operation {
  path: string
  method: string
  operationId: string
  parameters?: { name: string }[]
}

let described: Operation[] | undefined
/** The document takes a while to make. */
function operations(): Operation[] {
  described ??= allOperations()
  return described
}

function allOperations(): Operation[] {
  const { paths = {} } = service.app.swagger() as { paths?: object }
  return Object.entries(paths).flatMap(
    ([path, methods]: [string, Record<string, Omit<Operation, 'path' | 'method'>>]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
}

const takes = (header: string, operation: string): boolean =>
  operations()
    .find(({ operationId }) => operationId === operation)!
    .parameters?.some(({ name }) => name === header) ?? false

test('every write of the API accepts a key, except the reads that use POST', () => {
  const without = operations().filter(
    ({ path, method, operationId }) =>
      path.startsWith('/api/v1/') && method !== 'get' && !takes('idempotency-key', operationId),
  )
  expect(new Set(without.map(({ operationId }) => operationId))).toEqual(
    new Set([
      'evaluate',
      'evaluateAudience',
      'findNames',
      'previewStagedChanges',
      'previewDrafts',
      'previewDestination',
      'previewCatalogSource',
      'uploadCatalogSource',
      'previewPlacement',
      'createDatasetVersion',
      'calculateSampleSize',
      'tryExperiment',
      'refreshRuleResults',
      'refreshExperimentResults',
    ]),
  )
})

const shownOnce = ['secret', 'link']
/** Writes whose answer has a secret in its address. */
const withSecretUrl = ['createPreview', 'openEditorSession']
const withoutSecrets = (operation: string, data: object | null) =>
  JSON.parse(JSON.stringify(data), (name, value) =>
    shownOnce.includes(name) || (name === 'url' && withSecretUrl.includes(operation)) ? null : value,
  )

/** With fewer, the writes above have left no entries. */
const leastActions = 60

/** With fewer, secrets are no longer noted. */
const leastSecrets = 50

test('every write of the API is tested here', () => {
  const { paths } = service.app.swagger() as { paths: Record<string, Record<string, { operationId?: string }>> }
  const operations = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : (operationId ?? method))),
  )
  expect([...elsewhere, ...writes.map(([operation]) => operation)].sort()).toEqual(operations.sort())
})

describe('the audit entries of each write', () => {
  test.each(writes)('%s: %j', async (name, expected, prepare) => {
    const write = await prepare()
    const before = await lastSeq()
    const key = { 'Idempotency-Key': name }
    const entries = async () => (await entriesSince(before)).map(({ entry }) => entry.trim())
    if (!takes('idempotency-key', name)) {
      const refused = await under(key, write)
      expect([refused.status, refused.body.error.details?.issues[0].path]).toEqual([400, ['Idempotency-Key']])
      expect(await entries()).toEqual([])
      const answer = await repeat({})
      expect(answer.status, answer.text).toBeLessThan(300)
      expect(await entries()).toEqual(expected)
      return
    }
    const first = await under(key, write)
    expect(first.status, first.text).toBeLessThan(300)
    expect(await entries()).toEqual(expected)
    const again = await repeat(key)
    const { status, headers: sent } = again
    expect([status, sent['idempotency-replayed'], sent.etag]).toEqual([first.status, 'true', first.headers.etag])
    expect(again.body).toEqual({ ...first.body, data: withoutSecrets(name, first.body.data) })
    expect(await entries(), 'the repeated request has no effect').toEqual(expected)
  })

  test('every action has a phrase on the audit page, and every object has a kind', async () => {
    const { rows } = await sql<{ action: string; kind: string }>`
      select distinct action, object_type as kind from audit_entries`.execute(service.db)
    expect(rows.length).toBeGreaterThan(leastActions)
    expect(Object.keys(actions)).toEqual(expect.arrayContaining(rows.map(({ action }) => action)))
    expect(auditedNouns).toEqual(expect.arrayContaining(rows.map(({ kind }) => kind)))
  })

  test('no entry and no event contains a secret that was shown or sent', async () => {
    expect(secrets.all().length).toBeGreaterThan(leastSecrets)
    const { rows } = await sql<{ text: string }>`
      select (select string_agg(audit_entries::text, ' ') from audit_entries)
        || (select string_agg(events::text, ' ') from events) as text`.execute(service.db)
    for (const secret of secrets.all()) expect(rows[0]!.text.includes(secret), secret).toBe(false)
  })

  test('no secret is in the log, in a file of the database or in its write-ahead log', async () => {
    for (const secret of secrets.all()) expect(service.logged().includes(secret), secret).toBe(false)
    expect(await databaseFilesWith(service.address, ['Acme']), 'the search finds existing text').not.toEqual([])
    expect(await databaseFilesWith(service.address, secrets.all())).toEqual([])
  })
})

inFull('people/sign-up/routes')(
  'signUp on an empty service records the organization, its first member and the session',
  async () => {
    const lines: { link?: string }[] = []
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
    const empty = await startTestService({ settings: { SVC_BOOTSTRAP_FILE: '' }, log })
    const link = lines.find((line) => line.link)!.link!.split('#')[1]!
    const body = { link, organizationName: 'New', name: 'Owner', email: 'owner@new.test', password: password() }
    expect((await openBrowser(empty).call('POST', '/api/dashboard/sign-up', body)).status).toBe(201)
    const { rows } = await sql<{ action: string; text: string }>`
    select action, audit_entries::text as text from audit_entries order by seq`.execute(empty.db)
    await empty.close()
    expect(rows.map(({ action }) => action)).toEqual([
      expect.stringMatching(/^organization\.(create|update)$/),
      'member.join',
      'session.start',
    ])
    for (const secret of [link, body.password]) expect(JSON.stringify(rows)).not.toContain(secret)
  },
)
