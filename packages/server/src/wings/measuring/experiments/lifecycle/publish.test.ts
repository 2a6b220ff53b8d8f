import { expect, test } from 'vitest'
import { abTest } from '../../../../../testing/versions.ts'
import type { Statistics } from '../../../model/versions/index.ts'
import { publishWarnings } from './publish.ts'

const live = abTest('a')

test.each<[string, Partial<Statistics>, boolean]>([
  ['the kind of test', { test: 'FIXED_HORIZON' }, true],
  ['the error rate', { alpha: 0.2 }, true],
  ['the correction', { correction: 'NONE' }, true],
  ['the window', { conversionWindowHours: 24 }, true],
  ['a setting that older rules lack', { minUnits: 10 }, true],
  ['its default', { minUnits: 100 }, false],
  ['the plan, which is read when the test starts', { plannedUnitsPerVariation: 100 }, false],
  ['what health warns of', { maxUnits: 100 }, false],
])('%s can make results seen before significant', (_what, change, warns) => {
  const draft = { ...live, statistics: { ...live.statistics, ...change } }
  const codes = publishWarnings(live, draft, [{ path: 'statistics' }], null).map(({ code }) => code)
  expect(codes).toEqual(warns ? ['STATISTICS_CHANGED'] : [])
})
