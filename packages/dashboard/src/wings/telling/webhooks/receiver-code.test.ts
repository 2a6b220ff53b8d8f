import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeBlocks } from '../../../../../../scripts/code-blocks.ts'

it.each([
  ['go', 'verify.go.txt'],
  ['php', 'verify.php.txt'],
])('the page shows the same code in %s as the guide', (language, file) => {
  const guide = codeBlocks(readFileSync(new URL('../../../../../../docs/webhooks.md', import.meta.url), 'utf8'))
  const shown = readFileSync(new URL(file, import.meta.url), 'utf8')
  expect(guide.filter((block) => block.language === language).map(({ text }) => text.trim())).toEqual([shown.trim()])
})
