import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress, parseBlock } from './cidr.ts'

describe('parseAddress', () => {
  it('reads exactly the addresses that Node accepts, except those with zones', () => {
    const almost = fc.string({ unit: fc.constantFrom('0', '1', '9', 'f', ':', '::', '.', '255.'), maxLength: 12 })
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), almost), (text) => {
        expect(parseAddress(text) !== undefined).toBe(isIP(text) > 0)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('parseBlock', () => {
  it.each([
    ['ipv4', fc.ipV4(), 32],
    ['ipv6', fc.ipV6(), 128],
  ] as const)('contains the same addresses as in Node (%s)', (family, address, most) => {
    fc.assert(
      fc.property(address, address, fc.nat(most), (base, other, bits) => {
        const list = new BlockList()
        list.addSubnet(base, bits, family)
        const contains = parseBlock(`${base}/${bits}`)
        for (const candidate of [base, other]) {
          expect(contains?.(parseAddress(candidate) as string)).toBe(list.check(candidate, family))
        }
      }),
    )
  })

  it.each([['10.0.0.0/33'], ['::/129'], ['10.0.0.0/'], ['ten/8'], [10], [null]])('refuses %j', (value) => {
    expect(parseBlock(value)).toBeUndefined()
  })
})
