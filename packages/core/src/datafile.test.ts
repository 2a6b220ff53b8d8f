import { describe, expect, it } from 'vitest'
import { parseDataFile } from './datafile.ts'

describe('parseDataFile', () => {
  it('returns a valid data file as the same object', () => {
    const file = { schemaVersion: 1, revision: 0, flags: {} }
    expect(parseDataFile(file)).toBe(file)
  })

  it.each([
    [{ schemaVersion: 2, revision: 1, flags: {} }],
    [{ schemaVersion: 1, revision: 1.5, flags: {} }],
    [{ schemaVersion: 1, flags: {} }],
    [{ schemaVersion: 1, revision: 1, flags: [] }],
    [[]],
    ['{}'],
    [null],
    [undefined],
  ])('refuses %j', (value) => {
    expect(parseDataFile(value)).toBeUndefined()
  })
})
