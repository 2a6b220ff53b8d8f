import { expect, test } from 'vitest'
import { maxFlagsPerProject, refusesCreation, refusesKey } from './flag.ts'

const wanted = (...keys: string[]) => keys.map((key) => ({ key }))

test.each<[string, string[], { taken?: string[]; room?: number }, (string | undefined)[]]>([
  ['all where there is room', ['a', 'b'], {}, [undefined, undefined]],
  ['a key that a flag has', ['a', 'b'], { taken: ['a'] }, ['already_exists', undefined]],
  ['a key that is asked for twice', ['a', 'a'], {}, [undefined, 'already_exists']],
  ['those beyond the limit', ['a', 'b', 'c'], { room: 2 }, [undefined, undefined, 'validation_failed']],
  ['one that is refused leaves its room', ['a', 'b'], { taken: ['a'], room: 1 }, ['already_exists', undefined]],
])('creation: %s', (_what, keys, { taken = [], room = maxFlagsPerProject }, refusals) => {
  const found = refusesCreation(wanted(...keys), { taken: new Set(taken), room })
  expect(found.map((each) => each?.refusal)).toEqual(refusals)
})

test.each([
  ['stays', { key: 'a', everEnabled: true }, 'a', undefined],
  ['changes before the first run', { key: 'a', everEnabled: false }, 'b', undefined],
  ['no longer changes after it', { key: 'a', everEnabled: true }, 'b', 'invalid_state'],
])('a key %s', (_what, flag, key, refusal) => {
  expect(refusesKey(flag, key)?.refusal).toBe(refusal)
})
