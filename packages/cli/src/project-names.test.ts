import { expect, it } from 'vitest'
import { namesIn } from './project-names.ts'

const names = namesIn({
  audiences: [
    { id: 'a-1', shortId: 1, name: 'Beta' },
    { id: 'a-2', shortId: 2, name: 'Twice' },
    { id: 'a-3', shortId: 3, name: 'Twice' },
  ],
  segments: [{ id: 's-1', shortId: 1, name: 'VIP customers' }],
  metrics: null,
})

it.each([
  ['a-1', 'a-1'],
  ['2', 'a-2'],
  ['Beta', 'a-1'],
  ['beta-users', 'beta-users'],
])('%s is the audience %s', (called, id) => expect(names.idOf('audiences', called)).toBe(id))

it('refuses what does not exist, and a name of several', () => {
  expect(() => names.idOf('audiences', 'Nobody')).toThrow('Audience "Nobody" was not found.')
  expect(() => names.idOf('audiences', 'Twice')).toThrow(
    'Several audiences are called "Twice". Use a key or a short id: 2, 3.',
  )
  expect(() => names.idOf('metrics', 'paid')).toThrow('Metric "paid" was not found.')
})

it('puts ids into conditions', () => {
  const condition = { all: [{ any: [{ audience: 'Beta' }] }, { not: { segment: 'VIP customers' } }] }
  expect(names.withIds(condition)).toEqual({ all: [{ any: [{ audience: 'a-1' }] }, { not: { segment: 's-1' } }] })
})
