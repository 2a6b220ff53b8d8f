import { expect, it } from 'vitest'
import { codeBlocks, sectionOf } from './code-blocks.ts'

it('the reader finds fenced blocks with their language, text and line', () => {
  const page = ['# Title', '', '```sh', 'echo 1', 'echo 2', '```', 'text', '```json', '{}', '```', ''].join('\n')
  expect(codeBlocks(page)).toEqual([
    { language: 'sh', text: 'echo 1\necho 2\n', line: 3 },
    { language: 'json', text: '{}\n', line: 8 },
  ])
})

it('the reader ignores indented text and a fence that is not closed', () => {
  expect(codeBlocks('    npm start\n\n```sh\necho 1\n')).toEqual([])
})

it('the reader finds a section with the sections below it, and keeps the numbers of its lines', () => {
  const page = ['# Title', '## One', 'a', '### Below', '```sh', '# no heading', '```', '## Two', 'b', ''].join('\n')
  expect(sectionOf(page, 'One')).toBe('\n## One\na\n### Below\n```sh\n# no heading\n```\n')
  expect(codeBlocks(sectionOf(page, 'One'))).toEqual([{ language: 'sh', text: '# no heading\n', line: 5 }])
  expect(sectionOf(page, 'Two').trim()).toBe('## Two\nb')
  expect(() => sectionOf(page, 'Three')).toThrow('there is no section Three')
})
