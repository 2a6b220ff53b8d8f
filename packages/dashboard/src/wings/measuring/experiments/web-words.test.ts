import { describe, expect, it } from 'vitest'
import { contentWords, webChecklist } from './web-words.ts'

const original = {
  id: 'v1',
  key: 'original',
  name: 'Original',
  weight: 5000,
  changes: 0,
  hasCss: false,
  hasCode: false,
  redirect: null,
}
const price = { ...original, id: 'v2', key: 'price', name: 'With price', changes: 3, hasCss: true, hasCode: true }

it.each([
  [original, 'shows the page as it is'],
  [price, '3 changes, CSS, code'],
  [{ ...original, changes: 1 }, '1 change'],
  [{ ...original, redirect: { url: 'https://shop.example/b', keepQuery: true } }, 'goes to https://shop.example/b'],
])('says what a variation does', (variation, words) => {
  expect(contentWords(variation)).toBe(words)
})

describe('the list before a launch', () => {
  const page = { key: 'pricing', name: 'Pricing', url: null, conditions: {} }
  const full = {
    pages: [page],
    variations: [original, price],
    metrics: { primary: ['paid'], secondary: [], guardrails: [] },
    hypothesis: 'A price lifts sign-ups',
  }

  it('has only good news for a complete draft', () => {
    expect(webChecklist(full, []).map(({ tone, words }) => `${tone}: ${words}`)).toEqual([
      'good: It has 1 page.',
      'good: 1 variation changes something.',
      'good: 1 metric decides.',
      'good: There is a hypothesis.',
    ])
  })

  it('says first what prevents the launch', () => {
    const warnings = [
      { code: 'NO_PAGES', message: 'The experiment has no pages.' },
      { code: 'SCRIPT_NOT_SEEN', message: 'No page has loaded the script.' },
    ]
    const bare = {
      ...full,
      pages: [],
      variations: [original],
      metrics: { ...full.metrics, primary: [] },
      hypothesis: null,
    }
    expect(webChecklist(bare, warnings)).toMatchObject([
      { tone: 'bad', words: 'The experiment has no pages.' },
      { tone: 'warning' },
      { tone: 'warning', words: 'No variation changes anything, so all visitors see the same.' },
      { tone: 'note' },
    ])
    expect(webChecklist(bare, [])).toMatchObject([
      { words: 'It has no pages, so no visitor takes part.' },
      { tone: 'warning' },
      { tone: 'note' },
    ])
  })
})
