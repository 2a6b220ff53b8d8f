import { compile, type DataFile } from '@svc/core'
import { pagesOf, type StoredDataFile } from '../../serving/datafile/index.ts'

/** A test that is served, with the code of its variations. */
interface Test {
  /** Whether a unit can have the variation: by the split or, in a sticky test, because it has kept it. */
  gives(unit: string, variationKey: string): boolean
  /** By the key of the variation. */
  codes: ReadonlyMap<string, { js: string; version: string }>
}

/** By what the data file calls the rule. */
type Tests = ReadonlyMap<string, Test>

/** The tests with code that an environment serves, read once for each revision. */
export function servedTests(): (file: Pick<StoredDataFile, 'bytes' | 'sections' | 'revision'>) => Tests {
  const known = new WeakMap<object, Tests>()
  return (file) => {
    const tests = known.get(file) ?? testsIn(file)
    known.set(file, tests)
    return tests
  }
}

function testsIn(stored: Pick<StoredDataFile, 'bytes' | 'sections' | 'revision'>): Tests {
  const { code } = pagesOf(stored)
  if (code.length === 0) return new Map()
  const file = JSON.parse(String(stored.bytes())) as DataFile
  const byKey = Map.groupBy(code, ({ key }) => key)
  return new Map(
    [...byKey].flatMap(([key, variations]) => {
      const flag = file.flags[key]
      const rule = flag?.rules?.find(({ type }) => type === 'AB_TEST')
      if (!flag || !rule) return []
      // The split alone: nobody here knows the attributes of a visitor.
      const { overrides: _some, group: _group, holdout: _holdout, ...split } = rule
      const { overrides: _all, ...rest } = flag
      const only = { ...rest, rules: [{ ...split, when: { all: [] }, bucketBy: ['targetingKey'] }] }
      // Browsers alone know what they keep, so whoever says to have kept a variation of the split is believed.
      let kept: string | undefined
      const keep = { get: () => kept, set: () => undefined }
      const { evaluate } = compile({ ...file, flags: { [key]: only } } as DataFile, Date.now, keep)
      const codes = new Map(variations.map((each) => [each.variationKey, each]))
      const test: Test = {
        codes,
        gives(unit, variationKey) {
          kept = variationKey
          const found = evaluate(key, { targetingKey: unit })
          return found.reason === 'SPLIT' && found.variationKey === variationKey
        },
      }
      return [[rule.id, test]]
    }),
  )
}
