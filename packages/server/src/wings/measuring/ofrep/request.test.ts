import { describe, expect, it } from 'vitest'
import { contextOf, etagOf, isBehind, sdkKeyOf, toldBy } from './request.ts'

describe('the key of the environment', () => {
  it.each([
    [{ authorization: 'Bearer sdk_1' }, 'sdk_1'],
    [{ authorization: 'bearer  sdk_1 ' }, 'sdk_1'],
    [{ 'x-api-key': 'sdk_2' }, 'sdk_2'],
    [{ authorization: 'Bearer sdk_1', 'x-api-key': 'sdk_2' }, 'sdk_1'],
    [{ authorization: 'Basic c2RrXzE6' }, undefined],
    [{ authorization: 'Bearer a b' }, undefined],
    [{ 'x-api-key': '' }, undefined],
    [{ 'x-api-key': ['a', 'b'] }, undefined],
    [{}, undefined],
  ])('in %j is %s', (headers, key) => expect(sdkKeyOf(headers)).toBe(key))
})

describe('the context', () => {
  it.each([{}, { targetingKey: '' }, { targetingKey: 'u-17', nested: { list: [1] } }])('can be %j', (context) => {
    expect(contextOf({ context, more: 1 })).toEqual({ context })
  })

  it.each([
    [undefined, 'PARSE_ERROR'],
    [null, 'PARSE_ERROR'],
    [[], 'PARSE_ERROR'],
    ['text', 'PARSE_ERROR'],
    [{}, 'PARSE_ERROR'],
    [{ context: null }, 'INVALID_CONTEXT'],
    [{ context: [] }, 'INVALID_CONTEXT'],
    [{ context: 'u-17' }, 'INVALID_CONTEXT'],
    [{ context: { targetingKey: 17 } }, 'INVALID_CONTEXT'],
    [{ context: { targetingKey: null } }, 'INVALID_CONTEXT'],
  ])('of the body %j is refused as %s', (body, errorCode) => {
    expect(contextOf(body)).toEqual({ errorCode, errorDetails: expect.stringMatching(/ must .*\.$/) })
  })
})

describe('the ETag', () => {
  const etag = etagOf('"file"', { targetingKey: 'u-17', a: 1, b: { c: 2, d: 3 } })

  it('is the same for every order of the attributes', () => {
    expect(etagOf('"file"', { b: { d: 3, c: 2 }, a: 1, targetingKey: 'u-17' })).toBe(etag)
    expect(etag).toMatch(/^"[\w-]{43}"$/)
  })

  it.each([
    ['"other"', { targetingKey: 'u-17', a: 1, b: { c: 2, d: 3 } }, ''],
    ['"file"', { targetingKey: 'u-17', a: '1', b: { c: 2, d: 3 } }, ''],
    ['"file"', { targetingKey: 'u-17', a: 1, b: { c: 2 } }, ''],
    ['"file"', { targetingKey: 'u-18', a: 1, b: { c: 2, d: 3 } }, ''],
    ['"file"', { targetingKey: 'u-17', a: 1, b: { c: 2, d: 3 } }, 'later'],
  ])('differs for %s, %j %s', (file, context, moment) => expect(etagOf(file, context, moment)).not.toBe(etag))
})

describe('a node is behind', () => {
  const file = { etag: '"now"', publishedAt: new Date('2026-11-20T10:00:00.700Z') }
  const seconds = String(Date.parse('2026-11-20T10:00:00Z') / 1000)
  it.each([
    [{}, false],
    [{ flagConfigEtag: '"later"' }, false],
    [{ flagConfigEtag: '"now"', flagConfigLastModified: String(Number(seconds) + 9) }, false],
    [{ flagConfigEtag: '"before"', flagConfigLastModified: String(Number(seconds) - 1) }, false],
    [{ flagConfigLastModified: seconds }, false],
    [{ flagConfigEtag: '"same second"', flagConfigLastModified: seconds }, true],
    [{ flagConfigEtag: '"later"', flagConfigLastModified: String(Number(seconds) + 1) }, true],
    [{ flagConfigLastModified: '2026-11-20T10:00:01Z' }, true],
    [{ flagConfigLastModified: 'Fri, 20 Nov 2026 10:00:01 GMT' }, true],
    [{ flagConfigLastModified: 'soon' }, false],
    [{ flagConfigLastModified: ['1', '2'] }, false],
  ])('if a client sends it %j: %s', (query, behind) => expect(isBehind(file, toldBy(query))).toBe(behind))

  it('with a file that was never published, if a client has heard of one', () => {
    expect(isBehind({ etag: '"new"', publishedAt: null }, toldBy({ flagConfigLastModified: seconds }))).toBe(true)
  })
})
