import { describe, expect, it } from 'vitest'
import { type Chosen, chips, type Filter, matching, toggled, without, withoutLast } from './filters.ts'

const status: Filter = {
  key: 'status',
  label: 'Status',
  options: [
    { value: 'RUNNING', label: 'Running' },
    { value: 'PAUSED', label: 'Paused' },
  ],
}
const tag: Filter = { key: 'tag', label: 'Tag', options: [{ value: 'checkout', label: 'checkout' }], isSingle: true }
const filters = [status, tag]

it.each<[string, Chosen, Chosen]>([
  ['switches an option on', toggled({}, status, 'RUNNING'), { status: ['RUNNING'] }],
  ['adds an option', toggled({ status: ['RUNNING'] }, status, 'PAUSED'), { status: ['RUNNING', 'PAUSED'] }],
  ['switches an option off', toggled({ status: ['RUNNING', 'PAUSED'] }, status, 'RUNNING'), { status: ['PAUSED'] }],
  ['leaves out an empty filter', toggled({ status: ['RUNNING'] }, status, 'RUNNING'), {}],
  ['replaces the option of a single filter', toggled({ tag: ['checkout'] }, tag, 'price'), { tag: ['price'] }],
  ['removes a filter', without({ status: ['RUNNING'], tag: ['checkout'] }, 'status'), { tag: ['checkout'] }],
  ['removes the last chip', withoutLast({ tag: ['checkout'], status: ['RUNNING'] }, filters), { status: ['RUNNING'] }],
  ['keeps an empty choice', withoutLast({}, filters), {}],
])('%s', (_, given, expected) => {
  expect(given).toEqual(expected)
})

describe('chips', () => {
  it('are in the order of the filters, with labels of their values', () => {
    const chosen = { tag: ['gone'], status: ['PAUSED', 'RUNNING'] }
    expect(chips(chosen, filters).map(({ filter, words }) => `${filter.label}: ${words}`)).toEqual([
      'Status: Paused, Running',
      'Tag: gone',
    ])
  })
})

it.each([
  ['', ['Running', 'Paused']],
  ['PAU', ['Paused']],
  ['e d', ['Paused']],
  ['x', []],
])('%j finds %j', (text, expected) => {
  expect(matching(status.options, text).map(({ label }) => label)).toEqual(expected)
})
