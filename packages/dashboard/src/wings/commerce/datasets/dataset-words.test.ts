import { expect, test } from 'vitest'
import type { Version } from './dataset.ts'
import { canRollBack, checkInWords, guardsInWords, isStillHeld, stateOf } from './dataset-words.ts'

test.each([
  [
    { check: 'ROW_DROP', status: 'OK', value: 0, limit: 0.5 },
    'Rows that are gone: 0\u00a0%, and the limit is 50\u00a0%',
  ],
  [
    { check: 'UNKNOWN_PRODUCTS', status: 'FAILED', value: 0.613, limit: 0.2 },
    'Rows of products that the catalog does not have: 61.3\u00a0%, and the limit is 20\u00a0%',
  ],
  [{ check: 'ROW_DROP', status: 'SKIPPED', value: null, limit: 0.5 }, 'Rows that are gone: nothing to compare with'],
] as const)('a check reads with its value beside its limit %#', (check, words) => {
  expect(checkInWords(check)).toBe(words)
})

test.each([
  [{ isActive: true, status: 'HELD' }, 'ACTIVE'],
  [{ isActive: false, status: 'HELD' }, 'HELD'],
  [{ isActive: false, status: 'READY' }, 'READY'],
] as const)('the state of %j is %s', (version, state) => expect(stateOf(version)).toBe(state))

const version = (isActive: boolean, activatedAt: string | null) => ({ isActive, activatedAt }) as Version
test.each([
  ['one version', [version(true, '2026-12-01')], false],
  ['one that never was active beside it', [version(true, '2026-12-01'), version(false, null)], false],
  ['one that was active before', [version(true, '2026-12-01'), version(false, '2026-11-30')], true],
  ['none', [], false],
])('with %s, going back is possible: %#', (_, versions, can) => expect(canRollBack(versions)).toBe(can))

test.each([
  ['HELD', null, true],
  ['HELD', '2026-12-01', false],
  ['SUCCEEDED', null, false],
] as const)('a job that is %s, whose version went live at %s, still waits: %s', (status, activatedAt, waits) => {
  expect(isStillHeld({ id: 'j', status }, [{ jobId: 'j', activatedAt } as Version])).toBe(waits)
})

test('guards read as sentences', () => {
  expect(guardsInWords({ guards: { maxRowDrop: 0.5, maxUnknownShare: 0.2 } })).toEqual([
    'More than 50\u00a0% of the rows of the active version would be gone.',
    'More than 20\u00a0% of the rows have a product that the catalog does not have.',
  ])
  expect(guardsInWords({ guards: {} })).toEqual([])
})
