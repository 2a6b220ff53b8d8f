import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson } from '../../../../testing/people.ts'
import { oneOfEach } from '../../../../testing/resources.ts'
import type { TestService } from '../../../../testing/service.ts'
import { startWebhookTest } from '../../../../testing/webhooks.ts'
import { auditedNouns } from '../../../catalogue/nouns.ts'

let service: TestService
/** One of everything in Acme, by the name of its id in paths. */
let ids: Record<string, string>
/** The nouns that no path names. */
let others: {
  organizationId: string
  catalogId: string
  sessionId: string
  serviceTokenId: string
  personalTokenId: string
}
let everything: string[]

beforeAll(async () => {
  service = (await startWebhookTest()).service
  ids = await oneOfEach(service)
  const { rows } = await sql<typeof others>`
    select orgs.id as "organizationId",
      (select id from catalogs where project_id = ${ids.projectId}) as "catalogId",
      (select id from tokens where org_id = orgs.id and name = 'admin') as "serviceTokenId",
      (select id from tokens where user_id = ${ids.userId}) as "personalTokenId",
      (select id from sessions where user_id = ${ids.userId}) as "sessionId"
    from organizations orgs where name = 'Acme'`.execute(service.db)
  others = rows[0]!
  const {
    otherEnvId: _env,
    onId: _on,
    offId: _off,
    deliveryId: _delivery,
    recordId: _record,
    productId: _product,
    runId: _run,
    versionId: _version,
    ...rest
  } = ids
  // The other project already has one of each kind.
  const {
    sdkKeyId: _key,
    ingestKeyId: _secret,
    webProjectId: _project,
    webEnvId: _place,
    webExperimentId: _test,
    previewId: _preview,
    editorSessionId: _editor,
    // An order has no name of its own.
    orderId: _order,
    ...named
  } = rest
  everything = [...Object.values(named), ...Object.values(others)]
})
afterAll(() => service.close())

const ask = (given: unknown, who = service.people.admin) => service.call(who, 'POST', '/api/v1/names', given)
const names = async (asked: string[], who?: string) => {
  const { status, body, text } = await ask({ ids: asked }, who)
  expect(status, text).toBe(200)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(asked)
  return body.data
}
const nothing = (asked: string[]) => asked.map((id) => ({ id, visible: false }))

test('every noun of the audit log has a name, except an account, which is a member', async () => {
  const found = await names(everything)
  expect(found.every(({ visible, deleted }: { visible: boolean; deleted: boolean }) => visible && !deleted)).toBe(true)
  const kinds = found.map(({ kind }: { kind: string }) => kind)
  expect(kinds.toSorted()).toEqual(auditedNouns.filter((noun) => noun !== 'user').toSorted())
})

test('a name says what it is and where', async () => {
  const { body } = await service.call(service.people.admin, 'GET', `/api/v1/projects/${ids.projectId}`)
  const { id, shortId, key, name } = body.data
  const project = { id, shortId, key, name }
  const flag = { id: ids.flagId, shortId: 1, key: 'flag', name: expect.any(String) }
  const environment = { id: ids.envId, key: 'production', name: 'Production' }
  const base = { visible: true, key: null, shortId: null, project: null, environment: null, flag: null, deleted: false }
  expect(await names([ids.ruleId!, ids.flagId!, ids.envId!, ids.projectId!, ids.roleId!])).toEqual([
    { ...base, id: ids.ruleId, kind: 'rule', name: 'rule', key: 'rule', shortId: 1, project, environment, flag },
    { ...base, ...flag, kind: 'flag', project },
    { ...base, ...environment, kind: 'environment', project, environment },
    { ...base, ...project, kind: 'project', project },
    { ...base, id: ids.roleId, kind: 'role', name: `Role ${ids.projectId}` },
  ])
})

test('a different organization and an unknown id have the same answer', async () => {
  expect(await names(everything, service.people.stranger)).toEqual(nothing(everything))
  const unknown = crypto.randomUUID()
  expect(await names([unknown])).toEqual(nothing([unknown]))
})

test('a token sees the nouns that its scopes read', async () => {
  expect(await names(everything, service.people.noScopes)).toEqual(nothing(everything))
  const visible = async (who: string) =>
    (await names(everything, who)).flatMap(({ kind }: { kind?: string }) => kind ?? []).toSorted()
  expect(await visible(service.people.flagsRead)).toEqual(['flag', 'rule'])
  expect(await visible(service.people.projectsRead)).toEqual(['environment', 'project'])
  const viewer = await visible(service.people.viewer)
  expect(viewer).toEqual(expect.arrayContaining(['member', 'webhook', 'segment']))
  expect(viewer).not.toContain('service_token')
})

test('a member with chosen projects sees neither other projects nor what was deleted there', async () => {
  const elsewhere = await oneOfEach(service)
  const member = await newPerson(service, { projectIds: [ids.projectId!] })
  const path = `/api/v1/projects/${elsewhere.projectId}/segments/${elsewhere.segmentId}`
  await succeed(service, 'DELETE', path)
  const asked = [elsewhere.flagId!, elsewhere.projectId!, elsewhere.segmentId!]
  expect(await names(asked, member.token)).toEqual(nothing(asked))
  expect(await names([ids.flagId!], member.token)).toMatchObject([{ name: expect.any(String) }])
})

test('what was deleted has its last name', async () => {
  const path = `/api/v1/projects/${ids.projectId}/segments`
  const segment = await succeed(service, 'POST', path, { name: 'Beta' })
  await succeed(service, 'PATCH', `${path}/${segment.id}`, { name: 'Gamma' })
  await succeed(service, 'DELETE', `${path}/${segment.id}`)
  const expected = { kind: 'segment', name: 'Gamma', deleted: true, project: { id: ids.projectId } }
  expect(await names([segment.id])).toMatchObject([expected])
  expect(await names([segment.id], service.people.flagsRead)).toEqual(nothing([segment.id]))
  expect(await names([segment.id], service.people.stranger)).toEqual(nothing([segment.id]))
})

test('an id in capitals is the same id', async () => {
  expect((await ask({ ids: [ids.flagId!.toUpperCase()] })).body.data).toMatchObject([{ id: ids.flagId, kind: 'flag' }])
})

test.each([
  ['no ids', {}, 'ids'],
  ['an empty list', { ids: [] }, 'ids'],
  ['more than 100 ids', { ids: Array.from({ length: 101 }, () => crypto.randomUUID()) }, 'ids'],
  ['text that is no id', { ids: ['checkout'] }, 'ids[0]'],
])('%s is refused', async (_case, given, field) => {
  const { status, body } = await ask(given)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.message.startsWith(field)).toBe(true)
})
