import { describe, expect, it } from 'vitest'
import {
  draftLines,
  labelOf,
  reasonSentence,
  replacedWork,
  rolledBack,
  stateOf,
  toldLines,
  waitingWords,
} from './revision-words.ts'

const named = (...names: string[]) => names.map((name) => ({ name }))
const made = {
  revision: 7,
  reason: 'PUBLISHED' as const,
  switched: null,
  flags: named(),
  flagCount: 0,
  audiences: [],
  segments: [],
}

describe('why a revision was made', () => {
  it.each([
    [{ revision: 0, reason: null }, 'First data file'],
    [{ reason: null }, 'Changed the data file'],
    [{ reason: null, flags: named('A'), flagCount: 1 }, 'Changed A'],
    [{ flags: named('A'), flagCount: 1 }, 'Published A'],
    [{ flags: named('A', 'B'), flagCount: 2 }, 'Published A and B'],
    [{ flags: named('A', 'B', 'C'), flagCount: 3 }, 'Published A, B, and 1 more flag'],
    [{ flags: named('A', 'B', 'C'), flagCount: 1200 }, 'Published A, B, and 1,198 more flags'],
    [{ audiences: named('Staff') }, 'Published Staff'],
    [{ reason: 'CREATED', flags: named('A'), flagCount: 1 }, 'Created A'],
    [{ reason: 'EDITED', flags: named('A'), flagCount: 1 }, 'Edited the key of A'],
    [{ reason: 'ARCHIVED', flags: named('A'), flagCount: 1 }, 'Archived A'],
    [{ reason: 'UNARCHIVED', flags: named('A'), flagCount: 1 }, 'Unarchived A'],
    [{ reason: 'DELETED', flags: named('A'), flagCount: 1 }, 'Deleted A'],
    [{ reason: 'SWITCHED', switched: { what: 'FLAG', to: 'RUN' }, flags: named('A'), flagCount: 1 }, 'Turned on A'],
    [{ reason: 'SWITCHED', switched: { what: 'FLAG', to: 'PAUSE' }, flags: named('A'), flagCount: 1 }, 'Paused A'],
    [
      { reason: 'SWITCHED', switched: { what: 'RULE', to: 'RUN' }, flags: named('A'), flagCount: 1 },
      'Turned on a rule of A',
    ],
    [
      { reason: 'SWITCHED', switched: { what: 'RULE', to: 'PAUSE' }, flags: named('A'), flagCount: 1 },
      'Paused a rule of A',
    ],
    [{ reason: 'SWITCHED', flags: named('A'), flagCount: 1 }, 'Turned on or paused A'],
    [{ reason: 'SEGMENT_CHANGED', segments: named('Testers') }, 'Changed the members of Testers'],
  ] as const)('%j', (told, sentence) => {
    expect(reasonSentence({ ...made, ...told })).toBe(sentence)
  })
})

describe('a roll back', () => {
  const flag = (id: string, change: 'ADDED' | 'CHANGED' | 'REMOVED' | null = 'CHANGED') => ({
    ...{ id, change, key: id, name: id, changes: [] },
    current: id === 'gone' ? null : { key: id, name: id },
  })
  const shown = { reason: 'PUBLISHED' as const, previousRevision: 6, flagCount: 1, flags: [flag('a')] }
  it.each([
    ['a publish', shown, ['a']],
    ['one from before reasons were kept', { ...shown, reason: null }, ['a']],
    ['a switch', { ...shown, reason: 'SWITCHED' as const }, []],
    ['the first stored revision', { ...shown, previousRevision: null }, []],
    [
      'flags that came or went',
      { ...shown, flagCount: 3, flags: [flag('a'), flag('b', 'ADDED'), flag('c', 'REMOVED')] },
      ['a'],
    ],
    ['flags that were not seen', { ...shown, flagCount: 2, flags: [flag('a'), flag('b', null)] }, ['a', 'b']],
    [
      'flags that nobody is known to have published',
      { ...shown, reason: null, flags: [flag('a'), flag('b', null)] },
      ['a'],
    ],
    ['a deleted flag', { ...shown, flags: [flag('gone')] }, []],
    ['more flags than are listed', { ...shown, flagCount: 501 }, 'TOO_MANY'],
  ])('of %s', (_what, revision, ids) => {
    expect(rolledBack(revision)).toEqual(ids)
  })
})

