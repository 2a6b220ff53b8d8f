// The scenarios of the specification's Appendix F for providers, under its titles. Those with `@disabled-flags` are left
// out: they ask for the default of the code, and a paused flag of ours serves its own.
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOfTest, serviceOfTest } from '../../test/client.ts'
import { datafileOf } from '../../test/datafile.ts'
import type { FlagKind, Sdk } from '../../test/openfeature.ts'
import { openFeatureOfTest, sdks } from '../../test/openfeature.ts'
import { flagsOfAppendixF, pictures, uuidOfHit, variedFlag } from '../../test/scenario-flags.ts'
import { answerStatus, answerWith } from '../../test/service.ts'

const soon = { interval: 2 }
const file = datafileOf(5, flagsOfAppendixF)
const uuidOfMiss = 'f20bd32d-703b-48b6-bc8e-79d53c85134a'
const logger = { warn() {} }

/** A provider that has its flags from a service, over HTTP. */
async function stable(sdk: Sdk) {
  const service = await serviceOfTest(answerWith(file))
  const { client } = clientOfTest({ baseUrl: service.baseUrl })
  const asked = openFeatureOfTest(sdk)
  const { provider, failure } = await asked.start(client)
  expect(failure).toBeUndefined()
  // The first request has ended: the next one is a new one.
  await client.refresh()
  return { ...asked, service, client, provider }
}

/** A provider whose service does not answer: nobody listens at its address. */
async function unavailable(sdk: Sdk) {
  const service = await serviceOfTest(answerStatus(503))
  await service.close()
  const asked = openFeatureOfTest(sdk)
  const errors = asked.heard('PROVIDER_ERROR')
  const options = { sdkKey: 'sdk_1', baseUrl: service.baseUrl, readyTimeoutMs: 100, logger }
  const { provider } = await asked.start(options)
  onTestFinished(() => provider.onClose())
  return { ...asked, provider, errors }
}

describe.each(sdks)('Provider flag evaluation with @openfeature/$name', (sdk) => {
  const basic: [FlagKind, string, unknown, unknown, string][] = [
    ['Boolean', 'boolean-flag', false, true, 'on'],
    ['String', 'string-flag', 'bye', 'hi', 'greeting'],
    ['Number', 'integer-flag', 1, 10, 'ten'],
    ['Number', 'float-flag', 0.1, 0.5, 'half'],
  ]
  const falsy: [FlagKind, string, unknown, unknown, string][] = [
    ['Boolean', 'boolean-zero-flag', true, false, 'zero'],
    ['Number', 'integer-zero-flag', 1, 0, 'zero'],
    ['String', 'string-zero-flag', 'fallback', '', 'zero'],
  ]
  /** Evaluates a flag. There must be no error. */
  const resolved = async (kind: FlagKind, key: string, defaultValue: unknown, targetingKey?: string) => {
    const { details } = await stable(sdk)
    const found = await details(kind, key, defaultValue, targetingKey ? { targetingKey } : undefined)
    expect([found.errorCode, found.errorMessage]).toEqual([undefined, undefined])
    return found
  }

  it.each(basic)('Resolve values with reason: %s %s', async (kind, key, defaultValue, value) => {
    expect(await resolved(kind, key, defaultValue)).toMatchObject({ value, reason: 'STATIC' })
  })

  it.each(falsy)('A falsy value is a value, not an absence: %s %s', async (kind, key, defaultValue, value) => {
    expect(await resolved(kind, key, defaultValue)).toMatchObject({ value, reason: 'STATIC' })
  })

  it.each([...basic, ...falsy, ['Number', 'large-integer-flag', 1, 2_147_483_647, 'max-int32'] as const])(
    'The resolved details name the variant: %s %s',
    async (kind, key, defaultValue, _value, variant) => {
      expect((await resolved(kind, key, defaultValue)).variant).toBe(variant)
    },
  )

  it.each([
    ['A large integer resolves without loss of precision', 'large-integer-flag', 2_147_483_647],
    ['An integer beyond 32 bits resolves without loss of precision', 'huge-integer-flag', 9_007_199_254_740_991],
    ['An integer flag resolves as an integer', 'integer-flag', 10],
    ['A float flag resolves as a float', 'float-flag', 0.5],
  ])('%s', async (_title, key, value) => {
    expect(await resolved('Number', key, 1)).toMatchObject({ value, reason: 'STATIC' })
  })

  it('Resolve a structured value', async () => {
    expect(await resolved('Object', 'object-flag', {})).toMatchObject({ value: pictures, reason: 'STATIC' })
  })

  it('Supplying an evaluation context does not disturb an untargeted resolution', async () => {
    expect((await resolved('String', 'string-flag', 'bye', uuidOfMiss)).value).toBe('hi')
  })

  it.each([
    ['A matching evaluation context resolves the targeted variant', uuidOfHit, 'hit'],
    ['A non-matching evaluation context resolves the default variant', uuidOfMiss, 'miss'],
    ['No evaluation context resolves the default variant', undefined, 'miss'],
  ])('%s', async (_title, targetingKey, value) => {
    expect((await resolved('String', 'targeting-key-flag', 'fallback', targetingKey)).value).toBe(value)
  })
})

