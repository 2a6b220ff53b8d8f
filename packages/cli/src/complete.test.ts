import { expect, it } from 'vitest'
import { completions } from './complete.ts'
import { groups } from './groups/index.ts'

const keys = { flag: ['checkout', 'one-page'], environment: ['production'] } as Record<string, string[]>

it.each([
  ['the first word', ['fl'], ['flag']],
  ['a verb', ['flag', 'un'], ['unarchive']],
  ['a verb after options', ['-p', 'shop', 'flag', '--type', 'JSON', 'li'], ['list']],
  ['the first word of a verb', ['experiment', 'chan'], ['changes']],
  ['the second word of a verb', ['experiment', 'changes', ''], ['get', 'put', 'schema']],
  ['an option', ['flag', 'list', '--sta'], ['--stale', '--status']],
  ['an option of every command', ['flag', 'list', '--js'], ['--json']],
  ['a choice', ['flag', 'list', '--type', ''], ['BOOLEAN', 'JSON', 'NUMBER', 'STRING']],
  ['the key of an argument', ['flag', 'get', 'o'], ['one-page']],
  ['the key of an option', ['flag', 'run', 'checkout', '-e', ''], ['production']],
  ['keys for the rest', ['publish', 'checkout', 'c'], ['checkout']],
  ['nothing after the last argument', ['flag', 'get', 'checkout', ''], []],
  ['nothing for a value of no kind', ['flag', 'create', 'x', '--name', ''], []],
  ['nothing of an unknown group', ['flga', ''], []],
  ['a group for help', ['help', 'au'], ['audience', 'audit', 'auth']],
])('the shell completes %s', async (_what, words, found) => {
  expect(await completions(groups, words, async (kind) => keys[kind] ?? [])).toEqual(found)
})
