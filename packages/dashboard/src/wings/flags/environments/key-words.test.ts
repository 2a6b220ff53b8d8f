import { expect, test } from 'vitest'
import { hintOf, usesInWords } from './key-words.ts'

test('an SDK key is recognized by its beginning', () => {
  expect(hintOf('sdk_lO0amei2J6pPSyk2d0RfRNWFtVkuXf3D')).toBe('sdk_lO0amei2…')
})

test('uses are words, the last one first', () => {
  const lastUsedAt = '2026-11-20T10:00:00.000Z'
  expect(usesInWords([])).toBe('')
  expect(
    usesInWords([
      { use: 'HEARTBEAT', lastUsedAt },
      { use: 'DATA_FILE', lastUsedAt },
    ]),
  ).toBe('heartbeats, data file')
})
