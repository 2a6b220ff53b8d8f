// The scenarios of the specification's Appendix B, under its titles, with our provider. A page has one context, so the
// levels "transaction", "client" and "invocation" and the context of a hook exist on the server only.
import type { EvaluationContext, EvaluationContextValue } from '@openfeature/core'
import { AsyncLocalStorageTransactionContextPropagator, OpenFeature as OnServer } from '@openfeature/server-sdk'
import { OpenFeature as InPage } from '@openfeature/web-sdk'
import { describe, expect, it } from 'vitest'
import { clientOfTest, serviceOfTest } from '../../test/client.ts'
import { datafileOf, flagOf } from '../../test/datafile.ts'
import type { FlagKind, Hooks, Sdk } from '../../test/openfeature.ts'
import { openFeatureOfTest, sdks } from '../../test/openfeature.ts'
import { equalTo, flagsOfAppendixB, pictures, ruleFor, variedFlag } from '../../test/scenario-flags.ts'
import { answerNever, answerStatus, answerWith } from '../../test/service.ts'

type Row = [kind: FlagKind, key: string, defaultValue: unknown, value: unknown, variant: string]
type Level = 'API' | 'Transaction' | 'Client' | 'Invocation' | 'Before Hooks'

const soon = { interval: 2 }
const file = datafileOf(5, flagsOfAppendixB)
const offline = { sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', offline: true, logger: { warn() {} } }
const stable = { ...offline, bootstrap: file }
const ballmer = { email: 'ballmer@macrosoft.com' }

const plain: Row[] = [
  ['Boolean', 'boolean-flag', false, true, 'on'],
  ['String', 'string-flag', 'bye', 'hi', 'greeting'],
  ['Number', 'integer-flag', 1, 10, 'ten'],
  ['Number', 'float-flag', 0.1, 0.5, 'half'],
  ['Object', 'object-flag', {}, pictures, 'template'],
]
const falsy = (ending: string): Row[] => [
  ['Boolean', `boolean-${ending}`, true, false, 'zero'],
  ['String', `string-${ending}`, 'hi', '', 'zero'],
  ['Number', `integer-${ending}`, 1, 0, 'zero'],
  ['Number', `float-${ending}`, 0.1, 0, 'zero'],
  ['Object', `object-${ending}`, { a: 1 }, {}, 'zero'],
]
const targeted = falsy('targeted-zero-flag')

/** A provider in this state, and how to ask it. */
async function given(sdk: Sdk, state: 'stable' | 'not ready' | 'error' | 'fatal' | 'stale') {
  const asked = openFeatureOfTest(sdk)
  if (state === 'stable') await asked.start(stable)
  if (state === 'error') await asked.start(offline)
  if (state === 'not ready') {
    const service = await serviceOfTest(answerNever)
    // Its start does not end: the test's clock stands still.
    void asked.start(clientOfTest({ baseUrl: service.baseUrl }).client)
  }
  if (state === 'fatal') {
    const service = await serviceOfTest(answerStatus(404))
    await asked.start({ sdkKey: 'sdk_1', baseUrl: service.baseUrl, logger: { warn() {} } })
  }
  if (state === 'stale') {
    const service = await serviceOfTest(answerWith(file))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    await asked.start(client)
    await client.refresh()
    service.answer = answerStatus(503)
    await client.refresh()
    await expect.poll(() => asked.status(), soon).toBe('STALE')
  }
  return asked
}

const ready = (sdk: Sdk) => given(sdk, 'stable')

describe.each(sdks)('Flag evaluation with @openfeature/$name', (sdk) => {
  it.each([
    ['Resolves boolean value', ...plain[0]!],
    ['Resolves string value', ...plain[1]!],
    ['Resolves integer value', ...plain[2]!],
    ['Resolves float value', ...plain[3]!],
    ['Resolves object value', 'Object', 'object-flag', null, pictures, 'template'],
  ] as const)('%s', async (_title, kind, key, defaultValue, value, _variant) => {
    const { client, details } = await ready(sdk)
    const read = client[`get${kind}Value`] as (key: string, defaultValue: unknown) => unknown
    expect(await read.call(client, key, defaultValue)).toEqual(value)
    expect((await details(kind, key, defaultValue)).value).toEqual(value)
  })

  it.each([
    ['Resolves boolean details', ...plain[0]!],
    ['Resolves string details', ...plain[1]!],
    ['Resolves integer details', ...plain[2]!],
    ['Resolves float details', ...plain[3]!],
    ['Resolves object details', 'Object', 'object-flag', null, pictures, 'template'],
  ] as const)('%s', async (_title, kind, key, defaultValue, value, variant) => {
    const { details } = await ready(sdk)
    expect(await details(kind, key, defaultValue)).toMatchObject({ value, variant, reason: 'STATIC' })
  })

  it('Resolves based on context', async () => {
    const { details } = await ready(sdk)
    const context = { fn: 'Sulisław', ln: 'Świętopełk', age: 29, customer: false }
    expect((await details('String', 'context-aware', 'EXTERNAL', context)).value).toBe('INTERNAL')
    expect((await details('String', 'context-aware', 'EXTERNAL', {})).value).toBe('EXTERNAL')
  })

  it('Flag not found', async () => {
    const { details } = await ready(sdk)
    expect(await details('String', 'missing-flag', 'uh-oh')).toMatchObject({
      ...{ value: 'uh-oh', reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' },
    })
  })

  it('Type error', async () => {
    const { details } = await ready(sdk)
    expect(await details('Number', 'wrong-flag', 13)).toMatchObject({
      ...{ value: 13, reason: 'ERROR', errorCode: 'TYPE_MISMATCH' },
    })
  })
})

describe.each(sdks)('Flag Evaluations - Complete OpenFeature Specification Coverage with @openfeature/$name', (sdk) => {
  it.each(plain)('Resolve values: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    expect((await details(kind, key, defaultValue)).value).toEqual(value)
  })

  it.each(falsy('zero-flag'))('Resolves zero value: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    const found = await details(kind, key, defaultValue)
    expect([found.value, found.reason]).toEqual([value, 'STATIC'])
  })

  it.each(targeted)('Resolves zero value with targeting: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    const found = await details(kind, key, defaultValue, ballmer)
    expect([found.value, found.reason]).toEqual([value, 'TARGETING_MATCH'])
  })

  it.each(targeted)('Resolves zero value with targeting using default: %s %s', async (kind, key, otherwise, value) => {
    const { details } = await ready(sdk)
    const found = await details(kind, key, otherwise, { email: 'ballmer@none.com' })
    expect([found.value, found.reason]).toEqual([value, 'DEFAULT'])
  })

  const failing = async (kind: FlagKind, key: string, defaultValue: unknown, asked: ReturnType<typeof given>) => {
    const { value, reason, errorCode } = await (await asked).details(kind, key, defaultValue)
    expect([value, reason]).toEqual([defaultValue, 'ERROR'])
    return errorCode
  }
  const defaults: [FlagKind, unknown][] = [
    ['Boolean', false],
    ['String', 'bye'],
    ['Number', 1],
    ['Number', 0.1],
    ['Object', { a: 1 }],
  ]

  it.each(defaults)('Flag not found error: %s %j', async (kind, defaultValue) => {
    expect(await failing(kind, 'non-existent-flag', defaultValue, ready(sdk))).toBe('FLAG_NOT_FOUND')
  })

  it.each(defaults)('Type mismatch error: %s %j', async (kind, defaultValue) => {
    const key = kind === 'Boolean' ? 'string-flag' : 'boolean-flag'
    expect(await failing(kind, key, defaultValue, ready(sdk))).toBe('TYPE_MISMATCH')
  })

  const keys = ['boolean-flag', 'string-flag', 'integer-flag', 'float-flag', 'object-flag']
  const known = defaults.map(([kind, defaultValue], at) => [kind, keys[at]!, defaultValue] as const)

  it.each(known)('Provider not ready error: %s %s', async (kind, key, defaultValue) => {
    expect(await failing(kind, key, defaultValue, given(sdk, 'not ready'))).toBe('PROVIDER_NOT_READY')
  })

  it.each(known)('Provider in fatal state error: %s %s', async (kind, key, defaultValue) => {
    expect(await failing(kind, key, defaultValue, given(sdk, 'fatal'))).toBe('PROVIDER_FATAL')
  })

  it.each(plain)('Complete evaluation details structure: %s %s', async (kind, key, defaultValue, value, variant) => {
    const { details } = await ready(sdk)
    expect(await details(kind, key, defaultValue)).toMatchObject({ value, flagKey: key, variant, reason: 'STATIC' })
  })

  // Our flags have no metadata of their own. The provider tells where the answer comes from.
  it('Flag metadata in evaluation details', async () => {
    const { details } = await ready(sdk)
    const { flagMetadata } = await details('Boolean', 'metadata-flag', true)
    expect(flagMetadata).toEqual({ flagSetId: 'e-1', version: '5', svcReason: 'DEFAULT' })
  })

  it.each(targeted)('Empty evaluation context: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    const found = await details(kind, key, defaultValue)
    expect([found.value, found.reason]).toEqual([value, 'DEFAULT'])
  })

  it.each(targeted)('Null context values: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    const found = await details(kind, key, defaultValue, { email: null })
    expect([found.value, found.reason]).toEqual([value, 'DEFAULT'])
  })

  it('Multiple context attributes targeting', async () => {
    const { details } = await ready(sdk)
    const context = { ...ballmer, role: 'admin', age: 65, customer: false }
    expect(await details('String', 'complex-targeted', 'default', context)).toMatchObject({
      ...{ value: 'INTERNAL', reason: 'TARGETING_MATCH' },
    })
  })

  it('Structure flag evaluation', async () => {
    const { details } = await ready(sdk)
    expect(await details('Object', 'object-flag', {})).toMatchObject({ value: pictures, reason: 'STATIC' })
  })

  it.each(plain)('Variant field population: %s %s', async (kind, key, defaultValue, _value, variant) => {
    const { details } = await ready(sdk)
    expect((await details(kind, key, defaultValue)).variant).toBe(variant)
  })

  // The provider evaluates each time, so an answer never comes from a cache.
  it.each(plain.slice(0, 2))('CACHED reason: %s %s', async (kind, key, defaultValue) => {
    const { details } = await ready(sdk)
    await details(kind, key, defaultValue)
    expect((await details(kind, key, defaultValue)).reason).toBe('STATIC')
  })

  // The scenario asks for the default of the code. A paused flag of ours serves its own.
  it.each(plain)('DISABLED reason: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    const found = await details(kind, key.replace('-flag', '-disabled-flag'), defaultValue)
    expect([found.value, found.reason]).toEqual([value, 'DISABLED'])
  })

  it.each([
    ['stable', 'READY'],
    ['not ready', 'NOT_READY'],
    ['error', 'ERROR'],
    ['fatal', 'FATAL'],
    ['stale', 'STALE'],
  ] as const)('Provider status accessibility: %s', async (state, status) => {
    expect((await given(sdk, state)).status()).toBe(status)
  })

  it('Evaluation options with hooks', async () => {
    const { details } = await ready(sdk)
    const ran: string[] = []
    const hookOf = (name: string): Hooks[number] => ({
      before: () => void ran.push(`before ${name}`),
      after: () => void ran.push(`after ${name}`),
    })
    await details('Boolean', 'boolean-flag', false, undefined, [hookOf('one'), hookOf('two')])
    expect(ran).toEqual(['before one', 'before two', 'after two', 'after one'])
  })

  it('Evaluation context immutability', async () => {
    const { details } = await ready(sdk)
    const context = { plan: { name: 'pro' }, born: new Date(0) }
    const { flagMetadata } = await details('Boolean', 'boolean-flag', false, context)
    expect(context).toEqual({ plan: { name: 'pro' }, born: new Date(0) })
    expect(Object.isFrozen(flagMetadata)).toBe(true)
  })

  it.each(plain)('Asynchronous flag evaluation: %s %s', async (kind, key, defaultValue, value) => {
    const { details } = await ready(sdk)
    const asked = details(kind, key, defaultValue)
    expect(asked).toBeInstanceOf(Promise)
    expect((await asked).value).toEqual(value)
  })
})

