import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Address, shared } from './nameserver.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a shared resolver', () => {
  it('asks once for everything that begins within a tenth of a second, and again after that', async () => {
    const asked: string[] = []
    const resolve = shared(async (host): Promise<Address[]> => {
      asked.push(host)
      return [{ address: `192.0.2.${asked.length}`, family: 4 }]
    })
    const [first, same, other] = await Promise.all([resolve('a.test'), resolve('a.test'), resolve('b.test')])
    expect(same).toBe(first)
    expect(other).not.toBe(first)
    vi.advanceTimersByTime(99)
    expect(await resolve('a.test')).toBe(first)
    vi.advanceTimersByTime(1)
    expect(await resolve('a.test')).not.toBe(first)
    expect(asked).toEqual(['a.test', 'b.test', 'a.test'])
  })

  it('also shares a failure', async () => {
    const resolve = shared(() => Promise.reject(new Error('no such name')))
    await expect(resolve('a.test')).rejects.toThrow('no such name')
    await expect(resolve('a.test')).rejects.toThrow('no such name')
  })
})
