import { expect, test } from 'vitest'
import { throttle } from './throttle.ts'

test('each key passes once per interval', () => {
  let at = 0
  const { isDue } = throttle(() => new Date(at), 10_000)
  const seen = [0, 1, 9_999, 10_000, 10_001, 20_000].map((ms) => {
    at = ms
    return isDue('a')
  })
  expect(seen).toEqual([true, false, false, true, false, true])
})

test('keys do not delay each other', () => {
  const { isDue } = throttle(() => new Date(0), 10_000)
  expect([isDue('a'), isDue('b'), isDue('a')]).toEqual([true, true, false])
})

test('a flood of keys removes the oldest first', () => {
  const { isDue } = throttle(() => new Date(0), 10_000)
  for (let count = 0; count < 10_000; count += 1) isDue(`key-${count}`)
  expect(isDue('key-0')).toBe(false)
  expect(isDue('one more')).toBe(true)
  expect(isDue('key-0')).toBe(true)
  expect(isDue('key-9999')).toBe(false)
})

test('a forgotten key passes at once', () => {
  const { isDue, forget } = throttle(() => new Date(0), 10_000)
  isDue('a')
  forget('a')
  expect(isDue('a')).toBe(true)
})
