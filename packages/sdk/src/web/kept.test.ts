import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKept, keptIn } from './kept.ts'

test('what is kept is found again through a cookie, for its rule, unit and environment alone', () => {
  const entry = fc.record({
    ruleId: fc.nat(500).map(String),
    unit: fc.string({ minLength: 1 }),
    variationKey: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(entry, { maxLength: 25, selector: ({ ruleId, unit }) => `${ruleId}.${unit}` }),
      (entries) => {
        const kept = createKept('', 'e')
        for (const { ruleId, unit, variationKey } of entries) kept.set(ruleId, unit, variationKey)
        const again = createKept(keptIn(`svc_id=v-1; svc_kept=${kept.text()}; other=1`), 'e')
        for (const { ruleId, unit, variationKey } of entries) expect(again.get(ruleId, unit)).toBe(variationKey)
        expect(again.text()).toBe(kept.text())
      },
    ),
  )
  const kept = createKept('', 'e')
  kept.set('7', 'ada@example.com', 'price')
  expect(kept.text()).not.toContain('ada')
  expect([kept.get('8', 'ada@example.com'), kept.get('7', 'x')]).toEqual([undefined, undefined])
  expect(createKept(kept.text(), 'other').get('7', 'ada@example.com')).toBe(undefined)
})

test('of two cookies, the last one counts, and other cookies and characters are no variations', () => {
  const textOf = (variationKey: string, ruleId = '7') => {
    const kept = createKept('', 'e')
    kept.set(ruleId, 'v-1', variationKey)
    return kept.text()
  }
  const read = createKept(keptIn(`svc_kept=${textOf('a')}~${textOf('c', '8')}; svc_kept=${textOf('b')}`), 'e')
  expect([read.get('7', 'v-1'), read.get('8', 'v-1')]).toEqual(['b', 'c'])
  expect(keptIn(`not_svc_kept=1:a; svc_kept2=1:a`)).toBe('')
  expect(createKept('1:é~2:~:b~"', 'e').text()).toBe('')
})

test('the cookie never exceeds what browsers keep: the oldest variations give way', () => {
  const kept = createKept('', 'e')
  for (let rule = 0; rule < 40; rule += 1) kept.set(String(rule), 'v-1', 'x'.repeat(128))
  expect(kept.text().length).toBeLessThan(4_000)
  const again = createKept(kept.text(), 'e')
  expect([again.get('0', 'v-1'), again.get('39', 'v-1')]).toEqual([undefined, 'x'.repeat(128)])
})
