import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abTest, addRule, newFlag, publish, stringFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import {
  createProject,
  joinTestService,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

const all = '/ofrep/v1/evaluate/flags'
const perMinute = 300
let at = Date.parse('2026-11-23T12:00:00Z')
let service: TestService
let project: TestProject
let checkout: TestFlag
let rule: { id: string; shortId: number }

beforeAll(async () => {
  const settings = { SVC_RATE_LIMIT_OFREP: String(perMinute) }
  service = await startTestService({ settings, now: () => new Date(at) })
  project = await createProject(service)
  checkout = await newFlag(service, project, { key: 'checkout' })
  rule = await addRule(service, checkout.production, abTest('Test'))
  await succeed(service, 'POST', `${checkout.production}/run`)
  await newFlag(service, project, stringFlag('banner', 'plain', 'loud'))
  const old = await newFlag(service, project, { key: 'old' })
  await succeed(service, 'POST', `${old.path}/archive`)
  await publish(service, project)
})
afterAll(() => service.close())

const call = (path: string, body: unknown, headers: Record<string, string> = {}, node = service) =>
  node.call(null, 'POST', path, body, { 'x-api-key': project.production.sdkKey, ...headers })
const one = (key: string, context: object, headers?: Record<string, string>) =>
  call(`${all}/${key}`, { context }, headers)
const exposuresOf = async (unit: string) =>
  (await sql<Record<string, unknown>>`select * from exposures where unit = ${unit}`.execute(service.db)).rows

describe('a single evaluation', () => {
  test('answers with the value, the variation, the reason and the revision', async () => {
    const answer = await one('checkout', { targetingKey: 'u-1' })
    expect(answer.status, answer.text).toBe(200)
    const { variations } = await succeed(service, 'GET', checkout.path)
    const given = variations.find(({ key }: { key: string }) => key === answer.body.variant)
    const { dataFile } = await succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)
    expect(answer.body).toEqual({
      key: 'checkout',
      value: given.value === 'true',
      reason: 'SPLIT',
      variant: given.key,
      metadata: {
        flagSetId: project.production.id,
        version: String(dataFile.revision),
        svcReason: 'SPLIT',
        ruleId: String(rule.shortId),
      },
    })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
    })
  })

  test('takes the key as bearer token too', async () => {
    const headers = { 'x-api-key': '', authorization: `Bearer ${project.production.sdkKey}` }
    expect((await one('banner', {}, headers)).body).toMatchObject({ value: 'value of plain', reason: 'DISABLED' })
  })

  test('without a targeting key serves the default variation', async () => {
    const answer = await one('checkout', {})
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ value: false, variant: 'off', reason: 'STATIC' })
    expect(answer.body.metadata).toMatchObject({ svcReason: 'UNIT_MISSING' })
  })

  test('counts a visitor of an A/B test once, and of the bulk not at all', async () => {
    await call(all, { context: { targetingKey: 'u-2' } })
    await one('checkout', { targetingKey: 'u-3', country: 'NL' })
    await one('checkout', { targetingKey: 'u-3', country: 'NL' })
    await one('checkout', { targetingKey: 'u-4', userAgent: 'Googlebot/2.1' })
    await expect.poll(async () => (await exposuresOf('u-4')).length).toBe(1)
    expect(await exposuresOf('u-3')).toMatchObject([{ rule_id: rule.id, kind: 0, dimensions: null }])
    expect((await exposuresOf('u-4'))[0]!.kind).not.toBe(0)
    expect(await exposuresOf('u-2')).toEqual([])
    at += 31 * 60_000
    await one('checkout', { targetingKey: 'u-3' })
    await expect.poll(async () => (await exposuresOf('u-3')).length).toBe(2)
  })

  test('shows the environment as connected and the flag as used', async () => {
    await one('checkout', { targetingKey: 'u-5' })
    const clients = () => succeed(service, 'GET', `${project.path}/environments/${project.production.id}/clients`)
    await expect.poll(clients).toMatchObject([{ sdkType: 'ofrep', sdkVersion: '0.3', revision: null }])
    const used = async () =>
      (await succeed(service, 'GET', checkout.path)).environments.find(
        ({ envId }: { envId: string }) => envId === project.production.id,
      ).lastEvaluatedAt
    await expect.poll(used).not.toBeNull()
  })
})

