import { describe, expect, it } from 'vitest'
import { latelyIn, stillUsedWords } from './lately-evaluated.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const today = '2026-11-20T09:00:00.000Z'
const weekAgo = '2026-11-13T12:00:00.000Z'
const before = '2026-11-13T11:59:59.000Z'

describe('latelyIn', () => {
  it('keeps the places of the last seven days, the latest first', () => {
    const places = [
      { name: 'Production', lastEvaluatedAt: weekAgo },
      { name: 'Staging', lastEvaluatedAt: before },
      { name: 'Development', lastEvaluatedAt: today },
      { name: 'Preview', lastEvaluatedAt: null },
    ]
    expect(latelyIn(places, now).map(({ name }) => name)).toEqual(['Development', 'Production'])
  })
})

describe('stillUsedWords', () => {
  const flag = (key: string, ...times: (string | undefined)[]) => ({
    key,
    states: times.map((lastEvaluatedAt) => (lastEvaluatedAt ? { lastEvaluatedAt } : {})),
  })
  const many = Array.from({ length: 7 }, (_, at) => flag(`flag-${at + 1}`, today))

  it.each([
    ['nothing if no code evaluated them lately', [flag('cart', before), flag('search', undefined)], undefined],
    ['the only flag', [flag('cart', undefined, today)], 'It is still in use: code evaluated cart in the last 7 days. '],
    [
      'one of several',
      [flag('cart', before, weekAgo), flag('search')],
      'One is still in use: code evaluated cart in the last 7 days. Remove it from ',
    ],
    [
      'several',
      [flag('cart', today), flag('search', today), flag('old', before)],
      '2 are still in use: code evaluated cart and search in the last 7 days. Remove them from ',
    ],
    ['five keys of more', many, 'code evaluated flag-1, flag-2, flag-3, flag-4, flag-5, and 2 more in the last'],
  ])('names %s', (_name, flags, words) => {
    const found = stillUsedWords(flags, now)
    if (words === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(words)
  })
})
