import type { JsonValue } from '@svc/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerWith } from '../test/service.ts'
import { typedFlags } from './typed.ts'

interface Flags {
  'new-checkout': { value: boolean; variation: 'on' | 'off' }
  'checkout-copy': { value: string; variation: 'control' | 'short' }
  'page-size': { value: number; variation: 'small' | 'large' }
  theme: { value: { readonly primary: string; readonly dark?: boolean }; variation: 'light' | 'dark' }
  anything: { value: JsonValue; variation: 'a' }
}
const defaults = {
  'new-checkout': false,
  'checkout-copy': 'Pay now',
  'page-size': 10,
  theme: { primary: '#0055ff' },
  anything: null,
} as const
const visitor = { targetingKey: 'u-17', country: 'NL' }
const test = {
  ...{ id: '3', type: 'AB_TEST' as const, salt: 's' },
  when: { attribute: 'country', operator: 'equals' as const, value: 'NL' },
  split: [{ variation: 'short', end: 10_000 }],
}
const copy = flagOf('', {
  ...{ variations: { control: 'Pay now', short: 'Buy' }, defaultVariation: 'control' },
  rules: [test],
})
const file = datafileOf(5, {
  ...{
    'new-checkout': flagOf(true),
    'checkout-copy': copy,
    'page-size': flagOf(20),
    theme: flagOf({ primary: 'red' }),
  },
  anything: flagOf(['x', { y: 1 }]),
})

function flagsOfTest(bootstrap = file) {
  const { client } = clientOfTest({ offline: true, bootstrap })
  return typedFlags<Flags>(client, defaults)
}

describe('typedFlags', () => {
  it('reads values of every type', () => {
    const flags = flagsOfTest()
    expect(flags.get('new-checkout', visitor)).toBe(true)
    expect(flags.get('checkout-copy', visitor)).toBe('Buy')
    expect(flags.get('page-size', visitor)).toBe(20)
    expect(flags.get('theme', visitor)).toEqual({ primary: 'red' })
    expect(flags.get('anything')).toEqual(['x', { y: 1 }])
  })

  it('says whether a variation is served, and why', () => {
    const flags = flagsOfTest()
    expect(flags.is('checkout-copy', 'short', visitor)).toBe(true)
    expect(flags.is('checkout-copy', 'control', visitor)).toBe(false)
    expect(flags.is('checkout-copy', 'control')).toBe(true)
    expect(flags.details('checkout-copy', visitor)).toMatchObject({
      ...{ value: 'Buy', variationKey: 'short', ruleId: '3', reason: 'SPLIT' },
    })
  })

  it('returns the default of the key, or the one passed, and no variation', () => {
    const flags = flagsOfTest(datafileOf(5, { 'page-size': flagOf('large') }))
    expect(flags.get('theme')).toBe(defaults.theme)
    expect(flags.get('new-checkout', visitor, true)).toBe(true)
    expect(flags.is('checkout-copy', 'control', visitor)).toBe(false)
    expect(flags.details('page-size', visitor, 30)).toMatchObject({
      ...{ value: 30, variationKey: null, errorCode: 'TYPE_MISMATCH' },
    })
  })

  it('counts the visitor, and does not by peek', async () => {
    const service = await serviceOfTest(answerWith(file))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    await client.waitUntilReady()
    const { peek, ...flags } = typedFlags<Flags>(client, defaults)
    peek.get('checkout-copy', visitor)
    peek.is('checkout-copy', 'short', visitor)
    peek.details('checkout-copy', visitor)
    await client.flush()
    expect(service.events).toEqual([])
    expect(flags.get('checkout-copy', visitor)).toBe('Buy')
    await client.flush()
    expect(service.events).toMatchObject([{ events: [{ flagKey: 'checkout-copy', variationKey: 'short' }] }])
  })
})

describe('the compiler', () => {
  it('knows the type of each value', () => {
    const flags = flagsOfTest()
    expectTypeOf(flags.get('page-size', visitor)).toEqualTypeOf<number>()
    expectTypeOf(flags.get('theme').dark).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(flags.details('checkout-copy').variationKey).toEqualTypeOf<'control' | 'short' | null>()
    expectTypeOf(flags.peek.details('checkout-copy').value).toEqualTypeOf<string>()
  })

  // `npm run check` fails if one of these lines compiles.
  it('refuses what does not exist', () => {
    const flags = flagsOfTest()
    // @ts-expect-error: no flag has this key
    flags.get('page-sise')
    // @ts-expect-error: the variation of a different flag
    flags.is('checkout-copy', 'large')
    // @ts-expect-error: the flag is a number
    flags.get('page-size', visitor, '20')
    // @ts-expect-error: no such variation
    expect(flags.peek.details('checkout-copy').variationKey === 'long').toBe(false)
    // @ts-expect-error: a flag without a default
    typedFlags<Flags>(clientOfTest({ offline: true }).client, { ...defaults, theme: undefined })
  })
})
