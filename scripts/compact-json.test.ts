import { expect, it } from 'vitest'
import { compactJson } from './compact-json.ts'

const value = {
  name: 'a',
  paths: { '/a': { get: { tags: ['x', 'y'] }, post: { tags: [] } }, '/b': {} },
  parts: { list: [1, { b: 2 }], none: undefined },
}

it('the values at opened paths have a line for each of their fields', () => {
  expect(compactJson(value, [['paths'], ['paths', '*']])).toBe(
    [
      '{',
      '  "name": "a",',
      '  "paths": {',
      '    "/a": {',
      '      "get": {"tags":["x","y"]},',
      '      "post": {"tags":[]}',
      '    },',
      '    "/b": {}',
      '  },',
      '  "parts": {"list":[1,{"b":2}]}',
      '}',
      '',
    ].join('\n'),
  )
})

it('the text is the same value', () => {
  const { none: _none, ...parts } = value.parts
  expect(JSON.parse(compactJson(value, [['parts'], ['paths', '*']]))).toEqual({ ...value, parts })
})
