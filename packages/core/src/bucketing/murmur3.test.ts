import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashAfter as hashInPage } from './hash-after.page.ts'
import { hashAfter } from './hash-after.ts'
import { murmur3, murmur3Bytes } from './murmur3.ts'

describe('murmur3', () => {
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['hello', 0, 0x248bfa47],
    ['Hello, world!', 0, 3224780355],
    ['é', 0, 269551495],
    ['aaa', 0x9747b28c, 675152176],
  ])('hashes %j with seed %i to the published value', (text, seed, hash) => {
    expect(murmur3(text, seed)).toBe(hash)
  })

  it('gives the verification value of SMHasher', () => {
    const hashes = Buffer.alloc(1024)
    for (let i = 0; i < 256; i++) {
      hashes.writeUInt32LE(
        murmur3Bytes(
          Uint8Array.from({ length: i }, (_, byte) => byte),
          256 - i,
        ),
        4 * i,
      )
    }
    expect(murmur3Bytes(hashes, 0)).toBe(0xb0f57ee3)
  })

  it('hashes the UTF-8 bytes of any text, including lone surrogates', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.string({ minLength: 250, maxLength: 270 }))
    const surrogates = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(fc.oneof(text, surrogates), fc.nat(0xffffffff), (value, seed) => {
        expect(murmur3(value, seed)).toBe(murmur3Bytes(Buffer.from(value, 'utf8'), seed))
      }),
    )
  })

  it.each([
    ['the package', hashAfter],
    ['scripts for pages', hashInPage],
  ])('in %s, gives the same hash for a text in one piece and in two', (_name, hash) => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, fc.nat(0xffffffff), (beginning, rest, seed) => {
        expect(hash(beginning, seed)(rest)).toBe(murmur3Bytes(Buffer.from(beginning + rest, 'utf8'), seed))
      }),
    )
  })
})
