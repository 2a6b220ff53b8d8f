import { expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const words = (count: number, word: string) => `${word} `.repeat(count)
const shown = (text: string, terms: string[]) =>
  excerptOf(text, terms)
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join('')

it.each([
  ['a short text unchanged', 'Publish a flag.', ['publish'], '[Publish] a flag.'],
  ['several terms', 'Run or pause a run.', ['run', 'pause'], '[Run] or [pause] a [run].'],
  ['the beginning if nothing matches', 'Run or pause.', ['none'], 'Run or pause.'],
  ['matches only at the start of words', 'a prerun run', ['run'], 'a prerun [run]'],
  ['matches of special characters', 'a (b) c', ['(b'], 'a [(b]) c'],
  ['nothing for an empty text', '', ['run'], ''],
  ['the text unchanged without terms', 'Run.', [], 'Run.'],
])('an excerpt shows %s', (_what, text, terms, expected) => expect(shown(text, terms)).toBe(expected))

it('an excerpt cuts a long text around the first match, between words', () => {
  const text = `${words(40, 'before')}match ${words(60, 'after')}`.trim()
  const excerpt = shown(text, ['match'])
  expect(excerpt).toMatch(/^… (?:before )+\[match\](?: after)+ …$/)
  expect(excerpt.length).toBeLessThan(200)
})
