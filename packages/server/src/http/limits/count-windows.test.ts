import { afterEach, expect, test, vi } from 'vitest'
import { entryBytes, roomOf } from '../../platform/held.ts'
import { windowsIn } from './count-windows.ts'

afterEach(() => void vi.useRealTimers())

const window = { keyPrefix: 'test', points: 1, duration: 60, purpose: 'requests' } as const

test('a flood of subjects of any length takes no more than its room, and ended windows leave it', async () => {
  vi.useFakeTimers()
  const room = roomOf(100 * entryBytes)
  const { count } = windowsIn(() => room)(window)
  for (let number = 0; number < 300; number += 1) await count(`${number}${'x'.repeat(10_000)}`)
  expect(room.bytes).toBe(100 * entryBytes)
  vi.setSystemTime(Date.now() + 60_000)
  expect(await count('one')).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 })
  expect(room.bytes).toBe(entryBytes)
})

test('a window that ended begins again, even if the clock was set back meanwhile', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const { count } = windowsIn(() => roomOf(100 * entryBytes))(window)
  await count('first')
  vi.setSystemTime(900_000)
  await count('second')
  vi.setSystemTime(970_000)
  expect(await count('second')).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 })
})
