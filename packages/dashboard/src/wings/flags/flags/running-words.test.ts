import { expect, it } from 'vitest'
import { runningWords } from './running-words.ts'

const at = (...enabled: boolean[]) =>
  enabled.map((each, index) => ({ name: ['Production', 'Staging', 'Development', 'Test'][index]!, enabled: each }))

it.each([
  ['DRAFT', at(false, false), 'note', 'Not started'],
  ['PAUSED', at(false, false), 'note', 'Paused'],
  ['ARCHIVED', at(true, false), 'note', 'Archived'],
  ['RUNNING', at(true, true), 'good', 'Running everywhere'],
  ['RUNNING', at(false, true), 'note', 'Running in Staging'],
  ['RUNNING', at(true, false, true), 'note', 'Running in Production and Development'],
  ['RUNNING', at(true, true, true, false), 'note', 'Running in 3 of 4 environments'],
] as const)('%s in %j: %s, %s', (status, environments, tone, words) => {
  expect(runningWords(status, environments)).toEqual({ tone, words })
})
