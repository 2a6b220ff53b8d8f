import { expect, it } from 'vitest'
import { codeBlocks } from './code-blocks.ts'

it('finds fenced blocks with their language, text and line', () => {
  const page = ['# Title', '', '```sh', 'echo 1', 'echo 2', '```', 'text', '```json', '{}', '```', ''].join('\n')
  expect(codeBlocks(page)).toEqual([
    { language: 'sh', text: 'echo 1\necho 2\n', line: 3 },
    { language: 'json', text: '{}\n', line: 8 },
  ])
})

it('ignores indented text and a fence that is not closed', () => {
  expect(codeBlocks('    npm start\n\n```sh\necho 1\n')).toEqual([])
})
