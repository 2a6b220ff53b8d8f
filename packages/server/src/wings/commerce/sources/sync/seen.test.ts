import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SeenTexts } from './seen.ts'

test('texts are seen once, as in a set', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
      const [seen, set] = [new SeenTexts(), new Set<string>()]
      for (const text of texts) {
        expect(seen.has(text)).toBe(set.has(text))
        expect(seen.add(text)).toBe(!set.has(text))
        set.add(text)
      }
      expect(seen.size).toBe(set.size)
    }),
  )
})

test('many texts are kept while the array grows', () => {
  const seen = new SeenTexts()
  for (let each = 0; each < 20_000; each += 1) expect(seen.add(`SKU-${each}`)).toBe(true)
  for (let each = 0; each < 20_000; each += 1) expect(seen.has(`SKU-${each}`)).toBe(true)
  for (let each = 20_000; each < 40_000; each += 1) expect(seen.has(`SKU-${each}`)).toBe(false)
  expect(seen.size).toBe(20_000)
})
