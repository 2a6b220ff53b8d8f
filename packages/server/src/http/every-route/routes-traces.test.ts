import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abTest, addRule, newFlag, publish, succeed } from '../../../testing/flags.ts'
import { inFull } from '../../../testing/in-full.ts'
import { createProject, startTestService, type TestProject } from '../../../testing/service.ts'
import { type CollectedSpan, type Collector, startCollector } from '../../../testing/vendors/collector.ts'
import { deliver, newWebhook, startWebhookTest, type WebhookTest } from '../../../testing/webhooks.ts'

const callersTrace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${callersTrace.traceId}-${callersTrace.spanId}-01`
const visitor = 'visitor-4711'
const secretValue = 'value-0815'

let collector: Collector
let on: WebhookTest
let project: TestProject
let organizationId: string
let flagId: string
let requestId: unknown

const named = (name: string) => collector.spans.filter((span) => span.name === name)
const childrenOf = ({ spanId }: CollectedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)

/** Does everything that makes spans, and stops the service, which sends those that wait. */
beforeAll(async () => {
  collector = await startCollector()
  on = await startWebhookTest({
    settings: {
      SVC_TELEMETRY_OTLP_URL: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=flags%20and%20tests',
    },
  })
  const { service } = on
  project = on.project
  const { people } = service
  organizationId = (await service.call(people.admin, 'GET', '/api/v1/me')).body.data.organization.id
  await newWebhook(on, { events: ['flag.published'] })
  const flag = await newFlag(service, project, {
    ...{ key: 'checkout', type: 'STRING', defaultVariationKey: 'off' },
    variations: ['on', 'off'].map((key) => ({ name: key, key, value: `${secretValue} ${key}` })),
  })
  flagId = flag.id
  await succeed(service, 'POST', `${flag.production}/run`)
  await deliver(on)
  on.receiver.received.splice(0)
  const rule = await addRule(service, flag.production, abTest('Test'))
  const published = await service.call(
    people.admin,
    'POST',
    `${project.path}/environments/${project.production.id}/publish`,
    undefined,
    { traceparent },
  )
  expect(published.status, published.text).toBe(200)
  requestId = published.headers['x-request-id']
  await deliver(on)
  const ofrep = { 'x-api-key': project.production.sdkKey, traceparent }
  const context = { targetingKey: visitor }
  for (const path of ['checkout', 'missing'])
    await service.call(null, 'POST', `/ofrep/v1/evaluate/flags/${path}`, { context }, ofrep)
  await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey: project.production.sdkKey, events: [] })
  await service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
  await succeed(service, 'POST', `${flag.path}/rules/${rule.id}/results/refresh`)
  for (const path of ['/healthz', '/readyz', '/nowhere']) await service.call(null, 'GET', path)
  await service.call(people.flagsRead, 'DELETE', flag.path)
  await service.close()
})
afterAll(() => collector.close())

describe('the collector', () => {
  test('gets protobuf at /v1/traces with the headers of the setting', () => {
    expect(collector.requests.length).toBeGreaterThan(0)
    for (const { url, headers } of collector.requests) {
      expect(url).toBe('/v1/traces')
      expect(headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'x-team': 'flags and tests' })
    }
  })

  test('knows the service and its version', () => {
    const [{ resource }] = collector.spans as [CollectedSpan]
    expect(resource).toEqual({ 'service.name': 'svc', 'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/) })
  })

  test('never gets visitors, values, keys or tokens', () => {
    const bytes = collector.bytes()
    const secrets = [visitor, secretValue, project.production.sdkKey, on.service.people.admin]
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([])
    expect(bytes.includes(flagId), 'ids in addresses').toBe(false)
  })
})

describe('a change', () => {
  const publishRoute = 'POST /api/v1/projects/:projectId/environments/:envId/publish'
  const request = () => named(publishRoute)[0]!
  const action = () => childrenOf(request()).find(({ name }) => name.startsWith('action'))!

  test('is a span of the request, in the trace of its caller', () => {
    expect(request()).toMatchObject({ kind: 2, traceId: callersTrace.traceId, parentSpanId: callersTrace.spanId })
    expect(request().attributes).toEqual({
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': publishRoute.slice('POST '.length),
      'http.response.status_code': 200,
      'svc.request_id': requestId,
      'svc.organization.id': organizationId,
      'svc.project.id': project.id,
    })
  })

  test('has the span of its transaction below it', () => {
    expect(action()).toMatchObject({ name: 'action environment.publish', kind: 1, status: 0 })
    expect(action().attributes).toEqual({ 'db.system.name': 'postgresql', 'svc.revision': expect.any(Number) })
    expect(action().durationMs).toBeLessThanOrEqual(request().durationMs)
  })

  test('has the span of the data file below the one of its transaction', () => {
    const files = childrenOf(action())
    expect(files.map(({ name }) => name)).toEqual(['datafile.publish'])
    expect(files[0]!.attributes).toEqual({
      'svc.environment.id': project.production.id,
      'svc.datafile.bytes': expect.any(Number),
    })
  })

  test('is linked from its deliveries, which are traces of their own', () => {
    const delivery = named('webhook.deliver').at(-1)
    expect(delivery).toMatchObject({ kind: 3, status: 0, parentSpanId: '' })
    expect(delivery!.links).toEqual([{ traceId: callersTrace.traceId, spanId: action().spanId }])
    expect(delivery!.attributes).toEqual({
      'svc.delivery.id': on.receiver.received.at(-1)!.headers['x-svc-delivery-id'],
      'svc.event': 'flag.published',
      'svc.attempt': 1,
    })
  })

  test('is not shown to receivers of webhooks', () => {
    for (const { headers, body } of on.receiver.received) {
      expect(Object.keys(headers).filter((name) => /trace|baggage/.test(name))).toEqual([])
      expect(body).not.toContain(callersTrace.traceId)
    }
  })

  test('makes only the span of the request if it is refused', () => {
    const [refused] = named('DELETE /api/v1/projects/:projectId/flags/:flagId')
    expect(refused).toMatchObject({ status: 0, attributes: { 'http.response.status_code': 403 } })
    expect(childrenOf(refused!)).toEqual([])
  })
})

describe('what SDKs and clients send', () => {
  test('begins a trace, whatever trace headers they send', () => {
    const [evaluation] = named('POST /ofrep/v1/evaluate/flags/:key')
    expect(evaluation!.parentSpanId).toBe('')
    expect(evaluation!.traceId).not.toBe(callersTrace.traceId)
  })

  test('evaluates flags: an event with the names of OpenTelemetry', () => {
    const events = named('POST /ofrep/v1/evaluate/flags/:key').map((span) => span.events)
    const common = {
      'feature_flag.provider.name': 'svc',
      'feature_flag.set.id': project.production.id,
      'feature_flag.version': expect.stringMatching(/^\d+$/),
    }
    const evaluated = {
      ...common,
      'feature_flag.key': 'checkout',
      'feature_flag.result.variant': expect.stringMatching(/^(on|off)$/),
      'feature_flag.result.reason': 'split',
    }
    const failed = {
      ...common,
      'feature_flag.key': 'missing',
      'feature_flag.result.reason': 'error',
      'error.type': 'flag_not_found',
    }
    expect(events).toEqual([
      [{ name: 'feature_flag.evaluation', attributes: evaluated }],
      [{ name: 'feature_flag.evaluation', attributes: failed }],
    ])
  })

  test('stores events', () => {
    const [request] = named('POST /api/sdk/v1/events')
    expect(childrenOf(request!).map(({ name, attributes }) => ({ name, attributes }))).toEqual([
      { name: 'events.ingest', attributes: { 'svc.environment.id': project.production.id } },
    ])
  })

  test('reads data files, with the name of the route alone', () => {
    const [request] = named('GET /api/sdk/v1/datafile/:file')
    expect(request!.attributes).toMatchObject({ 'http.response.status_code': 200 })
  })
})

test('a snapshot is a span below its request', () => {
  const [snapshot] = named('snapshot.make')
  const [request] = named('POST /api/v1/projects/:projectId/flags/:flagId/rules/:ruleId/results/refresh')
  expect(snapshot!.traceId).toBe(request!.traceId)
  expect(snapshot!.attributes).toEqual({ 'svc.environment.id': project.production.id })
})

test('probes make no spans, and spans of unknown addresses have no name', () => {
  expect(collector.spans.filter(({ name }) => /health|ready/.test(name))).toEqual([])
  expect(collector.spans.filter(({ name }) => name.includes('nowhere'))).toEqual([])
})

test('the sampler of the setting decides which traces are sent', async () => {
  const quiet = await startCollector()
  const settings = { SVC_TELEMETRY_OTLP_URL: quiet.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }
  const service = await startTestService({ settings })
  const me = (headers = {}) => service.call(service.people.admin, 'GET', '/api/v1/me', undefined, headers)
  await me()
  await me({ traceparent: traceparent.replace(/1$/, '0') })
  await me({ traceparent })
  await service.close()
  expect(quiet.spans.map(({ traceId }) => traceId)).toEqual([callersTrace.traceId])
  await quiet.close()
})

inFull('tracing/otlp')('a collector that does not answer harms neither requests nor the stop', async () => {
  const silent = await startCollector(() => 'never')
  const service = await startTestService({ settings: { SVC_TELEMETRY_OTLP_URL: silent.url } })
  const other = await createProject(service)
  await publish(service, other)
  await service.close()
  await expect.poll(() => silent.requests.length).toBeGreaterThan(0)
  await silent.close()
})