describe.each(sdks)('Evaluation details through hooks with @openfeature/$name', (sdk) => {
  it.each([
    ['Passes evaluation details to after and finally hooks', 'Boolean', 'boolean-flag', false],
    ['Flag not found', 'String', 'missing-flag', 'uh-oh'],
    ['Type error', 'Boolean', 'wrong-flag', false],
  ] as const)('%s', async (title, kind, key, defaultValue) => {
    const { client, details } = await ready(sdk)
    const ran: unknown[] = []
    client.addHooks({
      before: () => void ran.push('before'),
      after: (_context: unknown, told: object) => void ran.push(['after', told]),
      error: () => void ran.push('error'),
      finally: (_context: unknown, told: object) => void ran.push(['finally', told]),
    })
    await details(kind, key, defaultValue)
    const found = { flagKey: key, value: true, variant: 'on', reason: 'STATIC' }
    const errorCode = title === 'Type error' ? 'TYPE_MISMATCH' : 'FLAG_NOT_FOUND'
    const failed = { flagKey: key, value: defaultValue, reason: 'ERROR', errorCode }
    const isFound = key === 'boolean-flag'
    expect(ran).toMatchObject(
      isFound ? ['before', ['after', found], ['finally', found]] : ['before', 'error', ['finally', failed]],
    )
    const [, last] = ran.at(-1) as [string, { variant?: string; errorCode?: string }]
    expect(isFound ? last.errorCode : last.variant).toBeUndefined()
  })
})

