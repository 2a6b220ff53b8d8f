import { expect, it } from 'vitest'
import { editDates } from './edit-dates.ts'

const log = '2026-11-23\n\ndocs/sdk.md\ndocs/api.md\n2026-11-20\n\ndocs/api.md\ndocs/live.md\n'

it('each file has the date of its newest commit', () => {
  expect([...editDates(log, 'false\n')]).toEqual([
    ['docs/sdk.md', '2026-11-23'],
    ['docs/api.md', '2026-11-23'],
    ['docs/live.md', '2026-11-20'],
  ])
})

it.each([
  ['the history is shallow', log, 'true\n'],
  ['there is no history', '', 'false\n'],
  ['there is no git', '', ''],
])('there are no dates if %s', (_what, text, isShallow) => expect(editDates(text, isShallow).size).toBe(0))
