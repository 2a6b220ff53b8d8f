import { expect, test } from 'vitest'
import { setsWhatItReads } from './own-work.ts'

const attribute = (name: string) => ({ type: 'ATTRIBUTE', name }) as const
const classes = (add: string[], remove: string[]) => ({ type: 'CLASS', add, remove }) as const

test.each([
  ['a[href="/old"]', attribute('href'), true],
  ['a[ HREF^="/"]', attribute('href'), true],
  ['a[hreflang]', attribute('href'), false],
  ['a[data-href]', attribute('href'), false],
  ['a.cta', attribute('href'), false],
  ['a.cta', attribute('class'), true],
  ['#old', attribute('id'), true],
  ['img[src$=".png"]', { type: 'IMAGE' }, true],
  ['img[alt=""]', { type: 'IMAGE' }, true],
  ['img.hero', { type: 'IMAGE' }, false],
  ['.btn.primary', classes(['secondary'], ['primary']), true],
  ['.btn.primary', classes(['secondary'], ['small']), false],
  ['.btn.primary-large', classes([], ['primary']), false],
  ['.btn', classes(['btn'], []), false],
  ['.btn:not(.wide)', classes(['wide'], []), true],
  ['.md\\:flex', classes([], ['md:flex']), true],
  ['[class*="is-"]', classes([], ['is-open']), true],
  ['[class="btn"]', classes(['wide'], []), true],
  ['a:any-link', attribute('href'), true],
  ['button:enabled', attribute('disabled'), true],
  ['button:enabled', attribute('title'), false],
  ['p:empty', { type: 'TEXT' }, true],
  ['p.empty', { type: 'TEXT' }, false],
  ['ul:empty', { type: 'INSERT' }, true],
  ['a[href="/old"]', { type: 'TEXT' }, false],
] as const)('by %j, a change %j sets what it reads: %j', (selector, change, expected) =>
  expect(setsWhatItReads({ selector, ...change } as Parameters<typeof setsWhatItReads>[0])).toBe(expected),
)
