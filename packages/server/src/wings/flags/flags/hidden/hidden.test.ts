import { expect, test } from 'vitest'
import { abTest, off, on, versionOf } from '../../../../../testing/versions.ts'
import { hiddenVariations, unlaunched, withMoreVariations } from './hidden.ts'

const kept = { id: 'kept', key: 'original', name: 'As it is', value: 'original' }

test.each([
  ['keeps the id and the name of a key', [{ key: 'original' }], [kept]],
  ['takes a new name', [{ key: 'original', name: 'Control' }], [{ ...kept, name: 'Control' }]],
  [
    'makes a name from a new key',
    [{ key: 'with-price_1' }],
    [{ id: 'new', key: 'with-price_1', name: 'With price 1', value: 'with-price_1' }],
  ],
  ['leaves out what is not wanted', [], []],
])('a hidden flag %s', (_what, wanted, variations) => {
  expect(hiddenVariations(wanted, [kept], () => 'new')).toEqual(variations)
})

test('before the launch, the live version differs from the draft by the test alone', () => {
  const draft = versionOf([abTest('b')], {
    overrides: {
      environmentAllowlist: [],
      ruleAllowlists: [{ ruleId: 'b', entries: [{ variationId: on.id, userIds: ['u'] }] }],
    },
  })
  const { draft: settled, live } = unlaunched(
    draft,
    'b',
    [
      { ...on, name: 'On' },
      { ...off, name: 'Off' },
    ],
    on.id,
  )
  expect(settled).toEqual({ ...draft, variations: [on, off], defaultVariationId: on.id, pausedVariationId: on.id })
  expect(live).toEqual({ ...settled, rules: [], overrides: { environmentAllowlist: [], ruleAllowlists: [] } })
})

test('a draft can have old and new variations at the same time', () => {
  const more = withMoreVariations(versionOf([]), [{ ...on, name: 'On' }, { ...kept }])
  expect(more.variations.map(({ key }) => key)).toEqual([...versionOf([]).variations.map(({ key }) => key), 'original'])
})
