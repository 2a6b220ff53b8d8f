import { describe, expect, test } from 'vitest'
import {
  type Auth,
  authEdit,
  credentialsOf,
  guardsOf,
  refusesKeptSecret,
  refusesSource,
  type SourceContent,
} from './source.ts'

const products: SourceContent = {
  name: 'Main feed',
  type: 'PRODUCTS',
  mode: 'FULL',
  format: 'AUTO',
  encoding: 'utf-8',
  url: 'https://shop.example/feed.xml',
  auth: null,
  mapping: {},
  defaultCurrency: null,
  guards: guardsOf('PRODUCTS'),
  schedule: null,
  envId: null,
  fields: null,
  secretId: null,
}
const orders: SourceContent = { ...products, type: 'ORDERS', mode: 'DELTA', envId: 'e', guards: guardsOf('ORDERS') }
const supplement: SourceContent = { ...products, type: 'SUPPLEMENT', fields: ['cost'], guards: guardsOf('SUPPLEMENT') }
const daily = { every: 'DAY' as const, at: '03:15', timezone: 'UTC' }
const bearer: Auth = { type: 'BEARER', secret: '…WxYz' }

describe('a source', () => {
  test.each<[string, SourceContent, string[][]]>([
    ['of products', products, []],
    ['of products on a schedule', { ...products, schedule: daily, auth: bearer }, []],
    ['of orders', orders, []],
    ['of costs', supplement, []],
    ['of orders that removes', { ...orders, mode: 'FULL' }, [['mode']]],
    [
      'of orders with a guard of items',
      { ...orders, guards: { ...orders.guards, minItems: 1 } },
      [['guards', 'minItems']],
    ],
    ['of products with an environment', { ...products, envId: 'e' }, [['envId']]],
    ['of products with fields', { ...products, fields: ['cost'] }, [['fields']]],
    ['of nothing', { ...supplement, fields: null }, [['fields']]],
    ['without an address, on a schedule', { ...products, url: null, schedule: daily }, [['schedule']]],
    ['without an address, with a secret', { ...products, url: null, auth: bearer }, [['auth']]],
    [
      'with a part of its guards',
      { ...products, guards: { minItems: 1, maxSkippedShare: 0, maxRemovedShare: 0 } },
      [['guards', 'maxPriceShiftShare']],
    ],
  ])('%s has these faults: %#', (_what, content, paths) =>
    expect((refusesSource(content)?.details?.issues ?? []).map(({ path }) => path)).toEqual(paths),
  )
})

describe('a secret', () => {
  test.each<[string, Auth | null, Auth | null, Auth | null, string | null]>([
    [
      'is new',
      null,
      { type: 'BEARER', secret: 'token-ABCDEFGH' },
      { type: 'BEARER', secret: '…EFGH' },
      'token-ABCDEFGH',
    ],
    ['is short', null, { type: 'BEARER', secret: 'short' }, { type: 'BEARER', secret: '…' }, 'short'],
    ['is not given again', bearer, { type: 'BEARER' }, bearer, null],
    ['comes back as it was shown', bearer, bearer, bearer, null],
    [
      'stays with another type',
      bearer,
      { type: 'BASIC', username: 'svc' },
      { type: 'BASIC', username: 'svc', secret: '…WxYz' },
      null,
    ],
    ['was a password', { type: 'BASIC', username: 'svc', secret: '…WxYz' }, { type: 'BEARER' }, null, null],
    ['is another', bearer, { type: 'BEARER', secret: '…other-secret-9' }, null, null],
    ['is gone', bearer, null, null, null],
  ])('that %s', (_what, before, given, shown, secret) => {
    const edit = authEdit(before, given)
    if (given !== null && shown === null) expect(edit).toMatchObject({ refusal: 'validation_failed' })
    else expect(edit).toEqual({ shown, secret })
  })

  test('must be given where there was none', () =>
    expect(authEdit(null, { type: 'BEARER' })).toMatchObject({ details: { issues: [{ path: ['auth', 'secret'] }] } }))

  test('stays for the host for which it was given', () => {
    const before = { url: 'https://shop.example/a', secretId: 's1' }
    expect(refusesKeptSecret(before, { url: 'https://shop.example/b', secretId: 's1' })).toBeUndefined()
    expect(refusesKeptSecret(before, { url: 'https://evil.example/a', secretId: 's2' })).toBeUndefined()
    expect(
      refusesKeptSecret({ ...before, secretId: null }, { url: 'https://evil.example/', secretId: null }),
    ).toBeUndefined()
    for (const url of ['https://evil.example/a', 'https://shop.example:8443/a', null])
      expect(refusesKeptSecret(before, { url, secretId: 's1' })).toMatchObject({
        details: { issues: [{ path: ['auth', 'secret'] }] },
      })
  })

  test('becomes a header', () => {
    expect(credentialsOf({ type: 'BASIC', username: 'svc' }, 'pä')).toEqual({ authorization: 'Basic c3ZjOnDDpA==' })
    expect(credentialsOf(bearer, 'token')).toEqual({ authorization: 'Bearer token' })
    expect(credentialsOf({ type: 'HEADER', header: 'X-Api-Key' }, 'key')).toEqual({ 'x-api-key': 'key' })
    expect(credentialsOf(null, null)).toEqual({})
  })
})
