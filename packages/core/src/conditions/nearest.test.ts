import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

it.each([
  ['lsit', 'list'],
  ['lis', 'list'],
  ['unarchiv', 'unarchive'],
  ['pub', 'publish'],
  ['xyz', undefined],
  ['', undefined],
])('%s probably means %s', (typed, meant) => {
  expect(nearest(typed, ['list', 'get', 'archive', 'unarchive', 'publish'])).toBe(meant)
})

it.each([
  ['dryrun', 'dryRun'],
  ['flag_ids', 'flagIds'],
  ['SVC_PROT', 'SVC_PORT'],
])('of names in any case, %s probably means %s', (typed, meant) => {
  expect(nearest(typed, ['dryRun', 'flagIds', 'SVC_PORT'])).toBe(meant)
})

it('a long text has no nearest word, and the search is fast', () => {
  expect(nearest(`dryRun${'x'.repeat(1_000_000)}`, ['dryRun'])).toBeUndefined()
})

it.each([
  ['--key', undefined],
  ['--yse', '--yes'],
  ['--projetc', '--project'],
])('of options, %s probably means %s', (typed, meant) => {
  expect(nearest(typed, ['--yes', '--project'])).toBe(meant)
})
