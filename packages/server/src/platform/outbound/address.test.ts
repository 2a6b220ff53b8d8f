import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAllowedAddress, isPublicAddress } from './address.ts'

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

const privateOnes = [
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['100.64.0.1', 'shared by a carrier'],
  ['100.127.255.255', 'shared by a carrier'],
  ['::1', 'loopback'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
]

const neverOnes = [
  ['169.254.169.254', 'metadata'],
  ['169.254.0.1', 'link-local'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['192.0.0.192', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['198.18.0.1', 'benchmarks'],
  ['198.19.255.255', 'benchmarks'],
  ['192.88.99.1', '6to4 relay'],
  ['::', 'unspecified'],
  ['fe80::1', 'link-local'],
  ['fe80::1%lo', 'with a zone'],
  ['2600:1f18::5%eth0', 'with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['::ffff:10.0.0.1', 'mapped'],
  ['::ffff:93.184.216.34', 'mapped'],
  ['::ffff:7f00:1', 'mapped'],
  ['::ffff:0:127.0.0.1', 'translated'],
  ['::127.0.0.1', 'compatible'],
  ['::7f00:1', 'compatible'],
  ['64:ff9b::10.0.0.1', 'NAT64'],
  ['64:ff9b::5db8:d822', 'NAT64'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:5db8:d822::1', '6to4'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['2001:2::1', 'benchmarks'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHID'],
  ['100::1', 'discard'],
  ['5f00::1', 'segment routing'],
  ['4000::1', 'not assigned'],
  ['', 'nothing'],
  ['localhost', 'a name'],
  ['127.1', 'a short form'],
  ['0x7f.0.0.1', 'a hexadecimal form'],
  ['2130706433', 'a decimal form'],
  ['010.0.0.1', 'an octal form'],
  ['93.184.216.34 ', 'an address followed by a space'],
  ['[2600:1f18::5]', 'in brackets'],
]

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