it.each([
  [{ revision: 41, step: 0 }, '41', '41.0'],
  [{ revision: 41, step: 2 }, '41.2', '41.2'],
])('%j is called %s, and its state is that of %s', (place, label, state) => {
  expect([labelOf(place), stateOf(place)]).toEqual([label, state])
})

describe('the work that a restore replaces', () => {
  const by = (name: string | null) => ({ by: name === null ? null : { name } })
  it.each([
    [[], undefined],
    [[by('Ada')], '1 unpublished change by Ada'],
    [[by('Ada'), by('Olive'), by('Ada')], '3 unpublished changes by Ada and Olive'],
    [[by(null)], '1 unpublished change'],
  ])('%j', (changes, words) => {
    expect(replacedWork('a', [{ flagId: 'a', changes }])).toBe(words)
    expect(replacedWork('b', [{ flagId: 'a', changes }])).toBeUndefined()
  })
})

it.each([
  [[], 3, undefined],
  [[3, 2], 3, undefined],
  [[4, 3], 3, '1 new revision'],
  [[5, 4, 3], 3, '2 new revisions'],
  [[9, 8, 7], 3, '3 or more new revisions'],
  [[3.2, 3.1, 3], 3, '2 new revisions'],
  [[4, 3.1, 3], 3.1, '1 new revision'],
  [[1], undefined, '1 new revision'],
])('above a list that has %j, newest shown %j: %j', (newest, shown, words) => {
  const placeOf = (label: number) => ({ revision: Math.floor(label), step: Math.round((label % 1) * 10) })
  expect(waitingWords(newest.map(placeOf), shown === undefined ? undefined : placeOf(shown))).toBe(words)
})

describe('what a row tells', () => {
  const share = (path: string) => ({ path, from: 2000, to: 3000, rules: [] })
  const flag = (name: string, ...paths: string[]) => ({
    ...{ id: name, key: name, name, change: 'CHANGED' as const },
    changes: paths.map(share),
  })
  const flags = [flag('A', 'a', 'b'), flag('B', 'c', 'd')]

  it('is the first changes of a publish, and how many more there are', () => {
    const { lines, more } = toldLines({ reason: 'PUBLISHED', flags }, 3)
    expect([lines.map(({ flag, change }) => `${flag} ${change.path}`), more]).toEqual([['A a', 'A b', 'B c'], 1])
  })

  it('is nothing more for a switch, but for what went live with it', () => {
    const moved = (...paths: string[]) => [
      { name: 'Price', changes: paths.map((path) => ({ path, from: false, to: true, rules: [] })) },
    ]
    const told = (...paths: string[]) =>
      toldLines({ reason: 'SWITCHED', flags: moved(...paths) as never }, 3).lines.map(({ change }) => change.path)
    expect(told('enabled', 'rules.7.enabled')).toEqual([])
    expect(told('enabled', 'rules.7')).toEqual(['rules.7'])
  })
})

describe('what waits for a publish', () => {
  const change = (path: string, by: string | null, at: string) => ({
    ...{ path, from: 1, to: 2, at },
    by: by === null ? null : { id: by, name: by },
  })
  const flags = [
    { flagId: '1', key: 'a', name: 'A', changes: [change('x', 'ada', '2026-11-01'), change('y', null, '2026-11-03')] },
    { flagId: '2', key: 'b', name: 'B', changes: [change('z', 'ada', '2026-11-02')] },
  ]

  it.each([
    [{}, ['y', 'z', 'x']],
    [{ flagKey: 'a' }, ['y', 'x']],
    [{ by: 'ada' }, ['z', 'x']],
    [{ flagKey: 'b', by: 'olive' }, []],
  ])('is the latest first, and with %j is %j', (which, paths) => {
    expect(draftLines(flags, which).map(({ change }) => change.path)).toEqual(paths)
  })
})
