import { expect, it } from 'vitest'
import { servingWords } from './serving-words.ts'

it.each([
  [{ rules: 0, variationKey: 'off', everyone: true }, 'off for everyone'],
  [{ rules: 1, variationKey: 'on', everyone: true }, 'on for everyone'],
  [{ rules: 1, variationKey: 'on', share: 500, everyone: true }, 'on for 5\u00a0%'],
  [{ rules: 1, variationKey: 'on' }, 'on for a group'],
  [{ rules: 1, variationKey: 'on', share: 1250 }, 'on for 12.5\u00a0% of a group'],
  [{ rules: 1, abTest: true, everyone: true }, 'A/B test for everyone'],
  [{ rules: 1, abTest: true, share: 2000 }, 'A/B test for 20\u00a0% of a group'],
  [{ rules: 3 }, '3 rules'],
] as const)('%j reads as "%s"', (serving, words) => {
  expect(servingWords(serving)).toBe(words)
})
