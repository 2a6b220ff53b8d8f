import { expect, it } from 'vitest'
import { newLines } from './watch.ts'

it('svc prints the lines that were not there before', () => {
  const before = 'KEY  STATUS\na    DRAFT\nb    DRAFT\n'
  expect(newLines(before, '')).toBe(before)
  expect(newLines('KEY  STATUS\na    RUNNING\nb    DRAFT\n', before)).toBe('a    RUNNING\n')
})