/** Evaluates with entries at these levels. Gives what our evaluation found in the merged context. */
async function mergedContext(
  sdk: Sdk,
  entries: [Level, string, EvaluationContextValue][],
  wanted: [string, unknown][],
) {
  const at = (level: Level): EvaluationContext | undefined => {
    const own = entries.filter(([name]) => name === level).map(([, key, value]) => [key, value])
    return own.length > 0 ? Object.fromEntries(own) : undefined
  }
  // A flag for each entry that is asked for: its rule matches if evaluation sees the value.
  const flags = wanted.map(([key, value], index) => [
    `flag-${index}`,
    variedFlag({ absent: false, there: true }, ruleFor('there', equalTo(key, value as string))),
  ])
  const { start, client, details, isPage, domain } = openFeatureOfTest(sdk)
  const api = at('API')
  if (isPage && api) await InPage.setContext(domain, api)
  if (!isPage && api) OnServer.setContext(api)
  if (!isPage && at('Client')) (client as ReturnType<typeof OnServer.getClient>).setContext(at('Client')!)
  await start({ ...offline, bootstrap: datafileOf(1, Object.fromEntries(flags)) })
  const hooks: Hooks = at('Before Hooks') ? [{ before: () => at('Before Hooks') }] : []
  const ask = () => Promise.all(flags.map(([key]) => details('Boolean', key as string, false, at('Invocation'), hooks)))
  OnServer.setTransactionContextPropagator(new AsyncLocalStorageTransactionContextPropagator())
  const answers = await new Promise<Awaited<ReturnType<typeof ask>>>((resolve, reject) => {
    OnServer.setTransactionContext(at('Transaction') ?? {}, () => void ask().then(resolve, reject))
  })
  return answers.map(({ value }) => value)
}

