import { expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const words = (count: number, word: string) => `${word} `.repeat(count)
const shown = (text: string, terms: string[]) =>
  excerptOf(text, terms)
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join('')

it.each([
  ['a short text as it is', 'Publish a flag.', ['publish'], '[Publish] a flag.'],
  ['several terms', 'Run or pause a run.', ['run', 'pause'], '[Run] or [pause] a [run].'],
  ['the beginning where nothing is found', 'Run or pause.', ['none'], 'Run or pause.'],
  ['terms at the beginning of words alone', 'a prerun run', ['run'], 'a prerun [run]'],
  ['what would be a pattern', 'a (b) c', ['(b'], 'a [(b]) c'],
  ['nothing of nothing', '', ['run'], ''],
  ['no term', 'Run.', [], 'Run.'],
])('shows %s', (_what, text, terms, expected) => expect(shown(text, terms)).toBe(expected))

it('cuts a long text around the first match, at words', () => {
  const text = `${words(40, 'before')}match ${words(60, 'after')}`.trim()
  const excerpt = shown(text, ['match'])
  expect(excerpt).toMatch(/^… (?:before )+\[match\](?: after)+ …$/)
  expect(excerpt.length).toBeLessThan(200)
})