describe.each(sdks)('Provider error handling with @openfeature/$name', (sdk) => {
  const failed = async (kind: FlagKind, key: string, defaultValue: unknown) => {
    const { details } = await stable(sdk)
    const found = await details(kind, key, defaultValue)
    expect(found).toMatchObject({ value: defaultValue, reason: 'ERROR' })
    return found.errorCode
  }

  it.each<[string, FlagKind, unknown]>([
    ['string-flag', 'Boolean', false],
    ['string-flag', 'Number', 1],
    ['string-flag', 'Number', 0.1],
    ['wrong-flag', 'Boolean', false],
    ['boolean-flag', 'Number', 1],
    ['boolean-flag', 'Number', 0.1],
    ['integer-flag', 'Boolean', false],
    ['float-flag', 'Boolean', false],
  ])('Requesting the wrong type returns the code default: %s as %s, %j', async (key, kind, defaultValue) => {
    expect(await failed(kind, key, defaultValue)).toBe('TYPE_MISMATCH')
  })

  it.each<[FlagKind, unknown]>([
    ['Boolean', false],
    ['Number', 1],
    ['Number', 0.1],
  ])('Requesting a structured flag as a scalar returns the code default: %s %j', async (kind, defaultValue) => {
    expect(await failed(kind, 'object-flag', defaultValue)).toBe('TYPE_MISMATCH')
  })

  // JavaScript has one type of number, so the value arrives as it is.
  it.each([
    ['A float flag is not silently narrowed to an integer', 'float-flag', 0.5],
    ['An integral float requested as an integer is coerced without loss', 'integral-float-flag', 10],
    ['An integer requested as a float is widened without loss', 'integer-flag', 10],
  ])('%s', async (_title, key, value) => {
    const { details } = await stable(sdk)
    expect(await details('Number', key, 1)).toMatchObject({ value, reason: 'STATIC' })
  })

  it.each([
    ['A non-string flag is not returned as its string representation: boolean', 'boolean-flag'],
    ['A non-string flag is not returned as its string representation: integer', 'integer-flag'],
    ['A float flag is not returned as its string representation', 'float-flag'],
    ['A structured flag is not returned as its JSON text', 'object-flag'],
  ])('%s', async (_title, key) => {
    expect(await failed('String', key, 'fallback')).toBe('TYPE_MISMATCH')
  })

  it('An unknown flag key returns the code default', async () => {
    expect(await failed('String', 'missing-flag', 'fallback')).toBe('FLAG_NOT_FOUND')
  })
})

describe.each(sdks)('Provider events with @openfeature/$name', (sdk) => {
  it('A configuration change is signalled and applied', async () => {
    const { heard, details, service, client } = await stable(sdk)
    const changes = heard('PROVIDER_CONFIGURATION_CHANGED')
    expect((await details('String', 'changing-flag', 'unset')).value).toBe('foo')
    const flags = { ...flagsOfAppendixF, 'changing-flag': variedFlag({ bar: 'bar', foo: 'foo' }) }
    service.answer = answerWith(datafileOf(6, flags))
    await client.refresh()
    await expect.poll(() => changes, soon).toMatchObject([{ flagsChanged: ['changing-flag'] }])
    expect((await details('String', 'changing-flag', 'unset')).value).toBe('bar')
  })

  it('Losing the backend makes the provider stale, regaining it makes it ready again', async () => {
    const { heard, status, service, client } = await stable(sdk)
    const [readies, stales] = [heard('PROVIDER_READY'), heard('PROVIDER_STALE')]
    await expect.poll(() => readies.length, soon).toBe(1)
    service.answer = (request) => request.socket.destroy()
    await client.refresh()
    await expect.poll(() => [stales.length, status()], soon).toEqual([1, 'STALE'])
    service.answer = answerWith(file)
    await client.refresh()
    await expect.poll(() => [readies.length, status()], soon).toEqual([2, 'READY'])
  })
})

