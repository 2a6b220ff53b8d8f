import type { EvaluationContext } from '@openfeature/core'
import type { Rule } from '@svc/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { openFeatureOfTest, sdks } from '../test/openfeature.ts'
import { answerNever, answerStatus, answerWith } from '../test/service.ts'
import { createClient } from './client.ts'
import { withTexts } from './openfeature/answer.ts'
import { createProviderEvents } from './openfeature/events.ts'
import { linkTo } from './openfeature/link.ts'
import { SvcServerProvider } from './openfeature.ts'

const soon = { interval: 2 }
const offline = { sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', offline: true }
const quiet = { warn: () => {} }
const when = (attribute: string, value: unknown) => ({ attribute, operator: 'equals', value }) as Rule['when']
const delivery = (changes: Partial<Rule> = {}) =>
  ({ id: '3', type: 'TARGETED_DELIVERY', salt: 's', variation: 'on', ...changes }) as Rule
const split = delivery({ type: 'AB_TEST', split: [{ variation: 'on', end: 10_000 }] } as Partial<Rule>)

/** A link to a client that holds these flags, for what needs no SDK. */
function linked(flags: Parameters<typeof datafileOf>[1]) {
  const client = createClient({ ...offline, bootstrap: datafileOf(7, flags) })
  onTestFinished(() => client.close())
  const link = linkTo(client)
  return (key: string, context: EvaluationContext = {}) => link.resolve(key, false, false, context)
}

describe('an answer', () => {
  const visitor = { targetingKey: 'u-17' }
  it.each([
    { name: 'a flag without rules', flag: flagOf(false), reason: 'STATIC', svcReason: 'DEFAULT' },
    { name: 'a paused flag', flag: flagOf(false, { enabled: false, rules: [split] }), reason: 'DISABLED' },
    {
      name: 'an allowlist',
      flag: flagOf(false, { overrides: { 'u-17': 'on' } }),
      reason: 'TARGETING_MATCH',
      svcReason: 'OVERRIDE',
    },
    { name: 'nobody of an allowlist', flag: flagOf(false, { overrides: { 'u-1': 'on' } }), reason: 'DEFAULT' },
    { name: 'a rollout', flag: flagOf(false, { rules: [delivery()] }), reason: 'TARGETING_MATCH', ruleId: '3' },
    { name: 'a test', flag: flagOf(false, { rules: [split] }), reason: 'SPLIT', ruleId: '3' },
    {
      name: 'a rule that misses',
      flag: flagOf(false, { rules: [delivery({ when: when('plan', 'pro')! })] }),
      reason: 'DEFAULT',
    },
    {
      name: 'no unit',
      flag: flagOf(false, { rules: [delivery({ bucketBy: ['account'], traffic: 1 })] }),
      reason: 'DEFAULT',
      svcReason: 'UNIT_MISSING',
    },
  ])('for $name says why', ({ flag, reason, svcReason = reason, ruleId }) => {
    const isOn = reason === 'TARGETING_MATCH' || reason === 'SPLIT'
    expect(linked({ flag })('flag', visitor)).toEqual({
      ...{ value: isOn, variant: isOn ? 'on' : 'off', reason },
      flagMetadata: { flagSetId: 'e-1', version: '7', svcReason, ...(ruleId && { ruleId }) },
    })
  })

  it('without a value is the default of the code, with the code and a message', () => {
    const ask = linked({ text: flagOf('a'), broken: flagOf(true, { defaultVariation: 'none' }) })
    const codes = ['none', 'text', 'broken'].map((key) => ask(key))
    expect(codes).toMatchObject([
      { value: false, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND', errorMessage: 'flag none: FLAG_NOT_FOUND' },
      {
        value: false,
        reason: 'ERROR',
        errorCode: 'TYPE_MISMATCH',
        errorMessage: 'flag text: TYPE_MISMATCH',
      },
      { value: false, reason: 'ERROR', errorCode: 'PARSE_ERROR' },
    ])
    expect(codes[0]).toMatchObject({ flagMetadata: { flagSetId: 'e-1', version: '7', svcReason: 'ERROR' } })
    const client = createClient(offline)
    expect(linkTo(client).resolve('flag', true, false, {})).toEqual({
      ...{ value: true, reason: 'ERROR', errorCode: 'PROVIDER_NOT_READY' },
      errorMessage: 'flag flag: NOT_READY',
      flagMetadata: { svcReason: 'ERROR' },
    })
  })

  it('has the type that was asked for, whatever the default of the code is', () => {
    const client = createClient({ ...offline, bootstrap: datafileOf(1, { size: flagOf(5), theme: flagOf({ a: 1 }) }) })
    const link = linkTo(client)
    expect(link.resolve('theme', 5, {}, {})).toMatchObject({ value: { a: 1 }, reason: 'STATIC' })
    expect(link.resolve<unknown>('size', undefined, 0, {})).toMatchObject({ value: 5 })
    expect(link.resolve<unknown>('theme', { b: 1 }, 0, {})).toMatchObject({
      errorCode: 'TYPE_MISMATCH',
      value: { b: 1 },
    })
  })

  it('reads nested attributes by their path, and dates as text', () => {
    const born = '2026-11-20T10:00:00.000Z'
    const ask = linked({
      nested: flagOf(false, { rules: [delivery({ when: when('account.plan', 'pro')! })] }),
      dated: flagOf(false, { rules: [delivery({ when: when('account.born', born)! })] }),
    })
    const context = { account: { plan: 'pro', born: new Date(born) } }
    expect([ask('nested', context).value, ask('dated', context).value]).toEqual([true, true])
    expect([ask('nested').value, ask('dated', { account: { born: new Date(0) } }).value]).toEqual([false, false])
  })
})

describe('the texts of dates', () => {
  it('leave a context without dates as it is', () => {
    const context = { targetingKey: 'u', account: { plan: 'pro' }, none: null }
    expect(withTexts(context)).toBe(context)
  })

  it('are found in objects and lists, and never change what was given', () => {
    const day = new Date('2026-11-20T00:00:00Z')
    const context = Object.freeze({ at: day, list: [day, { day }], never: new Date(Number.NaN) })
    const text = day.toISOString()
    expect(withTexts(context)).toEqual({ at: text, list: [text, { day: text }], never: null })
    expect(context.at).toBe(day)
  })

  it('end for a context that contains itself', () => {
    const context: Record<string, unknown> = { day: new Date(0) }
    context.self = context
    expect(withTexts(context).day).toBe('1970-01-01T00:00:00.000Z')
  })
})

describe('the emitter', () => {
  it('calls the handlers of an event, also when one of them fails, and forgets removed ones', async () => {
    const events = createProviderEvents()
    const told: unknown[] = []
    const errors: unknown[] = []
    const note = (details: unknown) => told.push(details)
    const [ready, stale] = ['PROVIDER_READY', 'PROVIDER_STALE'] as never[]
    const logger = { error: (...all: unknown[]) => errors.push(all), warn() {}, info() {}, debug() {} }
    expect(events.setLogger(logger)).toBe(events)
    events.addHandler(ready!, () => {
      throw new Error('one')
    })
    events.addHandler(ready!, async () => Promise.reject(new Error('two')))
    events.addHandler(ready!, note)
    events.addHandler(stale!, note)
    events.emit(ready!, { message: 'a' })
    await expect.poll(() => errors.length, soon).toBe(2)
    expect(told).toEqual([{ message: 'a' }])
    expect(events.getHandlers(stale!)).toEqual([note])
    events.removeHandler(ready!, note)
    events.emit(ready!)
    events.emit(stale!, { message: 'b' })
    events.removeAllHandlers(stale!)
    expect([events.getHandlers(ready!).length, events.getHandlers(stale!).length]).toEqual([2, 0])
    events.removeAllHandlers()
    events.emit(ready!)
    expect(told).toEqual([{ message: 'a' }, { message: 'b' }])
  })
})

it('options are checked when the provider is made', () => {
  expect(() => new SvcServerProvider({ sdkKey: '', baseUrl: 'http://127.0.0.1:9' })).toThrow(TypeError)
})

describe.each(sdks)('with @openfeature/$name', (sdk) => {
  const flags = {
    checkout: flagOf(true),
    copy: flagOf('Pay'),
    size: flagOf(0),
    theme: flagOf({ sizes: [1, 2] }),
    plan: flagOf(false, { rules: [delivery({ when: when('plan', 'pro')! })] }),
    test: flagOf(false, { rules: [split] }),
  }
  const first = datafileOf(5, flags)

  it('values of every type arrive, with variant, reason and metadata', async () => {
    const service = await serviceOfTest(answerWith(first))
    const { start, details, status, client } = openFeatureOfTest(sdk)
    expect((await start({ sdkKey: 'sdk_1', baseUrl: service.baseUrl })).failure).toBeUndefined()
    expect([status(), client.metadata.providerMetadata.name]).toEqual(['READY', 'svc'])
    expect(await details('Boolean', 'checkout', false)).toEqual({
      ...{ flagKey: 'checkout', value: true, variant: 'on', reason: 'STATIC' },
      flagMetadata: { flagSetId: 'e-1', version: '5', svcReason: 'DEFAULT' },
    })
    expect(await details('String', 'copy', '')).toMatchObject({ value: 'Pay', variant: 'a' })
    expect(await details('Number', 'size', 7)).toMatchObject({ value: 0, reason: 'STATIC' })
    expect(await details('Object', 'theme', {})).toMatchObject({ value: { sizes: [1, 2] } })
    expect(await details('Boolean', 'plan', false, { plan: 'pro' })).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
    })
    expect(await details('Boolean', 'plan', true, { plan: 'free' })).toMatchObject({ value: false, reason: 'DEFAULT' })
    expect(await details('Boolean', 'none', true)).toMatchObject({
      ...{ value: true, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' },
      flagMetadata: { svcReason: 'ERROR' },
    })
  })

  it('an unknown SDK key is fatal', async () => {
    const service = await serviceOfTest(answerStatus(404))
    const { start, status, details } = openFeatureOfTest(sdk)
    const { failure } = await start({ sdkKey: 'sdk_none', baseUrl: service.baseUrl, logger: quiet })
    expect([failure?.message, status()]).toEqual([
      `Svc: ${service.baseUrl}/api/sdk/v1/datafile/sdk_none.json: HTTP 404, is the SDK key right?`,
      'FATAL',
    ])
    expect(await details('Boolean', 'checkout', true)).toMatchObject({ value: true, errorCode: 'PROVIDER_FATAL' })
  })

  it('without a data file in time the start fails, and a later file makes it ready', async () => {
    const service = await serviceOfTest(answerStatus(503))
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl })
    const { start, status, heard, details } = openFeatureOfTest(sdk)
    const errors = heard('PROVIDER_ERROR')
    const started = start(client)
    await expect.poll(() => service.requests.length, soon).toBe(1)
    await client.refresh()
    time.advance(5_000)
    expect((await started).failure?.message).toBe('Svc: no data file within 5000 ms')
    expect([status(), errors.length]).toEqual(['ERROR', 1])
    const readies = heard('PROVIDER_READY')
    expect(await details('Boolean', 'checkout', false)).toMatchObject({ value: false, errorCode: 'PROVIDER_NOT_READY' })
    service.answer = answerWith(first)
    await client.refresh()
    await expect.poll(() => status(), soon).toBe('READY')
    expect(await details('Boolean', 'checkout', false)).toMatchObject({ value: true })
    await expect.poll(() => readies.length, soon).toBe(1)
    expect(errors).toHaveLength(1)
  })

  it('an offline client without a file fails at once', async () => {
    const { start, status } = openFeatureOfTest(sdk)
    const { failure } = await start({ ...offline, readyTimeoutMs: 60_000 })
    expect([failure?.message, status()]).toEqual(['Svc: no data file within 60000 ms', 'ERROR'])
  })

  it('changes are announced with the flags, an outage as stale, its end as ready', async () => {
    const service = await serviceOfTest(answerWith(first))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    const { start, status, heard, details } = openFeatureOfTest(sdk)
    const [changes, stales] = [heard('PROVIDER_CONFIGURATION_CHANGED'), heard('PROVIDER_STALE')]
    await start(client)
    // The first request may still be under way, and another call would join it.
    await client.refresh()
    service.answer = answerStatus(503)
    await client.refresh()
    await expect.poll(() => status(), soon).toBe('STALE')
    expect(await details('Boolean', 'checkout', false)).toMatchObject({ value: true, reason: 'STATIC' })
    service.answer = answerWith(datafileOf(6, { ...flags, checkout: flagOf(false) }))
    await client.refresh()
    await expect.poll(() => status(), soon).toBe('READY')
    expect(await details('Boolean', 'checkout', true)).toMatchObject({ value: false, flagMetadata: { version: '6' } })
    await expect.poll(() => changes, soon).toMatchObject([{ flagsChanged: ['checkout'], providerName: 'svc' }])
    expect(stales).toHaveLength(1)
  })

  it('a file from a store is stale until the service has confirmed it', async () => {
    const service = await serviceOfTest(answerStatus(503))
    const store = (host: Parameters<NonNullable<Parameters<typeof createClient>[0]['store']>>[0]) => ({
      recalled: Promise.resolve(host.restore(JSON.stringify(first))),
      keep() {},
    })
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store })
    const { start, status } = openFeatureOfTest(sdk)
    expect((await start(client)).failure).toBeUndefined()
    await expect.poll(() => status(), soon).toBe('STALE')
    await client.refresh()
    service.answer = answerWith(first)
    await client.refresh()
    await expect.poll(() => status(), soon).toBe('READY')
  })

  it('exposures and tracked events are sent when the provider is closed', async () => {
    const service = await serviceOfTest(answerWith(first))
    const { start, details, track } = openFeatureOfTest(sdk)
    const { provider } = await start({ sdkKey: 'sdk_1', baseUrl: service.baseUrl })
    const visitor = { targetingKey: 'u-17', born: new Date(0) }
    expect(await details('Boolean', 'test', false, visitor)).toMatchObject({ value: true, reason: 'SPLIT' })
    await track('order_paid', visitor, { value: 49.9, currency: 'EUR', at: new Date(0) })
    await track('seen', visitor)
    await provider.onClose()
    expect(service.events.flatMap(({ events }) => events)).toMatchObject([
      { type: 'exposure', unit: 'u-17', flagKey: 'test', ruleId: '3', variationKey: 'on' },
      {
        type: 'track',
        unit: 'u-17',
        eventKey: 'order_paid',
        value: 49.9,
        properties: { currency: 'EUR', at: '1970-01-01T00:00:00.000Z' },
      },
      { type: 'track', unit: 'u-17', eventKey: 'seen', properties: {} },
    ])
  })

  it('a client that was handed in stays open, and an own one is closed and made again', async () => {
    const service = await serviceOfTest(answerWith(first))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    const { start, heard } = openFeatureOfTest(sdk)
    const changes = heard('PROVIDER_CONFIGURATION_CHANGED')
    const { provider } = await start(client)
    await provider.onClose()
    await client.refresh()
    expect(client.status).toBe('ready')
    service.answer = answerWith(datafileOf(6, {}))
    await client.refresh()
    expect([client.revision, changes]).toEqual([6, []])

    const own = sdk.providerOf({ sdkKey: 'sdk_1', baseUrl: service.baseUrl, pollIntervalMs: 1_000 })
    await own.initialize()
    await own.onClose()
    await own.onClose()
    const sent = service.requests.length
    await own.initialize()
    expect(service.requests.length).toBe(sent + 1)
    expect(await own.resolveBooleanEvaluation('none', true, {})).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
    await own.onClose()
  })
})

