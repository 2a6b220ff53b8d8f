import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSignature, parseSignature, parseSignatureTimestamp, signatureContent } from './signature.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const textOf = (content: Uint8Array) => Buffer.from(content).toString('utf8')

describe('signatureContent', () => {
  it.each([
    ['d1', '2026-11-20T10:00:00.000Z', '{"a":1}', 'd1.2026-11-20T10:00:00.000Z.{"a":1}'],
    ['d1', '2026-11-20T10:00:00.000Z', '', 'd1.2026-11-20T10:00:00.000Z.'],
    ['d1', 't', 'é\r\n\n', 'd1.t.é\r\n\n'],
  ])('joins %j, %j and %j with dots', (id, timestamp, body, expected) => {
    expect(textOf(signatureContent(id, timestamp, body))).toBe(expected)
  })

  it('keeps bytes as they are, even if they are not UTF-8', () => {
    expect(signatureContent('d', 't', bytes(0xff, 0, 0xfe))).toEqual(bytes(0x64, 0x2e, 0x74, 0x2e, 0xff, 0, 0xfe))
  })

  it('is the same for a text and its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (body) => {
        const ofBytes = signatureContent('d', 't', Buffer.from(body, 'utf8'))
        expect(Buffer.compare(signatureContent('d', 't', body), ofBytes)).toBe(0)
      }),
    )
  })
})

describe('a signature header', () => {
  it('is parsed back into the digest', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        expect(formatSignature(digest)).toMatch(/^sha256=[0-9a-f]{64}$/)
        expect(parseSignature(formatSignature(digest))).toEqual(digest)
      }),
    )
  })

  it.each([
    ['nothing', ''],
    ['no scheme', 'ab'.repeat(32)],
    ['a different scheme', `sha1=${'ab'.repeat(20)}`],
    ['the scheme of Standard Webhooks', 'v1,q83v'],
    ['an uppercase scheme', `SHA256=${'ab'.repeat(32)}`],
    ['uppercase digits', `sha256=${'AB'.repeat(32)}`],
    ['too few digits', `sha256=${'ab'.repeat(31)}`],
    ['too many digits', `sha256=${'ab'.repeat(33)}`],
    ['letters that are not hexadecimal', `sha256=${'xy'.repeat(32)}`],
    ['a leading space', ` sha256=${'ab'.repeat(32)}`],
    ['a trailing line end', `sha256=${'ab'.repeat(32)}\n`],
    ['two signatures', `sha256=${'ab'.repeat(32)}, sha256=${'ab'.repeat(32)}`],
  ])('is refused: %s', (_name, header) => {
    expect(parseSignature(header)).toBeUndefined()
  })
})

describe('parseSignatureTimestamp', () => {
  it.each([
    ['2026-11-20T10:00:00.000Z', Date.UTC(2026, 10, 20, 10)],
    ['2026-11-20T10:00:00Z', Date.UTC(2026, 10, 20, 10)],
    ['2026-11-20T11:00:00+01:00', Date.UTC(2026, 10, 20, 10)],
    ['2026-11-20', undefined],
    ['1795168800', undefined],
    ['2026-02-30T10:00:00Z', undefined],
    ['Fri, 20 Nov 2026 10:00:00 GMT', undefined],
    ['', undefined],
  ])('reads %j as %s', (header, moment) => {
    expect(parseSignatureTimestamp(header)).toBe(moment)
  })
})
