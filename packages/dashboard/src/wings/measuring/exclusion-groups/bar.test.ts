import { expect, it } from 'vitest'
import { placesOf } from './bar.ts'

const slot = (ruleId: string, envId: string, from: number) => ({
  ruleId,
  flagId: 'f',
  experimentId: null,
  envId,
  from,
  to: from + 3000,
})

it('a group has as many places as slots fit, in the order of their buckets', () => {
  const slots = [slot('b', 'p', 6000), slot('x', 'd', 0), slot('a', 'p', 0)]
  const ids = (envId: string) => placesOf({ slotSize: 3000, slots }, envId).map((each) => each?.ruleId ?? null)
  expect([ids('p'), ids('d'), ids('none')]).toEqual([
    ['a', null, 'b'],
    ['x', null, null],
    [null, null, null],
  ])
})
