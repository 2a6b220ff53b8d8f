import { describe, expect, it, test } from 'vitest'
import { addUnit, hashEnd, hashOf, merge, newSample, type Seed, sampleSize, sharesIn } from './sample.ts'

const seed: Seed = [0x1234567, -0x7654321]
const hash = (text: string) => hashOf(text, seed)
/** `share` of the units come from network 0, the others each from their own. */
const sampleOf = (units: number, share: number, prefix = 'u') => {
  const sample = newSample()
  for (let place = 0; place < units; place += 1)
    addUnit(sample, hash(`${prefix}-${place}`), place < units * share ? 0 : place + 1)
  return sample
}
const keysOf = ({ units }: ReturnType<typeof newSample>) => [...units.keys()].sort((one, other) => one - other)

describe('a sample', () => {
  test.each([
    [0, 0],
    [1, 1],
    [499, 0.2],
    [10_000, 0.2],
    [20_000, 0.5],
    [50_000, 0.05],
  ])('of %i units knows how many there are, and that %f of them come from one network', (units, share) => {
    const found = sharesIn(newSample(sampleOf(units, share).units))
    expect(Math.abs(found.units - units)).toBeLessThanOrEqual(units < sampleSize ? 0 : units * 0.15)
    expect(Math.abs(found.largest - share)).toBeLessThanOrEqual(units < sampleSize ? 0.01 : 0.06)
  })

  it('has a fixed size, and the same units in any order', () => {
    const whole = newSample(sampleOf(5_000, 0).units)
    expect(whole.units.size).toBe(sampleSize)
    const backwards = newSample()
    for (let place = 4_999; place >= 0; place -= 1) addUnit(backwards, hash(`u-${place}`), place)
    expect(backwards.units.size).toBeLessThanOrEqual(2 * sampleSize)
    expect(keysOf(newSample(backwards.units))).toEqual(keysOf(whole))
  })

  it('counts a unit once, from where it came first, and says how much it has grown', () => {
    const sample = newSample()
    expect([addUnit(sample, 7, 1), addUnit(sample, 7, 2), addUnit(sample, 8, 2)]).toEqual([1, 0, 1])
    expect([...sample.units]).toEqual([
      [7, 1],
      [8, 2],
    ])
  })

  it('of two nodes is that of all units', () => {
    const [one, other] = [sampleOf(20_000, 0.4, 'one'), sampleOf(20_000, 0, 'other')]
    const both = sharesIn(merge(newSample(one.units), other.units))
    expect(Math.abs(both.units - 40_000)).toBeLessThan(6_000)
    expect(Math.abs(both.largest - 0.2)).toBeLessThan(0.06)
    expect(merge(newSample(one.units), one.units).units.size).toBe(sampleSize)
  })
})

describe('a hash', () => {
  const names = Array.from({ length: 20_000 }, (_, place) => `user-${place}`)

  test.each<[string, string[], Seed]>([
    ['names that are counted', names, seed],
    ['names that end alike', names.map((name) => `${name}@shop.example`), seed],
    ['names with another seed', names, [1, 2]],
  ])('is spread evenly and met once: %s', (_case, texts, seed) => {
    const hashes = texts.map((text) => hashOf(text, seed))
    expect(new Set(hashes).size).toBe(texts.length)
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const each of hashes) tenths[Math.floor((each / hashEnd) * 10)]! += 1
    for (const count of tenths) expect(Math.abs(count - texts.length / 10)).toBeLessThan(200)
  })

  it('is another one with another seed', () => {
    const same = names.filter((name) => hashOf(name, seed) === hashOf(name, [seed[0], seed[1] + 1]))
    expect(same).toEqual([])
  })
})
