import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparableError } from '../../../../testing/comparable-error.ts'
import { newFlag, nobody } from '../../../../testing/flags.ts'
import { inFull } from '../../../../testing/in-full.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'
import {
  deliver,
  fire,
  newWebhook,
  recordsOf,
  startWebhookTest,
  type TestWebhook,
  type WebhookTest,
  webhookBody,
} from '../../../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

let on: WebhookTest
let webhook: TestWebhook
let recordId: string

beforeAll(async () => {
  on = await startWebhookTest()
  webhook = await newWebhook(on)
  on.receiver.answer(() => 410)
  await fire(on)
  await deliver(on)
  recordId = (await recordsOf(on, webhook))[0].id
})
afterAll(() => on.service.close())

const range = { since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z' }

/** All webhook endpoints and the feed: method, path, scope, body. */
const endpoints = (project: string, id: string, record: string): [Method, string, string, unknown][] => [
  ['GET', `${project}/webhooks`, 'webhooks:read', undefined],
  ['GET', `${project}/webhooks/${id}`, 'webhooks:read', undefined],
  ['GET', `${project}/webhooks/${id}/deliveries`, 'webhooks:read', undefined],
  ['GET', `${project}/events`, 'webhooks:read', undefined],
  ['POST', `${project}/webhooks`, 'webhooks:write', webhookBody()],
  ['PATCH', `${project}/webhooks/${id}`, 'webhooks:write', { name: 'x' }],
  ['POST', `${project}/webhooks/${id}/secret`, 'webhooks:write', undefined],
  ['POST', `${project}/webhooks/${id}/test`, 'webhooks:write', undefined],
  ['POST', `${project}/webhooks/${id}/deliveries/${record}/retry`, 'webhooks:write', undefined],
  ['POST', `${project}/webhooks/${id}/deliveries/replay`, 'webhooks:write', range],
  ['DELETE', `${project}/webhooks/${id}`, 'webhooks:write', undefined],
]

test('each endpoint requires its scope, and the error names the scope', async () => {
  const { people } = on.service
  for (const [method, path, scope, body] of endpoints(on.project.path, webhook.id, recordId)) {
    for (const who of [people.noScopes, people.flagsWrite]) {
      const { status, body: answer } = await on.service.call(who, method, path, body)
      expect([path, status, answer.error.code, answer.error.details]).toEqual([path, 403, 'scope_missing', { scope }])
    }
    const asViewer = await on.service.call(people.viewer, method, path, body)
    expect([path, asViewer.status === 403]).toEqual([path, scope === 'webhooks:write'])
  }
})

describe('404', () => {
  test('a webhook of a different organization gets 404', async () => {
    for (const [method, path, , body] of endpoints(on.project.path, webhook.id, recordId)) {
      const theirs = await on.service.call(on.service.people.stranger, method, path, body)
      expect([path, theirs.status, theirs.body.error.code]).toEqual([path, 404, 'not_found'])
    }
    expect((await on.service.call(on.service.people.admin, 'GET', webhook.path)).status).toBe(200)
  })

  test('all ids that are not a webhook of the project get the same answer', async () => {
    const { people } = on.service
    const neighbour = await newWebhook({ ...on, project: await createProject(on.service) })
    const foreign = await on.service.call(people.stranger, 'POST', '/api/v1/projects', { name: 'Theirs' })
    const theirs = await on.service.call(
      people.stranger,
      'POST',
      `/api/v1/projects/${foreign.body.data.id}/webhooks`,
      webhookBody(),
    )
    const flag = await newFlag(on.service, on.project, { key: 'a-flag' })
    // What was written by hand gets the names that there are, too.
    const kinds = [
      [nobody, neighbour.id, theirs.body.data.id, flag.id, on.project.id],
      ['x', '0'],
    ]
    for (const [method, path, , body] of endpoints(on.project.path, ':id', recordId)) {
      if (!path.includes(':id')) continue
      for (const ids of kinds) {
        const errors: { status: number; error: object }[] = []
        for (const id of ids) {
          for (const headers of [{}, { 'idempotency-key': `for ${id}` }] as Record<string, string>[]) {
            const answer = await on.service.call(people.admin, method, path.replace(':id', id), body, headers)
            errors.push({ status: answer.status, error: comparableError(answer, { id, projectId: on.project.id }) })
          }
        }
        expect(errors, path).toEqual(errors.map(() => errors[0]))
        expect(errors[0]?.status, path).toBe(404)
      }
    }
  })
})

test('every endpoint answers 403 feature_disabled if webhooks are switched off', async () => {
  const secret = `svc_svc_${randomBytes(32).toString('base64url')}`
  const folder = await mkdtemp(join(tmpdir(), 'svc-plan-'))
  const file = join(folder, 'provisioning.json')
  const serviceTokens = [{ name: 'all', secret, scopes: ['admin:*'] }]
  const organizations = [{ name: 'Small', features: [], projects: [{ name: 'One' }], serviceTokens }]
  await writeFile(file, JSON.stringify({ organizations }))
  const service = await startTestService({ settings: { SVC_BOOTSTRAP_FILE: file } })
  const { body } = await service.call(secret, 'GET', '/api/v1/projects')
  for (const [method, path, , request] of endpoints(`/api/v1/projects/${body.data[0].id}`, nobody, nobody)) {
    const answer = await service.call(secret, method, path, request)
    expect([path, answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      path,
      403,
      'feature_disabled',
      { feature: 'integrations_api_export' },
    ])
  }
  expect((await service.call(secret, 'GET', `/api/v1/projects/${body.data[0].id}/flags`)).status).toBe(200)
  await service.close()
  await rm(folder, { recursive: true })
})

inFull('limits/routes-rate-limit')(
  'every answer, including errors, has the limits of 600 reads and 120 writes per minute',
  async () => {
    const limited = await startTestService({ settings: { SVC_RATE_LIMIT_READ: '600', SVC_RATE_LIMIT_WRITE: '120' } })
    for (const [method, path, , body] of endpoints(`/api/v1/projects/${nobody}`, nobody, nobody)) {
      const { status, headers } = await limited.call(limited.people.admin, method, path, body)
      expect(status, path).toBe(404)
      expect(headers['x-ratelimit-limit'], path).toBe(method === 'GET' ? '600' : '120')
      expect(Number(headers['x-ratelimit-remaining']), path).toBeLessThan(method === 'GET' ? 600 : 120)
      expect(headers['x-ratelimit-reset'], path).toMatch(/^\d{10}$/)
    }
    await limited.close()
  },
)

inFull('limits/routes-rate-limit')('a call over the limit gets 429 with Retry-After and has no effect', async () => {
  const limited = await startTestService({ settings: { SVC_RATE_LIMIT_WRITE: '2' } })
  const { body: project } = await limited.call(limited.people.admin, 'POST', '/api/v1/projects', { name: 'p' })
  const path = `/api/v1/projects/${project.data.id}/webhooks`
  const answers = []
  for (let at = 0; at < 4; at += 1) answers.push(await limited.call(limited.people.admin, 'POST', path, {}))
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 429, 429])
  const { headers, body } = answers[3]!
  expect(body.error.code).toBe('rate_limited')
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['2', '0'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  await limited.close()
})
