import { expect, it } from 'vitest'
import { merge, resolved } from '../../../ui/form/merge.ts'
import { bodyOf, fieldsOf, fieldWords, labelsOf } from './variation-fields.ts'

const off = { row: '1', id: '1', name: 'Off', key: 'off', value: 'a' }
const on = { row: '2', id: '2', name: 'On', key: 'on', value: 'b' }
const fresh = { row: 'new', name: 'Half', key: 'half', value: 'c' }
const base = fieldsOf([off, on], 'off')

it('two edits of different variations are both kept', () => {
  const mine = fieldsOf([off, { ...on, value: 'mine' }, fresh], 'half')
  const theirs = fieldsOf([{ ...off, name: 'None' }, on], 'off')
  const merged = merge(base, mine, theirs)
  expect(merged).toMatchObject({ conflicts: [], theirs: ['1'] })
  expect(bodyOf(merged.values)).toEqual({
    variations: [
      { id: '1', name: 'None', key: 'off', value: 'a' },
      { id: '2', name: 'On', key: 'on', value: 'mine' },
      { name: 'Half', key: 'half', value: 'c' },
    ],
    defaultVariationKey: 'half',
  })
})

it('a variation that one deletes and the other edits is a choice', () => {
  const merged = merge(base, fieldsOf([off], 'off'), fieldsOf([off, { ...on, value: 'theirs' }], 'off'))
  expect(
    merged.conflicts.map(({ field, mine, theirs }) => [fieldWords(field, mine), fieldWords(field, theirs)]),
  ).toEqual([['Deleted', 'On (on): theirs']])
  expect(bodyOf(merged.values).variations).toHaveLength(1)
  expect(bodyOf(resolved(merged, { 2: 'theirs' })).variations[1]).toMatchObject({ value: 'theirs' })
})

it('fields are called by the names of the variations', () => {
  expect(labelsOf(base)).toEqual({ 1: 'The variation Off', 2: 'The variation On', defaultVariationKey: 'The default' })
  expect(fieldWords('1', { ...off, value: '' })).toBe('Off (off): empty')
  expect(fieldWords('defaultVariationKey', 'on')).toBe('on')
})
