import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAllowedAddress, isPublicAddress } from './address.ts'
import { neverOnes, privateOnes } from './testing/hostile.ts'

const publicAddresses = [
  '93.184.216.34',
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.0',
  '11.0.0.0',
  '100.63.255.255',
]
const publicSixes = ['2600:1f18::5', '2a00:1450:4001::200e', '2606:4700:4700::1111', '3ffe::1']

describe('an address', () => {
  it.each([...publicAddresses, ...publicSixes])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
    expect(isAllowedAddress(address)).toBe(true)
  })

  it.each(privateOnes)('%s (%s) is accepted only for allowed hosts', (address) => {
    expect(isPublicAddress(address)).toBe(false)
    expect(isAllowedAddress(address)).toBe(true)
  })

  it.each(neverOnes)('%s (%s) is never accepted', (address) => {
    expect(isPublicAddress(address)).toBe(false)
    expect(isAllowedAddress(address)).toBe(false)
  })

  it('is not public in any form that contains another address', () => {
    const hex = (high: number, low: number) => ((high << 8) | low).toString(16)
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
        const [high, low] = [hex(a, b), hex(c, d)]
        const carriers = ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'].map(
          (prefix) => `${prefix}${high}:${low}`,
        )
        expect([...carriers, `2002:${high}:${low}::1`].filter(isAllowedAddress)).toEqual(
          a + b + c + d === 1 && d ? ['::0:1'] : [],
        )
      }),
    )
  })

  it('is accepted for allowed hosts whenever it is public', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        if (isPublicAddress(text)) expect(isAllowedAddress(text)).toBe(true)
      }),
    )
  })
})