const inTransaction: Level[] = ['API', 'Transaction', 'Client', 'Invocation']
const inHook: Level[] = ['API', 'Client', 'Invocation', 'Before Hooks']
const inBoth: Level[] = ['API', 'Transaction', 'Client', 'Invocation', 'Before Hooks']

describe.each(
  sdks.flatMap((sdk) => [
    { sdk, feature: 'Context merging precedence', typed: '' },
    { sdk, feature: 'Evaluation Context and Merging', typed: ' of type "string"' },
  ]),
)('$feature with @openfeature/$sdk.name', ({ sdk, typed }) => {
  const levelsOf = (levels: Level[]) => (sdk.name === 'web-sdk' ? levels.filter((level) => level === 'API') : levels)
  const blocks = [inTransaction, inHook, inBoth].flatMap((levels, block) =>
    levelsOf(levels).map((level) => ({ level, block: block + 1 })),
  )

  it.each(blocks)('A context entry is added to a single level: $level (examples $block)', async ({ level }) => {
    const wanted: [string, unknown][] = [
      ['key', 'value'],
      ['key', 'other'],
    ]
    expect(await mergedContext(sdk, [[level, 'key', 'value']], wanted)).toEqual([true, false])
  })

  const precedence = [
    { title: 'For a transaction, a context entry', levels: inTransaction },
    { title: 'For a hook, a context entry', levels: inHook },
    { title: 'For a transaction and a hook, context entry', levels: inBoth },
  ].flatMap(({ title, levels }) =>
    levelsOf(levels).map((level) => ({ title, level, down: levels.slice(0, levels.indexOf(level) + 1) })),
  )
  it.each(precedence)(
    '$title in one level overwrites values with the same key from preceding levels: $level',
    async ({ level, down }) => {
      const entries = down.map((name): [Level, string, string] => [name, 'key', name])
      expect(
        await mergedContext(sdk, entries, [
          ['key', level],
          ['key', 'none'],
        ]),
      ).toEqual([true, false])
    },
  )

  if (sdk.name === 'web-sdk') return
  it.each([
    { title: 'For a transaction', levels: inTransaction },
    { title: 'For a hook', levels: inHook },
    { title: 'For a transaction and a hook', levels: inBoth },
  ])(`$title, a context entry${typed} is added to each level with different keys`, async ({ levels }) => {
    const entries = levels.map((name): [Level, string, string] => [name, name, `${name} value`])
    const wanted = levels.map((name): [string, string] => [name, `${name} value`])
    expect(await mergedContext(sdk, entries, wanted)).toEqual(levels.map(() => true))
  })
})

