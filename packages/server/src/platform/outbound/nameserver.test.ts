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
    vi.advanceTimersByTime(49)
    expect(await resolve('a.test')).toBe(first)
    vi.advanceTimersByTime(51)
    expect(await resolve('a.test')).not.toBe(first)
    expect(asked).toEqual(['a.test', 'b.test', 'a.test'])
  })

  it('asks ahead in the second half of that time, and uses no answer for longer', async () => {
    let asked = 0
    const resolve = shared(async (): Promise<Address[]> => {
      asked += 1
      return [{ address: `192.0.2.${asked}`, family: 4 }]
    })
    const addressAfter = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      return (await resolve('a.test'))[0]!.address
    }
    expect(await addressAfter(0)).toBe('192.0.2.1')
    expect(await addressAfter(60)).toBe('192.0.2.1')
    expect(await addressAfter(30)).toBe('192.0.2.1')
    expect(asked).toBe(2)
    // The second answer is used for the rest of its own tenth of a second.
    expect(await addressAfter(10)).toBe('192.0.2.2')
    expect(await addressAfter(60)).toBe('192.0.2.3')
  })

  it('does not ask ahead while a slow server has not answered', async () => {
    const answers: PromiseWithResolvers<Address[]>[] = []
    const resolve = shared(() => {
      const answer = Promise.withResolvers<Address[]>()
      answers.push(answer)
      return answer.promise
    })
    const first = resolve('a.test')
    vi.advanceTimersByTime(60)
    const second = resolve('a.test')
    expect(answers).toHaveLength(1)
    answers[0]!.resolve([{ address: '192.0.2.1', family: 4 }])
    expect(await second).toBe(await first)
    // The answer is old by now, so the next one is asked for.
    await resolve('a.test')
    expect(answers).toHaveLength(2)
  })

  it('also shares a failure', async () => {
    const resolve = shared(() => Promise.reject(new Error('no such name')))
    await expect(resolve('a.test')).rejects.toThrow('no such name')
    await expect(resolve('a.test')).rejects.toThrow('no such name')
  })
})
