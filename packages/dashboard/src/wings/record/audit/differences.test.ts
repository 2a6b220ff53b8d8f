import { expect, it } from 'vitest'
import { differences } from './differences.ts'

const changed = (path: string[], before: unknown, after: unknown) => ({ path, kind: 'CHANGED', before, after })
const added = (path: string[], after: unknown) => ({ path, kind: 'ADDED', after })
const removed = (path: string[], before: unknown) => ({ path, kind: 'REMOVED', before })

it.each([
  ['nothing at all', null, null, []],
  ['the same', { name: 'a', list: [1, { deep: true }] }, { name: 'a', list: [1, { deep: true }] }, []],
  ['a field', { name: 'a', other: 1 }, { name: 'b', other: 1 }, [changed(['name'], 'a', 'b')]],
  ['false to true', { enabled: false }, { enabled: true }, [changed(['enabled'], false, true)]],
  ['zero to nothing', { weight: 0 }, { weight: null }, [changed(['weight'], 0, null)]],
  ['nothing to a value', { expiresAt: null }, { expiresAt: 'x' }, [changed(['expiresAt'], null, 'x')]],
  ['another type', { value: '1' }, { value: 1 }, [changed(['value'], '1', 1)]],
  [
    'something created',
    null,
    { name: 'a', description: null, projectIds: ['p'] },
    [added(['name'], 'a'), added(['projectIds'], ['p'])],
  ],
  ['something deleted', { name: 'a', description: null }, undefined, [removed(['name'], 'a')]],
  ['a field that came', { a: 1 }, { a: 1, b: 2 }, [added(['b'], 2)]],
  ['a field that went', { a: 1, b: 2 }, { a: 1 }, [removed(['b'], 2)]],
  ['deep fields', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3, d: 2 } } }, [changed(['a', 'b', 'c'], 1, 3)]],
  [
    'a filter that came',
    { notifications: null },
    { notifications: { mode: 'INCLUDE', keywords: ['a'] } },
    [added(['notifications', 'mode'], 'INCLUDE'), added(['notifications', 'keywords'], ['a'])],
  ],
  [
    'words that came and went',
    { scopes: ['a', 'b'] },
    { scopes: ['b', 'c'] },
    [removed(['scopes'], 'a'), added(['scopes'], 'c')],
  ],
  [
    'words in another order',
    { scopes: ['a', 'b'] },
    { scopes: ['b', 'a'] },
    [changed(['scopes'], ['a', 'b'], ['b', 'a'])],
  ],
  ['all projects to chosen ones', { projectIds: null }, { projectIds: ['p'] }, [changed(['projectIds'], null, ['p'])]],
  ['a list that got empty', { list: ['a'] }, { list: [] }, [removed(['list'], 'a')]],
  [
    'another thing named',
    { role: { id: '1', name: 'VIEWER' } },
    { role: { id: '2', name: 'EDITOR' } },
    [changed(['role'], { id: '1', name: 'VIEWER' }, { id: '2', name: 'EDITOR' })],
  ],
  [
    'things by their keys, whatever their order',
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
  ['a list of anything', { list: [1, { a: 1 }] }, { list: [2] }, [changed(['list'], [1, { a: 1 }], [2])]],
  ['states that are no fields', 'a', 'b', [changed([], 'a', 'b')]],
  ['an empty thing that came', {}, { value: {} }, [added(['value'], {})]],
])('%s', (_what, before, after, expected) => {
  expect(differences(before, after)).toEqual(expected)
})
