import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions, versionMaxCharacters } from './semver.ts'

const identifier = fc.constantFrom('0', '1', '2', '11', 'alpha', 'beta', 'rc', '-')
const version = fc
  .tuple(fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), fc.array(identifier, { maxLength: 3 }))
  .map(([parts, prerelease]) => parts.join('.') + (prerelease.length ? `-${prerelease.join('.')}` : ''))

describe('compareVersions', () => {
  it.each([
    ['1.10.0', '1.9.9', 1],
    ['v2', '2.0.0', 0],
    ['1.0.0-rc.2', '1.0.0-rc.11', -1],
    ['1.0.0-rc', '1.0.0', -1],
    ['1.0.0+1', '1.0.0+2', 0],
    ['1.0.0', 'latest', undefined],
    ['0', '0.0.0.0', 0],
    ['131071.131071.131071', '131072.0.0', -1],
    ['1.131072', '1.131071.5', 1],
    ['1.2.3', '1.2.3.0-rc', 1],
    ['1.2.3', '1.2.3.4', -1],
    ['01.002', '1.2', 0],
    ['9007199254740993.0', '9007199254740992.0', 1],
    ['1.0.0-a', '1.0.0-a.1', -1],
    ['1.0.0-a.b', '1.0.0-a-', -1],
    ['1.0.0-99', '1.0.0-a', -1],
    ['1.0.0-010', '1.0.0-10', 0],
    ['1..2', '1.2', undefined],
    ['1.2.', '1.2', undefined],
    ['.1', '1', undefined],
    ['', '0', undefined],
  ])('compares %s with %s: %s', (left, right, order) => {
    expect(compareVersions(left, right)).toBe(order)
  })

  it('is a total order: antisymmetric and transitive', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const order = compareVersions(a, b) as number
        expect((compareVersions(b, a) as number) + order).toBe(0)
        expect(compareVersions(a, a)).toBe(0)
        if (order <= 0 && (compareVersions(b, c) as number) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('reads versions up to the maximum length, but not longer ones', () => {
    const longest = '1'.repeat(versionMaxCharacters)
    expect(compareVersions(longest, '1')).toBe(1)
    expect(compareVersions(`${longest}1`, '1')).toBeUndefined()
  })
})