describe.each(sdks)('Evaluation Context and Merging with @openfeature/$name, fields', (sdk) => {
  // What one evaluation passes on the server is the context of the page.
  const level: Level = sdk.name === 'web-sdk' ? 'API' : 'Invocation'
  const sees = (...entries: [string, string | number | boolean][]) =>
    mergedContext(
      sdk,
      entries.map(([key, value]) => [level, key, value]),
      [...entries, ['no_such_field', 1]],
    )

  it('Evaluation context targeting key field', async () => {
    expect(await sees(['targeting_key', 'user-123'])).toEqual([true, false])
    expect(await sees(['targetingKey', 'user-123'])).toEqual([true, false])
  })

  it('Evaluation context without targeting key', async () => {
    expect(await sees()).toEqual([false])
  })

  it.each([
    ['user_active', true],
    ['user_email', 'user@example.com'],
    ['user_age', 25],
  ] as const)('Evaluation context custom field types: %s', async (key, value) => {
    expect(await sees([key, value])).toEqual([true, false])
    // Of the same type, too: a text is not equal to a number.
    expect(await mergedContext(sdk, [[level, key, String(value)]], [[key, value]])).toEqual([typeof value === 'string'])
  })

  it('Evaluation context field access methods', async () => {
    expect(await sees(['user_name', 'John Doe'], ['user_age', 30], ['is_premium', true])).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  if (sdk.name === 'web-sdk') return
  it('Evaluation context field key uniqueness', async () => {
    const entries: [Level, string, string][] = [
      ['Client', 'user_id', '123'],
      ['Invocation', 'user_id', '456'],
    ]
    expect(
      await mergedContext(sdk, entries, [
        ['user_id', '456'],
        ['user_id', '123'],
      ]),
    ).toEqual([true, false])
  })
})

describe.each(sdks)('Metadata with @openfeature/$name', (sdk) => {
  // See "Flag metadata in evaluation details": the same for every flag, with the id of a rule that decided.
  it('Returns metadata', async () => {
    const { details } = await ready(sdk)
    const { flagMetadata } = await details('String', 'complex-targeted', '', { ...ballmer, age: 65, customer: false })
    expect(flagMetadata).toEqual({ flagSetId: 'e-1', version: '5', svcReason: 'TARGETING_MATCH', ruleId: '1' })
  })

  it.each([...plain.slice(0, 4)])('Returns no metadata: %s %s', async (kind, key, defaultValue) => {
    const { details } = await ready(sdk)
    const { flagMetadata } = await details(kind, key, defaultValue)
    expect(Object.keys(flagMetadata).sort()).toEqual(['flagSetId', 'svcReason', 'version'])
  })
})

describe.each(sdks)('Events with @openfeature/$name', (sdk) => {
  it('PROVIDER_READY is emitted', async () => {
    const service = await serviceOfTest(answerWith(file))
    const { heard, start } = openFeatureOfTest(sdk)
    const events = heard('PROVIDER_READY')
    const before = events.length
    await start({ sdkKey: 'sdk_1', baseUrl: service.baseUrl })
    await expect.poll(() => events.slice(before), soon).toMatchObject([{ providerName: 'svc' }])
  })

  it('PROVIDER_ERROR is emitted', async () => {
    const { heard, start } = openFeatureOfTest(sdk)
    const events = heard('PROVIDER_ERROR')
    await start(offline)
    await expect.poll(() => events, soon).toMatchObject([{ message: 'Svc: no data file within 5000 ms' }])
  })

  it('PROVIDER_CONFIGURATION_CHANGED is emitted', async () => {
    const changing = (revision: number, isOn: boolean) =>
      answerWith(datafileOf(revision, { ...flagsOfAppendixB, 'changing-flag': flagOf(isOn) }))
    const service = await serviceOfTest(changing(5, true))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    const { heard, start } = openFeatureOfTest(sdk)
    const events = heard('PROVIDER_CONFIGURATION_CHANGED')
    await start(client)
    await client.refresh()
    service.answer = changing(6, false)
    await client.refresh()
    await expect.poll(() => events, soon).toMatchObject([{ flagsChanged: ['changing-flag'] }])
  })
})

describe.each(sdks)('Tracking with @openfeature/$name', (sdk) => {
  /** Tracks an event with this name; gives what the service got and the warnings. */
  const tracked = async (name: unknown) => {
    const service = await serviceOfTest(answerWith(file))
    const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl })
    const { start, track } = openFeatureOfTest(sdk)
    await start(client)
    await track(name as string, { targetingKey: 'u-17' })
    await client.flush()
    return { names: service.events.flatMap(({ events }) => events.map(({ eventKey }) => eventKey)), warnings }
  }

  it.each(['', null])('Invalid event names: %j', async (name) => {
    const warnings = ['Svc: track needs an event key and a targetingKey']
    expect(await tracked(name)).toEqual({ names: [], warnings })
  })

  it("Provider's track functionality is called: the-event", async () => {
    expect(await tracked('the-event')).toEqual({ names: ['the-event'], warnings: [] })
  })
})