describe('the evaluation of all flags', () => {
  test('has every flag, sorted, and the address of the stream', async () => {
    const answer = await call(all, { context: { targetingKey: 'u-1' } })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.flags.map(({ key }: { key: string }) => key)).toEqual(['banner', 'checkout'])
    expect(answer.body.flags[1]).toEqual((await one('checkout', { targetingKey: 'u-1' })).body)
    expect(answer.body.metadata).toEqual({
      flagSetId: project.production.id,
      version: answer.body.flags[0].metadata.version,
    })
    const requestUri = `/api/sdk/v1/stream/${project.production.sdkKey}`
    expect(answer.body.eventStreams).toEqual([{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec: 120 }])
    expect((await service.call(null, 'HEAD', requestUri)).status).toBe(200)
  })

  test('is sent again only after a change', async () => {
    const context = { targetingKey: 'u-1', plan: 'pro' }
    const first = await call(all, { context })
    const etag = String(first.headers.etag)
    const again = await call(all, { context: { plan: 'pro', targetingKey: 'u-1' } }, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect((await call(all, { context: { ...context, plan: 'free' } }, { 'if-none-match': etag })).status).toBe(200)
    await succeed(service, 'PATCH', checkout.production, { defaultVariationId: checkout.ids.on })
    await publish(service, project)
    expect((await call(all, { context }, { 'if-none-match': etag })).status).toBe(200)
  })

  test('is sent again when the clock changes what a visitor gets', async () => {
    const timed = await newFlag(service, project, { key: 'timed' })
    const conditions = { attribute: '$now', operator: 'after', value: new Date(at + 60_000).toISOString() }
    await addRule(service, timed.development, {
      ...{ type: 'TARGETED_DELIVERY', name: 'Later', variationKey: 'on', conditions },
    })
    await succeed(service, 'POST', `${timed.development}/run`)
    const headers = { 'x-api-key': project.development.sdkKey }
    const first = await call(all, { context: {} }, headers)
    const known = { ...headers, 'if-none-match': String(first.headers.etag) }
    expect((await call(all, { context: {} }, known)).status).toBe(304)
    at += 120_000
    const later = await call(all, { context: {} }, known)
    expect(later.body.flags).toContainEqual(expect.objectContaining({ key: 'timed', value: true }))
  })

  test('waits for the revision that a client has heard of from a different node', async () => {
    if (service.database.kind === 'embedded') return
    const other = await joinTestService(service)
    try {
      const before = (await call(all, { context: {} }, {}, other)).body.metadata.version
      await succeed(service, 'PATCH', checkout.production, { defaultVariationId: checkout.ids.off })
      at += 1_000
      await publish(service, project)
      const { dataFile } = await succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)
      const query = new URLSearchParams({
        flagConfigEtag: dataFile.etag,
        flagConfigLastModified: String(Math.floor(Date.parse(dataFile.publishedAt) / 1000)),
      })
      const answer = await call(`${all}?${query}`, { context: {} }, {}, other)
      expect(answer.body.metadata.version).toBe(String(dataFile.revision))
      expect(answer.body.metadata.version).not.toBe(before)
    } finally {
      await other.close()
    }
  })
})

describe('what cannot be answered has an error of the protocol', () => {
  const key = 'checkout'
  test.each([
    ['an unknown flag', 404, `${all}/none`, { context: {} }, {}, { key: 'none', errorCode: 'FLAG_NOT_FOUND' }],
    ['an archived flag', 404, `${all}/old`, { context: {} }, {}, { key: 'old', errorCode: 'FLAG_NOT_FOUND' }],
    ['an inherited name', 404, `${all}/__proto__`, { context: {} }, {}, { errorCode: 'FLAG_NOT_FOUND' }],
    ['no body', 400, `${all}/${key}`, undefined, {}, { key, errorCode: 'PARSE_ERROR' }],
    ['a slash at the end', 400, `${all}/${key}/`, {}, {}, { key, errorCode: 'PARSE_ERROR' }],
    ['no JSON', 400, `${all}/${key}`, '{', {}, { key, errorCode: 'PARSE_ERROR' }],
    ['no context', 400, `${all}/${key}`, {}, {}, { key, errorCode: 'PARSE_ERROR' }],
    ['a context that is a list', 400, `${all}/${key}`, { context: [] }, {}, { key, errorCode: 'INVALID_CONTEXT' }],
    ['no context for all', 400, all, {}, {}, { errorCode: 'PARSE_ERROR' }],
    ['a number as targeting key', 400, all, { context: { targetingKey: 1 } }, {}, { errorCode: 'INVALID_CONTEXT' }],
    [
      'a text that cannot be stored',
      400,
      all,
      { context: { name: '\0' } },
      {},
      { errorCode: 'PARSE_ERROR', errorDetails: 'context.name must not contain the NUL character.' },
    ],
    ['no key', 401, all, { context: {} }, { 'x-api-key': '' }, { errorCode: 'GENERAL' }],
    [
      'an unknown key',
      401,
      `${all}/${key}`,
      { context: {} },
      { 'x-api-key': 'sdk_none' },
      { key, errorCode: 'GENERAL' },
    ],
    [
      'plain text',
      415,
      all,
      '{"context":{}}',
      { 'content-type': 'text/plain' },
      { errorCode: 'GENERAL', errorDetails: 'Send application/json, not text/plain.' },
    ],
    [
      'a large body',
      413,
      all,
      { context: { a: 'x'.repeat(65_536) } },
      {},
      { errorCode: 'GENERAL', errorDetails: 'The body is larger than 64 KiB.' },
    ],
  ])('%s: %i', async (_about, status, path, body, headers, failure) => {
    const answer = await call(path, body, headers)
    expect([answer.status, answer.body]).toEqual([
      status,
      { errorDetails: expect.stringMatching(/./), ...failure, ...(path.includes('__proto__') && { key: '__proto__' }) },
    ])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
  })

  test('an API token is no key of an environment', async () => {
    const answer = await service.call(service.people.admin, 'POST', all, { context: {} })
    expect([answer.status, answer.body.errorCode]).toEqual([401, 'GENERAL'])
  })

  test('pages of any origin can send the headers of the protocol', async () => {
    const answer = await service.call(null, 'OPTIONS', `${all}/${key}`)
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization, X-API-Key, Content-Type, If-None-Match',
      'access-control-max-age': '86400',
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('too many evaluations of a key are refused, and those of a different key are not', async () => {
    const statuses: number[] = []
    let last = await one('banner', {})
    for (let count = 0; count < perMinute && last.status === 200; count += 1) {
      last = await one('banner', {})
      statuses.push(last.status)
    }
    expect(last.status).toBe(429)
    expect(last.body).toMatchObject({ key: 'banner', errorCode: 'GENERAL' })
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect((await one('banner', {}, { 'x-api-key': project.development.sdkKey })).status).toBe(200)
  })
})