it('a provider that is closed while it starts tells nothing afterwards', async () => {
  const service = await serviceOfTest(answerNever)
  const provider = new SvcServerProvider({ sdkKey: 'sdk_1', baseUrl: service.baseUrl, logger: quiet })
  const told: string[] = []
  for (const event of ['PROVIDER_READY', 'PROVIDER_ERROR', 'PROVIDER_STALE'])
    provider.events.addHandler(event as never, () => told.push(event))
  const started = provider.initialize()
  await provider.onClose()
  await expect(started).rejects.toThrow('no data file')
  // What it would tell, it tells in a turn of its own, which comes before this one.
  await new Promise((done) => setTimeout(done))
  expect(told).toEqual([])
})

it('a changed context does not hide from the web SDK that the provider is stale or failed', async () => {
  const service = await serviceOfTest(answerWith(datafileOf(5, { checkout: flagOf(true) })))
  const { client } = clientOfTest({ baseUrl: service.baseUrl })
  const { start, status, details } = openFeatureOfTest(sdks[1])
  await start(client)
  await client.refresh()
  service.answer = answerStatus(503)
  await client.refresh()
  await expect.poll(() => status(), soon).toBe('STALE')
  expect(await details('Boolean', 'checkout', false, { plan: 'pro' })).toMatchObject({ value: true })
  await expect.poll(() => status(), soon).toBe('STALE')

  const failed = openFeatureOfTest(sdks[1])
  await failed.start(offline)
  await failed.details('Boolean', 'checkout', false, { plan: 'pro' })
  await expect.poll(() => failed.status(), soon).toBe('ERROR')
})
