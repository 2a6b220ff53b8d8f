import { expect, it } from 'vitest'
import { differences } from './differences.ts'

const changed = (path: string[], before: unknown, after: unknown) => ({ path, kind: 'CHANGED', before, after })
const added = (path: string[], after: unknown) => ({ path, kind: 'ADDED', after })
const removed = (path: string[], before: unknown) => ({ path, kind: 'REMOVED', before })

it.each([
  ['no states', null, null, []],
  ['equal states', { name: 'a', list: [1, { deep: true }] }, { name: 'a', list: [1, { deep: true }] }, []],
  ['a field', { name: 'a', other: 1 }, { name: 'b', other: 1 }, [changed(['name'], 'a', 'b')]],
  ['false to true', { enabled: false }, { enabled: true }, [changed(['enabled'], false, true)]],
  ['zero to null', { weight: 0 }, { weight: null }, [changed(['weight'], 0, null)]],
  ['null to a value', { expiresAt: null }, { expiresAt: 'x' }, [changed(['expiresAt'], null, 'x')]],
  ['a different type', { value: '1' }, { value: 1 }, [changed(['value'], '1', 1)]],
  [
    'a created object',
    null,
    { name: 'a', description: null, projectIds: ['p'] },
    [added(['name'], 'a'), added(['projectIds'], ['p'])],
  ],
  ['a deleted object', { name: 'a', description: null }, undefined, [removed(['name'], 'a')]],
  ['an added field', { a: 1 }, { a: 1, b: 2 }, [added(['b'], 2)]],
  ['a removed field', { a: 1, b: 2 }, { a: 1 }, [removed(['b'], 2)]],
  ['deep fields', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3, d: 2 } } }, [changed(['a', 'b', 'c'], 1, 3)]],
  [
    'an added filter',
    { notifications: null },
    { notifications: { mode: 'INCLUDE', keywords: ['a'] } },
    [added(['notifications', 'mode'], 'INCLUDE'), added(['notifications', 'keywords'], ['a'])],
  ],
  [
    'added and removed words',
    { scopes: ['a', 'b'] },
    { scopes: ['b', 'c'] },
    [removed(['scopes'], 'a'), added(['scopes'], 'c')],
  ],
  [
    'words in a different order',
    { scopes: ['a', 'b'] },
    { scopes: ['b', 'a'] },
    [changed(['scopes'], ['a', 'b'], ['b', 'a'])],
  ],
  [
    'all projects to selected ones',
    { projectIds: null },
    { projectIds: ['p'] },
    [changed(['projectIds'], null, ['p'])],
  ],
  ['a list that becomes empty', { list: ['a'] }, { list: [] }, [removed(['list'], 'a')]],
  [
    'a reference to a different object',
    { role: { id: '1', name: 'VIEWER' } },
    { role: { id: '2', name: 'EDITOR' } },
    [changed(['role'], { id: '1', name: 'VIEWER' }, { id: '2', name: 'EDITOR' })],
  ],
  [
    'objects by their keys, in any order',
    {
      variations: [
        { id: '1', key: 'on', value: 1 },
        { id: '2', key: 'off', value: 0 },
      ],
    },
    {
      variations: [
        { id: '3', key: 'new', value: 2 },
        { id: '1', key: 'on', value: 5 },
      ],
    },
    [
      changed(['variations', 'on', 'value'], 1, 5),
      removed(['variations', 'off'], { id: '2', key: 'off', value: 0 }),
      added(['variations', 'new'], { id: '3', key: 'new', value: 2 }),
    ],
  ],
  ['a list of mixed values', { list: [1, { a: 1 }] }, { list: [2] }, [changed(['list'], [1, { a: 1 }], [2])]],
  ['states that are not objects', 'a', 'b', [changed([], 'a', 'b')]],
  ['an added empty object', {}, { value: {} }, [added(['value'], {})]],
])('%s', (_what, before, after, expected) => {
  expect(differences(before, after)).toEqual(expected)
})
