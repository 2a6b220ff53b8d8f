import { expect, it } from 'vitest'
import type { Condition } from './conditions.ts'
import { pageSentence } from './page-words.ts'

it.each<[Condition, string]>([
  [{ all: [] }, 'every page with the tag'],
  [{ any: [] }, 'no page'],
  [{ attribute: 'page.query.view', operator: 'equals', value: 'all' }, 'query parameter view is all'],
  [{ not: { attribute: 'page.path', operator: 'startsWith', value: '/blog' } }, 'not (path starts with /blog)'],
  [
    {
      all: [
        { attribute: 'page.url', operator: 'equals', value: 'https://shop.example/a' },
        {
          any: [
            { attribute: 'page.hash', operator: 'exists' },
            { attribute: 'device', operator: 'equals', value: 'tablet' },
          ],
        },
      ],
    },
    'address without query is https://shop.example/a and (hash is set or device is tablet)',
  ],
])('the page %j reads as a sentence', (conditions, sentence) => expect(pageSentence(conditions)).toBe(sentence))
