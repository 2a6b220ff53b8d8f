import { describe, expect, it } from 'vitest'
import { type FlagOfManifest, manifestFlag } from './manifest.ts'

const flagOf = (type: FlagOfManifest['type'], ...values: string[]): FlagOfManifest => ({
  ...{ key: 'flag', name: 'Flag', description: null, type, defaultVariationId: '0' },
  variations: values.map((value, id) => ({ id: String(id), value })),
})

describe('a flag of the manifest', () => {
  it.each([
    ['BOOLEAN', ['false', 'true'], 'boolean', false],
    ['STRING', ['', 'a'], 'string', ''],
    ['STRING', ['1', '2'], 'string', '1'],
    ['NUMBER', ['10', '0'], 'integer', 10],
    ['NUMBER', ['10.0', '-3e2'], 'integer', 10],
    ['NUMBER', ['10', '0.5'], 'float', 10],
    ['JSON', ['{"a":[1]}', '{}'], 'object', { a: [1] }],
    ['JSON', ['[1,2]', '[]'], 'object', [1, 2]],
  ] as const)('of type %s with the values %j has the type %s', (type, values, name, defaultValue) => {
    const flag = manifestFlag(flagOf(type, ...values))
    expect(flag).toEqual({ key: 'flag', name: 'Flag', type: name, defaultValue })
  })

  it('has the default variation, wherever it is in the list, and its description', () => {
    const flag = { ...flagOf('STRING', 'a', 'b'), defaultVariationId: '1', description: 'Text' }
    expect(manifestFlag(flag)).toMatchObject({ defaultValue: 'b', description: 'Text' })
  })
})
