import { expect, test } from 'vitest'
import { maxFlagsPerProject, refusesCreation, refusesKey } from './flag.ts'

const wanted = (...keys: string[]) => keys.map((key) => ({ key }))

test.each<[string, string[], { taken?: string[]; room?: number }, (string | undefined)[]]>([
  ['accepts all flags within the limit', ['a', 'b'], {}, [undefined, undefined]],
  ['refuses a key that a flag has', ['a', 'b'], { taken: ['a'] }, ['already_exists', undefined]],
  ['refuses the second flag with the same key', ['a', 'a'], {}, [undefined, 'already_exists']],
  ['refuses flags beyond the limit', ['a', 'b', 'c'], { room: 2 }, [undefined, undefined, 'validation_failed']],
  ['does not count refused flags', ['a', 'b'], { taken: ['a'], room: 1 }, ['already_exists', undefined]],
])('refusesCreation %s', (_what, keys, { taken = [], room = maxFlagsPerProject }, refusals) => {
  const found = refusesCreation(wanted(...keys), { taken: new Set(taken), room })
  expect(found.map((each) => each?.refusal)).toEqual(refusals)
})

test.each([
  ['stay the same', { key: 'a', everEnabled: true }, 'a', undefined],
  ['change before the first run', { key: 'a', everEnabled: false }, 'b', undefined],
  ['not change after the first run', { key: 'a', everEnabled: true }, 'b', 'invalid_state'],
])('a key can %s', (_what, flag, key, refusal) => {
  expect(refusesKey(flag, key)?.refusal).toBe(refusal)
})