describe.each(sdks)('Provider lifecycle with @openfeature/$name', (sdk) => {
  it('A provider that successfully initializes becomes ready', async () => {
    const { heard, status, service } = await stable(sdk)
    await expect.poll(() => heard('PROVIDER_READY').length, soon).toBe(1)
    expect([status(), service.requests.length > 0]).toEqual(['READY', true])
  })

  it('A provider that cannot reach its backend reports an error', async () => {
    const { errors, status } = await unavailable(sdk)
    await expect.poll(() => errors, soon).toMatchObject([{ message: 'Svc: no data file within 100 ms' }])
    expect(status()).toBe('ERROR')
  })

  it('A provider that cannot reach its backend still returns code defaults', async () => {
    const { details } = await unavailable(sdk)
    expect(await details('Boolean', 'boolean-flag', false)).toMatchObject({ value: false, reason: 'ERROR' })
  })

  it('Shutting down a provider twice has no further effect', async () => {
    const { provider, client } = await stable(sdk)
    await provider.onClose()
    await provider.onClose()
    expect(client.status).toBe('ready')
  })

  it('A provider that was shut down can be initialized again', async () => {
    const service = await serviceOfTest(answerWith(file))
    const provider = sdk.providerOf({ sdkKey: 'sdk_1', baseUrl: service.baseUrl })
    onTestFinished(() => provider.onClose())
    await provider.initialize()
    await provider.onClose()
    await provider.initialize()
    expect(await provider.resolveBooleanEvaluation('boolean-flag', false, {})).toMatchObject({
      ...{ value: true, reason: 'STATIC' },
    })
  })

  it('Shutting down a provider that cannot reach its backend completes promptly', async () => {
    const { provider, errors } = await unavailable(sdk)
    await expect.poll(() => errors.length, soon).toBe(1)
    // The limit of the test is the limit of the scenario: 10 s.
    expect(await provider.onClose()).toBeUndefined()
  }, 10_000)
})

describe.each(sdks)('Provider metadata with @openfeature/$name', (sdk) => {
  it('A provider identifies itself by name', async () => {
    const { provider } = await stable(sdk)
    expect(provider.metadata.name).toBe('svc')
  })
})

describe.each(sdks)('Provider resolution reasons with @openfeature/$name', (sdk) => {
  const reasonOf = async (kind: FlagKind, key: string, defaultValue: unknown, targetingKey?: string) => {
    const { details } = await stable(sdk)
    const { reason, errorCode } = await details(kind, key, defaultValue, targetingKey ? { targetingKey } : undefined)
    return [reason, errorCode]
  }

  it.each<[FlagKind, string, unknown]>([
    ['Boolean', 'boolean-flag', false],
    ['String', 'string-flag', 'bye'],
    ['Number', 'integer-flag', 1],
    ['Number', 'float-flag', 0.1],
  ])('A flag with no targeting rules resolves statically: %s %s', async (kind, key, defaultValue) => {
    expect(await reasonOf(kind, key, defaultValue)).toEqual(['STATIC', undefined])
  })

  it('An unknown flag reports an error', async () => {
    expect(await reasonOf('String', 'missing-flag', 'fallback')).toEqual(['ERROR', 'FLAG_NOT_FOUND'])
  })

  it('A type mismatch reports an error', async () => {
    expect(await reasonOf('String', 'boolean-flag', 'fallback')).toEqual(['ERROR', 'TYPE_MISMATCH'])
  })

  it.each([
    ['A matching targeting rule reports a targeting match', uuidOfHit, 'TARGETING_MATCH'],
    ['A targeting rule that does not match reports the default', uuidOfMiss, 'DEFAULT'],
  ])('%s', async (_title, targetingKey, reason) => {
    expect(await reasonOf('String', 'targeting-key-flag', 'fallback', targetingKey)).toEqual([reason, undefined])
  })
})
